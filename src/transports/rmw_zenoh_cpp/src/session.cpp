#include "session.hpp"

#include <cstdlib>
#include <filesystem>
#include <future>
#include <new>
#include <string_view>

#include "tandem/kit/endpoint.hpp"
#include "tandem/kit/tuning.hpp"

namespace rmw_zenoh {
namespace {

struct Setting {
  const char * key;
  const char * value;
};

/// As the stock rmw_zenoh's configuration files have them: a router on this host tells its nodes of each other and carries
/// between hosts, and the nodes of a host talk directly.
constexpr Setting kOfNodes[] = {
    {"mode", R"("peer")"},
    {"connect/endpoints", R"(["tcp/localhost:7447"])"},
    {"connect/exit_on_failure", "false"},  // who comes before its router waits for it
    {"connect/timeout_ms", "-1"},
    {"listen/endpoints", R"(["tcp/localhost:0"])"},
    {"scouting/gossip/target", R"({router: ["router", "peer"], peer: ["router"]})"},
    {"scouting/gossip/autoconnect_strategy", R"({peer: {to_router: "always", to_peer: "greater-zid"}})"},
    {"open/return_conditions/connect_scouted", "false"},
};
constexpr Setting kOfRouters[] = {
    {"mode", R"("router")"},
    {"listen/endpoints", R"(["tcp/[::]:7447"])"},
    {"connect/endpoints", "[]"},
    {"scouting/gossip/target", R"({router: ["router", "peer"], peer: ["router"]})"},
};
constexpr Setting kOfBoth[] = {
    {"scouting/multicast/enabled", "false"},
    {"timestamping/enabled", "{router: true, peer: true, client: true}"},  // late joiners' history needs it
    {"queries_default_timeout", "600000"},
    {"transport/unicast/accept_timeout", "60000"},
    {"transport/unicast/open_timeout", "60000"},
    {"transport/unicast/accept_pending", "10000"},
    {"transport/unicast/max_sessions", "10000"},
};

constexpr const char * kSocket = ".sock";
/// Before it is said that there is no session yet.
constexpr std::chrono::seconds kPatience{3};

void set(const Config & config, const std::string & key, const std::string & value, const std::string & from) {
  checked(from + " '" + key + "' cannot be " + value, zn_config_set, config.get(), key.c_str(), value.c_str());
}

/// The settings are separated by semicolons: key=value.
void apply_override(const Config & config) {
  const char * const variable = std::getenv("ZENOH_CONFIG_OVERRIDE");
  std::string_view rest = variable != nullptr ? variable : "";
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(';'), rest.size());
    const std::string_view setting = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const std::size_t sign = setting.find('=');
    if (sign != std::string_view::npos) {
      set(config, std::string(setting.substr(0, sign)), std::string(setting.substr(sign + 1)),
          "ZENOH_CONFIG_OVERRIDE:");
    } else if (!setting.empty()) {
      throw Error(std::string(kName) + ": ZENOH_CONFIG_OVERRIDE: '" + std::string(setting) +
                  "' has no value; write key=value;key=value");
    }
  }
}

std::string value_of(const Config & config, const char * key) {
  char text[4096] = "";
  return zn_config_get(config.get(), key, text, sizeof text) ? text : "";
}

/// Adds to a list of the configuration. One that differs by mode is left as it is.
void append(const Config & config, const char * key, const std::string & items) {
  const std::string list = value_of(config, key);
  if (list.starts_with('[') && !items.empty()) {
    set(config, key, list == "[]" ? "[" + items + "]" : list.substr(0, list.size() - 1) + "," + items + "]", "");
  }
}

/// The contexts of this host that are there meet without a router: each listens at a socket in the roster's folder and
/// connects to those that were there before it.
void meet_locally(const Config & config, const Roster & roster) {
  const auto locator = [&roster](const std::string & id) {
    return "\"unixsock-stream/" + roster.path_of(id + kSocket) + "\"";
  };
  std::string others;
  std::error_code ignored;
  for (const auto & file : std::filesystem::directory_iterator(roster.path_of("."), ignored)) {
    const std::filesystem::path name = file.path().filename();
    if (name.extension() == ".lock" && name.stem().string() != roster.id() && !name.stem().has_extension()) {
      others += (others.empty() ? "" : ",") + locator(name.stem().string());
    }
  }
  append(config, "listen/endpoints", locator(roster.id()));
  append(config, "connect/endpoints", others);
}

/// A client waits here for its router.
ZnSession * open(const Config & config) {
  auto opening = std::async(std::launch::async, [&config] {
    return checked("Zenoh opens no session", zn_open, static_cast<const ZnConfig *>(config.get()));
  });
  if (opening.wait_for(kPatience) == std::future_status::timeout) {
    warn(kName, "", "waits for a router at " + value_of(config, "connect/endpoints") + "; RUST_LOG=debug tells why");
  }
  return opening.get();
}

Config config_of(const Roster & roster) {
  Config config = read_config(false);
  if (value_of(config, "mode") == R"("peer")") {
    meet_locally(config, roster);
  }
  const bool is_tuned = tuning() == Tuning::kTuned;
  set(config, "transport/shared_memory/transport_optimization/enabled", is_tuned ? "false" : "true", "");
  return config;
}

}  // namespace

std::unique_ptr<SentChunk> make_ordinary_chunk(std::size_t size) {
  ZnPayload raw{};
  if (!zn_allocate(nullptr, size, &raw)) {
    throw std::bad_alloc();
  }
  return std::make_unique<SentChunk>(raw, size);
}

Config read_config(bool is_router) {
  const char * const variable = is_router ? "ZENOH_ROUTER_CONFIG_URI" : "ZENOH_SESSION_CONFIG_URI";
  const char * const value = std::getenv(variable);
  const char * const file = value != nullptr && *value != '\0' ? value : nullptr;
  Config config(
      checked(std::string(variable) + ": " + (file != nullptr ? file : "") + " cannot be used", zn_config_new, file));
  if (file == nullptr) {
    const auto apply = [&config](const auto & settings) {
      for (const Setting & setting : settings) {
        set(config, setting.key, setting.value, "the default of");
      }
    };
    is_router ? apply(kOfRouters) : apply(kOfNodes);
    apply(kOfBoth);
  }
  apply_override(config);
  return config;
}

Session::Session(const Roster & roster) : Session(config_of(roster)) {}

Session::Session(const Config & config) : raw_(open(config)) {
  char id[40] = "";
  zn_id(raw_, id, sizeof id);
  id_ = id;
}

Token Session::declare(const std::string & token) const {
  return Token(checked("nobody can be told of '" + token + "'", zn_token_new, get(), token.c_str()));
}

}  // namespace rmw_zenoh
