// The value of a parameter: nothing, or one of nine types.
#ifndef RCLCPP__PARAMETER_VALUE_HPP_
#define RCLCPP__PARAMETER_VALUE_HPP_

#include <cstdint>
#include <ostream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "rcl_interfaces/msg/parameter_type.hpp"
#include "rcl_interfaces/msg/parameter_value.hpp"
#include "rclcpp/exceptions/exceptions.hpp"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp {

enum ParameterType : std::uint8_t {
  PARAMETER_NOT_SET = rcl_interfaces::msg::ParameterType::PARAMETER_NOT_SET,
  PARAMETER_BOOL = rcl_interfaces::msg::ParameterType::PARAMETER_BOOL,
  PARAMETER_INTEGER = rcl_interfaces::msg::ParameterType::PARAMETER_INTEGER,
  PARAMETER_DOUBLE = rcl_interfaces::msg::ParameterType::PARAMETER_DOUBLE,
  PARAMETER_STRING = rcl_interfaces::msg::ParameterType::PARAMETER_STRING,
  PARAMETER_BYTE_ARRAY = rcl_interfaces::msg::ParameterType::PARAMETER_BYTE_ARRAY,
  PARAMETER_BOOL_ARRAY = rcl_interfaces::msg::ParameterType::PARAMETER_BOOL_ARRAY,
  PARAMETER_INTEGER_ARRAY = rcl_interfaces::msg::ParameterType::PARAMETER_INTEGER_ARRAY,
  PARAMETER_DOUBLE_ARRAY = rcl_interfaces::msg::ParameterType::PARAMETER_DOUBLE_ARRAY,
  PARAMETER_STRING_ARRAY = rcl_interfaces::msg::ParameterType::PARAMETER_STRING_ARRAY,
};

/// "integer_array" and the like.
RCLCPP_PUBLIC std::string to_string(ParameterType type);
RCLCPP_PUBLIC std::ostream & operator<<(std::ostream & os, ParameterType type);

class RCLCPP_PUBLIC ParameterTypeException : public std::runtime_error {
 public:
  ParameterTypeException(ParameterType expected, ParameterType actual);
};

namespace detail {

/// In the order of ParameterType, so that the index is the type. Private memory, unlike the message of that name.
using ParameterVariant =
    std::variant<std::monostate, bool, std::int64_t, double, std::string, std::vector<std::uint8_t>, std::vector<bool>,
                 std::vector<std::int64_t>, std::vector<double>, std::vector<std::string>>;

/// The type that holds a T.
template <class T>
constexpr ParameterType parameter_type_of() {
  if constexpr (std::is_same_v<T, bool>) {
    return PARAMETER_BOOL;
  } else if constexpr (std::is_integral_v<T>) {
    return PARAMETER_INTEGER;
  } else if constexpr (std::is_floating_point_v<T>) {
    return PARAMETER_DOUBLE;
  } else if constexpr (std::is_convertible_v<T, std::string>) {
    return PARAMETER_STRING;
  } else if constexpr (std::is_convertible_v<T, const std::vector<std::uint8_t> &>) {
    return PARAMETER_BYTE_ARRAY;
  } else if constexpr (std::is_convertible_v<T, const std::vector<bool> &>) {
    return PARAMETER_BOOL_ARRAY;
  } else if constexpr (std::is_convertible_v<T, const std::vector<int> &> ||
                       std::is_convertible_v<T, const std::vector<std::int64_t> &>) {
    return PARAMETER_INTEGER_ARRAY;
  } else if constexpr (std::is_convertible_v<T, const std::vector<float> &> ||
                       std::is_convertible_v<T, const std::vector<double> &>) {
    return PARAMETER_DOUBLE_ARRAY;
  } else {
    static_assert(std::is_convertible_v<T, const std::vector<std::string> &>,
                  "a parameter is a bool, a number, a string, or a std::vector of these or of bytes (uint8_t)");
    return PARAMETER_STRING_ARRAY;
  }
}

}  // namespace detail

/// Thread-safety: as std::string.
class RCLCPP_PUBLIC ParameterValue {
 public:
  ParameterValue() noexcept;
  ParameterValue(const ParameterValue & other);
  ParameterValue(ParameterValue && other) noexcept;
  ParameterValue & operator=(const ParameterValue & other);
  ParameterValue & operator=(ParameterValue && other) noexcept;
  ~ParameterValue();

  /// \throws exceptions::UnknownTypeError
  explicit ParameterValue(const rcl_interfaces::msg::ParameterValue & value);
  explicit ParameterValue(bool value);
  explicit ParameterValue(int value);
  explicit ParameterValue(std::int64_t value);
  explicit ParameterValue(float value);
  explicit ParameterValue(double value);
  explicit ParameterValue(const std::string & value);
  explicit ParameterValue(const char * value);
  explicit ParameterValue(const std::vector<std::uint8_t> & value);
  explicit ParameterValue(const std::vector<bool> & value);
  explicit ParameterValue(const std::vector<int> & value);
  explicit ParameterValue(const std::vector<std::int64_t> & value);
  explicit ParameterValue(const std::vector<float> & value);
  explicit ParameterValue(const std::vector<double> & value);
  explicit ParameterValue(const std::vector<std::string> & value);

  ParameterType get_type() const { return static_cast<ParameterType>(value_.index()); }
  rcl_interfaces::msg::ParameterValue to_value_msg() const;

  bool operator==(const ParameterValue & rhs) const;
  bool operator!=(const ParameterValue & rhs) const { return !(*this == rhs); }

  /// A reference to the bool, int64_t, double, std::string or std::vector of these.
  /// \throws ParameterTypeException when it is of another type.
  template <ParameterType kType>
  const auto & get() const {
    if (get_type() != kType) throw ParameterTypeException(kType, get_type());
    return std::get<kType>(value_);
  }
  /// The same for the type that holds a T: int64_t for any integer.
  template <class T>
  const auto & get() const {
    return get<detail::parameter_type_of<T>()>();
  }

 private:
  detail::ParameterVariant value_;
};

RCLCPP_PUBLIC std::string to_string(const ParameterValue & value);

}  // namespace rclcpp

#endif  // RCLCPP__PARAMETER_VALUE_HPP_
