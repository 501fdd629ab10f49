#include "hub.hpp"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <random>

namespace unixsocket {

using std::chrono::steady_clock;
using tandem::transport::Durability;
using tandem::transport::EndpointKind;
using tandem::transport::Error;
using tandem::transport::History;
using tandem::transport::Qos;

namespace {

constexpr auto kLookAround = std::chrono::seconds(1);
std::uint64_t random_id() {
  std::random_device source;
  return (static_cast<std::uint64_t>(source()) << 32) | source();
}

template <class T>
void erase(std::vector<std::shared_ptr<T>> & list, const std::shared_ptr<T> & item) {
  list.erase(std::remove(list.begin(), list.end(), item), list.end());
}

bool is_plain(const std::string & name) { return name.find_first_of("\t\n") == std::string::npos; }

}  // namespace

void Hub::control_locked(int operation, int fd, std::uint32_t events) {
  epoll_event event{};
  event.events = events;
  event.data.fd = fd;
  epoll_ctl(epoll_.get(), operation, fd, &event);
}

Bell::Bell() : fd_(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
  if (!fd_) {
    throw Error(std::string("rmw_unixsocket_cpp: no wait-set can be made: ") + std::strerror(errno));
  }
}

void Bell::ring() const {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = write(fd_.get(), &one, sizeof one);
}

void Bell::drain() const {
  std::uint64_t count = 0;
  [[maybe_unused]] const ssize_t got = read(fd_.get(), &count, sizeof count);
}

Hub::Hub(std::uint32_t domain)
    : id_(random_id()),
      folder_(domain, id_),
      epoll_(epoll_create1(EPOLL_CLOEXEC)),
      nudge_(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
  if (!epoll_ || !nudge_) {
    throw Error(std::string("rmw_unixsocket_cpp: no context can be made: ") + std::strerror(errno));
  }
  own_.id = folder_.id();
  for (const int fd : {folder_.listener(), folder_.watch(), nudge_.get()}) {
    control_locked(EPOLL_CTL_ADD, fd, EPOLLIN);
  }
  announce_locked();
  thread_ = std::thread([this] { run(); });
}

Hub::~Hub() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stopping_ = true;
    stop_by_ = steady_clock::now() + kLookAround;
  }
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = write(nudge_.get(), &one, sizeof one);
  thread_.join();
}

// --- what there is ---------------------------------------------------------------------------------------------------

void Hub::add(const NodeName & node) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!is_plain(node.name_space + node.name)) {
    throw Error("rmw_unixsocket_cpp: the node name '" + node.name + "' has a tab or a line break in it");
  }
  own_.nodes.push_back(node);
  announce_locked();
}

void Hub::remove(const NodeName & node) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = std::find_if(own_.nodes.begin(), own_.nodes.end(), [&](const NodeName & other) {
    return other.name_space == node.name_space && other.name == node.name;
  });
  if (found != own_.nodes.end()) {
    own_.nodes.erase(found);
    announce_locked();
  }
}

EndpointInfo Hub::make_endpoint(const tandem::MessageType & type, const EndpointInfo & info) {
  const std::string what = "rmw_unixsocket_cpp: topic '" + info.topic + "': ";
  if (info.topic.empty() || !is_plain(info.topic + info.node.name_space + info.node.name)) {
    throw Error(what + "the name is empty or has a tab or a line break in it");
  }
  if (info.qos.history == History::kKeepLast && info.qos.depth == 0) {
    throw Error(what + "a history depth of 0 keeps nothing; use 1 or more");
  }
  EndpointInfo endpoint = info;
  endpoint.abi = type.abi;
  endpoint.type_name = type.name;
  endpoint.type_hash = "RIHS01_";
  constexpr char kDigits[] = "0123456789abcdef";
  for (const std::uint8_t byte : type.hash) {
    endpoint.type_hash += {kDigits[byte >> 4], kDigits[byte & 15]};
  }
  const std::uint64_t number = ++last_number_;
  std::memcpy(endpoint.gid.data(), &id_, sizeof id_);
  std::memcpy(endpoint.gid.data() + sizeof id_, &number, sizeof number);
  return endpoint;
}

std::shared_ptr<PublisherState> Hub::add_publisher(const tandem::MessageType & type, const EndpointInfo & info) {
  const std::lock_guard<std::mutex> lock(mutex_);
  auto state = std::make_shared<PublisherState>();
  state->endpoint = make_endpoint(type, info);
  state->type = &type;
  publishers_.push_back(state);
  announce_locked();
  match_locked();
  return state;
}

std::shared_ptr<SubscriptionState> Hub::add_subscription(const tandem::MessageType & type, const EndpointInfo & info) {
  const std::lock_guard<std::mutex> lock(mutex_);
  auto state = std::make_shared<SubscriptionState>();
  state->endpoint = make_endpoint(type, info);
  state->type = &type;
  subscriptions_.emplace(state->endpoint.gid, state);
  announce_locked();
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
  announce_locked();
}

void Hub::remove_subscription(const std::shared_ptr<SubscriptionState> & subscription) {
  const std::lock_guard<std::mutex> lock(mutex_);
  subscriptions_.erase(subscription->endpoint.gid);
  const auto links = std::exchange(subscription->links, {});
  for (const auto & link : links) {
    drop_locked(link);
  }
  subscription->queue.clear();
  subscription->bell.reset();
  announce_locked();
}

void Hub::announce_locked() {
  own_.endpoints.clear();
  for (const auto & publisher : publishers_) {
    own_.endpoints.push_back(publisher->endpoint);
  }
  for (const auto & [gid, subscription] : subscriptions_) {
    own_.endpoints.push_back(subscription->endpoint);
  }
  folder_.announce(own_);
}

tandem::transport::GraphSnapshot Hub::graph() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  tandem::transport::GraphSnapshot graph;
  const auto add_all = [&graph](const Presence & presence) {
    graph.nodes.insert(graph.nodes.end(), presence.nodes.begin(), presence.nodes.end());
    for (const EndpointInfo & endpoint : presence.endpoints) {
      graph.endpoints.push_back(endpoint);
    }
  };
  add_all(own_);
  std::for_each(others_.begin(), others_.end(), add_all);
  return graph;
}

// --- matching --------------------------------------------------------------------------------------------------------

void Hub::match_locked() {
  for (const auto & publisher : publishers_) {
    for (const auto & [gid, subscription] : subscriptions_) {
      consider_locked(*publisher, subscription->endpoint, own_.id);
    }
  }
  for (const Presence & other : others_) {
    for (const EndpointInfo & endpoint : other.endpoints) {
      if (endpoint.kind == EndpointKind::kSubscription) {
        for (const auto & publisher : publishers_) {
          consider_locked(*publisher, endpoint, other.id);
        }
      } else {
        for (const auto & [gid, subscription] : subscriptions_) {
          warn_once_locked(endpoint, subscription->endpoint);
        }
      }
    }
  }
}

void Hub::warn_once_locked(const EndpointInfo & publisher, const EndpointInfo & subscription) {
  if (publisher.topic != subscription.topic) {
    return;
  }
  const std::string reason = mismatch(publisher, subscription);
  if (!reason.empty() && warned_.emplace(publisher.gid, subscription.gid).second) {
    std::fprintf(stderr, "[WARN] [rmw_unixsocket_cpp]: topic '%s': no match: %s\n", publisher.topic.c_str(),
                 reason.c_str());
  }
}

void Hub::consider_locked(PublisherState & publisher, const EndpointInfo & subscription, const std::string & id) {
  if (publisher.endpoint.topic != subscription.topic) {
    return;
  }
  const bool is_connected = std::any_of(publisher.links.begin(), publisher.links.end(), [&](const auto & link) {
    return link->setup().subscription == subscription.gid;
  });
  if (is_connected) {
    return;
  }
  if (!mismatch(publisher.endpoint, subscription).empty()) {
    warn_once_locked(publisher.endpoint, subscription);
    return;
  }
  connect_locked(publisher, subscription, id);
}

void Hub::connect_locked(PublisherState & publisher, const EndpointInfo & subscription, const std::string & id) {
  Descriptor connection = folder_.connect(id);
  if (!connection) {
    return;  // the next look around tries again
  }
  const Qos & offered = publisher.endpoint.qos;
  const Qos & wanted = subscription.qos;
  const bool is_late_joiner = wanted.durability == Durability::kTransientLocal;
  std::size_t owed = is_late_joiner ? publisher.history.size() : 0;
  Outgoing::Setup setup{};
  setup.publisher = publisher.endpoint.gid;
  setup.subscription = subscription.gid;
  setup.owes_everything = owes_everything(offered, wanted);
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
  if (fd == folder_.listener()) {
    accept_locked();
  } else if (const auto out = outgoing_.find(fd); out != outgoing_.end()) {
    const auto link = out->second;
    link->is_closed() ? drop_locked(link) : flush_locked(link);
  } else if (const auto in = incoming_.find(fd); in != incoming_.end()) {
    const auto link = in->second;
    receive_locked(link);
  }
}

void Hub::run() {
  auto look_at = steady_clock::now();
  for (;;) {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (finished_locked()) {
        return;
      }
    }
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(look_at - steady_clock::now()).count();
    epoll_event events[64];
    const int count = epoll_wait(epoll_.get(), events, 64, static_cast<int>(std::max<std::int64_t>(left, 0)));
    bool is_time_to_look = steady_clock::now() >= look_at;
    for (int i = 0; i < count; ++i) {
      const int fd = events[i].data.fd;
      if (fd == folder_.watch()) {
        folder_.drain_watch();
        is_time_to_look = true;
      } else if (fd == nudge_.get()) {
        std::uint64_t nudges = 0;
        [[maybe_unused]] const ssize_t got = read(fd, &nudges, sizeof nudges);
      } else {
        const std::lock_guard<std::mutex> lock(mutex_);
        serve_locked(fd);
      }
    }
    if (is_time_to_look) {
      look_at = steady_clock::now() + kLookAround;
      auto others = folder_.scan();
      const std::lock_guard<std::mutex> lock(mutex_);
      others_ = std::move(others);
      match_locked();
    }
  }
}

}  // namespace unixsocket
