#include "participant/security.hpp"

#include <string>

namespace rmw_cyclonedds {

void secure(dds_qos_t & qos, const tandem::transport::EnclaveFiles & files) {
  const auto set = [&qos](const std::string & name, const std::string & value) {
    dds_qset_prop(&qos, name.c_str(), value.c_str());
  };
  const auto load = [&set](const std::string & part, const std::string & library, const std::string & function) {
    set("dds.sec." + part + ".library.path", library);
    set("dds.sec." + part + ".library.init", "init_" + function);
    set("dds.sec." + part + ".library.finalize", "finalize_" + function);
  };
  // Names without a folder: Debian's Cyclone looks into one of its own.
  load("auth", "dds_security_auth", "authentication");
  load("crypto", "dds_security_crypto", "crypto");
  load("access", "dds_security_ac", "access_control");
  set("dds.sec.auth.identity_ca", "file:" + files.identity_ca);
  set("dds.sec.auth.identity_certificate", "file:" + files.certificate);
  set("dds.sec.auth.private_key", "file:" + files.private_key);
  if (!files.revoked.empty()) {
    set("org.eclipse.cyclonedds.sec.auth.crl", "file:" + files.revoked);
  }
  set("dds.sec.access.permissions_ca", "file:" + files.permissions_ca);
  set("dds.sec.access.governance", "file:" + files.governance);
  set("dds.sec.access.permissions", "file:" + files.permissions);
}

}  // namespace rmw_cyclonedds
