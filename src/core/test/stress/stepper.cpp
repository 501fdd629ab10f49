#include "stepper.hpp"

#include <signal.h>
#include <ucontext.h>

#include <atomic>
#include <thread>

#include "harness.hpp"
#include "system/futex.hpp"

#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
#define TANDEM_CAN_STEP 1
#else
#define TANDEM_CAN_STEP 0
#endif

namespace tandem::test {

bool can_step() { return TANDEM_CAN_STEP != 0 && !is_emulated(); }

#if TANDEM_CAN_STEP

namespace {

constexpr long long kTrapFlag = 0x100;

constexpr std::uint32_t kFirst = 0;
constexpr std::uint32_t kSecond = 1;
std::atomic<std::uint32_t> turn = kFirst;
std::atomic<bool> is_alone = false;  ///< the first part has ended: the second need not stop

void pass_to(std::uint32_t part) {
  turn = part;
  futex_wake(turn);
}

void await(std::uint32_t part) {
  while (turn != part) {
    futex_wait(turn, 1 - part, std::chrono::seconds(1));
  }
}

/// Of the thread that is being stepped. Each is touched by its own thread and that one's signal handler.
struct Stepping {
  std::atomic<bool> on = false;
  std::uint64_t count = 0;
  std::uint64_t stop_at = 0;
  std::uint32_t me = kFirst;
};
thread_local Stepping stepping;

/// After each instruction, until the part has stopped once or ended.
void on_step(int, siginfo_t *, void * context) {
  auto & flags = static_cast<ucontext_t *>(context)->uc_mcontext.gregs[REG_EFL];
  Stepping & mine = stepping;
  const bool goes_on = mine.on.load(std::memory_order_relaxed) && !is_alone && mine.count++ != mine.stop_at;
  flags = goes_on ? flags | kTrapFlag : flags & ~kTrapFlag;
  if (mine.on.load(std::memory_order_relaxed) && !goes_on && !is_alone) {
    pass_to(1 - mine.me);
    await(mine.me);
  }
}

void step_through(const Part & part, std::uint32_t me) {
  part.before();
  stepping.count = 0;
  stepping.stop_at = part.stop_at;
  stepping.me = me;
  stepping.on.store(true, std::memory_order_relaxed);
  raise(SIGTRAP);  // the handler sets the flag, and again after each instruction
  part.stepped();
  stepping.on.store(false, std::memory_order_relaxed);
}

}  // namespace

void interleave(const Part & first, const Part & second) {
  struct sigaction action {};
  struct sigaction before {};
  action.sa_sigaction = on_step;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGTRAP, &action, &before);
  turn = kFirst;
  is_alone = false;
  std::thread other([&] {
    await(kSecond);
    step_through(second, kSecond);
    pass_to(kFirst);
  });
  step_through(first, kFirst);
  is_alone = true;
  pass_to(kSecond);
  other.join();
  sigaction(SIGTRAP, &before, nullptr);
}

#else

void interleave(const Part &, const Part &) {}

#endif

}  // namespace tandem::test
