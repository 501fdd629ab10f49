// The reading end of a topic.
#ifndef RCLCPP__SUBSCRIPTION_HPP_
#define RCLCPP__SUBSCRIPTION_HPP_

#include <memory>
#include <utility>

#include "rclcpp/any_subscription_callback.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/subscription_base.hpp"
#include "rclcpp/subscription_options.hpp"

namespace rclcpp {

/// Thread-safe.
template <class MessageT, class AllocatorT = std::allocator<void>>
class Subscription : public SubscriptionBase {
 public:
  RCLCPP_SMART_PTR_DEFINITIONS(Subscription)
  using ROSMessageType = MessageT;
  using SubscribedType = MessageT;

  template <class CallbackT>
  Subscription(detail::SubscriptionSetup && setup, CallbackT && callback)
      : SubscriptionBase(std::move(setup), detail::sample_callback<MessageT, detail::MutablePointer::kPrivateCopy>(
                                               std::forward<CallbackT>(callback))) {}

  /// Copies the next message, without an executor. \return false when there is none.
  bool take(MessageT & message_out, MessageInfo & message_info_out) {
    tandem::transport::Sample sample;
    if (!take_sample(sample)) return false;
    message_out = detail::view<MessageT>(sample);
    message_info_out = detail::message_info(sample);
    return true;
  }
};

}  // namespace rclcpp

#endif  // RCLCPP__SUBSCRIPTION_HPP_
