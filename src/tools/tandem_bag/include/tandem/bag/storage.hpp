// One file of a bag: what MCAP and SQLite have in common.
//
// A file is used by one thread at a time. Topics are numbered from 0 in the order of topics().
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "tandem/bag/metadata.hpp"

namespace tandem::bag {

struct Message {
  std::uint32_t topic = 0;
  std::uint32_t sequence = 0;     ///< of its publisher, from 1; 0: unknown
  std::int64_t log_time = 0;      ///< ns since the epoch, when it was received
  std::int64_t publish_time = 0;  ///< ns since the epoch
  const std::uint8_t * data = nullptr;
  std::size_t size = 0;
};

enum class Compression : std::uint8_t { kNone, kLz4, kZstd };

/// How a file is written. rosbag2's storage profiles and files of options are made of these.
struct StorageOptions {
  std::uint64_t chunk_size = 1 << 20;  ///< bytes that are indexed and compressed together; 0: no chunks
  Compression compression = Compression::kNone;
  std::uint32_t level = 0;  ///< of the compression; 0: its default
  bool chunk_crcs = true;
  bool message_indexes = true;
  bool summary_crc = true;
};

/// The options of a profile ("none", "fastwrite", "zstd_fast", "zstd_small", "resilient") with what a file overrides; both may
/// be empty. \throws Error
StorageOptions storage_options(const std::string & profile, const std::filesystem::path & file);

class FileWriter {
 public:
  virtual ~FileWriter() = default;
  /// Makes a file; one that exists is refused. \throws Error
  static std::unique_ptr<FileWriter> create(const std::string & storage_id, const std::filesystem::path & path,
                                            const StorageOptions & options);
  /// The file name's extension, with its dot. \throws Error for a storage that is not known.
  static const char * extension(const std::string & storage_id);

  /// The topic's number. \throws Error
  virtual std::uint32_t add_topic(const Topic & topic) = 0;
  /// \throws DiskFull before anything of the message is written; Error
  virtual void write(const Message & message) = 0;
  /// What was written so far can be read from now on, whatever happens to this process. \throws Error
  virtual void flush() = 0;
  /// Completes the file; it takes nothing more. There is room for it, also after DiskFull. \throws Error
  virtual void finish(const Metadata & metadata) = 0;
  /// Bytes of the file, including what is still to be written.
  virtual std::uint64_t size() const = 0;
};

class FileReader {
 public:
  virtual ~FileReader() = default;
  /// The storage is known by what the file begins with. \throws Error
  static std::unique_ptr<FileReader> open(const std::filesystem::path & path);

  /// With the counts of their messages in this file.
  virtual const std::vector<Topic> & topics() const = 0;
  /// `path` is not set.
  virtual const File & info() const = 0;
  virtual const char * storage_id() const = 0;
  /// False: its writer was killed. What is whole can be read.
  virtual bool is_complete() const = 0;
  /// metadata.yaml as it was when the file was completed; empty where there is none.
  virtual std::string metadata() = 0;
  /// The next messages are those from `start` on, of these topics (none given: of all), in the order of their log times.
  virtual void seek(std::int64_t start, const std::vector<std::uint32_t> & topics) = 0;
  /// Sets `message`, whose data is valid until the next call. \return false at the end. \throws Error
  virtual bool next(Message & message) = 0;
};

}  // namespace tandem::bag
