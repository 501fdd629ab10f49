// What an executor serves when there is data.
#ifndef RCLCPP__DETAIL__RECEIVER_HPP_
#define RCLCPP__DETAIL__RECEIVER_HPP_

#include <atomic>
#include <memory>

#include "rclcpp/visibility_control.hpp"
#include "tandem/transport.hpp"

namespace rclcpp::detail {

/// A subscription, a service (its requests) or a client (its replies). Thread-safe.
class RCLCPP_PUBLIC Receiver {
 public:
  virtual ~Receiver() = default;
  /// Where its messages come from; what a wait-set waits for.
  virtual const std::shared_ptr<tandem::transport::Subscription> & transport() const = 0;
  /// Takes the next message. \return false when there is none: another thread has taken it.
  virtual bool take_sample(tandem::transport::Sample & sample) = 0;
  /// Calls the user's callback with it.
  virtual void execute(tandem::transport::Sample & sample) = 0;

  /// Whether a WaitSet has it. \return the state before.
  bool exchange_in_use_by_wait_set_state(bool in_use_state) { return in_use_.exchange(in_use_state); }

 protected:
  Receiver() = default;

 private:
  std::atomic<bool> in_use_{false};
};

}  // namespace rclcpp::detail

#endif  // RCLCPP__DETAIL__RECEIVER_HPP_
