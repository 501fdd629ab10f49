// What a bag is: its topics and files, as metadata.yaml tells it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "tandem/qos.hpp"

namespace tandem::bag {

/// A bag or a file of it cannot be read or written; what() says which, why, and what to do.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The disk is full. What was written before is whole.
class DiskFull : public Error {
 public:
  using Error::Error;
};

struct Topic {
  std::string name;
  std::string type;  ///< "std_msgs/msg/String"
  std::string serialization_format = "cdr";
  std::vector<Qos> offered_qos;     ///< of the publishers that were recorded
  std::string type_hash;            ///< "RIHS01_…", or empty
  std::string definition_encoding;  ///< "ros2msg", "ros2idl" or empty
  std::string definition;           ///< the text of the type and those within it
  std::uint64_t message_count = 0;
};

struct File {
  std::string path;             ///< below the bag's folder
  std::int64_t start_time = 0;  ///< ns since the epoch, of the first message
  std::int64_t duration = 0;    ///< ns
  std::uint64_t message_count = 0;
};

struct Metadata {
  std::string storage_id;       ///< "mcap" or "sqlite3"
  std::int64_t start_time = 0;  ///< ns since the epoch; 0 without messages
  std::int64_t duration = 0;    ///< ns
  std::uint64_t message_count = 0;
  std::vector<Topic> topics;
  std::vector<File> files;
  std::string compression_format;  ///< "zstd", of files or messages compressed by rosbag2; else empty
  std::string compression_mode;    ///< "FILE", "MESSAGE" or empty
  std::map<std::string, std::string> custom_data;
  std::string ros_distro;

  std::int64_t end_time() const { return start_time + duration; }
};

/// The text of metadata.yaml, of a version that ROS 2 Humble and later read. Definitions are not in it.
std::string to_yaml(const Metadata & metadata);
/// The same as it is stored within the files of a bag.
std::string to_stored_yaml(const Metadata & metadata);
/// Of either text. \throws Error that names `file`. Versions 1 to 9 of the format are read.
Metadata metadata_from_yaml(const std::string & text, const std::string & file);

/// As the offered QoS of a topic is written within bags.
std::string qos_to_yaml(const std::vector<Qos> & all);
/// Empty for an empty text. \throws Error that names `where`.
std::vector<Qos> qos_from_yaml(const std::string & text, const std::string & where);

/// A file of --qos-profile-overrides-path: QoS by topic; what is not named there keeps the default's value.
/// \throws Error that names the file and the topic.
std::map<std::string, Qos> read_qos_overrides(const std::filesystem::path & file);

/// "/add_two_ints" for "/add_two_ints/_service_event"; empty for other topics.
std::string service_of_event_topic(const Topic & topic);

}  // namespace tandem::bag
