// MCAP through the crate's reader.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "storage/mcap.hpp"

namespace tandem::bag {
namespace {

class McapReader : public FileReader {
 public:
  explicit McapReader(const std::filesystem::path & path) : path_(path) {
    reader_ = tandem_mcap_open({path_.c_str(), path_.native().size()});
    if (const std::string error = string_of(tandem_mcap_reader_error(reader_)); !error.empty()) {
      tandem_mcap_close(reader_);
      throw Error(fmt::format("cannot read {}: {}", path_.string(), error));
    }
    const tandem_mcap_summary summary = tandem_mcap_get_summary(reader_);
    is_complete_ = summary.is_complete;
    info_.start_time = static_cast<std::int64_t>(summary.start_time);
    info_.duration = static_cast<std::int64_t>(summary.end_time - std::min(summary.start_time, summary.end_time));
    info_.message_count = summary.message_count;
    for (std::size_t i = 0; i < summary.channel_count; ++i) {
      add(tandem_mcap_get_channel(reader_, i));
    }
  }
  ~McapReader() override { tandem_mcap_close(reader_); }
  McapReader(const McapReader &) = delete;
  McapReader & operator=(const McapReader &) = delete;

  const std::vector<Topic> & topics() const override { return topics_; }
  const File & info() const override { return info_; }
  const char * storage_id() const override { return "mcap"; }
  bool is_complete() const override { return is_complete_; }

  std::string metadata() override {
    std::string text;
    const auto visit = [](void * context, tandem_mcap_text key, tandem_mcap_text value) {
      if (string_of(key) == "serialized_metadata") {
        *static_cast<std::string *>(context) = string_of(value);
      }
    };
    check(tandem_mcap_read_metadata(reader_, {"rosbag2", 7}, visit, &text));
    return text;
  }

  void seek(std::int64_t start, const std::vector<std::uint32_t> & topics) override {
    std::vector<std::uint16_t> channels;
    for (const auto & [channel, topic] : numbers_) {
      if (std::find(topics.begin(), topics.end(), topic) != topics.end()) {
        channels.push_back(channel);
      }
    }
    check(tandem_mcap_seek(reader_, static_cast<std::uint64_t>(std::max<std::int64_t>(start, 0)), channels.data(),
                           channels.size()));
  }

  bool next(Message & message) override {
    tandem_mcap_message record{};
    do {
      check(tandem_mcap_next(reader_, &record));
      if (record.data == nullptr) {
        return false;
      }
    } while (numbers_.count(record.channel) == 0);
    message = {numbers_.at(record.channel),
               record.sequence,
               static_cast<std::int64_t>(record.log_time),
               static_cast<std::int64_t>(record.publish_time),
               record.data,
               record.size};
    return true;
  }

 private:
  /// A topic has several channels if its publishers offer different QoS.
  void add(const tandem_mcap_channel & channel) {
    const std::string name = string_of(channel.topic);
    const auto known = std::find_if(topics_.begin(), topics_.end(), [&](const Topic & t) { return t.name == name; });
    numbers_[channel.id] = static_cast<std::uint32_t>(known - topics_.begin());
    if (known != topics_.end()) {
      known->message_count += channel.message_count;
      return;
    }
    Topic topic;
    topic.name = name;
    topic.type = string_of(channel.schema_name);
    topic.serialization_format = string_of(channel.message_encoding);
    topic.definition_encoding = string_of(channel.schema_encoding);
    topic.definition = string_of(channel.schema_data);
    topic.message_count = channel.message_count;
    for (std::size_t i = 0; i < channel.metadata_size; ++i) {
      const std::string key = string_of(channel.metadata[i].key);
      if (key == "offered_qos_profiles") {
        topic.offered_qos = qos_from_yaml(string_of(channel.metadata[i].value), path_.string());
      } else if (key == "topic_type_hash") {
        topic.type_hash = string_of(channel.metadata[i].value);
      }
    }
    topics_.push_back(std::move(topic));
  }

  void check(int result) const {
    if (result != 0) {
      throw Error(fmt::format("cannot read {}: {}", path_.string(), string_of(tandem_mcap_reader_error(reader_))));
    }
  }

  const std::filesystem::path path_;
  tandem_mcap_reader * reader_ = nullptr;
  std::vector<Topic> topics_;
  std::unordered_map<std::uint16_t, std::uint32_t> numbers_;  // of topics, by channel
  File info_;
  bool is_complete_ = false;
};

}  // namespace

std::unique_ptr<FileReader> open_mcap(const std::filesystem::path & path) { return std::make_unique<McapReader>(path); }

}  // namespace tandem::bag
