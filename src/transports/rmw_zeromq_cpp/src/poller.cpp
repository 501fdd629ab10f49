#include "poller.hpp"

#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <mutex>
#include <unordered_map>

#include "settings.hpp"
#include "tandem/transport.hpp"

namespace rmw_zeromq {
namespace {

struct Register {
  std::mutex mutex;
  std::uint32_t last = 0;
  std::unordered_map<std::uint32_t, std::weak_ptr<Served>> objects;
};

Register & all() {
  static auto * const instance = new Register;
  return *instance;
}

std::atomic<std::uint32_t> generation{0};

epoll_event event_of(std::uint32_t events, std::uint32_t number, std::uint32_t part) {
  epoll_event event{};
  event.events = events;
  event.data.u64 = (std::uint64_t{number} << 32) | part;
  return event;
}

}  // namespace

std::uint32_t Served::enlist(const std::shared_ptr<Served> & object) {
  const std::lock_guard<std::mutex> lock(all().mutex);
  const std::uint32_t number = ++all().last;  // 0 is the bell
  all().objects.emplace(number, object);
  return number;
}

void Served::strike(std::uint32_t number) {
  const std::lock_guard<std::mutex> lock(all().mutex);
  all().objects.erase(number);
}

std::shared_ptr<Served> Served::find(std::uint32_t number) {
  const std::lock_guard<std::mutex> lock(all().mutex);
  const auto found = all().objects.find(number);
  return found != all().objects.end() ? found->second.lock() : nullptr;
}

std::uint32_t fork_generation() {
  // Forked while another thread held the register, the child could never lock it.
  static const int registered = pthread_atfork([] { all().mutex.lock(); }, [] { all().mutex.unlock(); },
                                               [] {
                                                 ++generation;
                                                 all().mutex.unlock();
                                               });
  (void)registered;
  return generation.load(std::memory_order_relaxed);
}

Poller::Poller() : epoll_(epoll_create1(EPOLL_CLOEXEC)), bell_(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
  if (!epoll_ || !bell_) {
    throw tandem::transport::Error(std::string(kName) + ": nothing can be waited for: " + std::strerror(errno) +
                                   ". Are too many files open (ulimit -n)?");
  }
  add(bell_.get(), 0, 0);
}

void Poller::add(int fd, std::uint32_t number, std::uint32_t part) const {
  epoll_event event = event_of(EPOLLIN, number, part);
  epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event);
}

void Poller::remove(int fd) const { epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, fd, nullptr); }

void Poller::enable(int fd, std::uint32_t number, bool is_enabled) const {
  epoll_event event = event_of(is_enabled ? std::uint32_t{EPOLLIN} : 0, number, 0);
  epoll_ctl(epoll_.get(), EPOLL_CTL_MOD, fd, &event);
}

void Poller::serve(int milliseconds) {
  epoll_event events[32];
  const int count = epoll_wait(epoll_.get(), events, 32, milliseconds);
  is_waiting.store(false, std::memory_order_relaxed);
  for (int i = 0; i < count; ++i) {
    const auto number = static_cast<std::uint32_t>(events[i].data.u64 >> 32);
    if (number == 0) {
      std::uint64_t rings = 0;
      [[maybe_unused]] const ssize_t got = read(bell_.get(), &rings, sizeof rings);
    } else if (const auto object = Served::find(number)) {
      object->serve(static_cast<std::uint32_t>(events[i].data.u64));
    }
  }
}

void Poller::ring() const noexcept {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = write(bell_.get(), &one, sizeof one);
}

}  // namespace rmw_zeromq
