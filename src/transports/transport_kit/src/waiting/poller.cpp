#include "tandem/kit/poller.hpp"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "tandem/transport.hpp"

namespace tandem::transport {

using std::chrono::steady_clock;

namespace {

/// A handler that finds no memory is called again when there is more to do.
void call(const Poller::Handler & handler) {
  try {
    handler();
  } catch (const std::exception &) {
  }
}

}  // namespace

Poller::Poller(const char * transport)
    : epoll_(epoll_create1(EPOLL_CLOEXEC)), bell_(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
  if (!epoll_ || !bell_) {
    throw Error(std::string(transport) + ": no context can be made: " + std::strerror(errno) +
                ". Are too many files open (ulimit -n)?");
  }
  watch(bell_.get(), EPOLLIN, [this] {
    std::uint64_t rings = 0;
    [[maybe_unused]] const ssize_t got = read(bell_.get(), &rings, sizeof rings);
  });
}

void Poller::watch(int fd, std::uint32_t events, Handler handler) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    handlers_[fd] = std::make_shared<const Handler>(std::move(handler));
  }
  epoll_event event{};
  event.events = events;
  event.data.fd = fd;
  epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event);
}

void Poller::forget(int fd) {
  epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, fd, nullptr);
  const std::lock_guard<std::mutex> lock(mutex_);
  handlers_.erase(fd);
}

void Poller::enable(int fd, bool is_enabled) {
  epoll_event event{};
  event.events = is_enabled ? std::uint32_t{EPOLLIN} : 0;
  event.data.fd = fd;
  epoll_ctl(epoll_.get(), EPOLL_CTL_MOD, fd, &event);
}

void Poller::serve(int milliseconds, std::atomic<bool> * is_waiting) {
  epoll_event events[64];
  const int count = epoll_wait(epoll_.get(), events, 64, milliseconds_left(milliseconds));
  if (is_waiting != nullptr) {
    is_waiting->store(false, std::memory_order_relaxed);
  }
  for (int i = 0; i < count; ++i) {
    std::shared_ptr<const Handler> handler;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (const auto found = handlers_.find(events[i].data.fd); found != handlers_.end()) {
        handler = found->second;
      }
    }
    if (handler) {
      call(*handler);
    }
  }
  call_due();
}

void Poller::call_in(std::chrono::milliseconds time, Handler handler) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    timers_.emplace(steady_clock::now() + time, std::move(handler));
  }
  ring();
}

/// Until the first timer, if that is earlier.
int Poller::milliseconds_left(int milliseconds) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (timers_.empty()) {
    return milliseconds;
  }
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(timers_.begin()->first - steady_clock::now()).count();
  const int first = static_cast<int>(std::clamp<std::int64_t>(left, 0, 1'000'000));
  return milliseconds < 0 ? first : std::min(first, milliseconds);
}

void Poller::call_due() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (!timers_.empty() && timers_.begin()->first <= steady_clock::now()) {
    const Handler handler = std::move(timers_.extract(timers_.begin()).mapped());
    lock.unlock();
    call(handler);
    lock.lock();
  }
}

void Poller::ring() const noexcept {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = write(bell_.get(), &one, sizeof one);
}

}  // namespace tandem::transport
