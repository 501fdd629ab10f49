// A wait-set that sleeps on a bell of the participant's board, which publishers of other processes ring themselves.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "subscription.hpp"

namespace rmw_iceoryx2 {

/// Subscriptions of the same context only.
class BoardWaitSet final : public tandem::transport::WaitSet {
 public:
  explicit BoardWaitSet(std::shared_ptr<Hub> hub);
  ~BoardWaitSet() override;
  void attach(const std::shared_ptr<tandem::transport::Subscription> & subscription) override;
  void detach(const std::shared_ptr<tandem::transport::Subscription> & subscription) override;
  bool wait(std::chrono::nanoseconds timeout) override;
  void wake() override;

 private:
  bool has_data();

  const std::shared_ptr<Hub> hub_;
  const std::uint32_t index_;
  SharedBell & bell_;
  std::atomic<bool> is_woken_{false};
  std::mutex mutex_;
  std::vector<std::weak_ptr<Iox2Reception>> attached_;  ///< guarded by mutex_
};

}  // namespace rmw_iceoryx2
