// SIGBUS: what is a peer's shortened file is survived, everything else takes its course as it would have without us.
#include <gtest/gtest.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#include "harness.hpp"
#include "memory/guard.hpp"
#include "roles.hpp"
#include "system/log_later.hpp"

namespace tandem::test {
namespace {

constexpr std::size_t kSize = 8192;
constexpr int kCaught = 42;   ///< exit status: the user's handler has run
constexpr int kSurvived = 7;  ///< exit status: nothing happened, as it should be

/// A mapping whose file has been shortened to nothing.
class Shortened {
 public:
  Shortened() : fd_(memfd_create("shortened", MFD_CLOEXEC)) {
    if (ftruncate(fd_, kSize) != 0) {
      std::abort();
    }
    memory_ = static_cast<std::byte *>(mmap(nullptr, kSize, PROT_READ, MAP_SHARED, fd_, 0));
  }
  void watch() { guard::watch(memory_, kSize, false, &broken_); }
  void shorten() {
    if (ftruncate(fd_, 0) != 0) {
      std::abort();
    }
  }
  std::byte touch(std::size_t at = 0) const { return static_cast<const volatile std::byte *>(memory_)[at]; }
  bool is_broken() const { return broken_; }

 private:
  int fd_;
  std::byte * memory_ = nullptr;
  std::atomic<bool> broken_ = false;
};

std::atomic<int> handled = 0;
Shortened * nested = nullptr;
struct sigaction before_ours;

void plain(int) { _exit(kCaught); }
void with_info(int number, siginfo_t * info, void *) { _exit(number == SIGBUS && info != nullptr ? kCaught : 1); }
void counting(int) { ++handled; }
void chaining(int number, siginfo_t * info, void * context) {
  ++handled;
  before_ours.sa_sigaction(number, info, context);
}
void reading(int) { _exit(nested->touch() == std::byte{0} && nested->is_broken() ? kCaught : 1); }
void failing(int) {
  if (++handled > 1) {
    _exit(1);  // with its own signal blocked, the second fault is the end
  }
  nested->touch();
}

void install(int number, void (*handler)(int), void (*action)(int, siginfo_t *, void *), int flags,
             struct sigaction * old = nullptr) {
  struct sigaction wanted {};
  wanted.sa_flags = flags;
  if (action != nullptr) {
    wanted.sa_sigaction = action;
    wanted.sa_flags |= SA_SIGINFO;
  } else {
    wanted.sa_handler = handler;
  }
  sigaction(number, &wanted, old);
}

/// The user's handler, as it is before the first peer is mapped.
void install_first(const std::string & kind) {
  if (kind == "plain") {
    install(SIGBUS, plain, nullptr, 0);
  } else if (kind == "siginfo") {
    install(SIGBUS, nullptr, with_info, 0);
  } else if (kind == "counting") {
    install(SIGBUS, counting, nullptr, 0);
  } else if (kind == "once") {
    install(SIGBUS, counting, nullptr, static_cast<int>(SA_RESETHAND));
  } else if (kind == "failing") {
    install(SIGBUS, failing, nullptr, 0);
  } else {
    install(SIGBUS, kind == "ignore" ? SIG_IGN : SIG_DFL, nullptr, 0);
  }
}

int survive(const Shortened & ours) {
  errno = 1234;
  const bool zero = ours.touch() == std::byte{0};
  return zero && errno == 1234 && ours.is_broken() && handled == 0 ? kSurvived : 1;
}

/// What happens then.
int act(const std::string & what, Shortened & ours, Shortened & foreign) {
  if (what == "ours") {
    return survive(ours);
  }
  if (what == "foreign") {
    foreign.touch();
    return 1;
  }
  if (what == "sent") {
    kill(getpid(), SIGBUS);
    return handled == 1 ? kCaught : kSurvived;
  }
  if (what == "sent_twice") {
    kill(getpid(), SIGBUS);
    kill(getpid(), SIGBUS);
    return 1;
  }
  if (what == "chained") {  // a handler that is installed after ours, and calls it
    install(SIGBUS, nullptr, chaining, SA_NODEFER, &before_ours);
    ours.touch();
    return handled == 1 && ours.is_broken() ? kSurvived : 1;
  }
  if (what == "replaced") {  // one that does not
    install(SIGBUS, plain, nullptr, 0);
    ours.touch();
    return 1;
  }
  if (what == "blocked") {  // a thread that blocks all signals
    std::thread([&] {
      sigset_t all;
      sigfillset(&all);
      pthread_sigmask(SIG_SETMASK, &all, nullptr);
      ours.touch();
    }).join();
    return 1;
  }
  if (what == "threads") {
    Shortened & shared = ours;
    std::thread one([&] { shared.touch(); });
    std::thread two([&] { shared.touch(kSize / 2); });
    one.join();
    two.join();
    return survive(ours);
  }
  if (what == "among_too_many") {
    const LogCapture log;
    std::vector<std::byte> others(5000);  // more than the guard has places for
    std::atomic<bool> broken = false;
    for (const std::byte & other : others) {
      guard::watch(&other, 1, false, &broken);
    }
    flush_later();
    return log.count({"is guarded", "SIGBUS"}) == 1 ? survive(ours) : 1;
  }
  return 1;
}

}  // namespace

int guarded(const std::vector<std::string> & arguments) {
  Shortened ours;
  Shortened foreign;
  nested = arguments[0] == "failing" ? &foreign : &ours;
  install_first(arguments[0]);
  if (arguments[1] == "nested") {
    install(SIGSEGV, reading, nullptr, 0);
  }
  ours.watch();
  ours.shorten();
  foreign.shorten();
  if (arguments[1] == "nested") {
    raise(SIGSEGV);
    return 1;
  }
  return act(arguments[1], ours, foreign);
}

namespace {

struct Case {
  const char * handler;
  const char * event;
  int end;  ///< exit status, or -signal
};

class Guard : public testing::TestWithParam<Case> {};

INSTANTIATE_TEST_SUITE_P(, Guard,
                         testing::Values(Case{"default", "ours", kSurvived}, Case{"ignore", "ours", kSurvived},
                                         Case{"plain", "ours", kSurvived}, Case{"siginfo", "ours", kSurvived},
                                         Case{"default", "foreign", -SIGBUS}, Case{"ignore", "foreign", -SIGBUS},
                                         Case{"plain", "foreign", kCaught}, Case{"siginfo", "foreign", kCaught},
                                         Case{"default", "sent", -SIGBUS}, Case{"ignore", "sent", kSurvived},
                                         Case{"counting", "sent", kCaught}, Case{"once", "sent", kCaught},
                                         Case{"once", "sent_twice", -SIGBUS}, Case{"failing", "foreign", -SIGBUS},
                                         Case{"default", "chained", kSurvived}, Case{"default", "replaced", kCaught},
                                         Case{"default", "blocked", -SIGBUS}, Case{"default", "threads", kSurvived},
                                         Case{"default", "nested", kCaught},
                                         Case{"default", "among_too_many", kSurvived}),
                         [](const auto & info) { return std::string(info.param.handler) + "_" + info.param.event; });

TEST_P(Guard, LeavesTheUsersHandlersAsTheyWere) {
  Child child("guarded", {GetParam().handler, GetParam().event});
  EXPECT_EQ(child.finish(), GetParam().end);
}

}  // namespace
}  // namespace tandem::test
