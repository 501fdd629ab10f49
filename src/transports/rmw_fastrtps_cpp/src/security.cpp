#include "security.hpp"

#include <fastdds/rtps/attributes/PropertyPolicy.h>

#include <algorithm>
#include <string>

namespace rmw_fastrtps {
namespace {

namespace dds = eprosima::fastdds::dds;
using eprosima::fastrtps::rtps::PropertyPolicyHelper;

constexpr const char * kAuthentication = "dds.sec.auth.plugin";

}  // namespace

void secure(dds::DomainParticipantQos & qos, const tandem::transport::EnclaveFiles & files) {
  auto & properties = qos.properties().properties();
  const auto is_of_security = [](const auto & one) { return one.name().rfind("dds.sec.", 0) == 0; };
  properties.erase(std::remove_if(properties.begin(), properties.end(), is_of_security), properties.end());
  const auto set = [&properties](const std::string & name, const std::string & value) {
    properties.emplace_back(name, value);
  };
  const std::string identity = "dds.sec.auth.builtin.PKI-DH.";
  set(kAuthentication, "builtin.PKI-DH");
  set(identity + "identity_ca", "file://" + files.identity_ca);
  set(identity + "identity_certificate", "file://" + files.certificate);
  set(identity + "private_key", "file://" + files.private_key);
  if (!files.revoked.empty()) {
    set(identity + "identity_crl", "file://" + files.revoked);
  }
  set("dds.sec.crypto.plugin", "builtin.AES-GCM-GMAC");
  const std::string access = "dds.sec.access.builtin.Access-Permissions.";
  set("dds.sec.access.plugin", "builtin.Access-Permissions");
  set(access + "permissions_ca", "file://" + files.permissions_ca);
  set(access + "governance", "file://" + files.governance);
  set(access + "permissions", "file://" + files.permissions);
}

bool is_secured(const dds::DomainParticipant & participant) {
  return PropertyPolicyHelper::find_property(participant.get_qos().properties(), kAuthentication) != nullptr;
}

}  // namespace rmw_fastrtps
