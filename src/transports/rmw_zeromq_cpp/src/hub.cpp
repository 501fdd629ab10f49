#include "hub.hpp"

#include <signal.h>

#include <algorithm>

#include "tandem/transport.hpp"

namespace rmw_zeromq {

using std::chrono::steady_clock;
using tandem::transport::Error;
using tandem::transport::Roster;

namespace {

constexpr int kTick = 50;  // ms
constexpr int kMaxSockets = 16383;

thread_local const Hub * running = nullptr;  // of a hub's thread: its hub

}  // namespace

Hub::Hub(std::uint32_t domain) : roster_(kName, domain, [this] { match_all(); }) {
  context_.set(zmq::ctxopt::max_sockets, kMaxSockets);
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);  // signals are for the user's threads
  thread_ = std::thread([this] { run(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

Hub::~Hub() {
  if (is_foreign()) {
    thread_.detach();                         // it is not in this process
    new zmq::context_t(std::move(context_));  // never ended: its threads are not here either
    return;
  }
  stopping_ = true;
  poller_.ring();
  thread_.join();
}

zmq::socket_t Hub::make_socket(zmq::socket_type type, const std::string & topic) {
  try {
    zmq::socket_t socket(context_, type);
    socket.set(zmq::sockopt::linger, static_cast<int>(std::chrono::milliseconds(kGrace).count()));
    return socket;
  } catch (const zmq::error_t & error) {
    throw Error(std::string(kName) + ": topic '" + topic + "': no socket can be made: " + error.what() +
                ". Are too many files open (ulimit -n)?");
  }
}

void Hub::announce(const std::shared_ptr<Endpoint> & endpoint, std::uint32_t number) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    endpoints_.push_back(endpoint);
  }
  try {
    roster_.add(endpoint->entry());
  } catch (const Error &) {
    remove(endpoint, number);
    throw;
  }
  match_all();
}

void Hub::remove(const std::shared_ptr<Endpoint> & endpoint, std::uint32_t number) {
  Served::strike(number);
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::erase_if(endpoints_, [&](const auto & other) { return other.expired() || other.lock() == endpoint; });
  }
  roster_.remove(endpoint->entry().endpoint.gid);
  match_all();
}

void Hub::keep(std::shared_ptr<Endpoint> endpoint) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    kept_.push_back({std::move(endpoint), steady_clock::now() + kGrace});
  }
  request_ticks();
}

void Hub::match_all() {
  std::vector<std::shared_ptr<Endpoint>> endpoints;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const auto & endpoint : endpoints_) {
      if (auto alive = endpoint.lock()) {
        endpoints.push_back(std::move(alive));
      }
    }
  }
  for (const auto & endpoint : endpoints) {
    endpoint->match();
  }
}

void Hub::request_ticks() {
  // The hub's own thread looks at the flag before it sleeps. Rung, it would not sleep, and what it waits for would not
  // happen where it has a real-time priority and the processor of the thread that sends.
  if (!wants_ticks_.exchange(true) && running != this) {
    poller_.ring();
  }
}

bool Hub::tick() {
  std::vector<std::shared_ptr<Endpoint>> endpoints;
  std::vector<Kept> kept;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const auto & endpoint : endpoints_) {
      if (auto alive = endpoint.lock()) {
        endpoints.push_back(std::move(alive));
      }
    }
    kept.swap(kept_);
  }
  bool wants_more = false;
  for (const auto & endpoint : endpoints) {
    wants_more = endpoint->tick() || wants_more;
  }
  std::erase_if(kept, [](const Kept & one) { return !one.endpoint->tick() || steady_clock::now() >= one.until; });
  const std::lock_guard<std::mutex> lock(mutex_);
  kept_.insert(kept_.end(), kept.begin(), kept.end());
  return wants_more || !kept_.empty();
}

void Hub::run() {
  running = this;
  for (;;) {
    const bool is_ticking = wants_ticks_.exchange(false);
    poller_.serve(is_ticking ? kTick : -1);
    if ((is_ticking || stopping_) && tick()) {
      wants_ticks_ = true;
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    if (stopping_ && kept_.empty()) {
      return;
    }
  }
}

}  // namespace rmw_zeromq
