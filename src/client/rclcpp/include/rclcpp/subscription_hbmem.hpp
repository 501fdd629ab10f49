// The hbmem subscription: every callback form gets the publisher's message itself, read-only.
#ifndef RCLCPP__SUBSCRIPTION_HBMEM_HPP_
#define RCLCPP__SUBSCRIPTION_HBMEM_HPP_

#include <memory>

#include "rclcpp/subscription.hpp"

namespace rclcpp {

/// A message may be kept beyond its callback. Writing through its mutable SharedPtr ends the process; the transport
/// says a line that names the topic and the remedy. Thread-safe.
template <class MessageT, class AllocatorT = std::allocator<void>>
class SubscriptionHbmem : public detail::TypedSubscription<MessageT, detail::MutablePointer::kShared> {
 public:
  RCLCPP_SMART_PTR_DEFINITIONS(SubscriptionHbmem)
  using detail::TypedSubscription<MessageT, detail::MutablePointer::kShared>::TypedSubscription;
};

}  // namespace rclcpp

#endif  // RCLCPP__SUBSCRIPTION_HBMEM_HPP_
