#include "hub.hpp"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace unixsocket {

using std::chrono::steady_clock;
using tandem::transport::Durability;
using tandem::transport::Error;
using tandem::transport::History;
using tandem::transport::Qos;
using tandem::transport::Reliability;

namespace {

/// What is still owed to others when the context ends, they get within this time.
constexpr auto kFarewell = std::chrono::seconds(1);
/// A participant that could not be reached is tried again.
constexpr auto kLookAround = std::chrono::seconds(1);

template <class T>
void erase(std::vector<std::shared_ptr<T>> & list, const std::shared_ptr<T> & item) {
  list.erase(std::remove(list.begin(), list.end(), item), list.end());
}

sockaddr_un address_of(const std::string & path) {
  sockaddr_un result{};
  result.sun_family = AF_UNIX;
  path.copy(result.sun_path, sizeof result.sun_path - 1);
  return result;
}

Descriptor make_socket() { return Descriptor(socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)); }

}  // namespace

void Hub::control_locked(int operation, int fd, std::uint32_t events) {
  epoll_event event{};
  event.events = events;
  event.data.fd = fd;
  epoll_ctl(epoll_.get(), operation, fd, &event);
}

Hub::Hub(std::uint32_t domain)
    : epoll_(epoll_create1(EPOLL_CLOEXEC)),
      nudge_(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)),
      listener_(make_socket()),
      roster_(kName, domain, [this] {
        const std::lock_guard<std::mutex> lock(mutex_);
        match_locked();
      }) {
  if (!epoll_ || !nudge_ || !listener_) {
    throw Error(std::string(kName) + ": no context can be made: " + std::strerror(errno));
  }
  listen();
  for (const int fd : {listener_.get(), nudge_.get()}) {
    control_locked(EPOLL_CTL_ADD, fd, EPOLLIN);
  }
  thread_ = std::thread([this] { run(); });
}

void Hub::listen() {
  const sockaddr_un where = address_of(roster_.path_of(roster_.id() + ".sock"));
  if (bind(listener_.get(), reinterpret_cast<const sockaddr *>(&where), sizeof where) != 0 ||
      ::listen(listener_.get(), SOMAXCONN) != 0) {
    throw Error(std::string(kName) + ": no socket can be made beside the roster: " + std::strerror(errno) +
                ". Set TANDEM_SHM_DIR to a directory of yours");
  }
}

Hub::~Hub() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stopping_ = true;
    stop_by_ = steady_clock::now() + kFarewell;
  }
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = write(nudge_.get(), &one, sizeof one);
  thread_.join();
}

// --- what there is ---------------------------------------------------------------------------------------------------

void Hub::announce_locked(RosterEntry & entry) {
  entry.endpoint.gid = roster_.new_gid();
  entry.address = roster_.id() + ".sock";
  roster_.add(entry);
}

std::shared_ptr<PublisherState> Hub::add_publisher(const tandem::MessageType & type, RosterEntry entry) {
  const std::lock_guard<std::mutex> lock(mutex_);
  auto state = std::make_shared<PublisherState>();
  announce_locked(entry);
  state->entry = std::move(entry);
  state->type = &type;
  publishers_.push_back(state);
  match_locked(*state);
  return state;
}

std::shared_ptr<SubscriptionState> Hub::add_subscription(const tandem::MessageType & type, RosterEntry entry,
                                                         std::function<void()> arrived) {
  const std::lock_guard<std::mutex> lock(mutex_);
  auto state = std::make_shared<SubscriptionState>();
  announce_locked(entry);
  state->entry = std::move(entry);
  state->type = &type;
  state->arrived = std::move(arrived);
  subscriptions_.emplace(state->entry.endpoint.gid, state);
  match_locked();
  return state;
}

void Hub::remove_publisher(const std::shared_ptr<PublisherState> & publisher) {
  const std::lock_guard<std::mutex> lock(mutex_);
  erase(publishers_, publisher);
  const auto links = std::exchange(publisher->links, {});
  for (const auto & link : links) {
    link->orphaned = true;
    flush_locked(link);
  }
  roster_.remove(publisher->entry.endpoint.gid);
}

void Hub::remove_subscription(const std::shared_ptr<SubscriptionState> & subscription) {
  const std::lock_guard<std::mutex> lock(mutex_);
  subscriptions_.erase(subscription->entry.endpoint.gid);
  const auto links = std::exchange(subscription->links, {});
  for (const auto & link : links) {
    drop_locked(link);
  }
  subscription->queue.clear();
  roster_.remove(subscription->entry.endpoint.gid);
}

// --- matching --------------------------------------------------------------------------------------------------------

void Hub::match_locked() {
  for (const auto & publisher : publishers_) {
    match_locked(*publisher);
  }
  for (const auto & [gid, subscription] : subscriptions_) {
    roster_.matches(subscription->entry);  // for its warnings: publishers connect
  }
}

void Hub::match_locked(PublisherState & publisher) {
  for (const RosterEntry & subscription : roster_.matches(publisher.entry)) {
    const bool is_connected = std::any_of(publisher.links.begin(), publisher.links.end(), [&](const auto & link) {
      return link->setup().subscription == subscription.endpoint.gid;
    });
    if (!is_connected) {
      connect_locked(publisher, subscription);
    }
  }
}

void Hub::connect_locked(PublisherState & publisher, const RosterEntry & subscription) {
  Descriptor connection = make_socket();
  const sockaddr_un where = address_of(roster_.path_of(subscription.address));
  if (!connection || connect(connection.get(), reinterpret_cast<const sockaddr *>(&where), sizeof where) != 0) {
    return;  // the next look around tries again
  }
  const Qos & offered = publisher.entry.endpoint.qos;
  const Qos & wanted = subscription.endpoint.qos;
  const bool is_late_joiner = wanted.durability == Durability::kTransientLocal;
  std::size_t owed = is_late_joiner ? publisher.history.size() : 0;
  Outgoing::Setup setup{};
  setup.publisher = publisher.entry.endpoint.gid;
  setup.subscription = subscription.endpoint.gid;
  setup.owes_everything = must_wait(offered, wanted);
  setup.is_reliable = wanted.reliability == Reliability::kReliable;
  setup.bound = offered.history == History::kKeepAll && wanted.history == History::kKeepAll ? kKeepAllLimit : 1;
  for (const Qos & qos : {offered, wanted}) {
    if (qos.history == History::kKeepLast) {
      setup.bound = std::max<std::size_t>(setup.bound, qos.depth);
    }
  }
  if (wanted.history == History::kKeepLast) {
    owed = std::min<std::size_t>(owed, wanted.depth);
  }
  setup.first = publisher.next - owed;
  auto link = std::make_shared<Outgoing>(std::move(connection), setup);
  if (!link->greet()) {
    return;
  }
  std::for_each(publisher.history.end() - static_cast<std::ptrdiff_t>(owed), publisher.history.end(),
                [&](const Message & message) { link->push_history(message); });
  publisher.links.push_back(link);
  outgoing_.emplace(link->fd(), link);
  control_locked(EPOLL_CTL_ADD, link->fd(), EPOLLIN);
  flush_locked(link);
}

// --- the thread ------------------------------------------------------------------------------------------------------

bool Hub::finished_locked() const {
  const bool is_all_sent =
      std::all_of(outgoing_.begin(), outgoing_.end(), [](const auto & entry) { return entry.second->is_idle(); });
  return stopping_ && (is_all_sent || steady_clock::now() >= stop_by_);
}

void Hub::serve_locked(int fd) {
  if (fd == listener_.get()) {
    accept_locked();
  } else if (const auto out = outgoing_.find(fd); out != outgoing_.end()) {
    const auto link = out->second;
    link->listen() ? flush_locked(link) : drop_locked(link);
  } else if (const auto in = incoming_.find(fd); in != incoming_.end()) {
    const auto link = in->second;
    receive_locked(link);
  }
}

void Hub::run() {
  auto look_at = steady_clock::now() + kLookAround;
  for (;;) {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (finished_locked()) {
        return;
      }
      if (steady_clock::now() >= look_at) {
        look_at = steady_clock::now() + kLookAround;
        match_locked();
      }
    }
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(look_at - steady_clock::now()).count();
    epoll_event events[64];
    const int count = epoll_wait(epoll_.get(), events, 64, static_cast<int>(std::max<std::int64_t>(left, 0)));
    for (int i = 0; i < count; ++i) {
      const int fd = events[i].data.fd;
      if (fd == nudge_.get()) {
        std::uint64_t nudges = 0;
        [[maybe_unused]] const ssize_t got = read(fd, &nudges, sizeof nudges);
      } else {
        const std::lock_guard<std::mutex> lock(mutex_);
        serve_locked(fd);
      }
    }
  }
}

}  // namespace unixsocket
