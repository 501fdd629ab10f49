// A transport's context over a bus, with its nodes and wait-sets.
#include <algorithm>
#include <string>
#include <thread>

#include "bus/bus_publisher.hpp"
#include "bus/bus_subscription.hpp"
#include "tandem/kit/bell.hpp"
#include "tandem/kit/bus.hpp"

namespace tandem::transport {
namespace {

class BusNode final : public Node {
 public:
  BusNode(std::shared_ptr<Bus> bus, NodeName name) : bus_(std::move(bus)), name_(std::move(name)) {
    bus_->add_node(name_);
  }
  ~BusNode() override { bus_->remove_node(name_); }

 private:
  const std::shared_ptr<Bus> bus_;
  const NodeName name_;
};

/// Waits with a waiter of the bus. In a child of fork() it only sleeps.
class BusWaitSet final : public WaitSet {
 public:
  explicit BusWaitSet(std::shared_ptr<Bus> bus)
      : bus_(std::move(bus)), set_(bus_->is_foreign() ? lease_bell() : bus_->lease_waiter()) {}
  void attach(const std::shared_ptr<Subscription> & subscription) override {
    const auto * const ours = dynamic_cast<const BusSubscription *>(subscription.get());
    if (bus_->waits_for_its_own() && ours != nullptr && ours->bus() != bus_) {
      throw Error(std::string(bus_->name()) +
                  ": a subscription is to be waited for with a wait-set of another context");
    }
    if (!bus_->is_foreign()) {
      set_.attach(subscription);
    }
  }
  void detach(const std::shared_ptr<Subscription> & subscription) override { set_.detach(subscription); }
  bool wait(std::chrono::nanoseconds timeout) override {
    if (bus_->is_foreign()) {
      const std::chrono::nanoseconds longest = std::chrono::hours(24);
      std::this_thread::sleep_for(timeout < std::chrono::nanoseconds(0) ? longest : std::min(timeout, longest));
      return false;
    }
    return set_.wait(timeout);
  }
  void wake() override {
    if (!bus_->is_foreign()) {
      set_.wake();
    }
  }

 private:
  const std::shared_ptr<Bus> bus_;
  BellWaitSet set_;
};

class BusContext final : public Context {
 public:
  explicit BusContext(std::shared_ptr<Bus> bus) : bus_(std::move(bus)) {}
  std::unique_ptr<Node> create_node(const NodeName & name) override { return std::make_unique<BusNode>(bus_, name); }
  std::shared_ptr<Publisher> create_publisher(const MessageType & type, const TopicOptions & options) override {
    check(options);
    return std::make_shared<BusPublisher>(bus_, type, options);
  }
  std::shared_ptr<Subscription> create_subscription(const MessageType & type, const TopicOptions & options) override {
    check(options);
    return std::make_shared<BusSubscription>(bus_, type, options);
  }
  std::shared_ptr<WaitSet> create_wait_set() override { return std::make_shared<BusWaitSet>(bus_); }
  GraphSnapshot graph() const override { return bus_->graph(); }

 private:
  /// \throws Error in a child of fork().
  void check(const TopicOptions & options) const {
    if (bus_->is_foreign()) {
      throw Error(std::string(bus_->name()) + ": topic '" + options.topic +
                  "': this process was forked from one that made the context; make a new context after fork()");
    }
  }

  const std::shared_ptr<Bus> bus_;
};

}  // namespace

std::shared_ptr<Context> make_context(std::shared_ptr<Bus> bus) { return std::make_shared<BusContext>(std::move(bus)); }

}  // namespace tandem::transport
