// A subscription to a type that is known at run time only.
#ifndef RCLCPP__GENERIC_SUBSCRIPTION_HPP_
#define RCLCPP__GENERIC_SUBSCRIPTION_HPP_

#include <memory>
#include <utility>

#include "rclcpp/any_subscription_callback.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/subscription_base.hpp"
#include "rclcpp/typesupport_helpers.hpp"

namespace rclcpp {

/// The callback gets each message as CDR, whoever published it. Thread-safe.
class GenericSubscription : public SubscriptionBase {
 public:
  RCLCPP_SMART_PTR_DEFINITIONS(GenericSubscription)

  /// The callback takes the SerializedMessage in one of the forms of any_subscription_callback.hpp.
  template <class CallbackT>
  GenericSubscription(detail::SubscriptionSetup && setup, CallbackT && callback)
      : SubscriptionBase(std::move(setup), detail::serialized_callback(std::forward<CallbackT>(callback)),
                         DeliveredMessageKind::SERIALIZED_MESSAGE) {}

  std::shared_ptr<void> create_message() override { return create_serialized_message(); }
};

}  // namespace rclcpp

#endif  // RCLCPP__GENERIC_SUBSCRIPTION_HPP_
