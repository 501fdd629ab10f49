#include "terminal/interrupt.hpp"

#include <signal.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <thread>

#include "terminal/output.hpp"

namespace ros2cli {
namespace {

std::atomic<bool> interrupted = false;
std::atomic<tandem::transport::WaitSet *> waiting = nullptr;
static_assert(std::atomic<tandem::transport::WaitSet *>::is_always_lock_free, "used in a signal handler");

extern "C" void ros2cli_on_signal(int) {
  const int saved = errno;
  interrupted.store(true, std::memory_order_relaxed);
  if (auto * wait_set = waiting.load(std::memory_order_acquire)) {
    wait_set->wake();
  }
  errno = saved;
}

}  // namespace

void watch_for_interrupt(std::shared_ptr<tandem::transport::WaitSet> wait_set) {
  // Kept for ever: a signal may come at any time.
  static auto * kept = new std::shared_ptr<tandem::transport::WaitSet>;
  *kept = std::move(wait_set);
  waiting.store(kept->get(), std::memory_order_release);
  struct sigaction action {};
  action.sa_handler = ros2cli_on_signal;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool is_interrupted() { return interrupted.load(std::memory_order_relaxed); }

void forget_interrupt() { interrupted.store(false, std::memory_order_relaxed); }

bool sleep_for(std::chrono::nanoseconds time) {
  constexpr std::chrono::nanoseconds kSlice = std::chrono::milliseconds(50);
  const auto end = std::chrono::steady_clock::now() + time;
  for (auto now = std::chrono::steady_clock::now(); now < end && !is_interrupted() && !is_output_closed();
       now = std::chrono::steady_clock::now()) {
    std::this_thread::sleep_for(std::min<std::chrono::nanoseconds>(kSlice, end - now));
  }
  return !is_interrupted() && !is_output_closed();
}

}  // namespace ros2cli
