#include "publisher.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace rmw_zeromq {

using std::chrono::nanoseconds;
using std::chrono::steady_clock;
using tandem::transport::Durability;
using tandem::transport::Error;
using tandem::transport::History;
using tandem::transport::Qos;
using tandem::transport::Reliability;

namespace {

/// Messages that a keep-all end keeps, fewer if they are large.
constexpr std::size_t kKeepAllLimit = 1000;
constexpr std::size_t kKeepAllBytes = std::size_t{256} << 20;
/// A reader that connects before the roster knows it is believed for so long.
constexpr auto kUnknown = std::chrono::seconds(10);
constexpr nanoseconds kLong = std::chrono::hours(24);

std::uint16_t window_of(const tandem::MessageType & type) {
  return static_cast<std::uint16_t>(std::clamp<std::size_t>(kKeepAllBytes / type.size, 16, kKeepAllLimit));
}

std::string_view text_of(const zmq::message_t & message) {
  return {static_cast<const char *>(message.data()), message.size()};
}

/// The same bytes; large ones are shared.
zmq::message_t share(zmq::message_t & message) {
  zmq::message_t copy;
  copy.copy(message);
  return copy;
}

bool is_of_same_participant(const Gid & a, const Gid & b) { return std::equal(a.begin(), a.begin() + 12, b.begin()); }

bool receive(zmq::socket_t & socket, zmq::message_t & message) {
  return zmq_msg_recv(message.handle(), socket.handle(), ZMQ_DONTWAIT) >= 0;
}

}  // namespace

PublisherBody::PublisherBody(Hub & hub, const tandem::MessageType & type, RosterEntry entry)
    : entry_(std::move(entry)),
      frames_(std::make_shared<FramePool>(type, !hub.settings().is_vendor)),
      window_(window_of(type)),
      hub_(&hub),
      socket_(hub.make_socket(zmq::socket_type::router, entry_.endpoint.topic)) {
  entry_.endpoint.gid = hub.roster().new_gid();
  socket_.set(zmq::sockopt::router_mandatory, true);
  socket_.set(zmq::sockopt::router_handover, true);          // a reader that connects again takes its name along
  socket_.set(zmq::sockopt::maxmsgsize, std::int64_t{256});  // readers send headers only
  if (!hub.settings().is_vendor) {
    socket_.set(zmq::sockopt::backlog, 4096);
    const int depth = static_cast<int>(std::min<std::size_t>(entry_.endpoint.qos.depth, kKeepAllLimit));
    socket_.set(zmq::sockopt::sndhwm, std::clamp(2 * depth, 16, static_cast<int>(window_)));
  }
  bind(hub);
}

void PublisherBody::bind(Hub & hub) {
  const std::string what = std::string(kName) + ": topic '" + entry_.endpoint.topic + "': ";
  const Settings & settings = hub.settings();
  if (!settings.is_tcp) {
    std::uint32_t number = 0;
    std::memcpy(&number, entry_.endpoint.gid.data() + 12, sizeof number);
    entry_.address = hub.roster().id() + "." + std::to_string(ntohl(number)) + ".ipc";
    if (zmq_bind(socket_.handle(), ("ipc://" + hub.roster().path_of(entry_.address)).c_str()) != 0) {
      throw Error(what + "no socket can be made beside the roster: " + zmq_strerror(zmq_errno()) +
                  ". Set TANDEM_SHM_DIR to a directory of yours");
    }
    return;
  }
  const std::string host = "tcp://" + settings.address + ":";
  for (std::uint32_t port = settings.first_port; port <= settings.last_port; ++port) {
    if (zmq_bind(socket_.handle(), (host + (port == 0 ? "*" : std::to_string(port))).c_str()) == 0) {
      entry_.address = socket_.get(zmq::sockopt::last_endpoint);
      if (const auto any = entry_.address.find("//0.0.0.0:"); any != std::string::npos) {
        entry_.address.replace(any + 2, 7, "127.0.0.1");
      }
      return;
    }
    if (zmq_errno() != EADDRINUSE) {
      throw Error(what + "the address " + settings.address + " cannot be bound: " + zmq_strerror(zmq_errno()) +
                  ". Set TANDEM_ZEROMQ_ADDRESS to an address or an interface of this host");
    }
  }
  throw Error(what + "every port of TANDEM_ZEROMQ_PORTS (" + std::to_string(settings.first_port) + "-" +
              std::to_string(settings.last_port) + ") is in use. Each publisher needs one: widen the range");
}

void PublisherBody::open(std::uint32_t number) {
  const std::lock_guard<std::mutex> lock(mutex_);
  hub_->poller().add(socket_.get(zmq::sockopt::fd), number, 0);
  receive_locked();
}

// --- its readers -----------------------------------------------------------------------------------------------------

std::size_t PublisherBody::reader_count() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return readers_.size();
}

void PublisherBody::serve(std::uint32_t) {
  const std::lock_guard<std::mutex> lock(mutex_);
  settle_locked();
}

void PublisherBody::settle_locked() {
  receive_locked();
  for (bool is_going_on = true; is_going_on;) {
    is_going_on = false;
    for (Reader & reader : readers_) {
      const std::size_t before = reader.waiting.size();
      flush_locked(reader);
      is_going_on = is_going_on || reader.waiting.size() < before;
    }
    if (is_going_on) {
      receive_locked();
    }
  }
  // Sending may hear of frames to receive, after the last time that they were asked for: seldom, but then nobody else
  // hears it. So the hub looks again while something waits.
  const auto is_behind = [](const Reader & reader) { return !reader.waiting.empty(); };
  if (hub_ != nullptr && std::any_of(readers_.begin(), readers_.end(), is_behind)) {
    hub_->request_ticks();
  }
}

void PublisherBody::receive_locked() {
  zmq::message_t id;
  zmq::message_t frame;
  while (receive(socket_, id)) {
    int parts = 0;
    for (bool has_more = id.more(); has_more && receive(socket_, frame); has_more = frame.more()) {
      ++parts;
    }
    const auto header = header_of(frame);
    if (parts == 1 && frame.size() == 0) {
      admit_locked(id);
    } else if (parts == 1 && header && frame.size() == sizeof(Header) && header->publisher == entry_.endpoint.gid) {
      hear_locked(id, *header);
    } else {
      warn_once("something other than a subscription speaks to this publisher at " + entry_.address +
                "; what it says is dropped");
    }
  }
}

void PublisherBody::warn_once(const std::string & text) {
  if (!std::exchange(has_warned_, true)) {
    tandem::transport::warn(kName, entry_.endpoint.topic, text);
  }
}

void PublisherBody::hear_locked(const zmq::message_t & id, const Header & header) {
  const auto reader =
      std::find_if(readers_.begin(), readers_.end(), [&](const Reader & one) { return one.id == text_of(id); });
  if (reader == readers_.end() || header.sequence > next_) {
    return;
  }
  if (header.kind == Kind::kTaken) {
    reader->taken = std::max(reader->taken, header.sequence);
  } else if (header.kind == Kind::kAnswer) {
    reader->answered = std::max(reader->answered, header.sequence);
  }
  changed_.notify_all();
}

std::size_t PublisherBody::owed_locked(const Introduction & reader) const {
  if (!reader.wants_history) {
    return 0;
  }
  return reader.keeps_all ? history_.size() : std::min<std::size_t>(history_.size(), reader.depth);
}

void PublisherBody::admit_locked(const zmq::message_t & id) {
  const auto introduction = Introduction::parse(id);
  if (!introduction || introduction->publisher != Introduction::tag_of(entry_.endpoint.gid)) {
    warn_once("something other than a subscription has connected to this publisher at " + entry_.address +
              "; it gets nothing");
    return;
  }
  const bool is_known = hub_ == nullptr || std::any_of(readers_.begin(), readers_.end(),
                                                       [&](const Reader & one) { return one.id == text_of(id); });
  if (is_known) {
    return;
  }
  const Qos & qos = entry_.endpoint.qos;
  const bool keeps_all = qos.history == History::kKeepAll;
  Reader reader;
  reader.id = text_of(id);
  reader.gid = introduction->subscription;
  reader.is_reliable = introduction->is_reliable;
  reader.must_wait =
      keeps_all && introduction->keeps_all && introduction->is_reliable && qos.reliability == Reliability::kReliable;
  reader.since = steady_clock::now();
  const std::vector<RosterEntry> known = hub_->roster().matches(entry_);
  reader.is_in_roster = std::any_of(known.begin(), known.end(),
                                    [&](const RosterEntry & other) { return other.endpoint.gid == reader.gid; });
  if (!reader.is_in_roster) {
    if (is_of_same_participant(reader.gid, entry_.endpoint.gid)) {
      return;  // it has left: of its own participant the roster knows at once
    }
    hub_->request_ticks();
  }
  reader.bound = std::max<std::size_t>({keeps_all && introduction->keeps_all ? window_ : std::size_t{1},
                                        keeps_all ? 1 : qos.depth, introduction->keeps_all ? 1 : introduction->depth});
  const std::size_t owed = owed_locked(*introduction);
  reader.taken = next_ - owed;
  tell_locked(reader, Kind::kWelcome, next_ - owed);
  for (std::size_t i = history_.size() - owed; i < history_.size(); ++i) {
    // Not as a message that may be overwritten: there are no more than the reader wants.
    send_locked(reader, share(history_[i]), false);
  }
  readers_.push_back(std::move(reader));
}

void PublisherBody::match() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (hub_ == nullptr) {
    return;
  }
  const std::vector<RosterEntry> others = hub_->roster().matches(entry_);
  const auto now = steady_clock::now();
  std::erase_if(readers_, [&](Reader & reader) {
    const bool is_there = std::any_of(others.begin(), others.end(),
                                      [&](const RosterEntry & other) { return other.endpoint.gid == reader.gid; });
    const bool was_there = std::exchange(reader.is_in_roster, is_there);
    return !is_there && (was_there || now - reader.since > kUnknown);
  });
  changed_.notify_all();
}

// --- sending ---------------------------------------------------------------------------------------------------------

bool PublisherBody::has_room_locked() const {
  return std::none_of(readers_.begin(), readers_.end(),
                      [this](const Reader & reader) { return reader.must_wait && next_ - reader.taken >= window_; });
}

PublishResult PublisherBody::publish(zmq::message_t frame, Encoding encoding, std::int64_t stamp) {
  const Qos & qos = entry_.endpoint.qos;
  std::unique_lock<std::mutex> lock(mutex_);
  if (!has_room_locked()) {
    const auto limit = std::clamp<nanoseconds>(qos.max_blocking_time, nanoseconds(0), kLong);
    if (!changed_.wait_until(lock, steady_clock::now() + limit, [this] { return is_closed_ || has_room_locked(); })) {
      return PublishResult::kTimeout;
    }
  }
  if (is_closed_) {
    return PublishResult::kClosed;
  }
  Header header;
  header.encoding = encoding;
  header.sequence = next_++;
  header.stamp = stamp;
  header.publisher = entry_.endpoint.gid;
  std::memcpy(frame.data(), &header, sizeof header);
  if (qos.durability == Durability::kTransientLocal) {
    history_.push_back(share(frame));
    if (history_.size() > (qos.history == History::kKeepAll ? window_ : qos.depth)) {
      history_.pop_front();
    }
  }
  if (!readers_.empty()) {
    const auto last = std::prev(readers_.end());
    std::for_each(readers_.begin(), last, [&](Reader & reader) { send_locked(reader, share(frame), true); });
    send_locked(*last, std::move(frame), true);
    settle_locked();
  }
  return PublishResult::kOk;
}

void PublisherBody::tell_locked(Reader & reader, Kind kind, std::uint64_t sequence) {
  Header header;
  header.kind = kind;
  header.window = reader.must_wait ? window_ : std::uint16_t{0};
  header.sequence = sequence;
  header.publisher = entry_.endpoint.gid;
  send_locked(reader, zmq::message_t(&header, sizeof header), false);
}

void PublisherBody::send_locked(Reader & reader, zmq::message_t frame, bool is_message) {
  if (flush_locked(reader) && try_send_locked(reader, frame)) {
    return;
  }
  reader.waiting.push_back({std::move(frame), is_message});
  if (!is_message || reader.must_wait) {
    return;
  }
  const auto is_old = [](const Waiting & one) { return one.is_message; };
  if (static_cast<std::size_t>(std::count_if(reader.waiting.begin(), reader.waiting.end(), is_old)) > reader.bound) {
    reader.waiting.erase(std::find_if(reader.waiting.begin(), reader.waiting.end(), is_old));
  }
}

bool PublisherBody::try_send_locked(const Reader & reader, zmq::message_t & frame) {
  if (zmq_send(socket_.handle(), reader.id.data(), reader.id.size(), ZMQ_SNDMORE | ZMQ_DONTWAIT) < 0) {
    // The reader is behind: the hub goes on when there is room. Or it is not there: the roster will tell, and if only
    // the connection is broken, the reader counts what it misses.
    return zmq_errno() != EAGAIN && zmq_errno() != EINTR;
  }
  return zmq_msg_send(frame.handle(), socket_.handle(), ZMQ_DONTWAIT) >= 0;
}

bool PublisherBody::flush_locked(Reader & reader) {
  while (!reader.waiting.empty()) {
    if (!try_send_locked(reader, reader.waiting.front().frame)) {
      return false;
    }
    reader.waiting.pop_front();
  }
  return true;
}

bool PublisherBody::wait_until_acked(nanoseconds timeout) {
  std::unique_lock<std::mutex> lock(mutex_);
  const std::uint64_t sequence = next_;
  std::vector<Gid> asked;
  for (Reader & reader : readers_) {
    if (reader.is_reliable && reader.answered < sequence) {
      asked.push_back(reader.gid);
      if (std::exchange(reader.asked, sequence) < sequence) {
        tell_locked(reader, Kind::kQuestion, sequence);
      }
    }
  }
  settle_locked();
  const auto is_acked = [&] {
    return is_closed_ || std::none_of(readers_.begin(), readers_.end(), [&](const Reader & reader) {
             return reader.answered < sequence && std::find(asked.begin(), asked.end(), reader.gid) != asked.end();
           });
  };
  if (timeout < nanoseconds(0)) {
    changed_.wait(lock, is_acked);
    return true;
  }
  return changed_.wait_until(lock, steady_clock::now() + std::min(timeout, kLong), is_acked);
}

// --- its end ---------------------------------------------------------------------------------------------------------

bool PublisherBody::tick() {
  const std::lock_guard<std::mutex> lock(mutex_);
  settle_locked();
  const auto now = steady_clock::now();
  const auto left = std::erase_if(
      readers_, [now](const Reader & reader) { return !reader.is_in_roster && now - reader.since > kUnknown; });
  if (left > 0) {
    changed_.notify_all();
  }
  return std::any_of(readers_.begin(), readers_.end(),
                     [](const Reader & reader) { return !reader.waiting.empty() || !reader.is_in_roster; });
}

bool PublisherBody::close() {
  bool is_done = true;
  const std::lock_guard<std::mutex> lock(mutex_);
  hub_->poller().remove(socket_.get(zmq::sockopt::fd));
  for (Reader & reader : readers_) {
    tell_locked(reader, Kind::kFarewell, next_);
    is_done = reader.waiting.empty() && is_done;
  }
  is_closed_ = true;
  hub_ = nullptr;
  changed_.notify_all();
  return is_done;
}

}  // namespace rmw_zeromq
