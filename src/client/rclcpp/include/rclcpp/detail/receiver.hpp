// What an executor serves when there is data.
#ifndef RCLCPP__DETAIL__RECEIVER_HPP_
#define RCLCPP__DETAIL__RECEIVER_HPP_

#include <atomic>
#include <memory>

#include "rclcpp/macros.hpp"
#include "rclcpp/visibility_control.hpp"
#include "tandem/transport.hpp"

namespace rclcpp {

class CallbackGroup;

namespace detail {

/// A subscription, a service (its requests) or a client (its replies). Thread-safe.
class RCLCPP_PUBLIC Receiver {
 public:
  RCLCPP_DISABLE_COPY(Receiver)

  /// Tells the group's executor that it has gone.
  virtual ~Receiver();

  /// Where its messages come from; what a wait-set waits for.
  const std::shared_ptr<tandem::transport::Subscription> & transport() const { return transport_; }
  /// Takes the next message. \return false when there is none: another thread has taken it.
  virtual bool take_sample(tandem::transport::Sample & sample);
  /// Calls the user's callback with it.
  virtual void execute(tandem::transport::Sample & sample) = 0;

  /// Whether a WaitSet has it. \return the state before.
  bool exchange_in_use_by_wait_set_state(bool in_use_state) { return in_use_.exchange(in_use_state); }

 protected:
  Receiver(std::shared_ptr<tandem::transport::Subscription> transport, std::weak_ptr<CallbackGroup> group);

 private:
  const std::shared_ptr<tandem::transport::Subscription> transport_;
  const std::weak_ptr<CallbackGroup> group_;
  std::atomic<bool> in_use_{false};
};

}  // namespace detail
}  // namespace rclcpp

#endif  // RCLCPP__DETAIL__RECEIVER_HPP_
