// Publishers and subscriptions of topics.
#include <mutex>
#include <utility>

#include "attachment.hpp"
#include "ends.hpp"
#include "shared_pool.hpp"
#include "tandem/kit/tuning.hpp"

namespace rmw_zenoh {
namespace {

std::size_t depth_of(const Qos & qos) { return qos.history == History::kKeepAll ? tandem::kKeepAllDepth : qos.depth; }

std::size_t history_of(const Qos & qos) { return qos.durability == Durability::kTransientLocal ? depth_of(qos) : 0; }

class TopicWriter final : public PresentWriter {
 public:
  TopicWriter(std::shared_ptr<Participant> participant, const tandem::MessageType & type, const EndpointInfo & info)
      : PresentWriter(std::move(participant), info), is_tuned_(tuning() == Tuning::kTuned), pool_(info.topic) {
    const bool is_reliable = info.qos.reliability == Reliability::kReliable;
    const bool keeps_all = info.qos.history == History::kKeepAll;
    // Stock publishers drop what they cannot send at once unless they keep all; a reliable one need not.
    const ZnPublisherOptions options = {is_reliable, is_reliable && (is_tuned_ || keeps_all), is_tuned_,
                                        history_of(info.qos)};
    publisher_.reset(checked("topic '" + info.topic + "': no publisher", zn_publisher_new,
                             this->participant().session().get(), presence().key().c_str(), &options));
    if (is_tuned_ && type.is_fixed_size && type.size >= SharedPool::kLeastMessage) {
      pool_.allocate(type.size);  // locking it in RAM takes its time: now rather than at the first message
    }
    presence().announce();
  }
  ~TopicWriter() override { presence().withdraw(); }

  std::unique_ptr<Chunk> allocate(std::size_t size) override {
    if (is_tuned_ && size >= SharedPool::kLeastMessage) {
      if (auto chunk = pool_.allocate(size)) {
        return chunk;
      }
    }
    return make_ordinary_chunk(size);
  }

  PublishResult write(std::unique_ptr<Chunk> chunk, RequestId *) override {
    {
      const std::lock_guard lock(writing_);  // numbers and order on the wire agree
      const auto attachment = Attachment{++sequence_, now(), presence().gid()}.bytes();
      ZnOwner * const payload = static_cast<SentChunk &>(*chunk).owner.get();
      if (!zn_put(publisher_.get(), payload, attachment.data(), attachment.size())) {
        return PublishResult::kClosed;
      }
    }
    if (chunk->size >= SharedPool::kLeastMessage) {
      pool_.keep(std::move(chunk));
    }
    return PublishResult::kOk;
  }

 private:
  const bool is_tuned_;
  SharedPool pool_;
  std::mutex writing_;
  std::int64_t sequence_ = 0;  ///< guarded by writing_
  PublisherHandle publisher_;
};

/// What Zenoh's callback knows. It may outlast the subscription.
struct Listener {
  std::shared_ptr<const Graph> graph;
  std::shared_ptr<Backlog> backlog;

  static void hear(void * self, const ZnMessage * message) {
    const auto & listener = *static_cast<const Listener *>(self);
    auto chunk = std::make_unique<ReceivedChunk>(*message);
    const auto attachment = Attachment::of(*message);
    if (!attachment || attachment->sequence < 1) {
      return;  // no node of ROS 2 has sent it
    }
    const auto lifespan = listener.graph->lifespan_of(attachment->gid);
    listener.backlog->push({std::move(chunk),
                            attachment->stamp,
                            static_cast<std::uint64_t>(attachment->sequence - 1),
                            attachment->gid,
                            {},
                            lifespan});
  }
};

class TopicReader final : public PresentReader {
 public:
  TopicReader(std::shared_ptr<Participant> participant, const EndpointInfo & info, bool ignore_local,
              std::function<void()> on_data)
      : PresentReader(std::move(participant), info, ignore_local, info.qos, Backlog::Depth::kOfAll,
                      std::move(on_data)) {
    const ZnSubscriberOptions options = {info.qos.reliability == Reliability::kReliable, ignore_local,
                                         history_of(info.qos)};
    const ZnCallback callback = {Listener::hear, [](void * self) { delete static_cast<Listener *>(self); },
                                 new Listener{this->participant().shared_graph(), backlog()}};
    subscriber_.reset(checked("topic '" + info.topic + "': no subscription", zn_subscriber_new,
                              this->participant().session().get(), presence().key().c_str(), &options, callback));
    presence().announce();
  }
  ~TopicReader() override {
    presence().withdraw();
    subscriber_.reset();
    backlog()->close();
  }

 private:
  SubscriberHandle subscriber_;
};

}  // namespace

std::shared_ptr<Writer> make_topic_writer(const std::shared_ptr<Participant> & participant,
                                          const tandem::MessageType & type, const EndpointInfo & info) {
  return std::make_shared<TopicWriter>(participant, type, info);
}

std::shared_ptr<Reader> make_topic_reader(const std::shared_ptr<Participant> & participant, const EndpointInfo & info,
                                          bool ignore_local, std::function<void()> on_data) {
  return std::make_shared<TopicReader>(participant, info, ignore_local, std::move(on_data));
}

}  // namespace rmw_zenoh
