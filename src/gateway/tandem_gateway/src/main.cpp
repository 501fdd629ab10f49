// tandem-gateway: the program around the library.
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <memory>
#include <optional>
#include <thread>

#include "log.hpp"
#include "report.hpp"
#include "status_server.hpp"
#include "tandem/gateway/gateway.hpp"
#include "tandem/host_lock.hpp"
#include "tandem/plugin.hpp"
#include "tandem/shared_memory_folder.hpp"

namespace tandem::gateway {
namespace {

constexpr std::uint32_t kMaxDomain = 232;

struct Options {
  std::uint32_t domain = 0;
  std::optional<std::uint32_t> network_domain;
  std::string network;
  TopicFilter filter;
  std::string metrics_file;
  double alone = 0;  ///< seconds, 0: for ever
  bool background = false;
  bool status = false;
  bool json = false;
  bool prometheus = false;
};

void declare(CLI::App & app, Options & options) {
  app.option_defaults()->always_capture_default(false);
  app.add_option("--domain", options.domain, "Of this host's nodes; also from ROS_DOMAIN_ID")
      ->envname("ROS_DOMAIN_ID")
      ->check(CLI::Range(0U, kMaxDomain));
  app.add_option("--network", options.network,
                 "fastdds, cyclonedds or the name of a transport; the first of the two that is installed");
  app.add_option("--network-domain", options.network_domain, "On the network, if it is another one")
      ->check(CLI::Range(0U, kMaxDomain));
  app.add_option("--allow", options.filter.allow, "Carry topics like this only, e.g. '/camera/*'; can be repeated");
  app.add_option("--deny", options.filter.deny, "Never carry topics like this; wins over --allow; can be repeated");
  app.add_option("--metrics-file", options.metrics_file,
                 "Keep figures in this file, in Prometheus's text format, for node_exporter's textfile collector");
  app.add_option("--exit-when-alone", options.alone, "End when no node has been on this host for so many seconds")
      ->check(CLI::NonNegativeNumber);
  app.add_flag("--background", options.background,
               "Leave the terminal; be silent if a gateway runs already; then write to gateway-<domain>.log in the "
               "shared-memory folder");
  app.add_flag("--status", options.status, "Tell how the running gateway is doing");
  app.add_flag("--json", options.json, "With --status: for programs");
  app.add_flag("--prometheus", options.prometheus, "With --status: for Prometheus");
  app.set_config("--config", "", "Options from an INI or TOML file: allow = [\"/camera/*\"]");
  app.allow_config_extras(CLI::config_extras_mode::error);  // a misspelt 'deny' must not carry what it names
}

std::string network_of(const std::string & chosen) {
  const auto installed = transport::available();
  const auto has = [&installed](const std::string & name) {
    return std::find(installed.begin(), installed.end(), name) != installed.end();
  };
  if (chosen.empty()) {
    for (const char * name : {"rmw_fastrtps_cpp", "rmw_cyclonedds_cpp"}) {
      if (has(name)) {
        return name;
      }
    }
    throw transport::Error(
        "no transport for the network is built: install libfastrtps-dev or cyclonedds-dev, "
        "and build again");
  }
  const std::string name = chosen == "fastdds"      ? "rmw_fastrtps_cpp"
                           : chosen == "cyclonedds" ? "rmw_cyclonedds_cpp"
                                                    : chosen;
  if (name == "rmw_tandem_cpp") {
    throw transport::Error("--network " + chosen + " does not leave this host; use fastdds or cyclonedds");
  }
  return name;
}

void write_metrics(const std::string & file, const std::string & text) {
  const std::string temporary = file + "." + std::to_string(getpid());
  std::ofstream(temporary) << text;
  std::error_code error;
  std::filesystem::rename(temporary, file, error);  // a reader sees the old file or the new one
  if (error) {
    std::filesystem::remove(temporary, error);
  }
}

/// Tells systemd (Type=notify), if it asked to be told.
void notify(const char * state) {
  const char * path = std::getenv("NOTIFY_SOCKET");
  if (path == nullptr || (*path != '/' && *path != '@')) {
    return;
  }
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::size_t length = std::string(path).copy(address.sun_path, sizeof address.sun_path - 1);
  if (*path == '@') {
    address.sun_path[0] = '\0';
  }
  const int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  sendto(fd, state, std::string(state).size(), MSG_NOSIGNAL, reinterpret_cast<const sockaddr *>(&address),
         static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + length));
  close(fd);
}

/// Another gateway of this host and domain runs.
class AlreadyRunning : public transport::Error {
 public:
  using Error::Error;
};

/// One gateway per host and domain holds it. \throws AlreadyRunning; transport::Error when its file cannot be made.
HostLock hold_lock(std::uint32_t domain) {
  auto lock = HostLock::hold(instance_name(domain));
  if (lock) {
    return std::move(*lock);
  }
  if (lock.error().holder.empty()) {
    throw transport::Error(lock.error().message);
  }
  throw AlreadyRunning("a gateway of domain " + std::to_string(domain) + " is already running as process " +
                       lock.error().holder +
                       "; one per host is enough (`tandem gateway --status` tells how it is doing)");
}

/// A running gateway, its lock and its status.
struct Session {
  const Options & options;
  Identity identity;
  std::optional<HostLock> lock;
  Gateway gateway;
  std::optional<StatusServer> status_server{};  ///< asks the gateway, so it ends before

  std::string json() const { return to_json(identity, gateway.status()); }
  void serve_status() {
    status_server.emplace(options.domain, [this] { return json(); });
  }
  bool is_alone() const { return options.alone > 0 && gateway.alone() > std::chrono::duration<double>(options.alone); }
  /// Gives up the lock if nobody needs the gateway. Somebody who comes now finds no gateway, and starts one, or is seen
  /// here and the gateway goes on; see rmw_tandem_cpp's network.hpp.
  bool gives_up() {
    status_server.reset();
    lock.reset();
    gateway.wait_for_look();
    if (is_alone()) {
      return true;
    }
    try {
      lock = hold_lock(options.domain);
      serve_status();
      return false;
    } catch (const AlreadyRunning &) {
      return true;
    } catch (const transport::Error & error) {
      std::fprintf(stderr, "[ERROR] [tandem_gateway]: %s\n", error.what());
      return true;
    }
  }
};

/// Sleeps until a signal or a reason to end comes; writes metrics meanwhile. Then stops the gateway.
void supervise(Session & session, const sigset_t & signals) {
  const Options & options = session.options;
  for (;;) {
    if (!options.metrics_file.empty()) {
      write_metrics(options.metrics_file, to_prometheus(session.json()));
    }
    const timespec pause{1, 0};
    const bool is_timed = options.alone > 0 || !options.metrics_file.empty();
    if ((is_timed ? sigtimedwait(&signals, nullptr, &pause) : sigwaitinfo(&signals, nullptr)) > 0) {
      break;
    }
    if (session.is_alone() && session.gives_up()) {
      Log::info("no node has been here for some time: ending");
      break;
    }
  }
  notify("STOPPING=1");
  session.gateway.stop();
}

/// Goes on as a process of its own. stderr stays until all is well, so that whoever started it reads why not.
void leave_terminal() {
  const pid_t child = fork();
  if (child < 0) {
    throw transport::Error(std::string("no process in the background: ") + std::strerror(errno));
  }
  if (child > 0) {
    _exit(0);
  }
  setsid();
  if (chdir("/") != 0) {
    throw transport::Error(std::string("the root folder cannot be entered: ") + std::strerror(errno));
  }
  const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  dup2(nothing, STDIN_FILENO);
  dup2(nothing, STDOUT_FILENO);
  close(nothing);
}

void write_to_log(std::uint32_t domain) {
  const std::string path = shared_memory_folder() + "/" + instance_name(domain) + ".log";
  const int log = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
  const int target = log >= 0 ? log : STDOUT_FILENO;  // rather nothing than the terminal that it has left
  dup2(target, STDERR_FILENO);
  close(log);
}

/// Ends the process if the contexts do not end by themselves: Cyclone DDS waits for ever when its network interface has
/// gone.
void end_soon() {
  std::thread([] {
    std::this_thread::sleep_for(std::chrono::seconds(5));
    _exit(0);
  }).detach();
}

void run(const Options & options) {
  // Before any thread is started: all of them leave these signals to one.
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  unsetenv("TANDEM_NETWORK");  // a gateway wants no gateway

  const Identity identity{options.domain, network_of(options.network), getpid()};
  auto local = transport::load("rmw_tandem_cpp").create_context(options.domain);  // makes the folder, or says why not
  auto lock = hold_lock(options.domain);
  const std::uint32_t network_domain = options.network_domain.value_or(options.domain);
  auto network = transport::load(identity.network).create_context(network_domain);
  Session session{options, identity, std::move(lock), {std::move(local), std::move(network), options.filter}};
  session.serve_status();
  if (options.background) {
    write_to_log(options.domain);
  }
  Log::info("carrying topics of domain " + std::to_string(options.domain) + " over " + identity.network);
  notify("READY=1");
  std::thread supervisor([&] { supervise(session, signals); });
  try {
    session.gateway.run();
  } catch (...) {
    session.gateway.stop();
    kill(getpid(), SIGTERM);  // ends the other thread
    supervisor.join();
    throw;
  }
  supervisor.join();
  session.status_server.reset();
  session.lock.reset();
  end_soon();
}

void show(const Options & options) {
  const std::string json = ask_status(options.domain);
  std::cout << (options.json ? json : options.prometheus ? to_prometheus(json) : to_table(json));
}

}  // namespace
}  // namespace tandem::gateway

int main(int argc, char ** argv) {
  using namespace tandem::gateway;
  CLI::App app{
      "Carries topics between this host and others, and stock ROS 2 nodes, over DDS.\n"
      "One runs per host and domain. All topics are carried unless --allow or --deny say otherwise."};
  app.name("tandem gateway");
  Options options;
  declare(app, options);
  CLI11_PARSE(app, argc, argv);
  try {
    if (options.background && !options.status) {
      leave_terminal();
    }
    options.status ? show(options) : run(options);
  } catch (const AlreadyRunning & error) {
    if (options.background) {
      return 0;
    }
    std::fprintf(stderr, "[ERROR] [tandem_gateway]: %s\n", error.what());
    return 1;
  } catch (const std::exception & error) {
    std::fprintf(stderr, "[ERROR] [tandem_gateway]: %s\n", error.what());
    return 1;
  }
  return 0;
}
