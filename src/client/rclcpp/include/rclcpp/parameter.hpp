// A parameter: a name and a value.
#ifndef RCLCPP__PARAMETER_HPP_
#define RCLCPP__PARAMETER_HPP_

#include <cstdint>
#include <ostream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "rcl_interfaces/msg/parameter.hpp"
#include "rclcpp/exceptions.hpp"
#include "rclcpp/logging.hpp"
#include "rclcpp/parameter_value.hpp"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp {

/// Thread-safety: as std::string.
class RCLCPP_PUBLIC Parameter {
 public:
  /// Without a name and a value.
  Parameter();
  explicit Parameter(const std::string & name);
  Parameter(const std::string & name, const ParameterValue & value);
  Parameter(const Parameter & other);
  Parameter(Parameter && other) noexcept;
  Parameter & operator=(const Parameter & other);
  Parameter & operator=(Parameter && other) noexcept;
  ~Parameter();
  /// Of any type that a ParameterValue is made from.
  template <class T>
  Parameter(const std::string & name, T value) : Parameter(name, ParameterValue(value)) {}

  bool operator==(const Parameter & rhs) const;
  bool operator!=(const Parameter & rhs) const { return !(*this == rhs); }

  const std::string & get_name() const { return name_; }
  ParameterType get_type() const { return value_.get_type(); }
  std::string get_type_name() const;
  const ParameterValue & get_parameter_value() const { return value_; }
  rcl_interfaces::msg::ParameterValue get_value_message() const;

  /// \throws ParameterTypeException when it is of another type.
  template <ParameterType kType>
  const auto & get_value() const {
    return value_.get<kType>();
  }
  /// A copy. T may also be ParameterValue or Parameter.
  /// \throws exceptions::InvalidParameterTypeException when it is of another type.
  template <class T>
  auto get_value() const {
    if constexpr (std::is_same_v<T, Parameter>) {
      return *this;
    } else if constexpr (std::is_same_v<T, ParameterValue>) {
      return value_;
    } else {
      try {
        return value_.get<T>();
      } catch (const ParameterTypeException & error) {
        throw exceptions::InvalidParameterTypeException(name_, error.what());
      }
    }
  }

  // \throws ParameterTypeException when it is of another type.
  bool as_bool() const;
  std::int64_t as_int() const;
  double as_double() const;
  const std::string & as_string() const;
  const std::vector<std::uint8_t> & as_byte_array() const;
  const std::vector<bool> & as_bool_array() const;
  const std::vector<std::int64_t> & as_integer_array() const;
  const std::vector<double> & as_double_array() const;
  const std::vector<std::string> & as_string_array() const;

  /// \throws exceptions::UnknownTypeError
  static Parameter from_parameter_msg(const rcl_interfaces::msg::Parameter & parameter);
  rcl_interfaces::msg::Parameter to_parameter_msg() const;
  std::string value_to_string() const;

 private:
  std::string name_;
  ParameterValue value_;
};

// {"name": "x", "type": "integer", "value": "1"}, and several by name.
RCLCPP_PUBLIC std::ostream & operator<<(std::ostream & os, const Parameter & parameter);
RCLCPP_PUBLIC std::ostream & operator<<(std::ostream & os, const std::vector<Parameter> & parameters);

}  // namespace rclcpp

namespace std {

// Here because rclcpp has them here.
RCLCPP_PUBLIC std::string to_string(const rclcpp::Parameter & parameter);
RCLCPP_PUBLIC std::string to_string(const std::vector<rclcpp::Parameter> & parameters);

}  // namespace std

#endif  // RCLCPP__PARAMETER_HPP_
