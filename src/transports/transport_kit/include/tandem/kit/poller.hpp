// Descriptors that are served when they are ready.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "tandem/kit/descriptor.hpp"

namespace tandem::transport {

/// Thread-safe. Several threads may serve: then a handler may run in several of them.
class Poller {
 public:
  using Handler = std::function<void()>;

  /// `transport` is for the error's text. \throws Error when no more files can be opened.
  explicit Poller(const char * transport);

  /// Calls the handler in serve() when the descriptor has one of these events (EPOLLIN, EPOLLOUT, EPOLLET) or is broken.
  void watch(int fd, std::uint32_t events, Handler handler);
  /// The handler may just be running in serve(), and then ends after this.
  void forget(int fd);
  /// Whether a descriptor that is watched for EPOLLIN takes part.
  void enable(int fd, bool is_enabled);

  /// Calls the handler in serve(), once, when so much time has passed.
  void call_in(std::chrono::milliseconds time, Handler handler);

  /// Waits at most so many milliseconds (-1: without end), resets `is_waiting`, then calls what is due.
  void serve(int milliseconds, std::atomic<bool> * is_waiting = nullptr);
  /// Readable when something is due.
  int fd() const { return epoll_.get(); }
  /// Ends the present or the next serve(). Async-signal-safe.
  void ring() const noexcept;

 private:
  int milliseconds_left(int milliseconds);
  void call_due();

  Descriptor epoll_;
  Descriptor bell_;
  std::mutex mutex_;
  std::unordered_map<int, std::shared_ptr<const Handler>> handlers_;      ///< guarded by mutex_
  std::multimap<std::chrono::steady_clock::time_point, Handler> timers_;  ///< guarded by mutex_
};

}  // namespace tandem::transport
