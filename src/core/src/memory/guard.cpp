#include "memory/guard.hpp"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <string>

#include "layout/layout.hpp"
#include "memory/writable_view.hpp"
#include "system/log_later.hpp"

namespace tandem::guard {
namespace {

constexpr std::size_t kMaxRanges = 4096;  ///< three for each process that is known
constexpr std::size_t kMaxRings = 4096;

// Tables that a signal handler may read at any moment: a field that says "in use" is written last and cleared first.
struct Range {
  std::atomic<const std::byte *> base;
  std::atomic<std::size_t> size;
  std::atomic<bool> writable;
  std::atomic<std::atomic<bool> *> broken;
  std::atomic<WritableView *> view;
};
struct Ring {
  std::atomic<const void *> slots;
  std::atomic<const std::byte *> base;
  std::atomic<std::uint32_t> size;
  char topic[kTopicSize];
};

Range ranges[kMaxRanges];
std::atomic<std::size_t> ranges_used;  ///< those from here on have never been in use
Ring rings[kMaxRings];
std::mutex mutex;
struct sigaction previous_bus;
struct sigaction previous_segv;

const Range * find(const std::byte * address) {
  const std::size_t used = ranges_used.load(std::memory_order_acquire);
  for (std::size_t i = 0; i < used; ++i) {
    const Range & range = ranges[i];
    const std::byte * base = range.base.load(std::memory_order_acquire);
    if (base != nullptr && address >= base && address < base + range.size.load(std::memory_order_relaxed)) {
      return &range;
    }
  }
  return nullptr;
}

const char * topic_at(const std::byte * base, const std::byte * address) {
  const auto offset = static_cast<std::uint64_t>(address - base);
  for (const Ring & ring : rings) {
    const auto * slots = static_cast<const Slot *>(ring.slots.load(std::memory_order_acquire));
    if (slots == nullptr || ring.base.load(std::memory_order_relaxed) != base) {
      continue;
    }
    for (std::uint32_t i = 0; i < ring.size.load(std::memory_order_relaxed); ++i) {
      const std::uint64_t begin = slots[i].offset.load(std::memory_order_relaxed);
      if (offset >= begin && offset - begin < slots[i].size.load(std::memory_order_relaxed)) {
        return ring.topic;
      }
    }
  }
  return "(unknown)";
}

void say(const char * text) {
  const ssize_t ignored = write(STDERR_FILENO, text, std::strlen(text));
  static_cast<void>(ignored);
}

/// Hands the signal to whoever had it before, as the kernel would have; by default that means: return, and die of it at
/// the same instruction.
void chain(int number, siginfo_t * info, void * context, struct sigaction & previous) {
  const struct sigaction handler = previous;
  const bool is_sent = info->si_code <= 0;  // by kill(2): returning would not raise it again
  if (handler.sa_handler == SIG_IGN && is_sent) {
    return;
  }
  if (handler.sa_handler == SIG_DFL || handler.sa_handler == SIG_IGN) {  // the kernel ignores no fault
    struct sigaction standard {};
    standard.sa_handler = SIG_DFL;
    sigaction(number, &standard, nullptr);
    if (is_sent) {
      raise(number);
    }
    return;
  }
  if ((handler.sa_flags & static_cast<int>(SA_RESETHAND)) != 0) {
    previous.sa_handler = SIG_DFL;
  }
  sigset_t blocked = handler.sa_mask;
  if ((handler.sa_flags & SA_NODEFER) == 0) {
    sigaddset(&blocked, number);
  }
  sigset_t before;
  pthread_sigmask(SIG_BLOCK, &blocked, &before);
  if ((handler.sa_flags & SA_SIGINFO) != 0) {
    handler.sa_sigaction(number, info, context);
  } else {
    handler.sa_handler(number);
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

/// Memory that is not there (any more). Other kinds, such as a misaligned access, would come again whatever is mapped.
bool is_missing_memory(int code) { return code == BUS_ADRERR || code == BUS_MCEERR_AR || code == BUS_MCEERR_AO; }

void on_bus(int number, siginfo_t * info, void * context) {
  const int error = errno;  // of what was interrupted
  const Range * range = is_missing_memory(info->si_code) ? find(static_cast<std::byte *>(info->si_addr)) : nullptr;
  if (range == nullptr) {
    chain(number, info, context, previous_bus);
    return;
  }
  range->broken.load(std::memory_order_relaxed)->store(true, std::memory_order_relaxed);
  auto * base = const_cast<std::byte *>(range->base.load(std::memory_order_relaxed));
  const std::size_t size = range->size.load(std::memory_order_relaxed);
  const int protection = range->writable.load(std::memory_order_relaxed) ? PROT_READ | PROT_WRITE : PROT_READ;
  if (mmap(base, size, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0) == MAP_FAILED) {
    chain(number, info, context, previous_bus);
  }
  errno = error;
}

void on_segv(int number, siginfo_t * info, void * context) {
  const int error = errno;
  const auto * address = static_cast<const std::byte *>(info->si_addr);
  const Range * range = info->si_code == SEGV_ACCERR ? find(address) : nullptr;
  WritableView * const view = range != nullptr ? range->view.load(std::memory_order_relaxed) : nullptr;
  if (view != nullptr && view->allow_write(address)) {
    errno = error;
    return;
  }
  if (view != nullptr) {
    say("tandem: a received message was written to after it was given back, or there are too many mappings for a write "
        "to it (sysctl vm.max_map_count)\n");
  } else if (range != nullptr) {
    say("tandem: a received message of topic '");
    say(topic_at(range->base.load(std::memory_order_relaxed), address));
    say("' was written to, but it is its publisher's own memory and read-only: write to a copy of the message instead "
        "(the UniquePtr callback of an ordinary subscription gets one)\n");
  }
  chain(number, info, context, previous_segv);
}

void install(int number, void (*handler)(int, siginfo_t *, void *), struct sigaction & previous) {
  struct sigaction action {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  sigaction(number, &action, &previous);
}

/// Puts a range into the table. False when that is full.
bool enter(const std::byte * base, std::size_t size, bool writable, std::atomic<bool> * broken, WritableView * view) {
  const std::lock_guard guard(mutex);
  for (std::size_t i = 0; i < kMaxRanges; ++i) {
    Range & range = ranges[i];
    if (range.base.load(std::memory_order_relaxed) == nullptr) {
      range.view.store(view, std::memory_order_relaxed);
      range.size.store(size, std::memory_order_relaxed);
      range.writable.store(writable, std::memory_order_relaxed);
      range.broken.store(broken, std::memory_order_relaxed);
      range.base.store(base, std::memory_order_release);
      ranges_used.store(std::max(ranges_used.load(std::memory_order_relaxed), i + 1), std::memory_order_release);
      return true;
    }
  }
  return false;
}

}  // namespace

bool watch(const std::byte * base, std::size_t size, bool writable, std::atomic<bool> * broken, WritableView * view) {
  static const bool installed = [] {
    install(SIGBUS, on_bus, previous_bus);
    install(SIGSEGV, on_segv, previous_segv);
    return true;
  }();
  static_cast<void>(installed);
  static std::atomic<bool> warned = false;
  // The line is said once the lock is free: fork's handlers take the log's lock before this one.
  const bool is_entered = enter(base, size, writable, broken, view);
  if (!is_entered && view == nullptr && !warned.exchange(true)) {
    log_later(LogLevel::kWarning,
              "the memory of " + std::to_string(kMaxRanges / 3) +
                  " other processes is guarded, the most there can be: whoever shortens the file of a further one ends "
                  "this process by SIGBUS. Use fewer processes in one domain");
  }
  return is_entered;
}

WritableView * view_at(const std::byte * address) {
  const Range * const range = find(address);
  return range != nullptr ? range->view.load(std::memory_order_relaxed) : nullptr;
}

bool can_catch_writes() {
  sigset_t blocked;
  struct sigaction present {};
  return pthread_sigmask(SIG_BLOCK, nullptr, &blocked) == 0 && sigismember(&blocked, SIGSEGV) == 0 &&
         sigaction(SIGSEGV, nullptr, &present) == 0 && present.sa_sigaction == on_segv;
}

void lock() { mutex.lock(); }
void unlock() { mutex.unlock(); }

void unwatch(const std::byte * base) {
  const std::lock_guard guard(mutex);
  for (Range & range : ranges) {
    if (range.base.load(std::memory_order_relaxed) == base) {
      range.base.store(nullptr, std::memory_order_release);
    }
  }
}

void name_ring(const std::byte * base, const void * slots, std::uint32_t ring_size, const char * topic) {
  const std::lock_guard guard(mutex);
  for (Ring & ring : rings) {
    if (ring.slots.load(std::memory_order_relaxed) == nullptr) {
      std::strncpy(ring.topic, topic, kTopicSize - 1);
      ring.base.store(base, std::memory_order_relaxed);
      ring.size.store(ring_size, std::memory_order_relaxed);
      ring.slots.store(slots, std::memory_order_release);
      return;
    }
  }
}

void forget_ring(const void * slots) {
  const std::lock_guard guard(mutex);
  for (Ring & ring : rings) {
    if (ring.slots.load(std::memory_order_relaxed) == slots) {
      ring.slots.store(nullptr, std::memory_order_release);
      return;
    }
  }
}

}  // namespace tandem::guard
