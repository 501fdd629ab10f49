// Which domain this process is in, and the file that tells OpenSplice so. Needs no SDK.
#pragma once

#include <cstdint>
#include <string>

namespace opensplice {

inline constexpr const char * kName = "rmw_opensplice_cpp";

/// The file of settings that OpenSplice is to read, as OSPL_URI names it: the user's, but ours where none is named or
/// the one that release.com names, whose domain is always 0.
std::string configuration(const char * ospl_uri, const char * ospl_home, const std::string & ours);

/// The file of settings that is installed with this library.
std::string own_configuration();

/// Where OpenSplice's network is, as its settings name it: the loopback when ROS 2's variables keep nodes to this host, else
/// the interface that it chooses. Arguments: ROS_LOCALHOST_ONLY and ROS_AUTOMATIC_DISCOVERY_RANGE, null where they are unset.
std::string network_interface(const char * localhost_only, const char * discovery_range);

/// A process is in one domain at a time: OpenSplice's network service exists once. While one of these lives, others are of
/// the same number. Thread-safe.
class DomainLease {
 public:
  /// Sets OSPL_URI, TANDEM_OPENSPLICE_DOMAIN and TANDEM_OPENSPLICE_INTERFACE, for OpenSplice to read.
  /// \throws Error for a number that OpenSplice does not have, and while there is another domain.
  explicit DomainLease(std::uint32_t number);
  ~DomainLease();
  DomainLease(const DomainLease &) = delete;
  DomainLease & operator=(const DomainLease &) = delete;
};

/// \throws Error when OpenSplice has come up in another domain than was asked for: the user's file says so.
void check_domain(std::uint32_t asked, std::uint32_t got);

}  // namespace opensplice
