// tandem-view: serves a page that shows the domain, and the same to Foxglove and Lichtblick.
#include <signal.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <string>
#include <thread>

#include "server/hub.hpp"
#include "server/pages.hpp"
#include "server/server.hpp"
#include "tandem/tools/domain.hpp"

namespace tandem::view {
namespace {

struct Options {
  std::string host = "127.0.0.1";
  std::uint16_t port = 8765;
  bool no_token = false;
  std::vector<std::string> origins;
  std::string web = installed_pages();
};

void declare(CLI::App & app, Options & options) {
  app.option_defaults()->always_capture_default(false);
  app.add_option(
      "--host", options.host,
      "Address to listen on, 127.0.0.1 by default: only this machine reaches it. 0.0.0.0: the network does, and "
      "what passes is not encrypted");
  app.add_option("--port", options.port, "Port to listen on, 8765 by default; 0: any that is free");
  app.add_flag("--no-token", options.no_token,
               "Ask for no token: whoever reaches the port may read, publish, call services and set parameters");
  app.add_option("--web", options.web, "Folder of the page, if not the installed one")->group("");
  app.add_option("--allow-origin", options.origins,
                 "Let pages of this origin connect, such as https://app.foxglove.dev; may be repeated");
}

/// The address that people open. One of any machine's is told as this one's.
std::string authority(const Options & options, std::uint16_t port) {
  const bool is_any = options.host == "0.0.0.0" || options.host == "::";
  const std::string host = is_any ? "127.0.0.1" : options.host;
  return (host.find(':') != std::string::npos ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

void announce(const Options & options, const Server & server, const std::string & token) {
  const std::string address = authority(options, server.port()) + "/" + token;
  std::printf("page                    http://%s%s\n", address.c_str(), token.empty() ? "" : "/");
  std::printf("Foxglove, Lichtblick    ws://%s\n", address.c_str());
  if (!server.is_loopback()) {
    std::printf("Others on the network reach this port, and nothing is encrypted.\n");
  }
  if (token.empty()) {
    std::printf("No token is asked for: whoever reaches the port may publish, call services and set parameters.\n");
  }
  std::fflush(stdout);
}

int run(const Options & options) {
  // Before any thread: all of them leave these signals to the one that waits for them.
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGHUP);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  signal(SIGPIPE, SIG_IGN);

  const Pages pages(options.web);
  const std::string token = options.no_token ? "" : make_token();
  ServerOptions server_options{options.host, options.port, {token, true, options.origins}};
  Hub hub(tools::domain_of_environment());
  Server server(std::move(server_options), pages, hub);
  announce(options, server, token);
  std::thread network([&] { server.run(); });
  int received = 0;
  sigwait(&signals, &received);
  server.stop();
  network.join();
  hub.end();
  return 0;
}

}  // namespace
}  // namespace tandem::view

int main(int argc, char ** argv) {
  CLI::App app{
      "Shows topics, connections, messages and parameters of the domain in a browser, live, and serves Foxglove and "
      "Lichtblick.\nWatches as any reader does, and slows no publisher down. Ends with Ctrl-C."};
  app.name("tandem view");
  tandem::view::Options options;
  declare(app, options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError & error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  try {
    return tandem::view::run(options);
  } catch (const std::exception & error) {
    std::fprintf(stderr, "tandem view: %s\n", error.what());
    return 1;
  }
}
