#include "json.hpp"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "format.hpp"
#include "traffic.hpp"

namespace tandem::doctor {
namespace {

using inspection::Connection;
using inspection::Domain;
using inspection::Publisher;
using inspection::Region;
using nlohmann::json;

constexpr int kSchema = 1;

std::string hex(std::uint64_t value) { return fmt::format("{:016x}", value); }

/// An endpoint's identity: "<incarnation>/<number>".
std::string name_of(EndpointId id) { return fmt::format("{:016x}/{}", id.incarnation, id.number); }

template <class T>
json or_null(const std::optional<T> & value) {
  return value ? json(*value) : json(nullptr);
}

json to_json(const Qos & qos) {
  return {{"history", qos.history == History::kKeepAll ? "keep_all" : "keep_last"},
          {"depth", qos.depth},
          {"reliability", qos.reliability == Reliability::kReliable ? "reliable" : "best_effort"},
          {"durability", qos.durability == Durability::kTransientLocal ? "transient_local" : "volatile"}};
}

json to_json(const EndpointInfo & info) {
  return {
      {"id", name_of(info.id)},
      {"process", hex(info.id.incarnation)},
      {"node", {{"namespace", printable(info.node.name_space)}, {"name", printable(info.node.name)}}},
      {"type", {{"name", printable(info.type.name)}, {"hash", to_string(info.type.hash)}, {"abi", hex(info.type.abi)}}},
      {"qos", to_json(info.qos)}};
}

json to_json(const Publisher & publisher) {
  json result = to_json(publisher.info);
  const Publisher::Blocks & blocks = publisher.blocks;
  result.update({{"closing", publisher.closed},
                 {"published", publisher.published},
                 {"copied", publisher.copied},
                 {"mean_size", publisher.mean_size},
                 {"waiting", publisher.waiting},
                 {"failed_borrows", publisher.failed_borrows},
                 {"timeouts", publisher.timeouts},
                 {"forgotten", publisher.forgotten},
                 {"readers", publisher.acknowledgements.size()},
                 {"blocks",
                  {{"max", blocks.max},
                   {"used", blocks.used},
                   {"free", blocks.free},
                   {"loaned", blocks.loaned},
                   {"in_ring", blocks.in_ring},
                   {"kept", blocks.kept}}}});
  return result;
}

json to_json(const Connection & connection) {
  return {{"publisher", name_of(connection.publisher)},
          {"subscription", name_of(connection.subscription)},
          {"means", inspection::to_string(connection.means)},
          {"why", printable(connection.why)},
          {"owed", connection.owed},
          {"backlog", connection.backlog},
          {"held", connection.held},
          {"quota", connection.quota},
          {"lost", connection.lost},
          {"copied", connection.copied}};
}

json to_json(const Region & region, Activity activity) {
  json nodes = json::array();
  for (const NodeName & node : region.nodes) {
    nodes.push_back({{"namespace", printable(node.name_space)}, {"name", printable(node.name)}});
  }
  json damage = json::array();
  for (const std::string & each : region.damage) {
    damage.push_back(printable(each));
  }
  return {{"path", region.path},
          {"incarnation", hex(region.incarnation)},
          {"state", inspection::to_string(region.state)},
          {"reason", region.reason},
          {"layout_version", region.version},
          {"pid", region.pid},
          {"same_pid_namespace", region.same_pid_namespace},
          {"activity", std::string(1, activity.state)},
          {"user", region.user},
          {"executable", printable(region.executable)},
          {"created_ns", region.created},
          {"house_kept_ago_s", region.since_housekeeping >= 0 ? json(region.since_housekeeping) : json(nullptr)},
          {"reserved", region.reserved},
          {"file_size", region.length},
          {"memory", region.memory},
          {"heap_in_use", region.heap_in_use},
          {"directory", {{"used", region.directory_used}, {"size", region.directory_size}}},
          {"nodes", nodes},
          {"damage", damage}};
}

json empty_topic(const std::string & name) {
  return {{"name", printable(name)},
          {"publishers", json::array()},
          {"subscriptions", json::array()},
          {"connections", json::array()}};
}

/// Topics, and channels of services, by name.
std::map<std::string, json> topics_of(const Domain & domain) {
  std::map<std::string, json> topics;
  const auto topic = [&](const std::string & name) -> json & {
    return topics.try_emplace(name, empty_topic(name)).first->second;
  };
  for (const Region & region : domain.regions) {
    for (const Publisher & publisher : region.publishers) {
      topic(publisher.info.topic)["publishers"].push_back(to_json(publisher));
    }
    for (const auto & subscription : region.subscriptions) {
      topic(subscription.info.topic)["subscriptions"].push_back(to_json(subscription.info));
    }
  }
  for (const Connection & connection : domain.connections) {
    topic(connection.topic)["connections"].push_back(to_json(connection));
  }
  return topics;
}

/// Adds "topics" and "services".
void add_traffic(json & result, const Domain & domain) {
  json topics = json::array();
  std::map<std::string, json> services;
  std::map<std::string, json> all = topics_of(domain);
  for (auto & [name, entry] : all) {
    const auto service = transport::service_of(name);
    if (!service) {
      topics.push_back(std::move(entry));
      continue;
    }
    json & found = services
                       .try_emplace(*service, json{{"name", printable(*service)},
                                                   {"requests", empty_topic(transport::request_channel(*service))},
                                                   {"replies", empty_topic(transport::reply_channel(*service))}})
                       .first->second;
    found[channel_of(name) == Channel::kRequest ? "requests" : "replies"] = std::move(entry);
  }
  result["topics"] = std::move(topics);
  result["services"] = json::array();
  for (auto & [name, entry] : services) {
    result["services"].push_back(std::move(entry));
  }
}

json to_json(const Domain & domain, const View & view) {
  json regions = json::array();
  for (const Region & region : domain.regions) {
    regions.push_back(to_json(region, view.activity_of(region.incarnation)));
  }
  json stray = json::array();
  for (const auto & file : domain.stray) {
    stray.push_back(file.path);
  }
  json result = {{"number", domain.number},
                 {"path", domain.path},
                 {"objection", domain.objection},
                 {"regions", regions},
                 {"stray_files", stray}};
  add_traffic(result, domain);
  return result;
}

json to_json(const Host & host) {
  json settings = json::object();
  for (const Setting & setting : host.settings) {
    settings[printable(setting.name)] = printable(setting.value);
  }
  json features = json::object();
  for (const Feature & feature : host.features) {
    features[feature.name] = feature.there;
  }
  return {{"kernel", host.kernel},
          {"user", host.user},
          {"features", features},
          {"shmem_huge_pages", host.huge_pages},
          {"cpu_governor", host.governor},
          {"settings", settings},
          {"limits",
           {{"open_files", or_null(host.limits.files)},
            {"open_files_most", or_null(host.limits.files_most)},
            {"address_space", or_null(host.limits.address_space)},
            {"mappings", host.limits.mappings}}}};
}

}  // namespace

std::string to_json(const View & view, const std::vector<Finding> & findings, const inspection::Cleaned * cleaned) {
  const auto & report = view.report;
  json result = {{"schema", kSchema},
                 {"layout_version", inspection::layout_version()},
                 {"healthy", findings.empty()},
                 {"findings", json::array()},
                 {"directory",
                  {{"path", report.directory},
                   {"exists", report.exists},
                   {"objection", report.objection},
                   {"user", report.user},
                   {"group", report.group},
                   {"mode", fmt::format("{:04o}", report.mode)},
                   {"shared", report.is_shared},
                   {"file_system",
                    {{"type", view.host.file_system.type},
                     {"size", view.host.file_system.size},
                     {"free", view.host.file_system.free}}}}},
                 {"host", to_json(view.host)},
                 {"domains", json::array()}};
  for (const Finding & finding : findings) {
    result["findings"].push_back({{"code", finding.code},
                                  {"where", printable(finding.where)},
                                  {"what", printable(finding.what)},
                                  {"remedy", finding.remedy}});
  }
  for (const Domain & domain : report.domains) {
    result["domains"].push_back(to_json(domain, view));
  }
  if (cleaned != nullptr) {
    json removed = json::array();
    for (const auto & file : cleaned->removed) {
      removed.push_back({{"path", file.path}, {"memory", file.memory}});
    }
    result["cleaned"] = {{"removed", removed}, {"failed", cleaned->failed}};
  }
  return result.dump(2, ' ', false, json::error_handler_t::replace) + '\n';
}

}  // namespace tandem::doctor
