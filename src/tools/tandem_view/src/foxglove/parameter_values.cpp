#include <algorithm>

#include "connection/base64.hpp"
#include "connection/fields.hpp"
#include "foxglove/parameters.hpp"
#include "rcl_interfaces/msg/parameter_type.hpp"

namespace tandem::view {
namespace {

using rcl_interfaces::msg::ParameterValue;
using Type = rcl_interfaces::msg::ParameterType;

template <class Sequence>
Json array_json(const Sequence & sequence) {
  Json array = Json::array();
  for (const auto & each : sequence) {
    array.push_back(each);
  }
  return array;
}

bool all(const Json & array, bool (Json::*is_kind)() const noexcept) {
  return std::all_of(array.begin(), array.end(), [&](const Json & each) { return (each.*is_kind)(); });
}

template <class To, class Sequence>
void assign(const Json & array, Sequence & sequence) {
  sequence.clear();
  for (const Json & each : array) {
    sequence.push_back(each.get<To>());
  }
}

void set_array(const Json & array, bool are_doubles, ParameterValue & value) {
  if (all(array, &Json::is_number) && (are_doubles || !all(array, &Json::is_number_integer))) {
    value.type = Type::PARAMETER_DOUBLE_ARRAY;
    assign<double>(array, value.double_array_value);
  } else if (!array.empty() && all(array, &Json::is_number_integer)) {
    value.type = Type::PARAMETER_INTEGER_ARRAY;
    assign<std::int64_t>(array, value.integer_array_value);
  } else if (!array.empty() && all(array, &Json::is_boolean)) {
    value.type = Type::PARAMETER_BOOL_ARRAY;
    assign<bool>(array, value.bool_array_value);
  } else if (all(array, &Json::is_string)) {
    value.type = Type::PARAMETER_STRING_ARRAY;
    for (const Json & each : array) {
      value.string_array_value.emplace_back(each.get<std::string>());
    }
  } else {
    throw BadRequest("the elements of an array are of one kind: numbers, true and false, or texts");
  }
}

}  // namespace

Json parameter_json(const std::string & name, const ParameterValue & value) {
  Json json = {{"name", name}};
  switch (value.type) {
    case Type::PARAMETER_BOOL: json["value"] = bool(value.bool_value); break;
    case Type::PARAMETER_INTEGER: json["value"] = std::int64_t(value.integer_value); break;
    case Type::PARAMETER_DOUBLE:
      json["value"] = double(value.double_value);
      json["type"] = "float64";
      break;
    case Type::PARAMETER_STRING: json["value"] = std::string(value.string_value); break;
    case Type::PARAMETER_BYTE_ARRAY:
      json["value"] = to_base64(value.byte_array_value.data(), value.byte_array_value.size());
      json["type"] = "byte_array";
      break;
    case Type::PARAMETER_BOOL_ARRAY:
      json["value"] = Json::array();
      for (const bool each : value.bool_array_value) json["value"].push_back(each);
      break;
    case Type::PARAMETER_INTEGER_ARRAY: json["value"] = array_json(value.integer_array_value); break;
    case Type::PARAMETER_DOUBLE_ARRAY:
      json["value"] = array_json(value.double_array_value);
      json["type"] = "float64_array";
      break;
    case Type::PARAMETER_STRING_ARRAY:
      json["value"] = Json::array();
      for (const auto & each : value.string_array_value) json["value"].push_back(std::string(each));
      break;
    default: break;  // it is declared, and has no value
  }
  return json;
}

ParameterValue parameter_of(const Json & json, const std::string & type, const ParameterValue & present) {
  ParameterValue value;
  const bool is_double = type == "float64" || present.type == Type::PARAMETER_DOUBLE;
  if (type == "byte_array" && json.is_string()) {
    const std::string bytes = from_base64(json.get<std::string>());
    value.type = Type::PARAMETER_BYTE_ARRAY;
    value.byte_array_value.assign(bytes.begin(), bytes.end());
  } else if (json.is_boolean()) {
    value.type = Type::PARAMETER_BOOL;
    value.bool_value = json.get<bool>();
  } else if (json.is_number_integer() && !is_double) {
    value.type = Type::PARAMETER_INTEGER;
    value.integer_value = json.get<std::int64_t>();
  } else if (json.is_number()) {
    value.type = Type::PARAMETER_DOUBLE;
    value.double_value = json.get<double>();
  } else if (json.is_string()) {
    value.type = Type::PARAMETER_STRING;
    value.string_value = json.get<std::string>();
  } else if (json.is_array()) {
    set_array(json, type == "float64_array" || present.type == Type::PARAMETER_DOUBLE_ARRAY, value);
  } else if (!json.is_null()) {
    throw BadRequest("a parameter is a number, true or false, a text, or an array of those");
  }
  return value;
}

}  // namespace tandem::view
