// Parameters as messages and as text.
#include "rclcpp/parameter.hpp"

#include <sstream>

namespace rclcpp {
namespace {

using Message = rcl_interfaces::msg::ParameterValue;

/// "[1, 2]". bools as words, bytes in hexadecimal.
template <class T>
std::string joined(const std::vector<T> & values) {
  std::ostringstream text;
  text << '[' << std::boolalpha;
  const char * separator = "";
  for (const auto & value : values) {
    text << separator;
    separator = ", ";
    if constexpr (std::is_same_v<T, std::uint8_t>) {
      text << std::hex << std::showbase << int{value};
    } else if constexpr (std::is_same_v<T, bool>) {
      text << static_cast<bool>(value);
    } else {
      text << value;
    }
  }
  text << ']';
  return text.str();
}

/// Without the braces around the whole.
std::string type_and_value(const Parameter & parameter) {
  return "\"type\": \"" + parameter.get_type_name() + "\", \"value\": \"" + parameter.value_to_string() + "\"";
}

template <class T, class Sequence>
std::vector<T> to_vector(const Sequence & sequence) {
  return std::vector<T>(sequence.begin(), sequence.end());
}

}  // namespace

std::string to_string(ParameterType type) {
  switch (type) {
    case PARAMETER_NOT_SET: return "not set";
    case PARAMETER_BOOL: return "bool";
    case PARAMETER_INTEGER: return "integer";
    case PARAMETER_DOUBLE: return "double";
    case PARAMETER_STRING: return "string";
    case PARAMETER_BYTE_ARRAY: return "byte_array";
    case PARAMETER_BOOL_ARRAY: return "bool_array";
    case PARAMETER_INTEGER_ARRAY: return "integer_array";
    case PARAMETER_DOUBLE_ARRAY: return "double_array";
    case PARAMETER_STRING_ARRAY: return "string_array";
  }
  return "unknown type";
}

std::ostream & operator<<(std::ostream & os, ParameterType type) { return os << to_string(type); }

std::string to_string(const ParameterValue & value) {
  switch (value.get_type()) {
    case PARAMETER_NOT_SET: break;
    case PARAMETER_BOOL: return value.get<PARAMETER_BOOL>() ? "true" : "false";
    case PARAMETER_INTEGER: return std::to_string(value.get<PARAMETER_INTEGER>());
    case PARAMETER_DOUBLE: return std::to_string(value.get<PARAMETER_DOUBLE>());
    case PARAMETER_STRING: return value.get<PARAMETER_STRING>();
    case PARAMETER_BYTE_ARRAY: return joined(value.get<PARAMETER_BYTE_ARRAY>());
    case PARAMETER_BOOL_ARRAY: return joined(value.get<PARAMETER_BOOL_ARRAY>());
    case PARAMETER_INTEGER_ARRAY: return joined(value.get<PARAMETER_INTEGER_ARRAY>());
    case PARAMETER_DOUBLE_ARRAY: return joined(value.get<PARAMETER_DOUBLE_ARRAY>());
    case PARAMETER_STRING_ARRAY: return joined(value.get<PARAMETER_STRING_ARRAY>());
  }
  return "not set";
}

ParameterTypeException::ParameterTypeException(ParameterType expected, ParameterType actual)
    : std::runtime_error("expected [" + to_string(expected) + "] got [" + to_string(actual) + "]") {}

ParameterValue::ParameterValue() noexcept = default;
ParameterValue::ParameterValue(const ParameterValue & other) = default;
ParameterValue::ParameterValue(ParameterValue && other) noexcept = default;
ParameterValue & ParameterValue::operator=(const ParameterValue & other) = default;
ParameterValue & ParameterValue::operator=(ParameterValue && other) noexcept = default;
ParameterValue::~ParameterValue() = default;

ParameterValue::ParameterValue(bool value) : value_(value) {}
ParameterValue::ParameterValue(int value) : value_(std::int64_t{value}) {}
ParameterValue::ParameterValue(std::int64_t value) : value_(value) {}
ParameterValue::ParameterValue(float value) : value_(double{value}) {}
ParameterValue::ParameterValue(double value) : value_(value) {}
ParameterValue::ParameterValue(const std::string & value) : value_(value) {}
ParameterValue::ParameterValue(const char * value) : value_(std::string(value)) {}
ParameterValue::ParameterValue(const std::vector<std::uint8_t> & value) : value_(value) {}
ParameterValue::ParameterValue(const std::vector<bool> & value) : value_(value) {}
ParameterValue::ParameterValue(const std::vector<int> & value) : value_(to_vector<std::int64_t>(value)) {}
ParameterValue::ParameterValue(const std::vector<std::int64_t> & value) : value_(value) {}
ParameterValue::ParameterValue(const std::vector<float> & value) : value_(to_vector<double>(value)) {}
ParameterValue::ParameterValue(const std::vector<double> & value) : value_(value) {}
ParameterValue::ParameterValue(const std::vector<std::string> & value) : value_(value) {}

ParameterValue::ParameterValue(const Message & value) {
  switch (value.type) {
    case PARAMETER_NOT_SET: return;
    case PARAMETER_BOOL: value_ = static_cast<bool>(value.bool_value); return;
    case PARAMETER_INTEGER: value_ = std::int64_t{value.integer_value}; return;
    case PARAMETER_DOUBLE: value_ = value.double_value; return;
    case PARAMETER_STRING: value_ = std::string(value.string_value); return;
    case PARAMETER_BYTE_ARRAY: value_ = to_vector<std::uint8_t>(value.byte_array_value); return;
    case PARAMETER_BOOL_ARRAY: value_ = to_vector<bool>(value.bool_array_value); return;
    case PARAMETER_INTEGER_ARRAY: value_ = to_vector<std::int64_t>(value.integer_array_value); return;
    case PARAMETER_DOUBLE_ARRAY: value_ = to_vector<double>(value.double_array_value); return;
    case PARAMETER_STRING_ARRAY: value_ = to_vector<std::string>(value.string_array_value); return;
    default: throw exceptions::UnknownTypeError(std::to_string(value.type));
  }
}

bool ParameterValue::operator==(const ParameterValue & rhs) const { return value_ == rhs.value_; }

Message ParameterValue::to_value_msg() const {
  Message message;
  message.type = get_type();
  switch (get_type()) {
    case PARAMETER_NOT_SET: break;
    case PARAMETER_BOOL: message.bool_value = get<PARAMETER_BOOL>(); break;
    case PARAMETER_INTEGER: message.integer_value = get<PARAMETER_INTEGER>(); break;
    case PARAMETER_DOUBLE: message.double_value = get<PARAMETER_DOUBLE>(); break;
    case PARAMETER_STRING: message.string_value = get<PARAMETER_STRING>(); break;
    case PARAMETER_BYTE_ARRAY: message.byte_array_value = get<PARAMETER_BYTE_ARRAY>(); break;
    case PARAMETER_BOOL_ARRAY: message.bool_array_value = get<PARAMETER_BOOL_ARRAY>(); break;
    case PARAMETER_INTEGER_ARRAY: message.integer_array_value = get<PARAMETER_INTEGER_ARRAY>(); break;
    case PARAMETER_DOUBLE_ARRAY: message.double_array_value = get<PARAMETER_DOUBLE_ARRAY>(); break;
    case PARAMETER_STRING_ARRAY: message.string_array_value = get<PARAMETER_STRING_ARRAY>(); break;
  }
  return message;
}

Parameter::Parameter() = default;
Parameter::Parameter(const std::string & name) : name_(name) {}
Parameter::Parameter(const std::string & name, const ParameterValue & value) : name_(name), value_(value) {}
Parameter::Parameter(const Parameter & other) = default;
Parameter::Parameter(Parameter && other) noexcept = default;
Parameter & Parameter::operator=(const Parameter & other) = default;
Parameter & Parameter::operator=(Parameter && other) noexcept = default;
Parameter::~Parameter() = default;

bool Parameter::operator==(const Parameter & rhs) const { return name_ == rhs.name_ && value_ == rhs.value_; }
std::string Parameter::get_type_name() const { return to_string(get_type()); }
Message Parameter::get_value_message() const { return value_.to_value_msg(); }
std::string Parameter::value_to_string() const { return to_string(value_); }

bool Parameter::as_bool() const { return get_value<PARAMETER_BOOL>(); }
std::int64_t Parameter::as_int() const { return get_value<PARAMETER_INTEGER>(); }
double Parameter::as_double() const { return get_value<PARAMETER_DOUBLE>(); }
const std::string & Parameter::as_string() const { return get_value<PARAMETER_STRING>(); }
const std::vector<std::uint8_t> & Parameter::as_byte_array() const { return get_value<PARAMETER_BYTE_ARRAY>(); }
const std::vector<bool> & Parameter::as_bool_array() const { return get_value<PARAMETER_BOOL_ARRAY>(); }
const std::vector<std::int64_t> & Parameter::as_integer_array() const { return get_value<PARAMETER_INTEGER_ARRAY>(); }
const std::vector<double> & Parameter::as_double_array() const { return get_value<PARAMETER_DOUBLE_ARRAY>(); }
const std::vector<std::string> & Parameter::as_string_array() const { return get_value<PARAMETER_STRING_ARRAY>(); }

Parameter Parameter::from_parameter_msg(const rcl_interfaces::msg::Parameter & parameter) {
  return Parameter(parameter.name, ParameterValue(parameter.value));
}

rcl_interfaces::msg::Parameter Parameter::to_parameter_msg() const {
  rcl_interfaces::msg::Parameter message;
  message.name = name_;
  message.value = value_.to_value_msg();
  return message;
}

std::ostream & operator<<(std::ostream & os, const Parameter & parameter) { return os << std::to_string(parameter); }

std::ostream & operator<<(std::ostream & os, const std::vector<Parameter> & parameters) {
  return os << std::to_string(parameters);
}

}  // namespace rclcpp

std::string std::to_string(const rclcpp::Parameter & parameter) {
  return "{\"name\": \"" + parameter.get_name() + "\", " + rclcpp::type_and_value(parameter) + "}";
}

std::string std::to_string(const std::vector<rclcpp::Parameter> & parameters) {
  std::string text = "{";
  const char * separator = "";
  for (const auto & parameter : parameters) {
    text += separator;
    text += "\"" + parameter.get_name() + "\": {" + rclcpp::type_and_value(parameter) + "}";
    separator = ", ";
  }
  return text + "}";
}
