// The ends of a service's channels. A request is a query, which the server's queryable takes; the reply answers it.
#include <atomic>
#include <utility>

#include "attachment.hpp"
#include "ends.hpp"
#include "tandem/service.hpp"

namespace rmw_zenoh {
namespace {

/// A burst of calls is not cut to the ten that services keep by default. What is kept is each client's.
constexpr std::uint32_t kLeastDepth = 255;

Qos deepened(Qos qos) {
  qos.depth = std::max(qos.depth, kLeastDepth);
  return qos;
}

ZnOwner * payload_of(const std::unique_ptr<Chunk> & chunk) { return static_cast<SentChunk &>(*chunk).owner.get(); }

/// What both ends that send have in common.
class ChannelWriter : public PresentWriter {
 public:
  ChannelWriter(std::shared_ptr<Participant> participant, const EndpointInfo & info)
      : PresentWriter(std::move(participant), info) {
    presence().announce(false);
  }
  std::unique_ptr<Chunk> allocate(std::size_t size) override { return make_ordinary_chunk(size); }

 protected:
  const std::string & key() { return presence().key(); }
};

/// And both that take.
class ChannelReader : public PresentReader {
 public:
  ChannelReader(std::shared_ptr<Participant> participant, const EndpointInfo & info, Backlog::Depth depth,
                std::function<void()> on_data)
      : PresentReader(std::move(participant), info, false, deepened(info.qos), depth, std::move(on_data)) {}
};

/// Who waits for the replies to a request.
struct Caller {
  std::shared_ptr<Backlog> replies;  ///< null: nobody
  RequestId request;

  static void hear(void * self, const ZnMessage * message) {
    const auto & caller = *static_cast<const Caller *>(self);
    auto chunk = std::make_unique<ReceivedChunk>(*message);
    if (caller.replies) {
      const auto attachment = Attachment::of(*message);
      constexpr std::uint64_t kUncounted = 0;  // replies have no order
      caller.replies->push(
          {std::move(chunk), attachment ? attachment->stamp : now(), kUncounted, {}, caller.request, kInfinite});
    }
  }
};

class RequestWriter final : public ChannelWriter {
 public:
  using ChannelWriter::ChannelWriter;

  PublishResult write(std::unique_ptr<Chunk> chunk, RequestId * id) override {
    id->sequence = ++sequence_;
    const auto attachment = Attachment{id->sequence, now(), id->client}.bytes();
    const ZnCallback callback = {Caller::hear, [](void * self) { delete static_cast<Caller *>(self); },
                                 new Caller{participant().calls().replies_of(id->client), *id}};
    const bool is_sent = zn_get(participant().session().get(), key().c_str(), payload_of(chunk), attachment.data(),
                                attachment.size(), callback);
    return is_sent ? PublishResult::kOk : PublishResult::kClosed;
  }

 private:
  std::atomic<std::int64_t> sequence_{0};
};

class ReplyReader final : public ChannelReader {
 public:
  ReplyReader(std::shared_ptr<Participant> participant, const EndpointInfo & info, std::function<void()> on_data)
      : ChannelReader(std::move(participant), info, Backlog::Depth::kOfAll, std::move(on_data)) {
    this->participant().calls().add_client(gid(), backlog());
    presence().announce();
  }
  ~ReplyReader() override {
    presence().withdraw();
    participant().calls().remove_client(gid());
    backlog()->close();
  }
};

class RequestReader final : public ChannelReader {
 public:
  RequestReader(std::shared_ptr<Participant> participant, const EndpointInfo & info, std::function<void()> on_data)
      : ChannelReader(std::move(participant), info, Backlog::Depth::kOfEachWriter, std::move(on_data)) {
    const auto drop = [](void * self) { delete static_cast<std::shared_ptr<Backlog> *>(self); };
    const ZnCallback callback = {hear, drop, new std::shared_ptr<Backlog>(backlog())};
    queryable_.reset(checked("service '" + service_of(info.topic).value_or(info.topic) + "': no server",
                             zn_queryable_new, this->participant().session().get(), presence().key().c_str(),
                             callback));
    presence().announce();
  }
  ~RequestReader() override {
    presence().withdraw();
    queryable_.reset();
    backlog()->close();
    participant().calls().remove_server(this);
  }

  bool take(Arrival & arrival) override {
    if (!ChannelReader::take(arrival)) {
      return false;
    }
    // What the message lies in is the query, which the reply needs.
    auto & chunk = static_cast<ReceivedChunk &>(*arrival.chunk);
    auto message = make_heap_chunk(chunk.size);
    std::copy_n(chunk.data, chunk.size, message->data);
    participant().calls().add_query(this, arrival.request, std::move(chunk.owner));
    arrival.chunk = std::move(message);
    return true;
  }

 private:
  static void hear(void * self, const ZnMessage * message) {
    auto chunk = std::make_unique<ReceivedChunk>(*message);
    if (const auto attachment = Attachment::of(*message)) {
      const RequestId request = {attachment->gid, attachment->sequence};
      (*static_cast<std::shared_ptr<Backlog> *>(self))
          ->push({std::move(chunk), attachment->stamp, static_cast<std::uint64_t>(attachment->sequence),
                  attachment->gid, request, kInfinite});
    }
  }

  QueryableHandle queryable_;
};

class ReplyWriter final : public ChannelWriter {
 public:
  using ChannelWriter::ChannelWriter;

  PublishResult write(std::unique_ptr<Chunk> chunk, RequestId * id) override {
    const Owner query = participant().calls().take_query(*id);
    const auto attachment = Attachment{id->sequence, now(), id->client}.bytes();
    const bool is_answered =
        query == nullptr || zn_reply(query.get(), payload_of(chunk), attachment.data(), attachment.size());
    return is_answered ? PublishResult::kOk : PublishResult::kClosed;
  }
};

}  // namespace

std::shared_ptr<Writer> make_channel_writer(const std::shared_ptr<Participant> & participant,
                                            const EndpointInfo & info) {
  if (channel_of(info.topic) == Channel::kRequest) {
    return std::make_shared<RequestWriter>(participant, info);
  }
  return std::make_shared<ReplyWriter>(participant, info);
}

std::shared_ptr<Reader> make_channel_reader(const std::shared_ptr<Participant> & participant, const EndpointInfo & info,
                                            std::function<void()> on_data) {
  if (channel_of(info.topic) == Channel::kRequest) {
    return std::make_shared<RequestReader>(participant, info, std::move(on_data));
  }
  return std::make_shared<ReplyReader>(participant, info, std::move(on_data));
}

}  // namespace rmw_zenoh
