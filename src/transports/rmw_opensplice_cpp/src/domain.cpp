#include "domain.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <mutex>

#include "tandem/transport.hpp"

namespace opensplice {
namespace {

using tandem::transport::Error;

constexpr std::uint32_t kLastDomain = 230;
constexpr const char * kUri = "OSPL_URI";
constexpr const char * kNumber = "TANDEM_OPENSPLICE_DOMAIN";
constexpr const char * kInterface = "TANDEM_OPENSPLICE_INTERFACE";

std::mutex mutex;
std::uint32_t leases = 0;  ///< guarded by mutex
std::uint32_t domain = 0;  ///< guarded by mutex; while there are leases

std::string error(std::uint32_t number, const std::string & why) {
  return std::string(kName) + ": domain " + std::to_string(number) + ": " + why;
}

}  // namespace

std::string configuration(const char * ospl_uri, const char * ospl_home, const std::string & ours) {
  const std::string uri = ospl_uri != nullptr ? ospl_uri : "";
  const std::string vendors = "file://" + std::string(ospl_home != nullptr ? ospl_home : "") + "/etc/config/ospl.xml";
  return uri.empty() || uri == vendors ? "file://" + ours : uri;
}

std::string own_configuration() {
  Dl_info library{};
  if (dladdr(reinterpret_cast<const void *>(&own_configuration), &library) == 0 || library.dli_fname == nullptr) {
    return "";
  }
  const auto prefix = std::filesystem::absolute(library.dli_fname).parent_path().parent_path();
  return prefix / "share" / kName / "opensplice.xml";
}

std::string network_interface(const char * localhost_only, const char * discovery_range) {
  const std::string only = localhost_only != nullptr ? localhost_only : "";
  const std::string range = discovery_range != nullptr ? discovery_range : "";
  return only == "1" || range == "LOCALHOST" || range == "OFF" ? "127.0.0.1" : "auto";
}

DomainLease::DomainLease(std::uint32_t number) {
  if (number > kLastDomain) {
    throw Error(error(number, "OpenSplice has domains 0 to " + std::to_string(kLastDomain) + " only"));
  }
  const std::lock_guard<std::mutex> lock(mutex);
  if (leases > 0 && domain != number) {
    throw Error(error(number, "this process is in domain " + std::to_string(domain) +
                                  " already, and OpenSplice can be in one at a time. Use another process"));
  }
  if (leases == 0) {
    const std::string uri = configuration(std::getenv(kUri), std::getenv("OSPL_HOME"), own_configuration());
    setenv(kUri, uri.c_str(), 1);
    setenv(kNumber, std::to_string(number).c_str(), 1);
    const std::string interface =
        network_interface(std::getenv("ROS_LOCALHOST_ONLY"), std::getenv("ROS_AUTOMATIC_DISCOVERY_RANGE"));
    setenv(kInterface, interface.c_str(), 1);
  }
  domain = number;
  ++leases;
}

DomainLease::~DomainLease() {
  const std::lock_guard<std::mutex> lock(mutex);
  --leases;
}

void check_domain(std::uint32_t asked, std::uint32_t got) {
  if (asked != got) {
    const char * uri = std::getenv(kUri);
    throw Error(error(asked, "the settings in " + std::string(uri != nullptr ? uri : "OSPL_URI") + " are of domain " +
                                 std::to_string(got) + ". Write <Id>${TANDEM_OPENSPLICE_DOMAIN:-0}</Id> there, unset " +
                                 "OSPL_URI, or set ROS_DOMAIN_ID=" + std::to_string(got)));
  }
}

}  // namespace opensplice
