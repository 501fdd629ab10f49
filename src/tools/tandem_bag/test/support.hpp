// Folders, topics and messages for tests.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tandem/bag/reader.hpp"
#include "tandem/bag/storage.hpp"
#include "tandem/bag/writer.hpp"

namespace bag = tandem::bag;
namespace fs = std::filesystem;

/// A folder that goes with this object.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "tandem_bag_test_XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~Folder() { fs::remove_all(path_); }
  fs::path operator/(const std::string & name) const { return path_ / name; }

 private:
  fs::path path_;
};

inline bag::Topic topic(const std::string & name, const std::string & type = "std_msgs/msg/String") {
  bag::Topic made;
  made.name = name;
  made.type = type;
  made.offered_qos = {tandem::Qos()};
  made.type_hash = "RIHS01_" + std::string(64, 'a');
  made.definition_encoding = "ros2msg";
  made.definition = "string data\n";
  return made;
}

/// A message with its bytes.
struct Stored {
  std::string topic;
  std::int64_t time = 0;
  std::string bytes;
  bool operator==(const Stored & o) const { return topic == o.topic && time == o.time && bytes == o.bytes; }
};

inline bag::Message message(std::uint32_t number, std::int64_t time, const std::string & bytes) {
  return {number, 1, time, time, reinterpret_cast<const std::uint8_t *>(bytes.data()), bytes.size()};
}

/// Everything from where the reader stands.
template <class Reader>
std::vector<Stored> rest(Reader & reader, const std::vector<bag::Topic> & topics) {
  std::vector<Stored> all;
  for (bag::Message next; reader.next(next);) {
    all.push_back(
        {topics.at(next.topic).name, next.log_time, std::string(reinterpret_cast<const char *>(next.data), next.size)});
  }
  return all;
}

inline std::vector<Stored> rest(bag::Reader & reader) { return rest(reader, reader.metadata().topics); }

inline std::string content(const fs::path & path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void write(const fs::path & path, const std::string & text) { std::ofstream(path, std::ios::binary) << text; }

/// The storages of this build.
inline std::vector<std::string> storages() {
#ifdef HAS_MCAP
  return {"mcap", "sqlite3"};
#else
  return {"sqlite3"};
#endif
}
