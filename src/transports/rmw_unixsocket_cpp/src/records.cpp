#include "records.hpp"

#include <cstdlib>
#include <sstream>

namespace unixsocket {

using tandem::transport::Durability;
using tandem::transport::EndpointKind;
using tandem::transport::History;
using tandem::transport::Qos;
using tandem::transport::Reliability;

namespace {

std::vector<std::string> split(const std::string & line) {
  std::vector<std::string> fields;
  std::istringstream stream(line);
  for (std::string field; std::getline(stream, field, '\t');) {
    fields.push_back(field);
  }
  return fields;
}

bool parse_gid(const std::string & text, Gid & gid) {
  if (text.size() != 2 * gid.size()) {
    return false;
  }
  for (std::size_t i = 0; i < gid.size(); ++i) {
    gid[i] = static_cast<std::uint8_t>(std::strtoul(text.substr(2 * i, 2).c_str(), nullptr, 16));
  }
  return true;
}

bool parse_endpoint(const std::vector<std::string> & fields, EndpointInfo & info) {
  if (fields.size() != 13 || !parse_gid(fields[2], info.gid)) {
    return false;
  }
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
  return true;
}

}  // namespace

std::string to_hex(const Gid & gid) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : gid) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

std::string to_text(const Presence & presence) {
  std::ostringstream text;
  for (const NodeName & node : presence.nodes) {
    text << "node\t" << node.name_space << '\t' << node.name << '\n';
  }
  for (const EndpointInfo & info : presence.endpoints) {
    const Qos & qos = info.qos;
    text << "end\t" << (info.kind == EndpointKind::kPublisher ? "pub" : "sub") << '\t' << to_hex(info.gid) << '\t'
         << info.topic << '\t' << info.type_name << '\t' << info.type_hash << '\t' << info.abi << '\t'
         << (qos.history == History::kKeepAll ? "all" : "last") << '\t' << qos.depth << '\t'
         << (qos.reliability == Reliability::kReliable ? "reliable" : "effort") << '\t'
         << (qos.durability == Durability::kTransientLocal ? "local" : "volatile") << '\t' << info.node.name_space
         << '\t' << info.node.name << '\n';
  }
  return text.str();
}

Presence parse(const std::string & id, const std::string & text) {
  Presence presence;
  presence.id = id;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    const std::vector<std::string> fields = split(line);
    EndpointInfo endpoint;
    if (fields.size() == 3 && fields[0] == "node") {
      presence.nodes.push_back({fields[1], fields[2]});
    } else if (!fields.empty() && fields[0] == "end" && parse_endpoint(fields, endpoint)) {
      presence.endpoints.push_back(endpoint);
    }
  }
  return presence;
}

std::string mismatch(const EndpointInfo & theirs, const EndpointInfo & ours) {
  if (theirs.type_name != ours.type_name) {
    return "the publisher's type is " + theirs.type_name + ", the subscription's is " + ours.type_name;
  }
  if (theirs.type_hash != ours.type_hash) {
    return "both call their type " + ours.type_name + ", but the publisher's hash is " + theirs.type_hash +
           ", the subscription's is " + ours.type_hash;
  }
  if (theirs.abi != ours.abi) {
    return "both use " + ours.type_name + ", but the publisher's ABI tag is " + std::to_string(theirs.abi) +
           ", the subscription's is " + std::to_string(ours.abi);
  }
  if (theirs.qos.reliability < ours.qos.reliability) {
    return "RELIABILITY: the publisher offers BEST_EFFORT, the subscription requests RELIABLE";
  }
  if (theirs.qos.durability < ours.qos.durability) {
    return "DURABILITY: the publisher offers VOLATILE, the subscription requests TRANSIENT_LOCAL";
  }
  return {};
}

bool owes_everything(const Qos & publisher, const Qos & subscription) {
  return publisher.history == History::kKeepAll && subscription.history == History::kKeepAll &&
         publisher.reliability == Reliability::kReliable && subscription.reliability == Reliability::kReliable;
}

}  // namespace unixsocket
