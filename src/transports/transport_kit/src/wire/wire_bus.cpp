#include "wire/wire_bus.hpp"

#include <sys/epoll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <set>

#include "roster/roster_folder.hpp"
#include "tandem/kit/fork_generation.hpp"
#include "tandem/kit/threads.hpp"
#include "tandem/kit/unix_address.hpp"
#include "tandem/service.hpp"
#include "wire/wire_reader.hpp"
#include "wire/wire_writer.hpp"

namespace tandem::transport {
namespace {

/// What is still owed to others when a publisher ends, they get within this time.
constexpr auto kLinger = std::chrono::seconds(1);
constexpr auto kSecondTry = std::chrono::milliseconds(100);
constexpr auto kLingerTick = std::chrono::milliseconds(10);

/// A burst of calls is not cut to the ten that services keep by default. What is kept is each client's.
constexpr std::uint32_t kLeastDepthOfServices = 255;

RosterEntry entry_of(const EndpointInfo & endpoint, const Gid & gid, bool ignore_local) {
  RosterEntry entry{endpoint, {}, ignore_local};
  entry.endpoint.gid = gid;
  if (channel_of(endpoint.topic) != Channel::kTopic) {
    entry.endpoint.qos.depth = std::max(endpoint.qos.depth, kLeastDepthOfServices);
  }
  return entry;
}

std::string participant_of(const Gid & endpoint) { return to_hex(endpoint).substr(0, kIdSize); }

std::string calls_of(const std::string & participant) { return participant + ".calls"; }
std::string table_of(const std::string & participant) { return participant + ".connections"; }

}  // namespace

std::string file_of(const Gid & publisher, const std::string & ending) {
  const std::string digits = to_hex(publisher);
  return digits.substr(0, kIdSize) + "." + digits.substr(kIdSize) + ending;
}

std::shared_ptr<Bus> make_bus(const char * name, std::uint32_t domain,
                              const std::function<std::unique_ptr<Wire>(const Surroundings &)> & make_wire) {
  return std::make_shared<WireBus>(name, domain, make_wire);
}

WireBus::WireBus(const char * name, std::uint32_t domain,
                 const std::function<std::unique_ptr<Wire>(const Surroundings &)> & make_wire)
    : name_(name),
      generation_(fork_generation()),
      poller_(name),
      roster_(std::make_unique<Roster>(name, domain, [this] {
        is_roster_changed_ = true;
        call_self();
      })) {
  own_ = roster_->new_gid();
  open_calls();
  connections_ = ConnectionTable::create(roster_->path_of(table_of(roster_->id())), name_);
  wire_ = make_wire({domain, *roster_, poller_});
  thread_ = start_thread(name_, [this] { run(); });
}

WireBus::~WireBus() {
  if (is_foreign()) {
    thread_.detach();  // it is not in this process, nor are the middleware's, so nothing of it is ended
    [[maybe_unused]] const Wire * const wire = wire_.release();
    new auto(std::move(lingering_));
    return;
  }
  is_stopping_ = true;
  poller_.ring();
  thread_.join();
  lingering_.clear();
  wire_.reset();
  roster_.reset();  // no callback from here on
}

bool WireBus::is_foreign() const { return generation_ != fork_generation(); }

void WireBus::open_calls() {
  calls_ = Descriptor(socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  const sockaddr_un where = unix_address(roster_->path_of(calls_of(roster_->id())));
  if (!calls_ || bind(calls_.get(), reinterpret_cast<const sockaddr *>(&where), sizeof where) != 0) {
    throw Error(std::string(name_) + ": no socket can be made beside the roster: " + std::strerror(errno) +
                ". Set TANDEM_SHM_DIR to a directory of yours");
  }
  poller_.watch(calls_.get(), EPOLLIN, [this] {
    char ignored = 0;
    while (recv(calls_.get(), &ignored, sizeof ignored, MSG_DONTWAIT) >= 0) {
    }
    is_changed_ = true;
  });
}

void WireBus::call_self() {
  is_changed_ = true;
  poller_.ring();
}

void WireBus::call(const Gid & endpoint) {
  if (is_own(endpoint)) {
    call_self();
    return;
  }
  const sockaddr_un where = unix_address(roster_->path_of(calls_of(participant_of(endpoint))));
  const char word = 0;
  // Where there is no room, calls wait to be heard: one more says no more.
  sendto(calls_.get(), &word, sizeof word, MSG_DONTWAIT | MSG_NOSIGNAL, reinterpret_cast<const sockaddr *>(&where),
         sizeof where);
}

std::shared_ptr<ConnectionTable> WireBus::connections_of(const Gid & endpoint) {
  if (is_own(endpoint)) {
    return connections_;
  }
  const std::string participant = participant_of(endpoint);
  const std::lock_guard<std::mutex> lock(tables_mutex_);
  std::shared_ptr<ConnectionTable> & table = tables_[participant];
  if (!table) {
    table = ConnectionTable::open(roster_->path_of(table_of(participant)));
  }
  return table;
}

std::shared_ptr<Writer> WireBus::create_writer(const MessageType & type, const EndpointInfo & endpoint) {
  return std::make_shared<WireWriter>(shared_from_this(), type, entry_of(endpoint, roster_->new_gid(), false));
}

std::shared_ptr<Reader> WireBus::create_reader(const MessageType & type, const EndpointInfo & endpoint,
                                               bool ignore_local, std::function<void()> on_data) {
  return std::make_shared<WireReader>(shared_from_this(), type, entry_of(endpoint, roster_->new_gid(), ignore_local),
                                      std::move(on_data));
}

void WireBus::add(WireEndpoint & endpoint) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    endpoints_.push_back(&endpoint);
  }
  try {
    roster_->add(endpoint.entry());
    attend(&endpoint.entry().endpoint.topic);
  } catch (...) {
    remove(endpoint);
    throw;
  }
  call_self();  // there may be something to be tried again
}

void WireBus::remove(WireEndpoint & endpoint) {
  roster_->remove(endpoint.entry().endpoint.gid);
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::erase(endpoints_, &endpoint);
  }
  try {
    attend(&endpoint.entry().endpoint.topic);
  } catch (const std::exception &) {  // there is no memory: the thread tries again
  }
  call_self();
}

void WireBus::linger(std::shared_ptr<void> kept, std::function<bool()> is_done) {
  {
    const std::lock_guard<std::mutex> lock(lingering_mutex_);
    lingering_.push_back({std::move(kept), std::move(is_done), Clock::now() + kLinger});
  }
  poller_.ring();
}

/// Connects the endpoints of a topic, or of all (null): the subscriptions first, since publishers look for their rows.
/// \return when to do so again at the latest.
Clock::time_point WireBus::attend(const std::string * topic) {
  auto next = Clock::time_point::max();
  std::vector<std::shared_ptr<StatusBoard>> changed;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const EndpointKind kind : {EndpointKind::kSubscription, EndpointKind::kPublisher}) {
      for (WireEndpoint * endpoint : endpoints_) {
        const EndpointInfo & info = endpoint->entry().endpoint;
        if (info.kind != kind || (topic != nullptr && info.topic != *topic)) {
          continue;
        }
        StatusBoard::Counterparts misfits;
        next = std::min(next, endpoint->connect(roster_->matches(endpoint->entry(), &misfits)));
        if (endpoint->board->set(endpoint->connected(), std::move(misfits))) {
          changed.push_back(endpoint->board);
        }
      }
    }
  }
  for (const auto & board : changed) {
    board->notify();
  }
  return next;
}

/// \return whether something still lingers.
bool WireBus::serve_lingering() {
  std::vector<Lingering> all;
  {
    const std::lock_guard<std::mutex> lock(lingering_mutex_);
    all.swap(lingering_);
  }
  std::erase_if(all, [](const Lingering & one) { return one.is_done() || Clock::now() >= one.until; });
  const std::lock_guard<std::mutex> lock(lingering_mutex_);
  std::move(all.begin(), all.end(), std::back_inserter(lingering_));
  return !lingering_.empty();
}

void WireBus::forget_the_gone() {
  std::set<std::string> present;
  for (const RosterEntry & other : roster_->others()) {
    present.insert(participant_of(other.endpoint.gid));
  }
  const bool has_one_left = !std::includes(present.begin(), present.end(), present_.begin(), present_.end());
  present_ = std::move(present);
  if (has_one_left) {
    wire_->peer_has_left();
    const std::lock_guard<std::mutex> lock(tables_mutex_);
    std::erase_if(tables_, [&](const auto & item) { return present_.count(item.first) == 0; });
  }
}

WaiterLease WireBus::lease_waiter() {
  if (wire_->waking() == Waking::kDescriptor) {
    return lease_poll_waiter(name_, poller_);
  }
  const std::lock_guard<std::mutex> lock(waiters_mutex_);
  std::uint32_t number = 1;
  while (number < ConnectionTable::kWaiters - 1 && waiters_.count(number) > 0) {
    ++number;
  }
  waiters_.insert(number);  // the last one is shared by all that find no other: they wake each other
  return WaiterLease(new TableWaiter(connections_, number), [bus = shared_from_this()](Waiter * used) {
    const std::lock_guard<std::mutex> back(bus->waiters_mutex_);
    bus->waiters_.erase(static_cast<TableWaiter *>(used)->number);
    delete used;
  });
}

Clock::time_point WireBus::attend_to_all() {
  try {
    const auto next = attend(nullptr);
    if (is_roster_changed_.exchange(false)) {
      forget_the_gone();
    }
    return next;
  } catch (const std::exception &) {  // there is no memory now
    return Clock::now() + kSecondTry;
  }
}

void WireBus::run() {
  auto next = Clock::time_point::max();
  for (bool is_lingering = false; !is_stopping_ || is_lingering;) {
    if (is_changed_.exchange(false) || Clock::now() >= next) {
      next = attend_to_all();
    }
    is_lingering = serve_lingering();
    auto until = is_lingering ? std::min(next, Clock::now() + kLingerTick) : next;
    if (is_changed_ || (is_stopping_ && !is_lingering)) {
      until = Clock::now();
    }
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(
        std::clamp<Clock::duration>(until - Clock::now(), Clock::duration(0), std::chrono::hours(1)));
    poller_.serve(until == Clock::time_point::max() ? -1 : static_cast<int>(left.count()));
  }
}

}  // namespace tandem::transport
