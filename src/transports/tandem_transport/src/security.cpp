#include "tandem/security.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <set>
#include <string_view>
#include <utility>

namespace tandem::transport {
namespace {

enum class Strategy : std::uint8_t { kOff, kPermissive, kEnforce };

/// What create_context() and create_exempt_context() say of the context that their thread makes.
struct Making {
  std::string enclave = "/";
  bool is_exempt = false;
};

Making & making() {
  thread_local Making current;
  return current;
}

class MakingScope {
 public:
  explicit MakingScope(Making now) : before_(std::exchange(making(), std::move(now))) {}
  ~MakingScope() { making() = std::move(before_); }
  MakingScope(const MakingScope &) = delete;
  MakingScope & operator=(const MakingScope &) = delete;

 private:
  Making before_;
};

std::string variable(const char * name) {
  const char * value = std::getenv(name);
  return value != nullptr ? value : "";
}

/// The same line once in a process.
void warn_once(const std::string & transport, const std::string & text) {
  static std::mutex mutex;
  static auto & said = *new std::set<std::string>;  // contexts may be made while the process ends
  const std::lock_guard lock(mutex);
  if (said.insert(transport + text).second) {
    std::fprintf(stderr, "[WARN] [%s]: %s\n", transport.c_str(), text.c_str());
  }
}

Strategy strategy(const std::string & transport) {
  const std::string enabled = variable("ROS_SECURITY_ENABLE");
  if (making().is_exempt || enabled != "true") {
    if (!enabled.empty() && enabled != "true" && enabled != "false") {
      warn_once(transport, "ROS_SECURITY_ENABLE is '" + enabled +
                               "', which is not 'true': there is no security, as in any ROS 2 program");
    }
    return Strategy::kOff;
  }
  const std::string name = variable("ROS_SECURITY_STRATEGY");
  if (name == "Enforce") {
    return Strategy::kEnforce;
  }
  if (name.empty() || name == "Permissive") {
    return Strategy::kPermissive;
  }
  throw Error(transport + ": ROS_SECURITY_STRATEGY is '" + name + "'; it is Enforce or Permissive, spelled like this");
}

/// \throws Error under kEnforce.
void go_on_without(Strategy strategy, const std::string & transport, const std::string & why) {
  if (strategy == Strategy::kEnforce) {
    throw Error(transport + ": ROS_SECURITY_STRATEGY=Enforce: " + why);
  }
  warn_once(transport, "security is asked for, and this context has none: " + why +
                           ". ROS_SECURITY_STRATEGY=Enforce makes this an error");
}

/// "/", or words of letters, digits and underscores behind slashes. It becomes a path.
bool is_enclave(std::string_view name) {
  const auto is_word = [](std::string_view word) {
    return !word.empty() && std::isdigit(static_cast<unsigned char>(word[0])) == 0 &&
           std::all_of(word.begin(), word.end(), [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
  };
  if (name.empty() || name[0] != '/') {
    return false;
  }
  for (name.remove_prefix(1); !name.empty();) {
    const std::size_t end = std::min(name.find('/'), name.size());
    if (!is_word(name.substr(0, end)) || end + 1 == name.size()) {
      return false;
    }
    name.remove_prefix(std::min(end + 1, name.size()));
  }
  return true;
}

/// The folder of the enclave's files. \throws Error without the transport's name.
std::string find_folder() {
  const std::string keystore = variable("ROS_SECURITY_KEYSTORE");
  const std::string override = variable("ROS_SECURITY_ENCLAVE_OVERRIDE");
  const std::string name = override.empty() ? enclave() : override;
  if (keystore.empty()) {
    throw Error("ROS_SECURITY_KEYSTORE is unset; it names the folder of the keystore");
  }
  if (!is_enclave(name)) {
    throw Error("'" + name + "' is no enclave; one is named like '/', '/robot' or '/robot/arm'");
  }
  const std::string folder = keystore + "/enclaves" + (name == "/" ? "" : name);
  struct stat status {};
  if (stat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) {
    throw Error("there is no folder " + folder + " for enclave '" + name +
                "'; make it, or choose another with --ros-args --enclave or ROS_SECURITY_ENCLAVE_OVERRIDE");
  }
  return folder;
}

std::string check_readable(const std::string & file) {
  struct stat status {};
  const bool exists = stat(file.c_str(), &status) == 0;
  if (exists && !S_ISREG(status.st_mode)) {
    throw Error(file + " is no file");
  }
  if (!exists || access(file.c_str(), R_OK) != 0) {
    throw Error(file + " cannot be read: " + std::strerror(errno));
  }
  return file;
}

EnclaveFiles find_files() {
  const std::string folder = find_folder();
  const std::string revoked = folder + "/crl.pem";
  EnclaveFiles files;
  files.folder = folder;
  files.identity_ca = check_readable(folder + "/identity_ca.cert.pem");
  files.certificate = check_readable(folder + "/cert.pem");
  files.private_key = check_readable(folder + "/key.pem");
  files.permissions_ca = check_readable(folder + "/permissions_ca.cert.pem");
  files.governance = check_readable(folder + "/governance.p7s");
  files.permissions = check_readable(folder + "/permissions.p7s");
  files.revoked = access(revoked.c_str(), F_OK) == 0 ? check_readable(revoked) : "";
  return files;
}

}  // namespace

std::optional<EnclaveFiles> enclave_files(const std::string & transport) {
  const Strategy asked = strategy(transport);
  if (asked == Strategy::kOff) {
    return std::nullopt;
  }
  try {
    return find_files();
  } catch (const Error & error) {
    go_on_without(asked, transport, error.what());
    return std::nullopt;
  }
}

void check_unsecured(const std::string & transport) {
  const Strategy asked = strategy(transport);
  if (asked != Strategy::kOff) {
    const std::string shared = transport == "rmw_tandem_cpp"
                                   ? "shared memory knows no enclaves, only whose user's it is. Give the ROS_SECURITY_ "
                                     "variables to the gateway alone, which secures what leaves this host; or use "
                                   : "this transport has no security; use ";
    go_on_without(asked, transport, shared + "rmw_fastrtps_cpp or rmw_cyclonedds_cpp");
  }
}

std::string enclave() { return making().enclave; }

std::shared_ptr<Context> create_context(Transport & transport, std::uint32_t domain, const std::string & enclave) {
  const MakingScope scope({enclave, false});
  return transport.create_context(domain);
}

std::shared_ptr<Context> create_exempt_context(Transport & transport, std::uint32_t domain) {
  const MakingScope scope({"/", true});
  return transport.create_context(domain);
}

}  // namespace tandem::transport
