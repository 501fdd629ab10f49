// What a program that measures sends and receives through: a transport, a floor, a library without our code. Measuring
// knows none of them.
//
// One thread at a time uses an object of this file, except where it says otherwise.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>

#include "tandem/transport.hpp"

namespace tandem::measure {

/// This link cannot do what it is asked for (lend, such a size). what() is for people.
class Unsupported : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Writes a payload where it lies. Called between borrowing and publishing, once a message.
using Fill = std::function<void(std::span<std::byte> payload)>;

enum class Sent : std::uint8_t { kOk, kNoLoan, kTimeout };

class Outlet {
 public:
  virtual ~Outlet() = default;
  /// Has the message filled, then publishes it: borrowed when the link lends, else a message that is used again.
  /// `fill` ends with the send stamp, so what comes after it is latency. \throws std::runtime_error when the link is broken.
  virtual Sent send(const Fill & fill) = 0;
  /// Subscriptions that would receive the next message.
  virtual std::size_t matched() const = 0;
  /// Waits until everything sent has arrived, where the link can tell. \return false when the time is over.
  virtual bool flush(std::chrono::milliseconds timeout) = 0;
  /// Messages that were copied or serialized on the way, by the link's own count; 0 when it cannot tell.
  virtual std::uint64_t copied() const { return 0; }
};

/// A received message: its payload is read-only and valid for as long as `keeper` lives.
struct Arrival {
  std::span<const std::byte> payload;
  std::shared_ptr<const void> keeper;
  transport::Gid publisher{};  ///< zeros where the link does not tell
  explicit operator bool() const { return !payload.empty(); }
};

class Inlet {
 public:
  virtual ~Inlet() = default;
  /// The next message; empty when there is none now. \throws std::runtime_error when the link is broken.
  virtual Arrival take() = 0;
  /// Sleeps until take() may have something, wake() was called or the time is over.
  virtual void wait(std::chrono::nanoseconds timeout) = 0;
  /// From any thread: ends the present or next wait().
  virtual void wake() = 0;
  virtual std::size_t matched() const = 0;
  virtual std::uint64_t copied() const { return 0; }
};

/// One of each is made for a process; several outlets or inlets of a link may exist in it.
class Link {
 public:
  virtual ~Link() = default;
  virtual std::unique_ptr<Outlet> make_outlet(const std::string & topic) = 0;
  virtual std::unique_ptr<Inlet> make_inlet(const std::string & topic) = 0;
};

}  // namespace tandem::measure
