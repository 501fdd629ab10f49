// Reads a bag in a thread of its own, some messages ahead of who plays them.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "tandem/bag/reader.hpp"

namespace tandem::bag {

class ReadAhead {
 public:
  struct Entry {
    bool is_end = false;      ///< there is no message left
    std::uint64_t seeks = 0;  ///< how often seek() was called before it was read
    Message message;          ///< its data is `bytes`
    std::vector<std::uint8_t> bytes;
    std::string file;
  };

  /// `reader` is used by this object's thread alone from the first seek() on.
  ReadAhead(Reader & reader, std::size_t messages) : reader_(reader), limit_(messages) {}
  ~ReadAhead();
  ReadAhead(const ReadAhead &) = delete;
  ReadAhead & operator=(const ReadAhead &) = delete;

  /// Begins anew; what was read before is forgotten.
  void seek(std::int64_t start, const std::vector<std::uint32_t> & topics);
  /// The next message, or the end. \throws Error
  Entry next();
  /// Memory for later messages.
  void recycle(Entry && entry);

 private:
  struct Place {
    std::int64_t start;
    std::vector<std::uint32_t> topics;
  };
  void read_all();
  bool read_one(std::unique_lock<std::mutex> & lock);

  Reader & reader_;
  const std::size_t limit_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<Place> place_;  // to seek
  std::deque<Entry> queue_;
  std::size_t queued_bytes_ = 0;
  std::vector<std::vector<std::uint8_t>> empty_;
  std::string error_;
  std::uint64_t seeks_ = 0;
  bool is_at_end_ = false;
  bool is_ending_ = false;
  std::thread thread_;
};

}  // namespace tandem::bag
