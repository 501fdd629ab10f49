// Cyclone's presence in one domain: sockets, threads and settings, shared by all contexts of the process.
#pragma once

#include <cstdint>

struct ddsi_sertype;

namespace rmw_cyclonedds {

/// Joined for as long as one of these lives. From the first one on Cyclone's warnings and errors go to stderr in our form, no
/// text twice.
class Domain {
 public:
  /// `is_secured`: a secured participant will be made; until has_participant() Cyclone's complaints of others that find no
  /// counterpart here are left out. \throws Error when Cyclone does not start: settings, network, ports, domain out of range.
  explicit Domain(std::uint32_t number, bool is_secured = false);
  ~Domain();
  Domain(const Domain &) = delete;
  Domain & operator=(const Domain &) = delete;
  void has_participant();
  /// Notes the sockets of the domain, so that its end does not hang when the network has gone. `type`: of a topic in it.
  void note_receivers(const ddsi_sertype & type) const;

 private:
  const std::uint32_t number_;
  bool is_waiting_;  ///< for a secured participant
};

}  // namespace rmw_cyclonedds
