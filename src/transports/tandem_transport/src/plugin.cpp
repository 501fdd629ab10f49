// The loader: RMW_IMPLEMENTATION -> ament index -> dlopen -> the plug-in's Transport object.
//
// Plug-ins are looked for in the prefixes of AMENT_PREFIX_PATH and, after them, in the prefix that this library itself
// lies in, so that a program also runs in a shell where nothing was sourced.
#include "tandem/plugin.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <set>
#include <string_view>

#include "tandem/ament_prefixes.hpp"
#include "tandem/security.hpp"

namespace tandem::transport {
namespace {

namespace fs = std::filesystem;

constexpr const char * kDefault = "rmw_tandem_cpp";
constexpr const char * kResources = "share/ament_index/resource_index/tandem_transport";

struct WellKnown {
  std::string_view name;
  const char * remedy;  ///< empty: there is none
};

constexpr const char * kConnext = "install RTI Connext Professional 7, set NDDSHOME to its folder and build again";

// ROS middlewares that programs written for ROS 2 ask for by habit.
constexpr WellKnown kWellKnown[] = {
    {"rmw_connext_cpp", kConnext},
    {"rmw_connextdds", kConnext},
    {"rmw_cyclonedds_cpp", "install cyclonedds-dev and build again"},
    {"rmw_email_cpp", ""},
    {"rmw_fastrtps_cpp", "install Fast DDS 2, libfastrtps-dev of Debian 12, and build again"},
    {"rmw_fastrtps_dynamic_cpp", "rmw_fastrtps_cpp speaks the same, so use that"},
    {"rmw_gurumdds_cpp", ""},
    {"rmw_iceoryx2_cpp", "run 'make rust' and build again"},
    {"rmw_iceoryx_cpp", "install libiceoryx-posh-dev and iceoryx and build again"},
    {"rmw_microxrcedds", ""},
    {"rmw_opensplice_cpp", "build OpenSplice 6.9 from its sources, set OSPL_HOME and build again"},
    {"rmw_zenoh_cpp", "run 'make rust' and build again"},
    {"rmw_zeromq_cpp", "install cppzmq-dev and build again"},
};

std::string environment(const char * name) {
  const char * value = std::getenv(name);
  return value != nullptr ? value : "";
}

std::vector<fs::path> prefixes() { return ament_prefixes(reinterpret_cast<const void *>(&available)); }

/// A name that is looked up as a file must not lead out of its folder.
bool is_plain_name(const std::string & name) {
  return !name.empty() && name.find('/') == std::string::npos && name[0] != '.';
}

/// The library of a transport, empty when no prefix has it.
fs::path find_library(const std::string & name) {
  if (!is_plain_name(name)) {
    return {};
  }
  for (const fs::path & prefix : prefixes()) {
    std::ifstream marker(prefix / kResources / name);
    std::string library;
    if (std::getline(marker, library) && !library.empty()) {
      return prefix / library;
    }
  }
  return {};
}

std::string listing() {
  std::string text;
  for (const std::string & name : available()) {
    text += (text.empty() ? "" : ", ") + name;
  }
  return text.empty() ? "none (is the workspace built, and AMENT_PREFIX_PATH right?)" : text;
}

template <class Function>
Function * symbol(void * library, const char * name) {
  return reinterpret_cast<Function *>(dlsym(library, name));
}

/// A plug-in that has no security, kept from making contexts where the environment enforces some.
class Unsecured final : public Transport {
 public:
  explicit Unsecured(Transport & plug_in) : plug_in_(plug_in) {}
  const char * name() const override { return plug_in_.name(); }
  std::vector<Limit> limits() const override { return plug_in_.limits(); }
  std::shared_ptr<Context> create_context(std::uint32_t domain) override {
    check_unsecured(name());
    return plug_in_.create_context(domain);
  }

 private:
  Transport & plug_in_;
};

Transport & open(const std::string & name, const fs::path & file) {
  const std::string what = "the transport " + name + " cannot be loaded from " + file.string() + ": ";
  // RTLD_NODELETE: messages outlive everything, so no plug-in is ever unloaded.
  void * library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (library == nullptr) {
    const char * reason = dlerror();
    throw Error(what + (reason != nullptr ? reason : "unknown reason"));
  }
  auto * abi = symbol<int()>(library, "tandem_transport_abi");
  auto * make = symbol<Transport *()>(library, "tandem_transport");
  if (abi == nullptr || make == nullptr) {
    throw Error(what + "it is no transport plug-in (TANDEM_EXPORT_TRANSPORT is missing)");
  }
  if (const int theirs = abi(); theirs != TANDEM_TRANSPORT_ABI) {
    throw Error(what + "it was built for version " + std::to_string(theirs) + " of the interface, this is version " +
                std::to_string(TANDEM_TRANSPORT_ABI) + "; rebuild it");
  }
  Transport * transport = make();
  if (transport == nullptr) {
    throw Error(what + "it made no transport");
  }
  const bool is_secured = dlsym(library, "tandem_transport_security") != nullptr;  // TANDEM_EXPORT_SECURITY
  return is_secured ? *transport : *new Unsecured(*transport);
}

const WellKnown * find_well_known(const std::string & name) {
  const auto * const found = std::find_if(std::begin(kWellKnown), std::end(kWellKnown),
                                          [&](const WellKnown & item) { return item.name == name; });
  return found != std::end(kWellKnown) ? found : nullptr;
}

/// " (to have it: ...)", or nothing.
std::string remedy(const std::string & name) {
  const WellKnown * const known = find_well_known(name);
  return known != nullptr && *known->remedy != '\0' ? std::string(" (to have it: ") + known->remedy + ")" : "";
}

struct Loaded {
  std::mutex mutex;
  std::map<std::string, Transport *> by_name;
  Transport * chosen = nullptr;
};

/// Never destroyed: programs may publish from static destructors.
Loaded & loaded() {
  static auto * instance = new Loaded;
  return *instance;
}

Transport & load_locked(Loaded & state, const std::string & name) {
  const auto known = state.by_name.find(name);
  if (known != state.by_name.end()) {
    return *known->second;
  }
  const fs::path file = find_library(name);
  if (file.empty()) {
    throw Error("there is no transport named '" + name + "'" + remedy(name) + "; installed are: " + listing() +
                ". Choose one of them, for nodes with RMW_IMPLEMENTATION");
  }
  Transport & transport = open(name, file);
  state.by_name.emplace(name, &transport);
  return transport;
}

}  // namespace

std::vector<std::string> available() {
  std::set<std::string> names;
  for (const fs::path & prefix : prefixes()) {
    std::error_code error;
    for (fs::directory_iterator entry(prefix / kResources, error), end; !error && entry != end;
         entry.increment(error)) {
      const std::string name = entry->path().filename().string();
      if (is_plain_name(name)) {
        names.insert(name);
      }
    }
  }
  return {names.begin(), names.end()};
}

Transport & load(const std::string & name) {
  Loaded & state = loaded();
  const std::lock_guard<std::mutex> lock(state.mutex);
  return load_locked(state, name);
}

Transport & load() {
  Loaded & state = loaded();
  const std::lock_guard<std::mutex> lock(state.mutex);
  if (state.chosen == nullptr) {
    std::string name = environment("RMW_IMPLEMENTATION");
    if (name.empty()) {
      name = kDefault;
    } else if (find_well_known(name) != nullptr && find_library(name).empty()) {
      std::fprintf(stderr, "[WARN] [tandem_transport]: RMW_IMPLEMENTATION=%s is not built here%s; using %s\n",
                   name.c_str(), remedy(name).c_str(), kDefault);
      name = kDefault;
    }
    state.chosen = &load_locked(state, name);
  }
  return *state.chosen;
}

}  // namespace tandem::transport
