// The signal handler and its thread.
#include "context/signal_handler.hpp"

#include <semaphore.h>
#include <signal.h>

#include <atomic>
#include <cerrno>
#include <mutex>
#include <system_error>
#include <thread>

#include "rclcpp/exceptions.hpp"
#include "waiting/signals_blocked.hpp"

namespace rclcpp::detail {
namespace {

struct Signals {
  std::mutex mutex;
  bool installed = false;
  SignalHandlerOptions options = SignalHandlerOptions::None;
  bool has_thread = false;
};

Signals & signals() {
  static auto * instance = new Signals;
  return *instance;
}

// What the signals did before. Written only while rclcpp's handler is not installed, read by it.
struct sigaction former_int {};
struct sigaction former_term {};
sem_t wakeup_semaphore;  // made before the first handler is installed, never destroyed
std::atomic<int> last_signal{0};
static_assert(std::atomic<int>::is_always_lock_free, "used in a signal handler");

extern "C" void rclcpp_on_signal(int number, siginfo_t * info, void * where) {
  const int saved = errno;
  const struct sigaction & former = number == SIGTERM ? former_term : former_int;
  if ((former.sa_flags & SA_SIGINFO) != 0) {
    if (former.sa_sigaction != nullptr) former.sa_sigaction(number, info, where);
  } else if (former.sa_handler != SIG_DFL && former.sa_handler != SIG_IGN) {
    former.sa_handler(number);
  }
  last_signal.store(number, std::memory_order_relaxed);
  sem_post(&wakeup_semaphore);
  errno = saved;
}

void serve_signals() {
  for (;;) {
    if (sem_wait(&wakeup_semaphore) != 0) continue;  // EINTR
    const int number = last_signal.load(std::memory_order_relaxed);
    for (const auto & context : get_contexts()) {
      if (!context->get_init_options().shutdown_on_signal) continue;
      context->shutdown(number == SIGTERM ? "signal handler: SIGTERM" : "signal handler: SIGINT");
    }
  }
}

void start_thread(Signals & all) {
  if (all.has_thread) return;
  sem_init(&wakeup_semaphore, 0, 0);
  const SignalsBlocked blocked;
  std::thread(serve_signals).detach();
  all.has_thread = true;
}

/// System calls that wait end with EINTR, as in ROS: a program that reads its console ends by Ctrl-C.
void set_handler(int number, struct sigaction & former) {
  struct sigaction action {};
  action.sa_sigaction = rclcpp_on_signal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_SIGINFO;
  sigaction(number, nullptr, &former);  // known before the handler may need it
  // Ours, if somebody saved it and put it back, is not to call itself.
  if ((former.sa_flags & SA_SIGINFO) != 0 && former.sa_sigaction == rclcpp_on_signal) former = {};
  if (sigaction(number, &action, nullptr) != 0) {
    throw exceptions::RCLError(RCL_RET_ERROR, "cannot install a handler of signal " + std::to_string(number) + ": " +
                                                  std::generic_category().message(errno));
  }
}

bool wants(SignalHandlerOptions options, SignalHandlerOptions one) {
  return options == SignalHandlerOptions::All || options == one;
}

}  // namespace

bool install_signals(SignalHandlerOptions options) {
  auto & all = signals();
  const std::lock_guard<std::mutex> lock(all.mutex);
  if (all.installed || options == SignalHandlerOptions::None) return false;
  start_thread(all);
  while (sem_trywait(&wakeup_semaphore) == 0) continue;  // signals of an earlier context
  if (wants(options, SignalHandlerOptions::SigInt)) set_handler(SIGINT, former_int);
  if (wants(options, SignalHandlerOptions::SigTerm)) set_handler(SIGTERM, former_term);
  all.options = options;
  return all.installed = true;
}

bool uninstall_signals() {
  auto & all = signals();
  const std::lock_guard<std::mutex> lock(all.mutex);
  if (!all.installed) return false;
  if (wants(all.options, SignalHandlerOptions::SigInt)) sigaction(SIGINT, &former_int, nullptr);
  if (wants(all.options, SignalHandlerOptions::SigTerm)) sigaction(SIGTERM, &former_term, nullptr);
  all.options = SignalHandlerOptions::None;
  all.installed = false;
  return true;
}

bool signals_installed() {
  const std::lock_guard<std::mutex> lock(signals().mutex);
  return signals().installed;
}

SignalHandlerOptions signal_options() {
  const std::lock_guard<std::mutex> lock(signals().mutex);
  return signals().options;
}

}  // namespace rclcpp::detail
