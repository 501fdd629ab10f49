#include "parameters/parameter_yaml.hpp"

#include <yaml-cpp/eventhandler.h>

#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string_view>
#include <type_traits>
#include <vector>

namespace rclcpp::detail {
namespace {

/// Refuses what load_yaml() does not accept. YAML::Load() gives no hint of either: it stops after the first document,
/// and resolves aliases.
class AcceptedYaml : public YAML::EventHandler {
 public:
  void OnDocumentStart(const YAML::Mark & mark) override {
    if (++documents_ > 1) refuse(mark, "there must be one document, and nothing behind it");
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark &, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark & mark, YAML::anchor_t) override { refuse(mark, "aliases are not supported"); }
  void OnScalar(const YAML::Mark &, const std::string &, YAML::anchor_t, const std::string &) override {}
  void OnSequenceStart(const YAML::Mark &, const std::string &, YAML::anchor_t, YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark &, const std::string &, YAML::anchor_t, YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}

 private:
  int documents_ = 0;
};

bool parse_integer(const std::string & text, std::int64_t & value) {
  char * end = nullptr;
  errno = 0;
  value = std::strtoll(text.c_str(), &end, 0);
  return errno == 0 && end != text.c_str() && *end == '\0';
}

/// Uses std::from_chars(), because strtod() depends on the locale.
bool parse_double(std::string_view text, double & value) {
  const bool has_sign = !text.empty() && (text[0] == '+' || text[0] == '-');
  const bool is_negative = has_sign && text[0] == '-';
  if (has_sign) text.remove_prefix(1);
  if (text.empty() || text[0] == '-') return false;
  for (const char * special : {".nan", ".NaN", ".NAN", ".inf", ".Inf", ".INF"}) {
    if (text == special) text.remove_prefix(1);
  }
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (is_negative) value = -value;
  return error == std::errc() && end == text.data() + text.size();
}

ParameterValue scalar(const YAML::Node & node) {
  const std::string & text = node.Scalar();
  if (node.Tag() == "!" || node.Tag() == "tag:yaml.org,2002:str") return ParameterValue(text);  // quoted, or !!str
  for (const char * word : {"y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"}) {
    if (text == word) return ParameterValue(true);
  }
  for (const char * word : {"n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"}) {
    if (text == word) return ParameterValue(false);
  }
  if (std::int64_t integer = 0; parse_integer(text, integer)) return ParameterValue(integer);
  if (double number = 0; parse_double(text, number)) return ParameterValue(number);
  return ParameterValue(text);
}

template <ParameterType kType>
auto collect(const std::vector<ParameterValue> & values) {
  std::vector<std::decay_t<decltype(values[0].get<kType>())>> result;
  for (const auto & value : values) result.push_back(value.get<kType>());
  return ParameterValue(result);
}

ParameterValue sequence(const YAML::Node & node) {
  std::vector<ParameterValue> values;
  for (const auto & element : node) {
    if (!element.IsScalar()) refuse(element.Mark(), "an array has elements that are no scalars");
    values.push_back(scalar(element));
    if (values.back().get_type() != values.front().get_type()) {
      refuse(element.Mark(), "the elements of an array must be of one type, but one is of type " +
                                 to_string(values.back().get_type()) + ", the first of type " +
                                 to_string(values.front().get_type()));
    }
  }
  if (values.empty()) refuse(node.Mark(), "an empty array has no type; leave the parameter out");
  switch (values.front().get_type()) {
    case PARAMETER_BOOL: return collect<PARAMETER_BOOL>(values);
    case PARAMETER_INTEGER: return collect<PARAMETER_INTEGER>(values);
    case PARAMETER_DOUBLE: return collect<PARAMETER_DOUBLE>(values);
    default: return collect<PARAMETER_STRING>(values);
  }
}

}  // namespace

void refuse(const YAML::Mark & mark, const std::string & reason) { throw YAML::ParserException(mark, reason); }

YAML::Node load_yaml(const std::string & text) {
  std::istringstream stream(text);
  YAML::Parser parser(stream);
  AcceptedYaml accepted;
  if (parser.HandleNextDocument(accepted)) parser.HandleNextDocument(accepted);
  return YAML::Load(text);
}

ParameterValue parameter_value(const YAML::Node & node) {
  if (node.IsScalar()) return scalar(node);
  if (node.IsSequence()) return sequence(node);
  if (node.IsMap()) refuse(node.Mark(), "a mapping is no value of a parameter");
  refuse(node.Mark(), "there is no value; an empty string is written ''");
}

}  // namespace rclcpp::detail
