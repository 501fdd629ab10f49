// UDP: one datagram for each message and subscriber. Best effort: what the receiver's buffer cannot hold is lost.
#include <netinet/in.h>
#include <poll.h>

#include <cerrno>
#include <utility>
#include <vector>

#include "links/floor_sockets.hpp"

namespace lab {
namespace {

using std::chrono::nanoseconds;
using tandem::transport::RosterEntry;

constexpr std::size_t kLargest = 65507;
constexpr int kBuffer = 4 << 20;  ///< bytes that the kernel is asked to keep, as far as net.core.rmem_max allows

Descriptor make_socket(const Spec & spec) {
  if (spec.size > kLargest) {
    throw Unsupported("a UDP datagram holds at most " + std::to_string(kLargest) + " bytes, not " +
                      std::to_string(spec.size));
  }
  Descriptor made(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  const Address here = internet_address(local_address(spec) + ":0");
  if (!made || bind(made.get(), here.get(), here.size) != 0) {
    fail_with_errno("no UDP socket can be bound");
  }
  setsockopt(made.get(), SOL_SOCKET, SO_RCVBUF, &kBuffer, sizeof kBuffer);
  return made;
}

class DatagramOutlet : public Outlet {
 public:
  DatagramOutlet(std::shared_ptr<Meeting> meeting, const Spec & spec, const std::string & topic)
      : place_(std::move(meeting), Place::Kind::kPublisher, topic, spec), socket_(make_socket(spec)), own_(spec.size) {
    refuse_loan(spec);
    place_.announce("");
  }

  Sent send(const Fill & fill) override {
    look_around();
    fill(own_);
    ++sent_;
    for (const Address & reader : readers_) {
      const ssize_t sent = sendto(socket_.get(), own_.data(), own_.size(), MSG_NOSIGNAL, reader.get(), reader.size);
      if (sent < 0 && errno != ECONNREFUSED && errno != ENOBUFS && errno != EAGAIN && errno != EINTR) {
        fail_with_errno("a datagram cannot be sent");
      }
    }
    return Sent::kOk;
  }

  std::size_t matched() const override {
    const_cast<DatagramOutlet *>(this)->look_around();
    return readers_.size();
  }
  bool flush(std::chrono::milliseconds) override { return true; }
  std::uint64_t copied() const override { return sent_; }

 private:
  void look_around() {
    if (place_.has_changed()) {
      readers_.clear();
      for (const RosterEntry & other : place_.others()) {
        readers_.push_back(internet_address(other.address));
      }
    }
  }

  Place place_;
  Descriptor socket_;
  std::vector<std::byte> own_;
  std::vector<Address> readers_;
  std::uint64_t sent_ = 0;
};

class DatagramInlet : public Inlet {
 public:
  DatagramInlet(std::shared_ptr<Meeting> meeting, const Spec & spec, const std::string & topic)
      : size_(spec.size),
        pool_(spec.size),
        place_(std::move(meeting), Place::Kind::kSubscription, topic, spec),
        socket_(make_socket(spec)) {
    place_.announce(address_of(socket_.get()));
  }

  Arrival take() override {
    auto buffer = pool_.get();
    const ssize_t got = recv(socket_.get(), buffer.get(), size_, MSG_DONTWAIT | MSG_TRUNC);
    if (got < 0 || static_cast<std::size_t>(got) != size_) {
      return {};  // nothing, or a stranger's
    }
    return {{buffer.get(), size_}, std::move(buffer)};
  }

  void wait(nanoseconds timeout) override {
    const timespec length{timeout / std::chrono::seconds(1), (timeout % std::chrono::seconds(1)).count()};
    pollfd files[] = {{alarm_.fd(), POLLIN, 0}, {socket_.get(), POLLIN, 0}};
    if (ppoll(files, 2, &length, nullptr) > 0 && files[0].revents != 0) {
      alarm_.clear();
    }
  }

  void wake() override { alarm_.ring(); }

  std::size_t matched() const override { return const_cast<Place &>(place_).count(); }

 private:
  const std::size_t size_;
  BufferPool pool_;
  Place place_;
  Descriptor socket_;
  Alarm alarm_;
};

}  // namespace

std::unique_ptr<Link> make_datagram_link(const Spec & spec) {
  return std::make_unique<MeetingLink<DatagramOutlet, DatagramInlet>>(spec);
}

}  // namespace lab
