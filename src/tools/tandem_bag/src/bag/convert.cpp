#include "tandem/bag/convert.hpp"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <fstream>
#include <map>

#include "tandem/bag/compression_mode.hpp"
#include "tandem/bag/reader.hpp"

namespace tandem::bag {
namespace {

template <class T>
void read(const YAML::Node & node, const char * key, T & value) {
  if (node[key] && !node[key].IsNull()) {
    value = node[key].as<T>();
  }
}

Selection selection_of(const YAML::Node & node) {
  Selection selection;
  bool all = false;
  read(node, "all", all);
  read(node, "all_topics", selection.all_topics);
  read(node, "all_services", selection.all_services);
  selection.all_topics = selection.all_topics || all;
  selection.all_services = selection.all_services || all;
  read(node, "topics", selection.topics);
  read(node, "topic_types", selection.topic_types);
  read(node, "services", selection.services);
  read(node, "regex", selection.regex);
  read(node, "exclude_regex", selection.exclude_regex);
  read(node, "exclude_topics", selection.exclude_topics);
  read(node, "exclude_topic_types", selection.exclude_topic_types);
  read(node, "exclude_services", selection.exclude_services);
  read(node, "include_hidden_topics", selection.include_hidden_topics);
  return selection;
}

Output output_of(const YAML::Node & node) {
  Output output;
  std::string uri;
  std::string storage_id;
  std::string profile;
  std::string config;
  std::string mode;
  std::string format;
  std::int64_t seconds = 0;
  read(node, "uri", uri);
  read(node, "storage_id", storage_id);
  read(node, "storage_preset_profile", profile);
  read(node, "storage_config_uri", config);
  read(node, "compression_mode", mode);
  read(node, "compression_format", format);
  read(node, "max_bagfile_size", output.writer.max_file_size);
  read(node, "max_bagfile_duration", seconds);
  read(node, "custom_data", output.writer.custom_data);
  if (uri.empty()) {
    throw Error("an output has no 'uri'");
  }
  output.writer.folder = uri;
  if (!storage_id.empty()) {
    output.writer.storage_id = storage_id;
  }
  constexpr std::int64_t kLongest = 1000000000;  // seconds
  output.writer.max_file_duration = std::min(seconds, kLongest) * 1000000000;
  output.writer.storage = storage_options(profile, config);
  set_compression(output.writer, mode, format);
  output.selection = selection_of(node);
  return output;
}

/// An output with the numbers of its topics.
class Target {
 public:
  explicit Target(const Output & output) : filter_(selection(output)), writer_(output.writer) {}

  void add_topics(const Metadata & input) {
    std::vector<std::int64_t> & numbers = numbers_.emplace_back();
    for (const Topic & topic : input.topics) {
      numbers.push_back(filter_.accepts(topic) ? std::int64_t{number_of(topic)} : -1);
    }
  }

  void write(std::size_t input, Message message) {
    if (const std::int64_t number = numbers_[input][message.topic]; number >= 0) {
      message.topic = static_cast<std::uint32_t>(number);
      writer_.write(message);
    }
  }

  void close() { writer_.close(); }

 private:
  static Selection selection(const Output & output) {
    Selection all = output.selection;
    if (all.is_empty()) {
      all.all_topics = all.all_services = all.include_hidden_topics = true;
    }
    return all;
  }

  std::uint32_t number_of(const Topic & topic) {
    const auto [known, is_new] = topics_.try_emplace(topic.name, 0);
    if (is_new) {
      known->second = writer_.add_topic(topic);
    }
    for (const Qos & qos : topic.offered_qos) {
      writer_.add_offered_qos(known->second, qos);
    }
    return known->second;
  }

  TopicFilter filter_;
  Writer writer_;
  std::map<std::string, std::uint32_t> topics_;
  std::vector<std::vector<std::int64_t>> numbers_;  // by input and its topic; -1: not taken
};

/// An input and its next message.
struct Source {
  explicit Source(const std::filesystem::path & path) : reader(path), has_message(reader.next(message)) {}
  Reader reader;
  Message message;
  bool has_message;
};

}  // namespace

std::vector<Output> read_outputs(const std::filesystem::path & path) {
  std::ifstream file(path);
  if (!file) {
    throw Error("cannot read the output options in " + path.string());
  }
  std::vector<Output> outputs;
  try {
    const YAML::Node root = YAML::Load(file);
    if (!root.IsMap() || !root["output_bags"] || !root["output_bags"].IsSequence()) {
      throw Error("there is no list 'output_bags'");
    }
    for (const YAML::Node & node : root["output_bags"]) {
      outputs.push_back(output_of(node));
    }
  } catch (const std::exception & error) {
    throw Error(path.string() + ": " + error.what());
  }
  if (outputs.empty()) {
    throw Error(path.string() + ": the list 'output_bags' is empty");
  }
  return outputs;
}

void convert(const std::vector<std::filesystem::path> & inputs, const std::vector<Output> & outputs,
             const Progress & progress) {
  constexpr std::uint64_t kEvery = 1000;  // messages between two looks at the progress
  std::vector<std::unique_ptr<Source>> sources;
  std::uint64_t all = 0;
  for (const auto & input : inputs) {
    sources.push_back(std::make_unique<Source>(input));
    all += sources.back()->reader.metadata().message_count;
  }
  std::vector<std::unique_ptr<Target>> targets;
  for (const Output & output : outputs) {
    targets.push_back(std::make_unique<Target>(output));
    for (const auto & source : sources) {
      targets.back()->add_topics(source->reader.metadata());
    }
  }
  const auto is_earlier = [](const auto & a, const auto & b) {
    return a->has_message && (!b->has_message || a->message.log_time < b->message.log_time);
  };
  for (std::uint64_t done = 0;; ++done) {
    const auto earliest = std::min_element(sources.begin(), sources.end(), is_earlier);
    if (earliest == sources.end() || !(*earliest)->has_message) {
      break;
    }
    if (progress && done % kEvery == 0 && !progress(done, all)) {
      break;
    }
    Source & source = **earliest;
    for (const auto & target : targets) {
      target->write(static_cast<std::size_t>(earliest - sources.begin()), source.message);
    }
    source.has_message = source.reader.next(source.message);
  }
  for (const auto & target : targets) {
    target->close();
  }
}

}  // namespace tandem::bag
