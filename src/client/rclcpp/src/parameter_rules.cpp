// Parameters in YAML, with the types that ROS gives to plain scalars.
#include "parameter_rules.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string_view>

#include "names.hpp"
#include "rclcpp/parameter_map.hpp"

namespace rclcpp {
namespace detail {
namespace {

constexpr std::size_t kMaxFileSize = 16 << 20;
constexpr const char * kSection = "ros__parameters";

/// Something is wrong at a place in the text.
[[noreturn]] void refuse(const YAML::Mark & mark, const std::string & reason) {
  throw YAML::ParserException(mark, reason);
}

/// Finds aliases, which could make a small file endless, and which are gone once the text is a tree.
class AliasFinder : public YAML::EventHandler {
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

/// Null when the text is empty. Of several documents yaml-cpp makes endlessly many when one is bad: hence only one.
YAML::Node load(const std::string & text) {
  std::istringstream stream(text);
  YAML::Parser parser(stream);
  AliasFinder finder;
  if (parser.HandleNextDocument(finder)) parser.HandleNextDocument(finder);
  return YAML::Load(text);
}

bool parse_integer(const std::string & text, std::int64_t & value) {
  char * end = nullptr;
  errno = 0;
  value = std::strtoll(text.c_str(), &end, 0);
  return errno == 0 && end != text.c_str() && *end == '\0';
}

/// Not strtod(), which depends on the locale.
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

ParameterValue value_of(const YAML::Node & node) {
  if (node.IsScalar()) return scalar(node);
  if (node.IsSequence()) return sequence(node);
  if (node.IsMap()) refuse(node.Mark(), "a mapping is no value of a parameter");
  refuse(node.Mark(), "there is no value; an empty string is written ''");
}

const std::string & key_of(const YAML::Node & key) {
  if (!key.IsScalar() || key.Scalar().empty()) refuse(key.Mark(), "a key is missing, or is no word");
  return key.Scalar();
}

/// The parameters below ros__parameters; mappings join names with dots.
void read_parameters(const YAML::Node & map, const std::string & prefix, std::vector<Parameter> & parameters) {
  if (map.IsNull()) return;
  if (!map.IsMap()) refuse(map.Mark(), "parameters must be a mapping of names to values");
  for (const auto & entry : map) {
    const std::string name = prefix + key_of(entry.first);
    if (entry.second.IsMap()) {
      read_parameters(entry.second, name + ".", parameters);
    } else if (entry.second.IsNull()) {
      refuse(entry.first.Mark(), "parameter '" + name + "' has no value; an empty string is written ''");
    } else {
      parameters.emplace_back(name, value_of(entry.second));
    }
  }
}

/// "a", "a/b" and "/a/b" to "/a/b"; checks the tokens.
std::string checked_node(const std::string & name) {
  const std::string full = name[0] == '/' ? name : "/" + name;
  std::string plain = full;
  for (std::size_t star; (star = plain.find('*')) != std::string::npos;) {
    const std::size_t end = std::min(plain.find('/', star), plain.size());
    const std::string token = plain.substr(star, end - star);
    if (plain[star - 1] != '/' || (token != "*" && token != "**")) {
      throw exceptions::InvalidParametersException("'" + name +
                                                   "' is no name of a node: '*' and '**' stand for tokens");
    }
    plain.replace(star, token.size(), "x");
  }
  if (const auto problem = plain == "/" ? NameProblem{"the name is empty", 0} : check_namespace(plain)) {
    throw exceptions::InvalidParametersException("'" + name + "' is no name of a node: " + problem->message);
  }
  return full;
}

/// Everything above ros__parameters; mappings join names with slashes.
void read_nodes(const YAML::Node & map, const std::string & node, ParameterRules & rules) {
  if (!map.IsMap()) refuse(map.Mark(), std::string("there is no ") + kSection + " above this value");
  for (const auto & entry : map) {
    const std::string & key = key_of(entry.first);
    if (key != kSection) {
      const bool joined = node.empty() || node.back() == '/' || key[0] == '/';
      read_nodes(entry.second, joined ? node + key : node + "/" + key, rules);
      continue;
    }
    if (node.empty()) refuse(entry.first.Mark(), std::string("there is no name of a node above ") + kSection);
    std::string full;
    try {
      full = checked_node(node);
    } catch (const exceptions::InvalidParametersException & error) {
      refuse(entry.first.Mark(), error.what());
    }
    std::vector<Parameter> parameters;
    read_parameters(entry.second, "", parameters);
    for (auto & parameter : parameters) rules.push_back({full, std::move(parameter)});
  }
}

std::string content_of(const std::string & path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string text;
  std::array<char, 4096> part;
  while (file.read(part.data(), part.size()) || file.gcount() > 0) {
    text.append(part.data(), static_cast<std::size_t>(file.gcount()));
    if (text.size() > kMaxFileSize) throw exceptions::InvalidParametersException(path + ": larger than 16 MiB");
  }
  if (!file.eof()) {
    throw exceptions::InvalidParametersException(path + ": the file cannot be read: " + std::strerror(errno));
  }
  return text;
}

std::vector<std::string_view> tokens_of(std::string_view name) {
  std::vector<std::string_view> tokens;
  while (!name.empty()) {
    name.remove_prefix(1);  // the slash
    const std::size_t length = std::min(name.find('/'), name.size());
    tokens.push_back(name.substr(0, length));
    name.remove_prefix(length);
  }
  return tokens;
}

}  // namespace

void read_parameter_file(const std::string & path, ParameterRules & rules) {
  const std::string text = content_of(path);
  try {
    const YAML::Node document = load(text);
    if (!document.IsNull()) read_nodes(document, "", rules);
  } catch (const YAML::Exception & error) {
    throw exceptions::InvalidParametersException(path + ":" + std::to_string(error.mark.line + 1) + ": " + error.msg);
  }
}

ParameterRule parse_parameter_assignment(const std::string & text) {
  const std::size_t at = text.find(":=");
  if (at == std::string::npos) throw exceptions::InvalidParametersException("it must have the form name:=value");
  std::string name = text.substr(0, at);
  std::string node = "/**";
  if (const std::size_t colon = name.find(':'); colon != std::string::npos) {
    const std::string prefix = name.substr(0, colon);
    if (prefix.empty()) throw exceptions::InvalidParametersException("the name of the node is missing");
    // A mere name means the node in any namespace, as in remap rules.
    node = checked_node(prefix.find('/') == std::string::npos ? "/**/" + prefix : prefix);
    name.erase(0, colon + 1);
  }
  if (name.empty()) throw exceptions::InvalidParametersException("the name of the parameter is missing");
  try {
    return {node, Parameter(name, value_of(load(text.substr(at + 2))))};
  } catch (const YAML::Exception & error) {
    throw exceptions::InvalidParametersException(error.msg);
  }
}

bool fits_node(const std::string & pattern, const std::string & node) {
  const auto wanted = tokens_of(pattern);
  const auto given = tokens_of(node);
  // As for file names: a mismatch goes back to the last "**", which then takes one token more.
  constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  std::size_t w = 0, g = 0, star = kNone, taken = 0;
  while (g < given.size()) {
    if (w < wanted.size() && wanted[w] == "**") {
      star = w++;
      taken = g;
    } else if (w < wanted.size() && (wanted[w] == "*" || wanted[w] == given[g])) {
      ++w, ++g;
    } else if (star != kNone) {
      w = star + 1;
      g = ++taken;
    } else {
      return false;
    }
  }
  while (w < wanted.size() && wanted[w] == "**") ++w;
  return w == wanted.size();
}

void apply_rules(const ParameterRules & rules, const std::string & node,
                 std::map<std::string, ParameterValue> & values) {
  for (const auto & rule : rules) {
    if (fits_node(rule.node, node)) values[rule.parameter.get_name()] = rule.parameter.get_parameter_value();
  }
}

}  // namespace detail

ParameterMap parameter_map_from_yaml_file(const std::string & yaml_filename, const char * node_fqn) {
  detail::ParameterRules rules;
  try {
    detail::read_parameter_file(yaml_filename, rules);
  } catch (const exceptions::InvalidParametersException & error) {
    throw exceptions::RCLError(RCL_RET_ERROR, error.what());
  }
  ParameterMap map;
  for (auto & rule : rules) {
    if (!node_fqn || detail::fits_node(rule.node, node_fqn)) {
      map[node_fqn ? node_fqn : rule.node].push_back(std::move(rule.parameter));
    }
  }
  return map;
}

std::vector<Parameter> parameters_from_map(const ParameterMap & parameter_map, const char * node_fqn) {
  std::vector<Parameter> all;
  for (const auto & [node, parameters] : parameter_map) {
    if (!node_fqn || detail::fits_node(node, node_fqn)) all.insert(all.end(), parameters.begin(), parameters.end());
  }
  return all;
}

}  // namespace rclcpp
