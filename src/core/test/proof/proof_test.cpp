// The claims of the design, proved: nobody touches the payload, nobody calls the kernel, nobody allocates, the idle sleep.
#include <dirent.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <sstream>

#include "payload.hpp"
#include "station.hpp"
#include "tandem/heap.hpp"

// ---- allocations are counted ---------------------------------------------------------------------------------------

namespace {
thread_local std::uint64_t allocations = 0;
}

#if !TANDEM_SANITIZED
extern "C" {
void * __libc_malloc(std::size_t size);
void * __libc_calloc(std::size_t count, std::size_t size);
void * __libc_realloc(void * memory, std::size_t size);
void * __libc_memalign(std::size_t alignment, std::size_t size);
void * malloc(std::size_t size) {
  ++allocations;
  return __libc_malloc(size);
}
void * calloc(std::size_t count, std::size_t size) {
  ++allocations;
  return __libc_calloc(count, size);
}
void * realloc(void * memory, std::size_t size) {
  ++allocations;
  return __libc_realloc(memory, size);
}
void * aligned_alloc(std::size_t alignment, std::size_t size) {
  ++allocations;
  return __libc_memalign(alignment, size);
}
}
#endif

namespace tandem::test {
namespace {

void say(const std::string & line) { std::cout << line << std::endl; }

std::string next_line() {
  std::string line;
  std::getline(std::cin, line);
  return line;
}

std::unique_ptr<Publisher> publisher(const Participant & participant, const EndpointOptions & options = {}) {
  return std::move(*participant.create_publisher(publisher_options("topic", options)));
}
std::unique_ptr<Subscription> subscription(const Participant & participant, const EndpointOptions & options = {}) {
  return std::move(*participant.create_subscription(subscription_options("topic", options)));
}

// ---- the payload is not touched ------------------------------------------------------------------------------------

constexpr std::size_t kPage = 65536;  // a multiple of any
constexpr std::size_t kMessage = std::size_t{16} << 20;

/// A mapping of this process as /proc/self/maps shows it.
struct Line {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  std::string permissions;
  std::uint64_t offset = 0;
  std::uint64_t inode = 0;
};

std::vector<Line> mappings() {
  std::vector<Line> lines;
  std::ifstream maps("/proc/self/maps");
  for (std::string text; std::getline(maps, text);) {
    Line line;
    unsigned long begin = 0;
    unsigned long end = 0;
    unsigned long offset = 0;
    unsigned long inode = 0;
    char permissions[8] = {};
    if (std::sscanf(text.c_str(), "%lx-%lx %7s %lx %*s %lu", &begin, &end, permissions, &offset, &inode) == 5) {
      lines.push_back({begin, end, permissions, offset, inode});
    }
  }
  return lines;
}

/// Where the file behind `memory` has it.
bool locate(const void * memory, std::uint64_t & inode, std::uint64_t & offset) {
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  for (const Line & line : mappings()) {
    if (address >= line.begin && address < line.end) {
      inode = line.inode;
      offset = line.offset + (address - line.begin);
      return inode != 0;
    }
  }
  return false;
}

/// The read-only mapping's address of that place; null when there is none.
std::byte * find_read_only(std::uint64_t inode, std::uint64_t offset) {
  for (const Line & line : mappings()) {
    if (line.inode == inode && line.permissions[1] == '-' && offset >= line.offset &&
        offset < line.offset + (line.end - line.begin)) {
      return reinterpret_cast<std::byte *>(line.begin + (offset - line.offset));
    }
  }
  return nullptr;
}

/// The whole pages inside the message.
std::pair<void *, std::size_t> interior(void * memory) {
  const auto begin = (reinterpret_cast<std::uintptr_t>(memory) + kPage - 1) / kPage * kPage;
  const auto end = (reinterpret_cast<std::uintptr_t>(memory) + kMessage) / kPage * kPage;
  return {reinterpret_cast<void *>(begin), end - begin};
}

/// Subscribes, protects the place that it is told, and takes.
int blind_reader(const std::vector<std::string> &) {
  const auto participant = Participant::join(0);
  const auto in = subscription(*participant);
  wait_until([&] { return in->matched_count() == 1; });
  say("matched");
  std::uint64_t inode = 0;
  std::uint64_t offset = 0;
  std::istringstream(next_line()) >> inode >> offset;
  std::byte * const memory = find_read_only(inode, offset);
  const auto pages = interior(memory);
  if (memory == nullptr || mprotect(pages.first, pages.second, PROT_NONE) != 0) {
    say("cannot protect");
    return 1;
  }
  say("protected");
  Sample sample;
  wait_until([&] { return static_cast<bool>(sample = in->take()); });
  const bool same = sample.data() == memory && sample.size() == kMessage;
  mprotect(pages.first, pages.second, PROT_READ);
  say(same && is_whole(sample.data(), sample.size()) && counter_of(sample.data(), 8) == 42 ? "taken" : "wrong");
  return 0;
}

TEST(Proof, PublishAndTakeDoNotTouchThePayload) {
  const Folder folder;
  const auto participant = Participant::join(0);
  const auto out = publisher(*participant);
  Child reader("blind_reader");
  ASSERT_EQ(reader.read_line(), "matched");
  ASSERT_TRUE(wait_until([&] { return out->matched_count() == 1; }));
  auto loan = out->borrow(kMessage);
  ASSERT_TRUE(loan);
  fill(loan->data(), kMessage, 7, 42);
  std::uint64_t inode = 0;
  std::uint64_t offset = 0;
  ASSERT_TRUE(locate(loan->data(), inode, offset));
  ASSERT_EQ(reader.ask(std::to_string(inode) + " " + std::to_string(offset)), "protected");
  const auto pages = interior(loan->data());
  ASSERT_EQ(mprotect(pages.first, pages.second, PROT_NONE), 0);
  EXPECT_TRUE(out->publish(std::move(*loan)));
  EXPECT_EQ(reader.read_line(), "taken");
  ASSERT_EQ(mprotect(pages.first, pages.second, PROT_READ | PROT_WRITE), 0);
  EXPECT_EQ(reader.finish(), 0);
}

// ---- no system call, no allocation ---------------------------------------------------------------------------------

std::atomic<int> trapped = 0;
std::atomic<int> last_trapped = -1;
std::atomic<int> lock_calls = 0;

void on_trap(int, siginfo_t * info, void *) {
  last_trapped = info->si_syscall;
  ++trapped;
}

/// Lets the calls be done of which `listener` tells, and counts them.
void * count_lock_calls(void * listener) {
  const auto & notifier = *static_cast<std::atomic<int> *>(listener);
  wait_until([&] { return notifier != -1; });
  for (seccomp_notif call{}; ioctl(notifier, SECCOMP_IOCTL_NOTIF_RECV, &call) == 0; call = {}) {
    ++lock_calls;
    seccomp_notif_resp answer{call.id, 0, 0, SECCOMP_USER_NOTIF_FLAG_CONTINUE};
    ioctl(notifier, SECCOMP_IOCTL_NOTIF_SEND, &answer);
  }
  return nullptr;
}

/// From here on every system call of this thread is counted and not done, except the return from the counting, and those
/// of a lock that housekeeping has just taken: these are done and counted by themselves.
bool trap_system_calls() {
  static std::atomic<int> listener = -1;
  pthread_t counter{};
  pthread_create(&counter, nullptr, count_lock_calls, &listener);
  struct sigaction action {};
  action.sa_sigaction = on_trap;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSYS, &action, nullptr);
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_rt_sigreturn, 4, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_futex, 0, 4),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args[1])),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, FUTEX_LOCK_PI_PRIVATE, 3, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, FUTEX_UNLOCK_PI_PRIVATE, 2, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
  };
  sock_fprog program{sizeof filter / sizeof *filter, filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0) {
    listener =
        static_cast<int>(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program));
  }
  return listener >= 0;
}

struct Work {
  Participant participant;
  std::unique_ptr<Publisher> out;
  std::unique_ptr<Subscription> in;
  int role;  ///< 0: both here; 1: publishes only; 2: takes only
  std::atomic<std::uint64_t> done = 0;
  std::atomic<bool> failed = false;
  std::uint64_t allocated = 0;
  std::atomic<bool> finished = false;
};

constexpr std::uint64_t kRounds = 10000;
constexpr std::uint64_t kWarmUp = 2000;
constexpr int kMostLockCalls = kRounds / 100;

/// Publishes or takes `count` messages. When alone, publishers go on for whoever still reads.
void work(Work & work, std::uint64_t count) {
  for (std::uint64_t i = 0; i < count && !work.failed; ++i) {
    if (work.role != 2) {
      auto loan = work.out->borrow(8192);
      if (!loan) {
        work.failed = true;
        return;
      }
      fill(loan->data(), 64, 0, i);
      work.failed = !work.out->publish(std::move(*loan));
    }
    if (work.role != 1) {
      Sample sample;
      while (!(sample = work.in->take())) {
      }
    }
    work.done.fetch_add(1, std::memory_order_relaxed);
  }
}

void * steady(void * argument) {
  Work & mine = *static_cast<Work *>(argument);
  work(mine, kWarmUp);
  if (mine.out) {
    // How far the reader lags is chance: have as many blocks as it may ever take before counting begins.
    std::vector<Loan> loans;
    for (int i = 0; i < 40; ++i) {
      if (auto loan = mine.out->borrow(8192)) {
        loans.push_back(std::move(*loan));
      }
    }
  }
  if (!trap_system_calls()) {
    mine.failed = true;
  }
  // Where the clock is not read in user space, publish's time stamp is a system call that nobody can avoid.
  timespec time{};
  clock_gettime(CLOCK_REALTIME, &time);
  const bool clock_is_call = trapped != 0;
  trapped = 0;
  lock_calls = 0;
  allocations = 0;
  work(mine, kRounds);
  mine.allocated = allocations;
  if (clock_is_call && static_cast<std::uint64_t>(trapped) <= kRounds && last_trapped == SYS_clock_gettime) {
    trapped = 0;
  }
  mine.finished = true;
  for (;;) {  // this thread can do nothing else any more
    if (mine.role == 1) {
      work(mine, 1);  // the reader may still need some
    }
  }
}

/// Arguments: both | publish | take. Says "calls N allocations N heap N".
int steady_role(const std::vector<std::string> & arguments) {
  auto participant = Participant::join(0);
  Work mine{*participant, nullptr, nullptr, 0};
  mine.role = arguments[0] == "publish" ? 1 : arguments[0] == "take" ? 2 : 0;
  if (mine.role != 2) {
    mine.out = publisher(*participant, {.loans = 40});
  }
  if (mine.role != 1) {
    mine.in = subscription(*participant);
  }
  wait_until(
      [&] { return (!mine.out || mine.out->matched_count() == 1) && (!mine.in || mine.in->matched_count() == 1); });
  say("matched");
  next_line();
  pthread_t thread{};
  pthread_create(&thread, nullptr, steady, &mine);
  wait_until([&] { return mine.done > kWarmUp || mine.failed; });
  const std::size_t before = heap_statistics().in_use;
  wait_until([&] { return mine.finished || mine.failed; }, 120);
  const std::size_t after = heap_statistics().in_use;
  say((mine.failed || !mine.finished ? "failed after " + std::to_string(mine.done) + ": " : "") + "calls " +
      std::to_string(trapped) + (trapped != 0 ? " (last " + std::to_string(last_trapped) + ")" : "") +
      (lock_calls > kMostLockCalls ? " of locks " + std::to_string(lock_calls) : "") + " allocations " +
      std::to_string(mine.allocated) + " heap " + std::to_string(after - before));
  next_line();
  std::cout.flush();
  _exit(0);
}

bool can_trap() { return !TANDEM_SANITIZED && !is_emulated(); }

TEST(Proof, SteadyStateCallsNobodyInOneProcess) {
  if (!can_trap()) {
    GTEST_SKIP() << "sanitizers and the emulator make system calls and allocations of their own";
  }
  const Folder folder;
  Child both("steady", {"both"});
  ASSERT_EQ(both.read_line(), "matched");
  EXPECT_EQ(both.ask("go"), "calls 0 allocations 0 heap 0");
}

TEST(Proof, SteadyStateCallsNobodyInTwoProcesses) {
  if (!can_trap()) {
    GTEST_SKIP() << "sanitizers and the emulator make system calls and allocations of their own";
  }
  const Folder folder;
  Child writer("steady", {"publish"});
  Child reader("steady", {"take"});
  ASSERT_EQ(writer.read_line(), "matched");
  ASSERT_EQ(reader.read_line(), "matched");
  reader.tell("go");
  EXPECT_EQ(writer.ask("go"), "calls 0 allocations 0 heap 0");
  EXPECT_EQ(reader.read_line(120), "calls 0 allocations 0 heap 0");
}

TEST(Proof, TheCountersCount) {
  if (!can_trap()) {
    GTEST_SKIP() << "sanitizers and the emulator make system calls and allocations of their own";
  }
  allocations = 0;
  void * volatile pieces[] = {::operator new(8), std::malloc(10), std::aligned_alloc(64, 64)};
  EXPECT_EQ(allocations, 3U);
  ::operator delete(pieces[0]);
  std::free(pieces[1]);
  std::free(pieces[2]);
  const pid_t child = fork();
  if (child == 0) {
    trap_system_calls();
    syscall(SYS_getpid);
    syscall(SYS_getppid);
    trapped == 2 ? __builtin_trap() : static_cast<void>(0);
    for (;;) {
      *static_cast<volatile int *>(nullptr) = 0;
    }
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status) && (WTERMSIG(status) == SIGILL || WTERMSIG(status) == SIGTRAP)) << status;
}

// ---- the idle sleep ------------------------------------------------------------------------------------------------

std::set<pid_t> threads_of(pid_t process) {
  std::set<pid_t> found;
  const std::string path = "/proc/" + std::to_string(process) + "/task";
  if (DIR * directory = opendir(path.c_str())) {
    while (const dirent * entry = readdir(directory)) {
      if (entry->d_name[0] != '.') {
        found.insert(std::stoi(entry->d_name));
      }
    }
    closedir(directory);
  }
  return found;
}

/// Counts the system calls of each thread of `process` during `seconds`. Empty where tracing is not allowed.
std::map<pid_t, int> count_system_calls(pid_t process, int seconds) {
  std::map<pid_t, int> counts;
  for (const pid_t thread : threads_of(process)) {
    if (ptrace(PTRACE_SEIZE, thread, nullptr, PTRACE_O_TRACESYSGOOD) != 0 ||
        ptrace(PTRACE_INTERRUPT, thread, nullptr, nullptr) != 0) {
      return {};
    }
    counts[thread] = 0;
  }
  std::map<pid_t, bool> inside;
  for (const auto & [thread, count] : counts) {
    int status = 0;
    waitpid(thread, &status, __WALL);
    ptrace(PTRACE_SYSCALL, thread, nullptr, nullptr);
  }
  wait_until(
      [&] {
        int status = 0;
        for (pid_t thread; (thread = waitpid(-1, &status, __WALL | WNOHANG)) > 0;) {
          if (WIFSTOPPED(status) && WSTOPSIG(status) == (SIGTRAP | 0x80)) {
            inside[thread] = !inside[thread];
            counts[thread] += inside[thread] ? 1 : 0;
          }
          ptrace(PTRACE_SYSCALL, thread, nullptr, nullptr);
        }
        return false;
      },
      seconds);
  for (const auto & [thread, count] : counts) {
    int status = 0;
    ptrace(PTRACE_INTERRUPT, thread, nullptr, nullptr);
    waitpid(thread, &status, __WALL);
    ptrace(PTRACE_DETACH, thread, nullptr, nullptr);
  }
  return counts;
}

TEST(Proof, AnIdleProcessSleeps) {
  if (TANDEM_SANITIZED || is_emulated()) {
    GTEST_SKIP() << "sanitizers and the emulator make system calls of their own";
  }
  const Folder folder;
  Station other(Place::kElsewhere);
  Station idle(Place::kElsewhere);
  ASSERT_TRUE(other.join(0) && idle.join(0));
  ASSERT_TRUE(idle.create_publisher("p", "one"));
  ASSERT_TRUE(idle.create_subscription("s", "two"));
  ASSERT_TRUE(idle.create_wait_set("w"));
  idle.attach("w", "s");
  ASSERT_TRUE(other.create_publisher("p", "two"));
  ASSERT_TRUE(other.create_subscription("s", "one"));
  ASSERT_TRUE(idle.until_matched("p", 1) && idle.until_matched("s", 1) && other.until_matched("s", 1));
  ASSERT_TRUE(idle.settle());
  const pid_t process = idle.child().pid();
  idle.wait("w", 0s);
  idle.start<&User::wait>("w", -1s);
  constexpr int kSeconds = 4;
  const auto counts = count_system_calls(process, kSeconds);
  if (counts.empty()) {
    GTEST_SKIP() << "tracing is not allowed: " << std::strerror(errno);
  }
  ASSERT_EQ(counts.size(), 2U) << "one thread of the program and one that keeps house";
  int total = 0;
  for (const auto & [thread, count] : counts) {
    if (thread == process) {
      EXPECT_LE(count, 4) << "the waiting thread sleeps; being traced it may begin its call anew";
    }
    total += count;
  }
  // Housekeeping looks once a second at its own names and at each peer's lock: some ten calls.
  EXPECT_LE(total, 25 * (kSeconds + 1));
  std::cout << total << " system calls in " << kSeconds << " s, " << counts.at(process) << " of the waiting thread\n";
}

Role roles(const std::string & name) {
  if (name == "blind_reader") {
    return blind_reader;
  }
  if (name == "steady") {
    return steady_role;
  }
  return {};
}

}  // namespace
}  // namespace tandem::test

int main(int argc, char ** argv) { return tandem::test::run(argc, argv, tandem::test::roles); }
