// Whether a type has void on_activate() and void on_deactivate().
#ifndef RCLCPP_LIFECYCLE__TYPE_TRAITS__IS_MANAGEABLE_NODE_HPP_
#define RCLCPP_LIFECYCLE__TYPE_TRAITS__IS_MANAGEABLE_NODE_HPP_

#include <type_traits>
#include <utility>

// In no namespace, as in rclcpp_lifecycle.

template <class T, class = void>
struct has_on_activate : std::false_type {};
template <class T>
struct has_on_activate<T, std::enable_if_t<std::is_void_v<decltype(std::declval<T>().on_activate())>>>
    : std::true_type {};

template <class T, class = void>
struct has_on_deactivate : std::false_type {};
template <class T>
struct has_on_deactivate<T, std::enable_if_t<std::is_void_v<decltype(std::declval<T>().on_deactivate())>>>
    : std::true_type {};

template <class T>
struct is_manageable_node : std::conjunction<has_on_activate<T>, has_on_deactivate<T>> {};

#endif  // RCLCPP_LIFECYCLE__TYPE_TRAITS__IS_MANAGEABLE_NODE_HPP_
