// The numbers are those of rmw's enumerations; later versions write names.
#include "bag/qos_yaml.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>

#include "tandem/bag/metadata.hpp"

namespace tandem::bag {
namespace {

using std::chrono::nanoseconds;

constexpr std::int64_t kInfiniteSeconds = 9223372036;
constexpr std::int64_t kInfiniteRest = 854775807;
constexpr std::int64_t kSecond = 1000000000;

struct Name {
  const char * text;
  int number;
};
constexpr std::array<Name, 2> kHistory = {{{"keep_last", 1}, {"keep_all", 2}}};
constexpr std::array<Name, 2> kReliability = {{{"reliable", 1}, {"best_effort", 2}}};
constexpr std::array<Name, 2> kDurability = {{{"transient_local", 1}, {"volatile", 2}}};
constexpr std::array<Name, 2> kLiveliness = {{{"automatic", 1}, {"manual_by_topic", 3}}};
constexpr std::array<Name, 4> kNothing = {
    {{"system_default", 0}, {"unknown", 0}, {"best_available", 0}, {"manual_by_node", 0}}};

/// The number of a policy, 0 for one that says nothing.
template <std::size_t N>
int policy(const YAML::Node & node, const char * key, const std::array<Name, N> & names) {
  if (!node[key]) {
    return 0;
  }
  const auto text = node[key].as<std::string>();
  const auto is_named = [&](const Name & name) { return text == name.text || text == std::to_string(name.number); };
  if (const auto found = std::find_if(names.begin(), names.end(), is_named); found != names.end()) {
    return found->number;
  }
  const bool is_number = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  if (is_number || std::any_of(kNothing.begin(), kNothing.end(), is_named)) {
    return 0;
  }
  throw YAML::RepresentationException(node[key].Mark(), "'" + text + "' is no value of " + key);
}

YAML::Node duration_node(nanoseconds duration) {
  YAML::Node node;
  const bool is_infinite = duration == kInfinite;
  node["sec"] = is_infinite ? kInfiniteSeconds : duration.count() / kSecond;
  node["nsec"] = is_infinite ? kInfiniteRest : duration.count() % kSecond;
  return node;
}

/// Zero says "as usual", which is without a limit.
nanoseconds duration_of(const YAML::Node & node, nanoseconds otherwise) {
  if (!node) {
    return otherwise;
  }
  const auto seconds = node["sec"].as<std::int64_t>();
  const auto rest = node["nsec"].as<std::int64_t>();
  if (seconds < 0 || rest < 0 || (seconds == 0 && rest == 0) || seconds >= kInfiniteSeconds) {
    return kInfinite;
  }
  return nanoseconds(seconds * kSecond + std::min(rest, kSecond));
}

}  // namespace

YAML::Node qos_node(const Qos & qos) {
  YAML::Node node;
  node["history"] = qos.history == History::kKeepAll ? 2 : 1;
  node["depth"] = qos.history == History::kKeepAll ? 0 : qos.depth;
  node["reliability"] = qos.reliability == Reliability::kReliable ? 1 : 2;
  node["durability"] = qos.durability == Durability::kTransientLocal ? 1 : 2;
  node["deadline"] = duration_node(qos.deadline);
  node["lifespan"] = duration_node(qos.lifespan);
  node["liveliness"] = qos.liveliness == Liveliness::kManualByTopic ? 3 : 1;
  node["liveliness_lease_duration"] = duration_node(qos.lease);
  node["avoid_ros_namespace_conventions"] = false;
  return node;
}

Qos qos_of(const YAML::Node & node, const Qos & defaults) {
  Qos qos = defaults;
  if (const int history = policy(node, "history", kHistory); history != 0) {
    qos.history = history == 2 ? History::kKeepAll : History::kKeepLast;
  }
  if (node["depth"]) {
    const auto depth = node["depth"].as<std::uint32_t>();
    qos.depth = depth == 0 ? defaults.depth : std::min(depth, kMaxDepth);
  }
  if (const int reliability = policy(node, "reliability", kReliability); reliability != 0) {
    qos.reliability = reliability == 1 ? Reliability::kReliable : Reliability::kBestEffort;
  }
  if (const int durability = policy(node, "durability", kDurability); durability != 0) {
    qos.durability = durability == 1 ? Durability::kTransientLocal : Durability::kVolatile;
  }
  if (const int liveliness = policy(node, "liveliness", kLiveliness); liveliness != 0) {
    qos.liveliness = liveliness == 3 ? Liveliness::kManualByTopic : Liveliness::kAutomatic;
  }
  qos.deadline = duration_of(node["deadline"], defaults.deadline);
  qos.lifespan = duration_of(node["lifespan"], defaults.lifespan);
  qos.lease = duration_of(node["liveliness_lease_duration"], defaults.lease);
  return qos;
}

bool are_equal(const Qos & a, const Qos & b) { return qos_to_yaml({a}) == qos_to_yaml({b}); }

std::string qos_to_yaml(const std::vector<Qos> & all) {
  if (all.empty()) {
    return {};
  }
  YAML::Emitter text;
  YAML::Node list(YAML::NodeType::Sequence);
  for (const Qos & qos : all) {
    list.push_back(qos_node(qos));
  }
  text << list;
  return text.c_str();
}

std::vector<Qos> qos_from_yaml(const std::string & text, const std::string & where) {
  std::vector<Qos> all;
  try {
    for (const YAML::Node & node : YAML::Load(text)) {
      all.push_back(qos_of(node));
    }
  } catch (const YAML::Exception & error) {
    throw Error(where + ": the offered QoS cannot be read: " + error.what());
  }
  return all;
}

std::map<std::string, Qos> read_qos_overrides(const std::filesystem::path & path) {
  std::ifstream file(path);
  if (!file) {
    throw Error("cannot read the QoS overrides in " + path.string());
  }
  std::map<std::string, Qos> overrides;
  std::string topic;
  try {
    const YAML::Node all = YAML::Load(file);
    if (!all.IsNull() && !all.IsMap()) {
      throw Error(path.string() + " is no list of topics with their QoS, such as\n/chatter:\n  reliability: reliable");
    }
    for (const auto & entry : all) {
      topic = entry.first.as<std::string>();
      overrides.emplace(topic, qos_of(entry.second));
    }
  } catch (const YAML::Exception & error) {
    throw Error(path.string() + ": the QoS of '" + topic + "' cannot be read: " + error.what());
  }
  return overrides;
}

}  // namespace tandem::bag
