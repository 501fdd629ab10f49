// Where clients and the domain meet: one thread that owns the world and answers in turn.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "connection/connection.hpp"
#include "server/client.hpp"
#include "world/world.hpp"

namespace tandem::view {

class Hub : public ConnectionListener {
 public:
  /// Joins the domain and starts the thread. \throws transport::Error, tandem::tools::Error
  explicit Hub(std::uint32_t domain);
  ~Hub() override;
  /// Ends the thread and lets go of all connections. To be called while the server that they belong to is still there.
  void end();

  void opened(const std::shared_ptr<Connection> & connection) override;
  void received(const std::shared_ptr<Connection> & connection, std::string message, bool is_binary) override;
  void closed(const std::shared_ptr<Connection> & connection) override;

 private:
  using Clock = std::chrono::steady_clock;
  enum class What : std::uint8_t { kOpened, kReceived, kClosed };
  struct Event {
    What what;
    std::shared_ptr<Connection> connection;
    std::string message;
    bool is_binary = false;
  };
  /// A client may send so many messages a second, and some at once; then its reading pauses.
  struct Allowance {
    double left = 0;
    Clock::time_point since{};
  };
  struct Entry {
    std::unique_ptr<Client> client;
    Allowance allowance;
    bool was_told = false;
  };

  void post(Event event);
  void complain(const std::exception & error);
  void run();
  void wait_for_work();
  void handle(Event & event);
  void receive(Entry & entry, const Event & event);
  void refresh();
  void look_at_graph() { world_.catalogue.update(world_.context->graph()); }

  World world_;
  const std::string session_;
  std::map<Connection *, Entry> clients_;  // of the thread
  Clock::time_point refreshed_{};
  std::string complaint_;

  std::mutex mutex_;
  std::condition_variable work_;
  std::deque<Event> events_;
  bool is_ending_ = false;
  std::thread thread_;
};

}  // namespace tandem::view
