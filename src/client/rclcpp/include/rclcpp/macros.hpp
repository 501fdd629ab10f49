// The smart-pointer aliases that every class of rclcpp has, and that applications use for their own.
#ifndef RCLCPP__MACROS_HPP_
#define RCLCPP__MACROS_HPP_

#include <memory>
#include <utility>

#define RCLCPP_DISABLE_COPY(...)             \
  __VA_ARGS__(const __VA_ARGS__ &) = delete; \
  __VA_ARGS__ & operator=(const __VA_ARGS__ &) = delete;

#define RCLCPP_SHARED_PTR_ALIAS(...)              \
  using SharedPtr = std::shared_ptr<__VA_ARGS__>; \
  using ConstSharedPtr = std::shared_ptr<const __VA_ARGS__>;

#define RCLCPP_WEAK_PTR_ALIAS(...)            \
  using WeakPtr = std::weak_ptr<__VA_ARGS__>; \
  using ConstWeakPtr = std::weak_ptr<const __VA_ARGS__>;

#define RCLCPP_UNIQUE_PTR_ALIAS(...) using UniquePtr = std::unique_ptr<__VA_ARGS__>;

#define RCLCPP_MAKE_SHARED_DEFINITION(...)                             \
  template <typename... Args>                                          \
  static std::shared_ptr<__VA_ARGS__> make_shared(Args &&... args) {   \
    return std::make_shared<__VA_ARGS__>(std::forward<Args>(args)...); \
  }

// Made names the class again, so that the pointer is looked at where this is called: each would cost milliseconds.
#define RCLCPP_MAKE_UNIQUE_DEFINITION(...)                               \
  template <typename... Args, typename Made = __VA_ARGS__>               \
  static std::unique_ptr<Made> make_unique(Args &&... args) {            \
    return std::unique_ptr<Made>(new Made(std::forward<Args>(args)...)); \
  }

#define RCLCPP_SHARED_PTR_DEFINITIONS(...) \
  RCLCPP_SHARED_PTR_ALIAS(__VA_ARGS__)     \
  RCLCPP_MAKE_SHARED_DEFINITION(__VA_ARGS__)

#define RCLCPP_WEAK_PTR_DEFINITIONS(...) RCLCPP_WEAK_PTR_ALIAS(__VA_ARGS__)

#define RCLCPP_UNIQUE_PTR_DEFINITIONS(...) \
  RCLCPP_UNIQUE_PTR_ALIAS(__VA_ARGS__)     \
  RCLCPP_MAKE_UNIQUE_DEFINITION(__VA_ARGS__)

#define RCLCPP_SMART_PTR_DEFINITIONS(...)    \
  RCLCPP_SHARED_PTR_DEFINITIONS(__VA_ARGS__) \
  RCLCPP_WEAK_PTR_DEFINITIONS(__VA_ARGS__)   \
  RCLCPP_UNIQUE_PTR_DEFINITIONS(__VA_ARGS__)

#define RCLCPP_SMART_PTR_DEFINITIONS_NOT_COPYABLE(...) \
  RCLCPP_DISABLE_COPY(__VA_ARGS__)                     \
  RCLCPP_SMART_PTR_DEFINITIONS(__VA_ARGS__)

#define RCLCPP_SMART_PTR_ALIASES_ONLY(...) \
  RCLCPP_SHARED_PTR_ALIAS(__VA_ARGS__)     \
  RCLCPP_WEAK_PTR_ALIAS(__VA_ARGS__)       \
  RCLCPP_UNIQUE_PTR_ALIAS(__VA_ARGS__)

#define RCLCPP_STRING_JOIN(arg1, arg2) RCLCPP_DO_STRING_JOIN(arg1, arg2)
#define RCLCPP_DO_STRING_JOIN(arg1, arg2) arg1##arg2

#endif  // RCLCPP__MACROS_HPP_
