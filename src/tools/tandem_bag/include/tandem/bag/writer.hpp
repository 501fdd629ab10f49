// Writes a bag: a folder of files, split as asked for, with metadata.yaml.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tandem/bag/metadata.hpp"
#include "tandem/bag/storage.hpp"

namespace tandem::bag {

struct WriterOptions {
  std::filesystem::path folder;     ///< is made; must not exist
  std::string storage_id = "mcap";  ///< or "sqlite3"
  StorageOptions storage;
  std::uint64_t max_file_size = 0;     ///< bytes; 0: no limit
  std::int64_t max_file_duration = 0;  ///< ns between the log times of the first and the last message; 0: no limit
  std::map<std::string, std::string> custom_data;
  std::string ros_distro;
};

/// Used by one thread at a time.
class Writer {
 public:
  /// Makes the folder and the first file. \throws Error
  explicit Writer(const WriterOptions & options);
  /// Closes without a word; call close() to know.
  ~Writer();
  Writer(const Writer &) = delete;
  Writer & operator=(const Writer &) = delete;

  /// The topic's number. \throws Error
  std::uint32_t add_topic(const Topic & topic);
  /// QoS of a publisher that has come since; it is told in metadata.yaml and in later files.
  void add_offered_qos(std::uint32_t topic, const Qos & qos);
  /// Splits first if a limit is reached. After an exception only close() is allowed. \throws DiskFull, Error
  void write(const Message & message);
  /// Goes on in another file. \throws DiskFull, Error
  void split();
  /// What was written so far outlives this process. \throws DiskFull, Error
  void flush();
  /// Completes the bag: its index and metadata.yaml. Does nothing a second time. \throws Error
  void close();

  const Metadata & metadata() const { return metadata_; }
  /// Is called after each split with the paths of both files.
  void set_split_listener(std::function<void(const std::string & closed, const std::string & opened)> listener) {
    split_listener_ = std::move(listener);
  }

 private:
  void open_file();
  void close_file();
  void write_yaml() const;
  bool is_split_due(const Message & message) const;

  const WriterOptions options_;
  Metadata metadata_;
  std::unique_ptr<FileWriter> file_;
  std::vector<std::uint32_t> numbers_;  // of the file's topics, by the bag's
  std::function<void(const std::string &, const std::string &)> split_listener_;
  bool is_open_ = false;
};

}  // namespace tandem::bag
