// What participants tell each other about themselves, and when two endpoints match.
#pragma once

#include <string>
#include <vector>

#include "tandem/transport.hpp"

namespace unixsocket {

using tandem::transport::EndpointInfo;
using tandem::transport::Gid;
using tandem::transport::NodeName;

/// One participant: a context of a process.
struct Presence {
  std::string id;  ///< 16 hex digits
  std::vector<NodeName> nodes;
  std::vector<EndpointInfo> endpoints;
};

/// One line for each node and endpoint, fields separated by tabs (names contain none).
std::string to_text(const Presence & presence);
/// Lines that make no sense are left out.
Presence parse(const std::string & id, const std::string & text);

std::string to_hex(const Gid & gid);

/// Empty when the two match, else why not.
std::string mismatch(const EndpointInfo & publisher, const EndpointInfo & subscription);

/// Both keep all, reliably: the publisher waits for this reader rather than overwriting.
bool owes_everything(const tandem::transport::Qos & publisher, const tandem::transport::Qos & subscription);

}  // namespace unixsocket
