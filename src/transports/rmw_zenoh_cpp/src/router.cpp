// rmw_zenohd: the router that the nodes of a host meet at, and that carries between hosts. As the stock program of this name
// it is configured by ZENOH_ROUTER_CONFIG_URI and ZENOH_CONFIG_OVERRIDE, and ends at SIGINT or SIGTERM.
#include <csignal>
#include <cstdio>
#include <exception>

#include "session.hpp"

int main() {
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGINT);
  sigaddset(&ends, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &ends, nullptr);  // Zenoh's threads inherit it
  try {
    const rmw_zenoh::Session session(rmw_zenoh::read_config(true));
    std::printf("Zenoh router %s is running. Ctrl+C ends it.\n", session.id().c_str());
    std::fflush(stdout);
    int signal = 0;
    sigwait(&ends, &signal);
    return 0;
  } catch (const std::exception & error) {
    std::fprintf(stderr, "[ERROR] [rmw_zenohd]: %s\n", error.what());
    return 1;
  }
}
