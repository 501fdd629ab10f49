// MCAP through the crate's writer. Before each message there is room reserved for it, for its chunk and for the index, so
// that the file can be completed when the disk is full.
#include <fmt/format.h>

#include "storage/mcap.hpp"
#include "storage/output_file.hpp"
#include "tandem_mcap.h"

namespace tandem::bag {
namespace {

constexpr std::uint64_t kMargin = 1 << 20;  // for records of a size that is not counted
constexpr std::uint64_t kRecord = 64;       // bytes of a record beside its content, and of what points to it

tandem_mcap_text text_of(std::string_view text) { return {text.data(), text.size()}; }

class McapWriter : public FileWriter {
 public:
  McapWriter(const std::filesystem::path & path, const StorageOptions & options) : file_(path) {
    const tandem_mcap_options settings{options.chunk_size,      static_cast<int>(options.compression),
                                       options.level,           options.chunk_crcs,
                                       options.message_indexes, options.summary_crc};
    writer_ = tandem_mcap_create(sink, this, &settings);
  }
  ~McapWriter() override { tandem_mcap_destroy(writer_); }
  McapWriter(const McapWriter &) = delete;
  McapWriter & operator=(const McapWriter &) = delete;

  std::uint32_t add_topic(const Topic & topic) override {
    const std::string qos = qos_to_yaml(topic.offered_qos);
    const std::array<tandem_mcap_pair, 2> pairs = {
        {{text_of("offered_qos_profiles"), text_of(qos)}, {text_of("topic_type_hash"), text_of(topic.type_hash)}}};
    tandem_mcap_channel channel{};
    channel.topic = text_of(topic.name);
    channel.message_encoding = text_of(topic.serialization_format);
    channel.schema_name = text_of(topic.type);
    channel.schema_encoding = text_of(topic.definition_encoding);
    channel.schema_data = text_of(topic.definition);
    channel.metadata = pairs.data();
    channel.metadata_size = pairs.size();
    const std::uint64_t size =
        qos.size() + topic.name.size() + topic.type.size() + topic.definition.size() + 4 * kRecord;
    need(size);
    check(tandem_mcap_add_channel(writer_, &channel));
    pending_ += size;
    index_ += 2 * size;  // it is repeated, and counted in each chunk's index
    channels_.push_back(channel.id);
    return static_cast<std::uint32_t>(channels_.size() - 1);
  }

  void write(const Message & message) override {
    const std::uint64_t size = message.size + kRecord;
    need(size);
    const tandem_mcap_message record{channels_.at(message.topic),
                                     message.sequence,
                                     static_cast<std::uint64_t>(message.log_time),
                                     static_cast<std::uint64_t>(message.publish_time),
                                     message.data,
                                     message.size};
    pending_ += size;
    check(tandem_mcap_write(writer_, &record));
  }

  void flush() override {
    need(0);
    check(tandem_mcap_flush(writer_));
  }

  void finish(const Metadata & metadata) override {
    const std::string text = to_stored_yaml(metadata);
    if (file_.reserve(pending_ + index_ + 2 * text.size())) {
      const tandem_mcap_pair pair{text_of("serialized_metadata"), text_of(text)};
      check(tandem_mcap_write_metadata(writer_, text_of("rosbag2"), &pair, 1));
    }
    check(tandem_mcap_finish(writer_));
  }

  std::uint64_t size() const override { return file_.size() + pending_; }

 private:
  static int sink(void * context, iovec * pieces, std::size_t count) {
    auto & self = *static_cast<McapWriter *>(context);
    self.has_written_ = true;
    return self.file_.write({pieces, count});
  }

  /// \throws DiskFull unless there is room for `size` bytes and all that follows from what was written.
  void need(std::uint64_t size) {
    if (!file_.reserve(pending_ + size + index_ + kMargin)) {
      throw DiskFull(fmt::format("there is no room left for {}", file_.path().string()));
    }
  }

  void check(int result) {
    if (result != 0) {
      throw Error(
          fmt::format("cannot write {}: {}", file_.path().string(), string_of(tandem_mcap_writer_error(writer_))));
    }
    if (has_written_) {  // all is in the file
      has_written_ = false;
      pending_ = 0;
      index_ += 2 * kRecord + 16 * channels_.size();
    }
  }

  OutputFile file_;
  tandem_mcap_writer * writer_ = nullptr;
  std::vector<std::uint16_t> channels_;  // of the topics
  std::uint64_t pending_ = 0;            // at most, of what is not in the file yet
  std::uint64_t index_ = 2 * kMargin;    // at most, of the index at the end
  bool has_written_ = false;
};

}  // namespace

std::unique_ptr<FileWriter> create_mcap(const std::filesystem::path & path, const StorageOptions & options) {
  return std::make_unique<McapWriter>(path, options);
}

}  // namespace tandem::bag
