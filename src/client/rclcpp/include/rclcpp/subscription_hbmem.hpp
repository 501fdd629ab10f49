// The hbmem subscription: every callback form gets the publisher's message itself, read-only.
#ifndef RCLCPP__SUBSCRIPTION_HBMEM_HPP_
#define RCLCPP__SUBSCRIPTION_HBMEM_HPP_

#include <memory>
#include <utility>

#include "rclcpp/any_subscription_callback.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/subscription_base.hpp"
#include "rclcpp/subscription_options.hpp"

namespace rclcpp {

/// A message may be kept beyond its callback. Writing through its mutable SharedPtr ends the process; the transport
/// says a line that names the topic and the remedy. Thread-safe.
template <class MessageT, class AllocatorT = std::allocator<void>>
class SubscriptionHbmem : public SubscriptionBase {
 public:
  RCLCPP_SMART_PTR_DEFINITIONS(SubscriptionHbmem)

  template <class CallbackT>
  SubscriptionHbmem(detail::SubscriptionSetup && setup, CallbackT && callback)
      : SubscriptionBase(std::move(setup), detail::sample_callback<MessageT, detail::MutablePointer::kShared>(
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

#endif  // RCLCPP__SUBSCRIPTION_HBMEM_HPP_
