// Byte streams, TCP or UNIX: one connection from each publisher to each subscriber. Both sides know the messages' size, so
// there is nothing on the wire but payload.
#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/time.h>

#include <algorithm>
#include <cerrno>
#include <thread>
#include <utility>
#include <vector>

#include "links/floor_sockets.hpp"

namespace lab {
namespace {

using std::chrono::nanoseconds;
using std::chrono::steady_clock;
using tandem::transport::Gid;
using tandem::transport::RosterEntry;

constexpr int kEmptyTakesPerLook = 256;

bool is_tcp(const Spec & spec) { return spec.link_name == "tcp"; }

Descriptor make_socket(bool tcp) {
  Descriptor made(socket(tcp ? AF_INET : AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!made) {
    fail_with_errno("no socket can be made");
  }
  return made;
}

bool has_ended(int socket) {
  char byte = 0;
  const ssize_t got = recv(socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  return got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR);
}

// --- outlet ----------------------------------------------------------------------------------------------------------

/// A connected subscriber, and what is still to be written to it of a message that it had no room for.
class Reader {
 public:
  Reader(const Gid & subscriber, Descriptor connection) : gid(subscriber), socket_(std::move(connection)) {}

  void push(std::span<const std::byte> message, steady_clock::time_point end) {
    const auto rest = write(message, end);
    rest_ = {rest.begin(), rest.end()};
  }
  /// \return whether nothing is left of the last message.
  bool finish(steady_clock::time_point end) {
    if (!rest_.empty()) {
      push(std::exchange(rest_, {}), end);
    }
    return rest_.empty();
  }
  /// Whether the kernel of the other side (TCP) or the other side (UNIX) has everything.
  bool is_idle() const {
    int waiting = 0;
    return rest_.empty() && (ioctl(socket_.get(), SIOCOUTQ, &waiting) != 0 || waiting == 0);
  }
  bool is_gone() const { return has_failed_ || has_ended(socket_.get()); }
  bool has_failed() const { return has_failed_; }

  Gid gid;

 private:
  /// \return what is left of the bytes when the time is over. Nothing is when the other side has gone.
  std::span<const std::byte> write(std::span<const std::byte> bytes, steady_clock::time_point end) {
    while (!bytes.empty() && !has_failed_) {
      const ssize_t written = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (written > 0) {
        bytes = bytes.subspan(static_cast<std::size_t>(written));
      } else if (errno != EAGAIN && errno != EINTR) {
        has_failed_ = true;
      } else if (steady_clock::now() >= end) {
        return bytes;
      }
    }
    return {};
  }

  bool has_failed_ = false;
  Descriptor socket_;
  std::vector<std::byte> rest_;
};

class StreamOutlet : public Outlet {
 public:
  StreamOutlet(std::shared_ptr<Meeting> meeting, const Spec & spec, const std::string & topic)
      : tcp_(is_tcp(spec)), place_(std::move(meeting), Place::Kind::kPublisher, topic, spec), own_(spec.size) {
    refuse_loan(spec);
    place_.announce("");
  }

  Sent send(const Fill & fill) override {
    look_around();
    const auto end = steady_clock::now() + kPatience;
    if (!finish(end)) {
      return Sent::kTimeout;
    }
    fill(own_);
    ++sent_;
    for (Reader & reader : readers_) {
      reader.push(own_, end);
    }
    return Sent::kOk;
  }

  std::size_t matched() const override {
    const_cast<StreamOutlet *>(this)->look_around();
    return readers_.size();
  }

  bool flush(std::chrono::milliseconds timeout) override {
    const auto end = steady_clock::now() + timeout;
    for (;;) {
      look_around();
      if (finish(end) &&
          std::all_of(readers_.begin(), readers_.end(), [](const Reader & reader) { return reader.is_idle(); })) {
        return true;
      }
      if (steady_clock::now() >= end) {
        return false;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

  std::uint64_t copied() const override { return sent_; }

 private:
  /// \return whether everything was written that was sent before.
  bool finish(steady_clock::time_point end) {
    std::erase_if(readers_, [](const Reader & reader) { return reader.has_failed(); });
    return std::all_of(readers_.begin(), readers_.end(), [end](Reader & reader) { return reader.finish(end); });
  }

  void look_around() {
    if (!place_.has_changed()) {
      return;
    }
    const auto others = place_.others();
    std::erase_if(readers_, [&](const Reader & reader) { return reader.is_gone() || !is_among(others, reader.gid); });
    for (const RosterEntry & other : others) {
      const auto & gid = other.endpoint.gid;
      if (std::none_of(readers_.begin(), readers_.end(), [&](const Reader & reader) { return reader.gid == gid; })) {
        connect_to(other);
      }
    }
  }

  void connect_to(const RosterEntry & other) {
    Descriptor connection = make_socket(tcp_);
    const timeval patience{std::chrono::seconds(kPatience).count(), 0};
    setsockopt(connection.get(), SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);  // of connect() as well
    if (tcp_) {
      const int on = 1;
      setsockopt(connection.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    }
    const Address there = tcp_ ? internet_address(other.address) : unix_address(place_.path_of(other.address));
    if (connect(connection.get(), there.get(), there.size) == 0) {
      readers_.emplace_back(other.endpoint.gid, std::move(connection));
    }  // else it has gone already
  }

  const bool tcp_;
  Place place_;
  std::vector<std::byte> own_;
  std::vector<Reader> readers_;
  std::uint64_t sent_ = 0;
};

// --- inlet -----------------------------------------------------------------------------------------------------------

/// A publisher's connection, and the message that is coming in.
struct StreamSource {
  Descriptor socket;
  std::shared_ptr<std::byte[]> buffer{};
  std::size_t filled = 0;
};

class StreamInlet : public Inlet {
 public:
  StreamInlet(std::shared_ptr<Meeting> meeting, const Spec & spec, const std::string & topic)
      : size_(spec.size),
        pool_(spec.size),
        place_(std::move(meeting), Place::Kind::kSubscription, topic, spec),
        listener_(make_socket(is_tcp(spec))) {
    const std::string name = place_.file_name("sock");
    const Address here =
        is_tcp(spec) ? internet_address(local_address(spec) + ":0") : unix_address(place_.path_of(name));
    if (bind(listener_.get(), here.get(), here.size) != 0 || listen(listener_.get(), SOMAXCONN) != 0) {
      fail_with_errno("no socket can be bound for topic " + topic);
    }
    list_files();
    place_.announce(is_tcp(spec) ? address_of(listener_.get()) : name);
  }

  Arrival take() override {
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      const std::size_t index = (turn_ + i) % sources_.size();
      if (receive(sources_[index])) {
        turn_ = index + 1;
        auto & source = sources_[index];
        source.filled = 0;
        return {{source.buffer.get(), size_}, std::exchange(source.buffer, nullptr)};
      }
    }
    if (has_end_ || ++empty_takes_ % kEmptyTakesPerLook == 0) {  // who polls never waits
      look_around();
    }
    return {};
  }

  void wait(nanoseconds timeout) override {
    const timespec length{timeout / std::chrono::seconds(1), (timeout % std::chrono::seconds(1)).count()};
    if (ppoll(files_.data(), files_.size(), &length, nullptr) <= 0) {
      return;
    }
    if (files_[0].revents != 0) {
      alarm_.clear();
    }
    if (files_[1].revents != 0) {
      look_around();
    }
  }

  void wake() override { alarm_.ring(); }

  std::size_t matched() const override { return const_cast<Place &>(place_).count(); }

 private:
  /// Whether the message is complete.
  bool receive(StreamSource & source) {
    if (!source.buffer) {
      source.buffer = pool_.get();
    }
    while (source.filled < size_) {
      const ssize_t got =
          recv(source.socket.get(), source.buffer.get() + source.filled, size_ - source.filled, MSG_DONTWAIT);
      if (got > 0) {
        source.filled += static_cast<std::size_t>(got);
      } else {
        has_end_ = has_end_ || got == 0 || (errno != EAGAIN && errno != EINTR);
        return false;
      }
    }
    return true;
  }

  /// Accepts who has connected, forgets who has ended and has nothing left to read.
  void look_around() {
    has_end_ = false;
    const auto before = sources_.size();
    const auto forgotten =
        std::erase_if(sources_, [](const StreamSource & source) { return has_ended(source.socket.get()); });
    for (pollfd waiting{listener_.get(), POLLIN, 0}; poll(&waiting, 1, 0) > 0;) {
      Descriptor connection(accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
      if (!connection) {
        break;
      }
      sources_.push_back({std::move(connection)});
    }
    if (forgotten != 0 || sources_.size() != before) {
      list_files();
    }
  }

  void list_files() {
    files_ = {{alarm_.fd(), POLLIN, 0}, {listener_.get(), POLLIN, 0}};
    for (const StreamSource & source : sources_) {
      files_.push_back({source.socket.get(), POLLIN, 0});
    }
  }

  const std::size_t size_;
  BufferPool pool_;
  Place place_;
  Descriptor listener_;
  Alarm alarm_;
  std::vector<StreamSource> sources_;
  std::vector<pollfd> files_;
  std::size_t turn_ = 0;
  int empty_takes_ = 0;
  bool has_end_ = false;  ///< of a source, seen while receiving
};

}  // namespace

std::unique_ptr<Link> make_stream_link(const Spec & spec) {
  return std::make_unique<MeetingLink<StreamOutlet, StreamInlet>>(spec);
}

}  // namespace lab
