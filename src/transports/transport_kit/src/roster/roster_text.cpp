#include "roster/roster_text.hpp"

#include <algorithm>
#include <cstdlib>
#include <sstream>

namespace tandem::transport {
namespace {

/// Empty fields are fields, the last one too.
std::vector<std::string> split(const std::string & line) {
  std::vector<std::string> fields(1);
  for (const char c : line) {
    c == '\t' ? fields.emplace_back() : fields.back() += c;
  }
  return fields;
}

/// What is none counts as infinite.
std::chrono::nanoseconds duration_of(const std::string & text) {
  const std::chrono::nanoseconds duration(std::strtoll(text.c_str(), nullptr, 10));
  return duration.count() > 0 ? duration : kInfinite;
}

bool parse_entry(const std::vector<std::string> & fields, RosterEntry & entry) {
  EndpointInfo & info = entry.endpoint;
  const auto gid = fields.size() == 20 ? gid_of(fields[2]) : std::nullopt;
  if (!gid || fields[3].empty()) {
    return false;
  }
  info.gid = *gid;
  info.kind = fields[1] == "pub" ? EndpointKind::kPublisher : EndpointKind::kSubscription;
  info.topic = fields[3];
  info.type_name = fields[4];
  info.type_hash = fields[5];
  info.abi = std::strtoull(fields[6].c_str(), nullptr, 10);
  info.qos.history = fields[7] == "all" ? History::kKeepAll : History::kKeepLast;
  info.qos.depth = static_cast<std::uint32_t>(std::strtoul(fields[8].c_str(), nullptr, 10));
  info.qos.reliability = fields[9] == "reliable" ? Reliability::kReliable : Reliability::kBestEffort;
  info.qos.durability = fields[10] == "local" ? Durability::kTransientLocal : Durability::kVolatile;
  info.node = {fields[11], fields[12]};
  entry.ignore_local = fields[13] == "ignore";
  info.qos.liveliness = fields[14] == "manual" ? Liveliness::kManualByTopic : Liveliness::kAutomatic;
  info.qos.deadline = duration_of(fields[15]);
  info.qos.lifespan = duration_of(fields[16]);
  info.qos.lease = duration_of(fields[17]);
  info.origin = gid_of(fields[18]).value_or(Gid{});
  entry.address = fields[19];
  return true;
}

}  // namespace

bool is_plain(const std::string & name) {
  return std::none_of(name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; });
}

std::string to_text(const Presence & presence) {
  std::ostringstream text;
  for (const NodeName & node : presence.nodes) {
    text << "node\t" << node.name_space << '\t' << node.name << '\n';
  }
  for (const RosterEntry & entry : presence.entries) {
    const EndpointInfo & info = entry.endpoint;
    const Qos & qos = info.qos;
    text << "end\t" << (info.kind == EndpointKind::kPublisher ? "pub" : "sub") << '\t' << to_hex(info.gid) << '\t'
         << info.topic << '\t' << info.type_name << '\t' << info.type_hash << '\t' << info.abi << '\t'
         << (qos.history == History::kKeepAll ? "all" : "last") << '\t' << qos.depth << '\t'
         << (qos.reliability == Reliability::kReliable ? "reliable" : "effort") << '\t'
         << (qos.durability == Durability::kTransientLocal ? "local" : "volatile") << '\t' << info.node.name_space
         << '\t' << info.node.name << '\t' << (entry.ignore_local ? "ignore" : "hear") << '\t'
         << (qos.liveliness == Liveliness::kManualByTopic ? "manual" : "auto") << '\t' << qos.deadline.count() << '\t'
         << qos.lifespan.count() << '\t' << qos.lease.count() << '\t' << to_hex(info.origin) << '\t' << entry.address
         << '\n';
  }
  return text.str();
}

Presence parse(const std::string & text) {
  Presence presence;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    const std::vector<std::string> fields = split(line);
    RosterEntry entry;
    if (fields.size() == 3 && fields[0] == "node") {
      presence.nodes.push_back({fields[1], fields[2]});
    } else if (fields[0] == "end" && parse_entry(fields, entry)) {
      presence.entries.push_back(std::move(entry));
    }
  }
  return presence;
}

}  // namespace tandem::transport
