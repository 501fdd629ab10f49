#include "tandem/cdr_bus/context.hpp"

#include <algorithm>

#include "channel_shape.hpp"
#include "participant.hpp"
#include "tandem/dds/channels.hpp"
#include "tandem/dds/names.hpp"
#include "tandem/kit/bus.hpp"

namespace tandem::cdr_bus {
namespace {

using transport::Arrival;
using transport::Chunk;
using transport::EndpointInfo;
using transport::PublishResult;

constexpr std::size_t kPrefix = 12;  // bytes of a gid that name the participant

class BytesChunk final : public Chunk {
 public:
  explicit BytesChunk(Bytes content) : bytes(std::move(content)) {
    data = reinterpret_cast<std::byte *>(bytes.data());
    size = bytes.size();
  }

  Bytes bytes;
};

/// An endpoint is in the graph for as long as it lives.
class Listed {
 public:
  Listed(std::shared_ptr<Participant> participant, EndpointInfo info, const Gid & gid, bool ignore_local)
      : participant_(std::move(participant)), gid_(gid) {
    info.gid = gid;
    participant_->graph().add(info, ignore_local);
  }
  ~Listed() { participant_->graph().remove(gid_); }
  Listed(const Listed &) = delete;
  Listed & operator=(const Listed &) = delete;

 private:
  const std::shared_ptr<Participant> participant_;
  const Gid gid_;
};

class ListedWriter final : public transport::Writer {
 public:
  ListedWriter(std::shared_ptr<Participant> participant, const EndpointInfo & info,
               std::unique_ptr<cdr_bus::Writer> writer)
      : writer_(std::move(writer)), listed_(std::move(participant), info, writer_->gid(), false) {}
  std::unique_ptr<Chunk> allocate(std::size_t size) override { return std::make_unique<BytesChunk>(Bytes(size)); }
  PublishResult write(std::unique_ptr<Chunk> chunk, transport::RequestId *) override {
    return writer_->write(static_cast<BytesChunk &>(*chunk).bytes);
  }
  std::size_t matched() const override { return writer_->matched(); }
  bool wait_for_all_acked(std::chrono::nanoseconds timeout) override { return writer_->wait_for_all_acked(timeout); }
  Gid gid() const override { return writer_->gid(); }

 private:
  const std::unique_ptr<cdr_bus::Writer> writer_;
  const Listed listed_;
};

class ListedReader final : public transport::Reader {
 public:
  ListedReader(std::shared_ptr<Participant> participant, const EndpointInfo & info, bool ignore_local,
               std::unique_ptr<cdr_bus::Reader> reader)
      : reader_(std::move(reader)), listed_(std::move(participant), info, reader_->gid(), ignore_local) {}
  bool take(Arrival & arrival) override {
    Message message;
    if (!reader_->take(message)) {
      return false;
    }
    arrival = {
        std::make_unique<BytesChunk>(std::move(message.cdr)), message.stamp, message.sequence, message.writer, {}};
    return true;
  }
  bool has_data() const override { return reader_->has_data(); }
  std::size_t matched() const override { return reader_->matched(); }
  std::uint64_t lost() const override { return reader_->lost(); }
  Gid gid() const override { return reader_->gid(); }

 private:
  const std::unique_ptr<cdr_bus::Reader> reader_;
  const Listed listed_;
};

class RosBus final : public transport::Bus {
 public:
  explicit RosBus(std::shared_ptr<Participant> participant) : participant_(std::move(participant)) {}

  const char * name() const override { return participant_->adapter(); }
  transport::Encoding encoding_of(const MessageType &) const override { return transport::Encoding::kCdr; }
  void add_node(const transport::NodeName & node) override { participant_->graph().add(node); }
  void remove_node(const transport::NodeName & node) override { participant_->graph().remove(node); }
  std::shared_ptr<transport::Writer> create_writer(const MessageType & type, const EndpointInfo & info) override {
    const ChannelShape shape(info.topic, type);
    return std::make_shared<ListedWriter>(participant_, info,
                                          participant_->bus().create_writer(request_of(shape, info, false)));
  }
  std::shared_ptr<transport::Reader> create_reader(const MessageType & type, const EndpointInfo & info,
                                                   bool ignore_local, std::function<void()> on_data) override {
    const ChannelShape shape(info.topic, type);
    auto reader = participant_->bus().create_reader(request_of(shape, info, ignore_local), std::move(on_data));
    return std::make_shared<ListedReader>(participant_, info, ignore_local, std::move(reader));
  }
  transport::GraphSnapshot graph() const override { return participant_->graph().snapshot(); }
  bool is_own(const Gid & endpoint) const override {
    const Gid own = participant_->bus().gid();
    return std::equal(own.begin(), own.begin() + kPrefix, endpoint.begin());
  }

 private:
  static Request request_of(const ChannelShape & shape, const EndpointInfo & info, bool ignore_local) {
    return {dds::to_dds_topic(info.topic), dds::to_dds_type(info.type_name),        &shape.get(),
            dds::wire_qos(info),           dds::endpoint_user_data(info.type_hash), ignore_local};
  }

  const std::shared_ptr<Participant> participant_;
};

}  // namespace

std::shared_ptr<transport::Context> make_context(const char * adapter, std::shared_ptr<Bus> bus) {
  return transport::make_context(std::make_shared<RosBus>(std::make_shared<Participant>(adapter, std::move(bus))));
}

}  // namespace tandem::cdr_bus
