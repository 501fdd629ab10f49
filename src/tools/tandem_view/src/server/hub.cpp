#include "server/hub.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <string_view>
#include <utility>

#include "server/access.hpp"
#include "tandem/plugin.hpp"

namespace tandem::view {
namespace {

constexpr auto kLook = std::chrono::milliseconds(10);
constexpr auto kRefresh = std::chrono::seconds(1);
constexpr double kMessagesPerSecond = 2000;
constexpr double kMessagesAtOnce = 4000;

transport::NodeName own_name() { return {"/", fmt::format("_tandem_view_{}", getpid())}; }

}  // namespace

Hub::Hub(std::uint32_t domain)
    : world_(transport::load().create_context(domain), own_name(), domain,
             std::string_view(transport::load().name()) == "rmw_tandem_cpp"),
      session_(make_token()) {
  thread_ = std::thread([this] { run(); });
}

Hub::~Hub() { end(); }

void Hub::end() {
  if (!thread_.joinable()) {
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  work_.notify_one();
  thread_.join();
  clients_.clear();
  world_.asker.forget();
  events_.clear();
}

void Hub::opened(const std::shared_ptr<Connection> & connection) { post({What::kOpened, connection, {}}); }

void Hub::received(const std::shared_ptr<Connection> & connection, std::string message, bool is_binary) {
  post({What::kReceived, connection, std::move(message), is_binary});
}

void Hub::closed(const std::shared_ptr<Connection> & connection) { post({What::kClosed, connection, {}}); }

void Hub::post(Event event) {
  {
    const std::lock_guard lock(mutex_);
    events_.push_back(std::move(event));
  }
  work_.notify_one();
}

void Hub::run() {
  const auto node = world_.context->create_node(world_.node);
  for (;;) {
    wait_for_work();
    std::deque<Event> events;
    {
      const std::lock_guard lock(mutex_);
      if (is_ending_) {
        break;
      }
      events.swap(events_);  // one of each client at most, but for its end
    }
    for (Event & event : events) {
      try {
        handle(event);
      } catch (const std::exception & error) {
        complain(error);
      }
    }
    try {
      if (Clock::now() - refreshed_ >= kRefresh) {
        refresh();
      }
      world_.readers.poll();
      world_.asker.poll();
      for (auto & [connection, entry] : clients_) {
        entry.client->advance();
      }
    } catch (const std::exception & error) {
      complain(error);
    }
  }
}

void Hub::complain(const std::exception & error) {
  if (complaint_ != error.what()) {  // once, although it may happen at each look
    complaint_ = error.what();
    std::fprintf(stderr, "tandem view: %s\n", error.what());
  }
}

void Hub::wait_for_work() {
  const bool is_busy = !world_.readers.is_idle() || !world_.asker.is_idle() ||
                       std::any_of(clients_.begin(), clients_.end(),
                                   [](const auto & each) { return !each.second.client->is_settled(); });
  const auto until = is_busy ? Clock::now() + kLook : refreshed_ + kRefresh;
  std::unique_lock lock(mutex_);
  work_.wait_until(lock, until, [this] { return is_ending_ || !events_.empty(); });
}

void Hub::handle(Event & event) {
  const auto found = clients_.find(event.connection.get());
  if (event.what == What::kClosed) {
    clients_.erase(event.connection.get());
  } else if (event.what == What::kOpened) {
    if (clients_.empty()) {
      look_at_graph();  // nobody has for a while
    }
    Entry & entry = clients_[event.connection.get()];
    entry.client = std::make_unique<Client>(world_, event.connection, session_);
    entry.allowance = {kMessagesAtOnce, Clock::now()};
  } else if (found != clients_.end()) {
    receive(found->second, event);
  }
}

void Hub::receive(Entry & entry, const Event & event) {
  entry.client->receive(event.message, event.is_binary);
  const auto now = Clock::now();
  Allowance & allowance = entry.allowance;
  allowance.left += std::chrono::duration<double>(now - allowance.since).count() * kMessagesPerSecond - 1;
  allowance.left = std::min(allowance.left, kMessagesAtOnce);
  allowance.since = now;
  const bool is_flood = allowance.left < 0;
  if (is_flood && !std::exchange(entry.was_told, true)) {
    entry.client->tell_of_flood();
  }
  event.connection->resume(std::chrono::milliseconds(is_flood ? 20 : 0));
}

void Hub::refresh() {
  const auto now = Clock::now();
  const double seconds = std::chrono::duration<double>(now - refreshed_).count();
  refreshed_ = now;
  if (world_.is_shared_memory) {
    world_.statistics.update();  // also while nobody looks: the last minute is there for who comes
  }
  world_.readers.measure(std::clamp(seconds, 1e-3, 60.0));
  if (!clients_.empty()) {
    look_at_graph();
  }
  for (auto & [connection, entry] : clients_) {
    entry.client->refresh();
  }
}

}  // namespace tandem::view
