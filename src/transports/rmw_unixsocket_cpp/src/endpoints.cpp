// The objects of the interface, over a hub.
#include <cstring>

#include "codec.hpp"
#include "hub.hpp"
#include "tandem/plugin.hpp"
#include "tandem/transport_support/bell.hpp"
#include "tandem/transport_support/copying_publisher.hpp"

namespace unixsocket {
namespace {

using namespace tandem::transport;  // NOLINT: all that this file implements

RosterEntry entry_of(EndpointKind kind, const tandem::MessageType & type, const TopicOptions & options) {
  return {make_endpoint(kName, kind, type, options), {}, options.ignore_local_publications};
}

class SocketPublisher final : public CopyingPublisher {
 public:
  SocketPublisher(std::shared_ptr<Hub> hub, const tandem::MessageType & type, const TopicOptions & options)
      : CopyingPublisher(type),
        hub_(std::move(hub)),
        state_(hub_->add_publisher(type, entry_of(EndpointKind::kPublisher, type, options))) {}
  ~SocketPublisher() override { hub_->remove_publisher(state_); }

  std::size_t subscription_count() const override {
    const std::lock_guard<std::mutex> lock(hub_->mutex());
    return state_->links.size();
  }
  bool wait_for_all_acked(std::chrono::nanoseconds timeout) override {
    return hub_->wait_until_acked(*state_, timeout);
  }
  Gid gid() const override { return state_->entry.endpoint.gid; }

 private:
  PublishResult send(const void * message) override {
    auto payload = encode(type(), message);
    return payload ? hub_->publish(*state_, std::move(payload)) : PublishResult::kNoMemory;
  }

  const std::shared_ptr<Hub> hub_;
  const std::shared_ptr<PublisherState> state_;
};

class SocketSubscription final : public RingingSubscription {
 public:
  SocketSubscription(std::shared_ptr<Hub> hub, const tandem::MessageType & type, const TopicOptions & options)
      : hub_(std::move(hub)),
        type_(type),
        state_(hub_->add_subscription(type, entry_of(EndpointKind::kSubscription, type, options), [this] { ring(); })) {
  }
  ~SocketSubscription() override { hub_->remove_subscription(state_); }

  Sample take() override {
    Sample sample;
    if (const auto arrived = hub_->take(*state_)) {
      sample.keeper = decode(type_, arrived->message.payload);
      sample.message = sample.keeper.get();
      sample.size = type_.size;
      sample.info = info_of(*arrived);
      copied_.fetch_add(sample ? 1 : 0, std::memory_order_relaxed);
    }
    return sample;
  }
  bool take_into(void * message, MessageInfo & info) override {
    const auto arrived = hub_->take(*state_);
    if (!arrived || !decode_into(type_, *arrived->message.payload, message)) {
      return false;
    }
    info = info_of(*arrived);
    copied_.fetch_add(1, std::memory_order_relaxed);
    return true;
  }
  bool has_data() const override {
    const std::lock_guard<std::mutex> lock(hub_->mutex());
    return !state_->queue.empty();
  }
  std::size_t publisher_count() const override {
    const std::lock_guard<std::mutex> lock(hub_->mutex());
    return state_->links.size();
  }
  std::uint64_t lost() const override {
    const std::lock_guard<std::mutex> lock(hub_->mutex());
    return state_->lost;
  }
  std::uint64_t copied() const override { return copied_.load(std::memory_order_relaxed); }
  Gid gid() const override { return state_->entry.endpoint.gid; }

 private:
  MessageInfo info_of(const SubscriptionState::Arrived & arrived) const {
    MessageInfo info;
    info.source_timestamp = arrived.message.stamp;
    info.sequence = arrived.message.sequence;
    info.publisher = arrived.publisher;
    info.from_intra_process = same_participant(arrived.publisher, state_->entry.endpoint.gid);
    return info;
  }

  const std::shared_ptr<Hub> hub_;
  const tandem::MessageType & type_;
  const std::shared_ptr<SubscriptionState> state_;
  std::atomic<std::uint64_t> copied_ = 0;
};

class SocketNode final : public Node {
 public:
  SocketNode(std::shared_ptr<Hub> hub, NodeName name) : hub_(std::move(hub)), name_(std::move(name)) {
    hub_->roster().add(name_);
  }
  ~SocketNode() override { hub_->roster().remove(name_); }

 private:
  const std::shared_ptr<Hub> hub_;
  const NodeName name_;
};

class SocketContext final : public Context {
 public:
  explicit SocketContext(std::uint32_t domain) : hub_(std::make_shared<Hub>(domain)) {}
  std::unique_ptr<Node> create_node(const NodeName & name) override { return std::make_unique<SocketNode>(hub_, name); }
  std::shared_ptr<Publisher> create_publisher(const tandem::MessageType & type, const TopicOptions & options) override {
    return std::make_shared<SocketPublisher>(hub_, type, options);
  }
  std::shared_ptr<Subscription> create_subscription(const tandem::MessageType & type,
                                                    const TopicOptions & options) override {
    return std::make_shared<SocketSubscription>(hub_, type, options);
  }
  std::shared_ptr<WaitSet> create_wait_set() override { return std::make_shared<BellWaitSet>(); }
  GraphSnapshot graph() const override { return hub_->roster().graph(); }

 private:
  const std::shared_ptr<Hub> hub_;
};

class SocketTransport final : public Transport {
 public:
  const char * name() const override { return kName; }
  std::vector<Limit> limits() const override {
    return {{Feature::kLoans, "messages are copied through sockets"},
            {Feature::kVariableLoans, "messages are copied through sockets"},
            {Feature::kOtherHosts, "its sockets are files of this host"},
            {Feature::kRosWire, "it has a wire of its own"}};
  }
  std::shared_ptr<Context> create_context(std::uint32_t domain) override {
    return std::make_shared<SocketContext>(domain);
  }
};

}  // namespace
}  // namespace unixsocket

TANDEM_EXPORT_TRANSPORT(unixsocket::SocketTransport)
