// What message a callback of a subscription takes, for functions that make subscriptions of any callback.
#ifndef RCLCPP__SUBSCRIPTION_TRAITS_HPP_
#define RCLCPP__SUBSCRIPTION_TRAITS_HPP_

#include <memory>
#include <type_traits>

#include "rclcpp/function_traits.hpp"
#include "rclcpp/qos.hpp"
#include "rclcpp/serialized_message.hpp"
#include "rclcpp/subscription_options.hpp"
#include "rmw/types.h"

namespace rclcpp::subscription_traits {

template <class T>
struct is_serialized_subscription_argument : std::false_type {};
template <>
struct is_serialized_subscription_argument<SerializedMessage> : std::true_type {};
template <>
struct is_serialized_subscription_argument<std::shared_ptr<SerializedMessage>> : std::true_type {};

template <class T>
struct is_serialized_subscription : is_serialized_subscription_argument<T> {};

/// Whether the first argument of a callback is a SerializedMessage, by value or as a shared pointer.
template <class CallbackT>
struct is_serialized_callback : is_serialized_subscription_argument<
                                    typename function_traits::function_traits<CallbackT>::template argument_type<0>> {};

/// The type without reference, const and pointer of the standard library.
template <class T>
struct extract_message_type {
  using type = std::remove_cv_t<std::remove_reference_t<T>>;
};
template <class T>
struct extract_message_type<std::shared_ptr<T>> : extract_message_type<T> {};
template <class T, class DeleterT>
struct extract_message_type<std::unique_ptr<T, DeleterT>> : extract_message_type<T> {};

namespace detail {

/// What may stand in a callback's place among the arguments of create_subscription().
template <class T, class AllocatorT>
constexpr bool is_no_callback =
    std::is_integral_v<T> || std::is_base_of_v<QoS, T> || std::is_same_v<T, rmw_qos_profile_t> ||
    std::is_same_v<T, SubscriptionOptionsWithAllocator<AllocatorT>>;

}  // namespace detail

/// `type`: the message that the callback takes first. Substitution fails for depths, QoS and options.
template <
    class CallbackT, class AllocatorT = std::allocator<void>,
    class = std::enable_if_t<!detail::is_no_callback<std::remove_cv_t<std::remove_reference_t<CallbackT>>, AllocatorT>>>
struct has_message_type
    : extract_message_type<typename function_traits::function_traits<CallbackT>::template argument_type<0>> {};

}  // namespace rclcpp::subscription_traits

#endif  // RCLCPP__SUBSCRIPTION_TRAITS_HPP_
