// DDS security as ROS 2's users know it (SROS2): what the environment asks of a context, and the files of its enclave.
//
//   ROS_SECURITY_ENABLE=true             unless it is, nothing of this counts
//   ROS_SECURITY_STRATEGY=Enforce        what cannot be secured is an error; Permissive, the default: it costs a warning
//   ROS_SECURITY_KEYSTORE=<folder>       an enclave's files are in <folder>/enclaves/<enclave>
//   ROS_SECURITY_ENCLAVE_OVERRIDE=/a/b   instead of the enclave that the program names
//
// The variables are read for each context. Everything here is thread-safe.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "tandem/transport.hpp"

/// A plug-in with this calls enclave_files() for each of its contexts. The loader lets no other make a context where the
/// environment asks for security.
#define TANDEM_EXPORT_SECURITY() \
  extern "C" __attribute__((visibility("default"))) void tandem_transport_security() {}

namespace tandem::transport {

/// Paths of files that can be read.
struct EnclaveFiles {
  std::string folder;
  std::string identity_ca;     ///< identity_ca.cert.pem
  std::string certificate;     ///< cert.pem
  std::string private_key;     ///< key.pem
  std::string permissions_ca;  ///< permissions_ca.cert.pem
  std::string governance;      ///< governance.p7s
  std::string permissions;     ///< permissions.p7s
  std::string revoked;         ///< crl.pem; empty: there is none
};

/// What the context that this thread makes must join with. Nothing: it joins without security, and if the environment asks
/// for some, a line on stderr says why. `transport` is the name in texts.
/// \throws Error where the environment enforces security and a file is missing: which, and why.
std::optional<EnclaveFiles> enclave_files(const std::string & transport);

/// For a transport without security, before it makes a context: a line on stderr where the environment asks for some.
/// \throws Error where it enforces it.
void check_unsecured(const std::string & transport);

/// Of the context that this thread makes, without ROS_SECURITY_ENCLAVE_OVERRIDE: "/" unless create_context() names another.
std::string enclave();

/// transport.create_context(domain), in an enclave: "/a/b".
std::shared_ptr<Context> create_context(Transport & transport, std::uint32_t domain, const std::string & enclave);

/// transport.create_context(domain), without security whatever the environment asks for. For who connects it with secured
/// contexts, and so answers for what passes.
std::shared_ptr<Context> create_exempt_context(Transport & transport, std::uint32_t domain);

}  // namespace tandem::transport
