// What a peer sends and receives through: a transport's plug-in, a floor, a library without our code. Measuring knows neither.
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

namespace lab {

struct Spec;

/// This link cannot do what the spec asks (lend, such a size): the process ends with status 3. what() is for people.
class Unsupported : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Writes a payload of the spec's size where it lies. Called between borrowing and publishing, once a message.
using Fill = std::function<void(std::span<std::byte> payload)>;

enum class Sent : std::uint8_t { kOk, kNoLoan, kTimeout };

class Outlet {
 public:
  virtual ~Outlet() = default;
  /// Has the message filled, then publishes it: borrowed when the spec says loan, else in a message that is used again.
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

/// The one that spec.link names. \throws Unsupported, std::runtime_error with a sentence that says what to do.
std::unique_ptr<Link> make_link(const Spec & spec);
std::unique_ptr<Link> make_transport_link(const Spec & spec);
std::unique_ptr<Link> make_floor_link(const Spec & spec);
std::unique_ptr<Link> make_zeromq_link(const Spec & spec);
/// For tests: links that misbehave ("copies", "reuses", "stalls").
std::unique_ptr<Link> make_faulty_link(const Spec & spec);

}  // namespace lab
