// A recorder of one topic in this process.
#pragma once

#include <memory>
#include <string>

#include "tandem/bag/recorder.hpp"

namespace bench {

/// Throws tandem::bag::Error where bags cannot be written: Tandem was built without MCAP.
void expect_mcap();

class Recording {
 public:
  /// Begins, on all processors. \param profile "none", or of a compression "lz4" or "zstd_fast".
  Recording(const std::string & topic, const std::string & profile);
  /// Ends, and removes the bag.
  ~Recording();
  Recording(const Recording &) = delete;
  Recording & operator=(const Recording &) = delete;

  std::uint64_t message_count() const { return recorder_->message_count(); }
  /// Completes the bag. \return its messages. Throws std::runtime_error if some were lost.
  std::uint64_t stop();
  /// Waits until the bag is on the disk.
  void sync() const;
  /// Removes the bag, and leaves the disk idle.
  void remove() const;

 private:
  const std::string folder_;
  std::unique_ptr<tandem::bag::Recorder> recorder_;
};

}  // namespace bench
