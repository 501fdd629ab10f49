// Reads a bag: all of its files as one sequence of messages.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "tandem/bag/metadata.hpp"
#include "tandem/bag/storage.hpp"

namespace tandem::bag {

/// Used by one thread at a time.
class Reader {
 public:
  /// A folder with metadata.yaml, a folder with files of bags, or one such file. What metadata.yaml lacks, or where it is
  /// missing since the recorder was killed, is read from the files. \throws Error
  explicit Reader(const std::filesystem::path & path);
  ~Reader();
  Reader(const Reader &) = delete;
  Reader & operator=(const Reader &) = delete;

  const Metadata & metadata() const { return metadata_; }
  /// Bytes of all files.
  std::uint64_t size() const;
  /// Files that their recorder did not complete.
  std::vector<std::string> incomplete_files() const;

  /// The next messages are those from `start` on, of these topics (numbers in metadata().topics; none given: of all).
  void seek(std::int64_t start, const std::vector<std::uint32_t> & topics = {});
  /// Sets `message`, whose data is valid until the next call, in the order of log times; message.topic is the number in
  /// metadata().topics. \return false at the end. \throws Error
  bool next(Message & message);
  /// The file, as metadata().files names it, that the last message is from.
  const std::string & current_file() const;

 private:
  struct Source;

  void open_files(const std::filesystem::path & folder);
  void complete_metadata(bool has_yaml);
  bool advance(Source & source);

  Metadata metadata_;
  std::vector<std::unique_ptr<Source>> sources_;
  std::string empty_file_;  // the last one, where it was just begun
  Source * last_ = nullptr;
  bool is_sought_ = false;
};

}  // namespace tandem::bag
