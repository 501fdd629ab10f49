// tandem-gateway: the program around the library. It runs one gateway, or shows the status of the one that runs.
#include <signal.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <iostream>
#include <optional>
#include <thread>
#include <utility>

#include "base/log.hpp"
#include "program/daemon.hpp"
#include "program/options.hpp"
#include "program/report.hpp"
#include "program/status_server.hpp"
#include "tandem/gateway/gateway.hpp"
#include "tandem/host_lock.hpp"
#include "tandem/plugin.hpp"
#include "tandem/security.hpp"

namespace tandem::gateway {
namespace {

/// Replaces the file. A reader sees the old one or the new one.
void write_metrics(const std::string & file, const std::string & text) {
  const std::string temporary = file + "." + std::to_string(getpid());
  std::ofstream(temporary) << text;
  std::error_code error;
  std::filesystem::rename(temporary, file, error);
  if (error) {
    std::filesystem::remove(temporary, error);
  }
}

/// Another gateway of this host and domain runs.
class AlreadyRunning : public transport::Error {
 public:
  using Error::Error;
};

/// The lock that the one gateway of a host and domain holds.
/// \throws AlreadyRunning; transport::Error when its file cannot be created.
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

/// A running gateway with its lock and its status server.
struct Session {
  const Options & options;
  Identity identity;
  std::optional<HostLock> lock;
  Gateway gateway;
  std::optional<StatusServer> status_server{};  ///< declared last: it uses the gateway

  std::string json() const { return to_json(identity, gateway.status()); }
  void serve_status() {
    status_server.emplace(options.domain, [this] { return json(); });
  }
  bool is_alone() const {
    return options.exit_when_alone > 0 && gateway.alone() > std::chrono::duration<double>(options.exit_when_alone);
  }
  bool release_if_alone();
};

/// Releases the lock, and takes it again unless the gateway is still alone. A node that starts meanwhile either finds
/// the lock free and starts a gateway, or is seen here; see rmw_tandem_cpp's network.hpp.
/// \return whether this gateway has to end.
bool Session::release_if_alone() {
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
    Log::error(error.what());
    return true;
  }
}

/// Waits for one of the signals, at most a second if `is_timed`. \return whether one has come.
bool wait_for(const sigset_t & signals, bool is_timed) {
  const timespec second{1, 0};
  return (is_timed ? sigtimedwait(&signals, nullptr, &second) : sigwaitinfo(&signals, nullptr)) > 0;
}

/// Stops the gateway on a signal, or when it has been alone for long enough. Writes metrics meanwhile.
void supervise(Session & session, const sigset_t & signals) {
  const Options & options = session.options;
  for (;;) {
    if (!options.metrics_file.empty()) {
      write_metrics(options.metrics_file, to_prometheus(session.json()));
    }
    if (wait_for(signals, options.exit_when_alone > 0 || !options.metrics_file.empty())) {
      break;
    }
    if (session.is_alone() && session.release_if_alone()) {
      Log::info("no node has been here for some time: ending");
      break;
    }
  }
  notify_systemd("STOPPING=1");
  session.gateway.stop();
}

/// Blocks the signals that end the gateway. Threads inherit that, so call it before any is started.
sigset_t block_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  return signals;
}

/// Some networks wait for a router here. A signal that comes meanwhile ends the program.
std::shared_ptr<transport::Context> create_network_context(const std::string & name, std::uint32_t domain,
                                                           const sigset_t & signals) {
  auto creating = std::async(std::launch::async, [&] { return transport::load(name).create_context(domain); });
  while (creating.wait_for(std::chrono::milliseconds(10)) == std::future_status::timeout) {
    constexpr timespec kNow{};
    if (sigtimedwait(&signals, nullptr, &kNow) > 0) {
      std::_Exit(0);
    }
  }
  return creating.get();
}

void run(const Options & options) {
  const sigset_t signals = block_signals();
  unsetenv("TANDEM_NETWORK");  // the gateway's own context must not start another gateway

  const Identity identity{options.domain, network_transport(options.network), getpid()};
  // Makes the folder, or says why not. ROS's security is for the network.
  auto local = transport::create_exempt_context(transport::load("rmw_tandem_cpp"), options.domain);
  auto lock = hold_lock(options.domain);
  const std::uint32_t network_domain = options.network_domain.value_or(options.domain);
  auto network = create_network_context(identity.network, network_domain, signals);
  Session session{options, identity, std::move(lock), {std::move(local), std::move(network), options.filter}};
  session.serve_status();
  if (options.background) {
    log_to_file(options.domain);
  }
  Log::info("carrying topics of domain " + std::to_string(options.domain) + " over " + identity.network);
  notify_systemd("READY=1");
  std::thread supervisor([&] { supervise(session, signals); });
  try {
    session.gateway.run();
  } catch (...) {
    session.gateway.stop();
    kill(getpid(), SIGTERM);  // ends the supervisor
    supervisor.join();
    throw;
  }
  supervisor.join();
  session.status_server.reset();
  session.lock.reset();
  exit_soon();
}

void show_status(const Options & options) {
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
  add_options(app, options);
  CLI11_PARSE(app, argc, argv);
  try {
    if (options.background && !options.status) {
      leave_terminal();
    }
    options.status ? show_status(options) : run(options);
    return 0;
  } catch (const AlreadyRunning & error) {
    if (options.background) {
      return 0;
    }
    Log::error(error.what());
  } catch (const std::exception & error) {
    Log::error(error.what());
  }
  return 1;
}
