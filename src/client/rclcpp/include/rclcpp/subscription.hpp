// The reading end of a topic.
#ifndef RCLCPP__SUBSCRIPTION_HPP_
#define RCLCPP__SUBSCRIPTION_HPP_

#include <memory>
#include <utility>

#include "rclcpp/any_subscription_callback.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/subscription_base.hpp"
#include "rclcpp/subscription_options.hpp"
#include "rclcpp/type_adapter.hpp"

namespace rclcpp {

namespace detail {

/// What the two kinds of subscription share; they differ in what a mutable pointer of the callback points to.
template <class MessageT, MutablePointer kMutable>
class TypedSubscription : public SubscriptionBase {
 public:
  using ROSMessageType = typename TypeAdapter<MessageT>::ros_message_type;
  using SubscribedType = typename TypeAdapter<MessageT>::custom_type;

  template <class CallbackT>
  TypedSubscription(SubscriptionSetup && setup, CallbackT && callback)
      : SubscriptionBase(std::move(setup), sample_callback<MessageT, kMutable>(std::forward<CallbackT>(callback)),
                         delivered_kind<CallbackT, MessageT>(), taker_of<CallbackT, MessageT, kMutable>()) {}

  /// Copies the next message, or deserializes it there, without an executor. \return false when there is none.
  bool take(ROSMessageType & message_out, MessageInfo & message_info_out) {
    return take_into(&message_out, message_info_out);
  }
};

}  // namespace detail

/// Thread-safe.
template <class MessageT, class AllocatorT = std::allocator<void>>
class Subscription : public detail::TypedSubscription<MessageT, detail::MutablePointer::kOwn> {
 public:
  RCLCPP_SMART_PTR_DEFINITIONS(Subscription)
  using detail::TypedSubscription<MessageT, detail::MutablePointer::kOwn>::TypedSubscription;
};

}  // namespace rclcpp

#endif  // RCLCPP__SUBSCRIPTION_HPP_
