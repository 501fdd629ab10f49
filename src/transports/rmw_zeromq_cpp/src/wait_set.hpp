// Waits in the user's own thread for the sockets of its subscriptions; otherwise the hub serves them (poller.hpp, Z3).
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "hub.hpp"
#include "subscription.hpp"

namespace rmw_zeromq {

/// What the hub's thread knows of a wait-set.
class WaitSetBody final : public Served {
 public:
  explicit WaitSetBody(Hub & hub) : hub_poller_(hub.poller()) {}
  void open(std::uint32_t number);
  /// Afterwards the hub is not touched any more.
  void close();

  /// By the user's thread: says that it waits, takes the sockets over from the hub.
  void begin();
  /// Serves what comes within the time; the hub takes over again.
  void end(int milliseconds);
  const std::shared_ptr<Poller> & poller() const { return poller_; }

  void serve(std::uint32_t part) override;

 private:
  Poller & hub_poller_;
  const std::shared_ptr<Poller> poller_ = std::make_shared<Poller>();
  std::uint32_t number_ = 0;
  std::mutex mutex_;  ///< Z3
};

class ZmqWaitSet final : public tandem::transport::WaitSet {
 public:
  explicit ZmqWaitSet(std::shared_ptr<Hub> hub);
  ~ZmqWaitSet() override;
  void attach(const std::shared_ptr<tandem::transport::Subscription> & subscription) override;
  void detach(const std::shared_ptr<tandem::transport::Subscription> & subscription) override;
  bool wait(std::chrono::nanoseconds timeout) override;
  void wake() override;

 private:
  bool is_over();
  bool has_data();

  const std::shared_ptr<Hub> hub_;
  const std::shared_ptr<WaitSetBody> body_;
  const std::uint32_t number_;
  std::atomic<bool> woken_{false};
  std::mutex mutex_;
  std::vector<std::weak_ptr<SubscriptionBody>> attached_;  ///< guarded by mutex_
};

}  // namespace rmw_zeromq
