// metadata.yaml. Written is version 8, the last whose QoS ROS 2 Humble reads: later readers know it as well.
#include "tandem/bag/metadata.hpp"

#include <yaml-cpp/yaml.h>

#include <algorithm>

#include "bag/qos_yaml.hpp"

namespace tandem::bag {
namespace {

constexpr int kVersion = 8;
constexpr int kLastVersion = 9;
constexpr const char * kRoot = "rosbag2_bagfile_information";
constexpr std::string_view kEventSuffix = "/_service_event";

YAML::Node duration_node(std::int64_t duration) {
  YAML::Node node;
  node["nanoseconds"] = duration;
  return node;
}

YAML::Node time_node(std::int64_t time) {
  YAML::Node node;
  node["nanoseconds_since_epoch"] = time;
  return node;
}

YAML::Node node_of(const Topic & topic) {
  YAML::Node node;
  node["topic_metadata"]["name"] = topic.name;
  node["topic_metadata"]["type"] = topic.type;
  node["topic_metadata"]["serialization_format"] = topic.serialization_format;
  node["topic_metadata"]["offered_qos_profiles"] = qos_to_yaml(topic.offered_qos);
  node["topic_metadata"]["type_description_hash"] = topic.type_hash;
  node["message_count"] = topic.message_count;
  return node;
}

YAML::Node node_of(const File & file) {
  YAML::Node node;
  node["path"] = file.path;
  node["starting_time"] = time_node(file.start_time);
  node["duration"] = duration_node(file.duration);
  node["message_count"] = file.message_count;
  return node;
}

std::string text_of(const YAML::Node & node, const char * key) {
  return node[key] && !node[key].IsNull() ? node[key].as<std::string>() : "";
}

Topic topic_of(const YAML::Node & node, const std::string & where) {
  const YAML::Node & known = node["topic_metadata"];
  Topic topic;
  topic.name = known["name"].as<std::string>();
  topic.type = known["type"].as<std::string>();
  topic.serialization_format = known["serialization_format"].as<std::string>();
  topic.type_hash = text_of(known, "type_description_hash");
  topic.message_count = node["message_count"].as<std::uint64_t>();
  const YAML::Node & qos = known["offered_qos_profiles"];
  if (qos && qos.IsSequence()) {
    for (const YAML::Node & one : qos) {
      topic.offered_qos.push_back(qos_of(one));
    }
  } else if (qos && qos.IsScalar()) {
    topic.offered_qos = qos_from_yaml(qos.as<std::string>(), where);
  }
  return topic;
}

std::vector<File> files_of(const YAML::Node & root) {
  std::vector<File> files;
  for (const YAML::Node & node : root["files"]) {
    File file;
    file.path = node["path"].as<std::string>();
    file.start_time = node["starting_time"]["nanoseconds_since_epoch"].as<std::int64_t>();
    file.duration = node["duration"]["nanoseconds"].as<std::int64_t>();
    file.message_count = node["message_count"].as<std::uint64_t>();
    files.push_back(file);
  }
  for (const YAML::Node & path : root["relative_file_paths"]) {  // versions below 5 have only these
    const auto name = path.as<std::string>();
    const auto has_name = [&](const File & file) { return file.path == name; };
    if (std::none_of(files.begin(), files.end(), has_name)) {
      files.push_back({name});
    }
  }
  return files;
}

Metadata metadata_of(const YAML::Node & root, const std::string & where) {
  if (!root.IsMap()) {
    throw Error(where + " does not describe a bag");
  }
  if (const int version = root["version"] ? root["version"].as<int>() : 1; version > kLastVersion) {
    throw Error(where + " is of version " + std::to_string(version) + " of the format; " +
                std::to_string(kLastVersion) + " is the last that is known");
  }
  Metadata metadata;
  metadata.storage_id = root["storage_identifier"].as<std::string>();
  metadata.duration = root["duration"]["nanoseconds"].as<std::int64_t>();
  metadata.start_time = root["starting_time"]["nanoseconds_since_epoch"].as<std::int64_t>();
  metadata.message_count = root["message_count"].as<std::uint64_t>();
  for (const YAML::Node & topic : root["topics_with_message_count"]) {
    metadata.topics.push_back(topic_of(topic, where));
  }
  metadata.files = files_of(root);
  metadata.compression_format = text_of(root, "compression_format");
  metadata.compression_mode = text_of(root, "compression_mode");
  std::transform(metadata.compression_mode.begin(), metadata.compression_mode.end(), metadata.compression_mode.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  if (metadata.compression_mode == "NONE") {
    metadata.compression_mode.clear();
  }
  for (const auto & entry : root["custom_data"]) {
    metadata.custom_data.emplace(entry.first.as<std::string>(), entry.second.as<std::string>());
  }
  metadata.ros_distro = text_of(root, "ros_distro");
  return metadata;
}

}  // namespace

namespace {

YAML::Node node_of(const Metadata & metadata) {
  YAML::Node root;
  root["version"] = kVersion;
  root["storage_identifier"] = metadata.storage_id;
  root["duration"] = duration_node(metadata.duration);
  root["starting_time"] = time_node(metadata.start_time);
  root["message_count"] = metadata.message_count;
  root["topics_with_message_count"] = YAML::Node(YAML::NodeType::Sequence);
  for (const Topic & topic : metadata.topics) {
    root["topics_with_message_count"].push_back(node_of(topic));
  }
  root["compression_format"] = metadata.compression_format;
  root["compression_mode"] = metadata.compression_mode;
  root["relative_file_paths"] = YAML::Node(YAML::NodeType::Sequence);
  root["files"] = YAML::Node(YAML::NodeType::Sequence);
  for (const File & file : metadata.files) {
    root["relative_file_paths"].push_back(file.path);
    root["files"].push_back(node_of(file));
  }
  root["custom_data"] = metadata.custom_data.empty() ? YAML::Node() : YAML::Node(metadata.custom_data);
  root["ros_distro"] = metadata.ros_distro;
  return root;
}

std::string text_of(const YAML::Node & node) {
  YAML::Emitter text;
  text << node;
  return std::string(text.c_str()) + '\n';
}

}  // namespace

std::string to_yaml(const Metadata & metadata) {
  YAML::Node document;
  document[kRoot] = node_of(metadata);
  return text_of(document);
}

std::string to_stored_yaml(const Metadata & metadata) { return text_of(node_of(metadata)); }

Metadata metadata_from_yaml(const std::string & text, const std::string & file) {
  try {
    const YAML::Node document = YAML::Load(text);
    return metadata_of(document.IsMap() && document[kRoot] ? document[kRoot] : document, file);
  } catch (const YAML::Exception & error) {
    throw Error(file + " cannot be read: " + error.what());
  }
}

std::string service_of_event_topic(const Topic & topic) {
  constexpr std::string_view kEvent = "_Event";
  const auto ends_with = [](const std::string & text, std::string_view end) {
    return text.size() > end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
  };
  return ends_with(topic.name, kEventSuffix) && ends_with(topic.type, kEvent)
             ? topic.name.substr(0, topic.name.size() - kEventSuffix.size())
             : "";
}

}  // namespace tandem::bag
