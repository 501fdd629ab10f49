// HTTP and WebSocket on one port: hands out the page, and connects clients with their listener. One thread runs it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "connection/connection.hpp"
#include "server/access.hpp"
#include "server/pages.hpp"

namespace tandem::view {

struct ServerOptions {
  std::string host;  ///< a numeric address, or "localhost"
  std::uint16_t port = 0;
  Access access;
};

class Server {
 public:
  /// Listens. `pages` and `listener` outlive it. \throws tandem::tools::Error if the address cannot be used.
  Server(ServerOptions options, const Pages & pages, ConnectionListener & listener);
  ~Server();
  Server(const Server &) = delete;
  Server & operator=(const Server &) = delete;

  std::uint16_t port() const;
  /// Whether only this machine reaches it.
  bool is_loopback() const;
  /// Serves until stop().
  void run();
  /// Thread-safe.
  void stop();

 private:
  struct Body;
  const std::unique_ptr<Body> body_;
};

}  // namespace tandem::view
