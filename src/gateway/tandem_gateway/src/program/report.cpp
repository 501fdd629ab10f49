#include "program/report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace tandem::gateway {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const Carried & carried) {
  return {{"messages", carried.messages}, {"bytes", carried.bytes},           {"lost", carried.lost},
          {"copied", carried.copied},     {"publishers", carried.publishers}, {"subscriptions", carried.subscriptions},
          {"readers", carried.readers}};
}

/// What stands between quotes in a label.
std::string escaped(const std::string & text) {
  std::string result;
  for (const char c : text) {
    if (c == '\n') {
      result += "\\n";
      continue;
    }
    if (c == '\\' || c == '"') {
      result += '\\';
    }
    result += c;
  }
  return result;
}

struct Metric {
  const char * key;
  const char * name;
  const char * type;
  const char * help;
};

constexpr Metric kMetrics[] = {
    {"messages", "messages_total", "counter", "Messages carried"},
    {"bytes", "bytes_total", "counter", "Bytes of their CDR"},
    {"lost", "lost_total", "counter", "Messages overtaken before they were read, or given up"},
    {"copied", "copied_total", "counter", "Messages copied in shared memory instead of handed over"},
    {"publishers", "publishers", "gauge", "Publishers that represent others"},
    {"subscriptions", "subscriptions", "gauge", "Subscriptions that represent others"},
    {"readers", "readers", "gauge", "Subscriptions that the publishers have"},
};

/// Of services.
constexpr Metric kServiceMetrics[] = {
    {"requests", "requests_total", "counter", "Requests carried"},
    {"replies", "replies_total", "counter", "Replies carried"},
    {"bytes", "service_bytes_total", "counter", "Bytes of the CDR of requests and replies"},
    {"lost", "service_lost_total", "counter", "Requests and replies given up"},
    {"waiting", "requests_waiting", "gauge", "Requests that have no reply yet"},
    {"clients", "clients", "gauge", "Clients on the other side"},
};

std::string head_of(const Metric & metric) {
  return fmt::format("# HELP tandem_gateway_{0} {2}.\n# TYPE tandem_gateway_{0} {1}\n", metric.name, metric.type,
                     metric.help);
}

}  // namespace

std::string to_json(const Identity & identity, const Status & status) {
  Json topics = Json::array();
  for (const TopicStatus & topic : status.topics) {
    topics.push_back(
        {{"topic", topic.topic}, {"type", topic.type}, {"out", to_json(topic.out)}, {"in", to_json(topic.in)}});
  }
  Json services = Json::array();
  for (const ServiceStatus & service : status.services) {
    services.push_back({{"service", service.service},
                        {"type", service.type},
                        {"server", service.is_local ? "local" : "network"},
                        {"requests", service.requests},
                        {"replies", service.replies},
                        {"bytes", service.bytes},
                        {"lost", service.lost},
                        {"waiting", service.waiting},
                        {"clients", service.clients}});
  }
  const Json all = {{"process", identity.process},
                    {"domain", identity.domain},
                    {"network", identity.network},
                    {"local_nodes", status.local_nodes},
                    {"network_nodes", status.network_nodes},
                    {"topics", topics},
                    {"services", services}};
  return all.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string to_table(const std::string & json) {
  const Json all = Json::parse(json);
  std::string text =
      fmt::format("process {}, domain {}, {}: {} nodes here, {} on the network\n\n", all.at("process").get<int>(),
                  all.at("domain").get<std::uint32_t>(), all.at("network").get<std::string>(),
                  all.at("local_nodes").get<std::size_t>(), all.at("network_nodes").get<std::size_t>());
  text += fmt::format("{:<40} {:>12} {:>15} {:>8} {:>12} {:>15} {:>8}\n", "topic", "out", "bytes", "lost", "in",
                      "bytes", "lost");
  for (const Json & topic : all.at("topics")) {
    text += fmt::format("{:<40}", topic.at("topic").get<std::string>());
    for (const char * direction : {"out", "in"}) {
      const Json & carried = topic.at(direction);
      text += fmt::format(" {:>12} {:>15} {:>8}", carried.at("messages").get<std::uint64_t>(),
                          carried.at("bytes").get<std::uint64_t>(), carried.at("lost").get<std::uint64_t>());
    }
    text += '\n';
  }
  if (!all.at("services").empty()) {
    text += fmt::format("\n{:<40} {:>12} {:>12} {:>15} {:>8} {:>12} {:>8}  {}\n", "service", "requests", "replies",
                        "bytes", "lost", "waiting", "clients", "server");
  }
  for (const Json & service : all.at("services")) {
    text +=
        fmt::format("{:<40} {:>12} {:>12} {:>15} {:>8} {:>12} {:>8}  {}\n", service.at("service").get<std::string>(),
                    service.at("requests").get<std::uint64_t>(), service.at("replies").get<std::uint64_t>(),
                    service.at("bytes").get<std::uint64_t>(), service.at("lost").get<std::uint64_t>(),
                    service.at("waiting").get<std::uint64_t>(), service.at("clients").get<std::uint64_t>(),
                    service.at("server") == "local" ? "here" : "network");
  }
  return text;
}

std::string to_prometheus(const std::string & json) {
  const Json all = Json::parse(json);
  const std::string domain = fmt::format("domain=\"{}\"", all.at("domain").get<std::uint32_t>());
  std::string text;
  for (const Metric & metric : kMetrics) {
    text += head_of(metric);
    for (const Json & topic : all.at("topics")) {
      for (const char * direction : {"out", "in"}) {
        text += fmt::format("tandem_gateway_{}{{{},topic=\"{}\",direction=\"{}\"}} {}\n", metric.name, domain,
                            escaped(topic.at("topic").get<std::string>()), direction,
                            topic.at(direction).at(metric.key).get<std::uint64_t>());
      }
    }
  }
  for (const Metric & metric : kServiceMetrics) {
    text += head_of(metric);
    for (const Json & service : all.at("services")) {
      text += fmt::format("tandem_gateway_{}{{{},service=\"{}\",server=\"{}\"}} {}\n", metric.name, domain,
                          escaped(service.at("service").get<std::string>()), service.at("server").get<std::string>(),
                          service.at(metric.key).get<std::uint64_t>());
    }
  }
  text += "# HELP tandem_gateway_nodes Nodes seen.\n# TYPE tandem_gateway_nodes gauge\n";
  for (const char * side : {"local", "network"}) {
    text += fmt::format("tandem_gateway_nodes{{{},side=\"{}\"}} {}\n", domain, side,
                        all.at(std::string(side) + "_nodes").get<std::size_t>());
  }
  return text;
}

}  // namespace tandem::gateway
