// The objects of the interface, over a hub.
#include <poll.h>

#include <cstring>

#include "codec.hpp"
#include "hub.hpp"
#include "tandem/plugin.hpp"

namespace unixsocket {
namespace {

using std::chrono::nanoseconds;
using std::chrono::steady_clock;
using namespace tandem::transport;  // NOLINT: all that this file implements

constexpr std::size_t kMaxLoans = 16;

class SocketLoan : public Loan {
 public:
  explicit SocketLoan(std::shared_ptr<PublisherState> from) : publisher(std::move(from)), message_(*publisher->type) {}
  ~SocketLoan() override { --publisher->loans; }
  void * message() override { return message_.get(); }

  const std::shared_ptr<PublisherState> publisher;

 private:
  const OwnMessage message_;
};

class SocketPublisher : public Publisher {
 public:
  SocketPublisher(std::shared_ptr<Hub> hub, const tandem::MessageType & type, const EndpointInfo & info)
      : hub_(std::move(hub)), state_(hub_->add_publisher(type, info)) {}
  ~SocketPublisher() override { hub_->remove_publisher(state_); }

  bool can_loan() const override { return false; }
  std::unique_ptr<Loan> borrow() override {
    if (++state_->loans > kMaxLoans) {
      --state_->loans;
      const std::lock_guard<std::mutex> lock(hub_->mutex());
      ++state_->failed_borrows;
      return nullptr;
    }
    try {
      return std::make_unique<SocketLoan>(state_);
    } catch (const std::bad_alloc &) {
      --state_->loans;
      return nullptr;
    }
  }
  PublishResult publish(std::unique_ptr<Loan> loan) override {
    auto * ours = dynamic_cast<SocketLoan *>(loan.get());
    if (ours == nullptr || ours->publisher != state_) {
      return PublishResult::kInvalidLoan;
    }
    return publish(ours->message());
  }
  PublishResult publish(const void * message) override {
    if (message == nullptr) {
      return PublishResult::kInvalidLoan;
    }
    auto payload = encode(*state_->type, message);
    return payload ? hub_->publish(*state_, std::move(payload)) : PublishResult::kNoMemory;
  }
  PublishResult publish_owned(void * message, bool & taken) override {
    taken = false;
    return publish(message);
  }
  std::size_t subscription_count() const override {
    const std::lock_guard<std::mutex> lock(hub_->mutex());
    return state_->links.size();
  }
  std::uint64_t failed_borrows() const override {
    const std::lock_guard<std::mutex> lock(hub_->mutex());
    return state_->failed_borrows;
  }
  std::uint64_t copied() const override {  // every message goes through a socket
    const std::lock_guard<std::mutex> lock(hub_->mutex());
    return state_->next;
  }
  Gid gid() const override { return state_->endpoint.gid; }

 private:
  const std::shared_ptr<Hub> hub_;
  const std::shared_ptr<PublisherState> state_;
};

class SocketSubscription : public Subscription {
 public:
  SocketSubscription(std::shared_ptr<Hub> hub, const tandem::MessageType & type, const EndpointInfo & info)
      : hub_(std::move(hub)), state_(hub_->add_subscription(type, info)) {}
  ~SocketSubscription() override { hub_->remove_subscription(state_); }

  Sample take() override {
    Sample sample = hub_->take(*state_);
    if (sample) {
      copied_.fetch_add(1, std::memory_order_relaxed);
    }
    return sample;
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
  Gid gid() const override { return state_->endpoint.gid; }

  void set_bell(std::shared_ptr<Bell> bell) {
    const std::lock_guard<std::mutex> lock(hub_->mutex());
    state_->bell = std::move(bell);
  }
  bool rings(const std::shared_ptr<Bell> & bell) const {
    const std::lock_guard<std::mutex> lock(hub_->mutex());
    return state_->bell == bell;
  }

 private:
  const std::shared_ptr<Hub> hub_;
  const std::shared_ptr<SubscriptionState> state_;
  std::atomic<std::uint64_t> copied_ = 0;
};

class SocketWaitSet : public WaitSet {
 public:
  void attach(const std::shared_ptr<Subscription> & subscription) override {
    if (auto ours = std::dynamic_pointer_cast<SocketSubscription>(subscription)) {
      const std::lock_guard<std::mutex> lock(mutex_);
      ours->set_bell(bell_);
      attached_.push_back(ours);
      bell_->ring();  // it may have data already
    }
  }
  void detach(const std::shared_ptr<Subscription> & subscription) override {
    const auto ours = std::dynamic_pointer_cast<SocketSubscription>(subscription);
    if (ours && ours->rings(bell_)) {
      ours->set_bell(nullptr);
    }
  }
  bool wait(nanoseconds timeout) override {
    const bool is_endless = timeout < nanoseconds(0);
    const auto end = steady_clock::now() + std::min<nanoseconds>(timeout, std::chrono::hours(24 * 365));
    for (;;) {
      if (bell_->woken.exchange(false) || has_data()) {
        return true;
      }
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - steady_clock::now()).count();
      if (!is_endless && left <= 0) {
        return false;
      }
      pollfd bell{bell_->fd(), POLLIN, 0};
      poll(&bell, 1, is_endless ? -1 : static_cast<int>(std::min<std::int64_t>(left, 1'000'000)));
      bell_->drain();
    }
  }
  void wake() override {
    bell_->woken = true;
    bell_->ring();
  }

 private:
  /// Forgets those that are gone or have moved to another wait-set.
  bool has_data() {
    const std::lock_guard<std::mutex> lock(mutex_);
    bool found = false;
    for (auto item = attached_.begin(); item != attached_.end();) {
      const auto subscription = item->lock();
      if (!subscription || !subscription->rings(bell_)) {
        item = attached_.erase(item);
        continue;
      }
      found = found || subscription->has_data();
      ++item;
    }
    return found;
  }

  const std::shared_ptr<Bell> bell_ = std::make_shared<Bell>();
  std::mutex mutex_;
  std::vector<std::weak_ptr<SocketSubscription>> attached_;
};

class SocketNode : public Node {
 public:
  SocketNode(std::shared_ptr<Hub> hub, NodeName name) : hub_(std::move(hub)), name_(std::move(name)) {
    hub_->add(name_);
  }
  ~SocketNode() override { hub_->remove(name_); }

 private:
  const std::shared_ptr<Hub> hub_;
  const NodeName name_;
};

class SocketContext : public Context {
 public:
  explicit SocketContext(std::uint32_t domain) : hub_(std::make_shared<Hub>(domain)) {}
  std::unique_ptr<Node> create_node(const NodeName & name) override { return std::make_unique<SocketNode>(hub_, name); }
  std::shared_ptr<Publisher> create_publisher(const tandem::MessageType & type, const TopicOptions & options) override {
    return std::make_shared<SocketPublisher>(hub_, type, info(EndpointKind::kPublisher, options));
  }
  std::shared_ptr<Subscription> create_subscription(const tandem::MessageType & type,
                                                    const TopicOptions & options) override {
    return std::make_shared<SocketSubscription>(hub_, type, info(EndpointKind::kSubscription, options));
  }
  std::shared_ptr<WaitSet> create_wait_set() override { return std::make_shared<SocketWaitSet>(); }
  GraphSnapshot graph() const override { return hub_->graph(); }

 private:
  static EndpointInfo info(EndpointKind kind, const TopicOptions & options) {
    EndpointInfo result;
    result.kind = kind;
    result.topic = options.topic;
    result.node = options.node;
    result.qos = options.qos;
    return result;
  }

  const std::shared_ptr<Hub> hub_;
};

class SocketTransport : public Transport {
 public:
  const char * name() const override { return "rmw_unixsocket_cpp"; }
  std::shared_ptr<Context> create_context(std::uint32_t domain) override {
    return std::make_shared<SocketContext>(domain);
  }
};

}  // namespace
}  // namespace unixsocket

TANDEM_EXPORT_TRANSPORT(unixsocket::SocketTransport)
