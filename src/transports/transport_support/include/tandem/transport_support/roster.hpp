// How processes of one host find each other when their middleware has no discovery of its own: a folder with a locked
// file for each participant, which tells its nodes and endpoints.
//
// The folder is <shared-memory folder>/<transport>-<domain>. A participant that was killed loses its lock and is
// removed by whoever looks next.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tandem/transport.hpp"

namespace tandem::transport {

/// An endpoint and how to reach it.
struct RosterEntry {
  EndpointInfo endpoint;
  std::string address;  ///< the transport's own words, without tab or newline
};

/// Empty when the two match, else why not: other type, other hash, incompatible QoS. Same topic is taken for granted.
std::string mismatch(const EndpointInfo & publisher, const EndpointInfo & subscription);


/// One participant. Thread-safe.
class Roster {
 public:
  /// `changed` is called from the roster's thread, without a lock held, after others have changed.
  /// \throws Error when the folder or the file cannot be made.
  Roster(const std::string & transport, std::uint32_t domain, std::function<void()> changed);
  ~Roster();
  Roster(const Roster &) = delete;
  Roster & operator=(const Roster &) = delete;

  void add(const NodeName & node);
  void remove(const NodeName & node);
  /// A gid that is unique on this host and tells the participant: the first 12 bytes are the same for all of its endpoints.
  Gid new_gid();
  void add(RosterEntry entry);
  void remove(const Gid & gid);

  /// Endpoints of the other kind on the same topic that match, of this participant (unless `ignore_local`) and others.
  /// Those that do not match are warned of, once a pair.
  std::vector<RosterEntry> matches(const EndpointInfo & endpoint, bool ignore_local);
  GraphSnapshot graph() const;

 private:
  struct Body;
  const std::unique_ptr<Body> body_;
};

}  // namespace tandem::transport
