// Types and ranges of parameters. A range's ends are always allowed; between them its steps count from its beginning.
#include "parameters/parameter_check.hpp"

#include <cmath>
#include <limits>

namespace rclcpp::detail {
namespace {

bool nearly_equal(double a, double b) {
  constexpr double kTolerance = 100 * std::numeric_limits<double>::epsilon();
  return std::abs(a - b) <= kTolerance * std::abs(a + b);
}

bool contains(const rcl_interfaces::msg::IntegerRange & range, std::int64_t value) {
  if (value == range.from_value || value == range.to_value) return true;
  if (value < range.from_value || value > range.to_value) return false;
  // Unsigned, since the difference may be larger than any int64_t.
  const auto distance = static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(range.from_value);
  return range.step == 0 || distance % range.step == 0;
}

bool contains(const rcl_interfaces::msg::FloatingPointRange & range, double value) {
  if (nearly_equal(value, range.from_value) || nearly_equal(value, range.to_value)) return true;
  if (!(value >= range.from_value && value <= range.to_value)) return false;  // NaN is in no range
  if (range.step == 0) return true;
  const double steps = std::round((value - range.from_value) / range.step);
  return nearly_equal(value, range.from_value + steps * range.step);
}

std::string out_of_range(const Parameter & parameter, const std::string & kind) {
  return "Parameter {" + parameter.get_name() + "} doesn't comply with " + kind + " range.";
}

}  // namespace

std::optional<std::string> check_type(const rcl_interfaces::msg::ParameterDescriptor & descriptor,
                                      const Parameter & parameter) {
  const auto wanted = static_cast<ParameterType>(descriptor.type);
  if (descriptor.dynamic_typing || wanted == parameter.get_type()) return std::nullopt;
  return "Wrong parameter type, parameter {" + parameter.get_name() + "} is of type {" + to_string(wanted) +
         "}, setting it to {" + parameter.get_type_name() + "} is not allowed.";
}

std::optional<std::string> check_range(const rcl_interfaces::msg::ParameterDescriptor & descriptor,
                                       const Parameter & parameter) {
  if (parameter.get_type() == PARAMETER_INTEGER && !descriptor.integer_range.empty() &&
      !contains(descriptor.integer_range[0], parameter.as_int())) {
    return out_of_range(parameter, "integer");
  }
  if (parameter.get_type() == PARAMETER_DOUBLE && !descriptor.floating_point_range.empty() &&
      !contains(descriptor.floating_point_range[0], parameter.as_double())) {
    return out_of_range(parameter, "floating point");
  }
  return std::nullopt;
}

}  // namespace rclcpp::detail
