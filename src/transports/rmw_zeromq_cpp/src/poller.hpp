// Sleeping on the descriptors of many sockets (ZMQ_FD), in the user's own thread where one waits, else in the hub's.
//
// A ZMQ_FD says only that libzmq has something to tell; it is readable until a call on the socket has heard it. What
// must hold:
//   Z1  Who has called anything on a socket goes on receiving until there is nothing left, before he lets go of the lock
//       that guards it: any call may hear what another thread waits for on the descriptor.
//   Z2  What is received this way lies in queues. Who fills one says so (the count, seq_cst), then looks whether its
//       waiter waits, and rings if so; the waiter says that it waits (seq_cst), then looks at the counts, then sleeps.
//       One of the two sees the other.
//   Z3  The hub's thread serves a wait-set's sockets while nobody waits in it, and touches neither them nor the bell
//       while somebody does (WaitSet's mutex).
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "tandem/transport_support/descriptor.hpp"

namespace rmw_zeromq {

/// Something with sockets that get served when a descriptor is readable. Known by number, process-wide.
class Served {
 public:
  virtual ~Served() = default;
  /// `part` tells which of its sockets.
  virtual void serve(std::uint32_t part) = 0;

  /// A number for an object, as long as it lives. Thread-safe.
  static std::uint32_t enlist(const std::shared_ptr<Served> & object);
  static void strike(std::uint32_t number);
  static std::shared_ptr<Served> find(std::uint32_t number);
};

/// Set apart in a child of fork(): what its parent had is not to be touched there.
std::uint32_t fork_generation();

/// An epoll set with a bell. Thread-safe.
class Poller {
 public:
  /// \throws tandem::transport::Error when no more files can be opened.
  Poller();
  int fd() const { return epoll_.get(); }
  void add(int fd, std::uint32_t number, std::uint32_t part) const;
  void remove(int fd) const;
  /// Whether it takes part, without forgetting it.
  void enable(int fd, std::uint32_t number, bool is_enabled) const;

  /// Serves what is readable, after at most `milliseconds` (-1: without end).
  void serve(int milliseconds);
  /// Ends the present or the next serve(). Async-signal-safe.
  void ring() const noexcept;
  /// Z2: rings if somebody waits.
  void ring_waiter() const noexcept {
    if (is_waiting.load(std::memory_order_seq_cst)) {
      ring();
    }
  }

  /// Z2: set by who is about to call serve(), reset there.
  std::atomic<bool> is_waiting{false};

 private:
  tandem::transport::Descriptor epoll_;
  tandem::transport::Descriptor bell_;
};

}  // namespace rmw_zeromq
