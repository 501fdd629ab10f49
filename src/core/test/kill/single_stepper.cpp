#include "single_stepper.hpp"

#include <dlfcn.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <utility>

namespace tandem::test {
namespace {

constexpr int kSyscallStop = SIGTRAP | 0x80;

/// Library functions that the C library calls on its own: the end of a process, the beginning of a thread.
std::uint64_t entry_of(SingleStepper::Thread thread) {
  const char * name = thread == SingleStepper::Thread::kMain ? "_ZN6tandem7Process7at_exitEv"
                                                             : "_ZN6tandem7Process16run_housekeepingEv";
  return reinterpret_cast<std::uint64_t>(dlsym(RTLD_DEFAULT, name));
}

[[noreturn]] void give_up(const char * why, long detail) {
  std::printf("error: %s (%ld)\n", why, detail);
  std::fflush(stdout);
  _exit(8);
}

}  // namespace

CoreText CoreText::find() {
  CoreText text;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    unsigned long begin = 0;
    unsigned long end = 0;
    char permissions[8] = {};
    if (line.find("/libtandem_core_open.so") != std::string::npos &&
        std::sscanf(line.c_str(), "%lx-%lx %7s", &begin, &end, permissions) == 3 && permissions[2] == 'x') {
      text = {begin, end};
    }
  }
  return text;
}

SingleStepper::SingleStepper(pid_t child, Thread thread, std::function<bool()> is_over)
    : main_(child),
      which_(thread),
      is_over_(std::move(is_over)),
      core_(CoreText::find()),
      stepped_(thread == Thread::kMain ? child : 0),
      entry_(entry_of(thread)) {
  const long options = PTRACE_O_EXITKILL | PTRACE_O_TRACESYSGOOD | (stepped_ == 0 ? PTRACE_O_TRACECLONE : 0);
  if (core_.begin == 0 || entry_ == 0 || ptrace(PTRACE_SEIZE, main_, nullptr, options) != 0) {
    give_up("cannot trace", static_cast<long>(core_.begin));
  }
}

SingleStepper::~SingleStepper() {
  if (!gone_) {
    kill();
  }
}

// ---- stops ---------------------------------------------------------------------------------------------------------

SingleStepper::Stop SingleStepper::resume(int request) {
  ptrace(static_cast<__ptrace_request>(request), stepped_, nullptr, static_cast<long>(std::exchange(signal_, 0)));
  return wait();
}

/// Waits for the stepped thread; sees to the others meanwhile. kQuiet: the main thread has reached the end of the phase,
/// and the stepped one sleeps.
SingleStepper::Stop SingleStepper::wait() {
  for (int looks = 0; looks < 100;) {
    int status = 0;
    const pid_t thread = waitpid(-1, &status, __WALL | (main_held_ ? WNOHANG : 0));
    if (thread == 0) {
      ++looks;
      usleep(200);
    } else if (thread < 0) {
      give_up("nothing to wait for", errno);
    } else if (take_up(thread, status)) {
      stopped_ = thread;
      return classify(status);
    }
  }
  quiet_ = true;
  return Stop::kQuiet;
}

/// True if that is what is waited for: a stop of the stepped thread, the first gate, or the end of the process.
bool SingleStepper::take_up(pid_t thread, int status) {
  const bool ended = WIFEXITED(status) || WIFSIGNALED(status);
  if (thread == stepped_ || (thread == main_ && ended)) {
    return true;
  }
  if (thread == main_) {
    const bool gate = WSTOPSIG(status) == kGateSignal;
    if (gate && (!started_ || is_over_())) {
      main_held_ = started_;
      return !started_;
    }
    const bool passes = !gate && status >> 16 == 0;
    ptrace(PTRACE_CONT, main_, nullptr, static_cast<long>(passes ? WSTOPSIG(status) : 0));
    return false;
  }
  if (ended || which_ == Thread::kMain || (stepped_ != 0 && stepped_ != thread)) {
    give_up("a process that should live has ended", thread);
  }
  stepped_ = thread;  // the housekeeping thread has started
  if (!started_) {
    ptrace(PTRACE_CONT, stepped_, nullptr, nullptr);
  }
  return started_;
}

SingleStepper::Stop SingleStepper::classify(int status) {
  if (WIFEXITED(status) || WIFSIGNALED(status)) {
    gone_ = true;
    ended_ = true;
    exit_status_ = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    return Stop::kGone;
  }
  if (status >> 16 != 0) {
    return Stop::kOther;
  }
  if (WSTOPSIG(status) == kSyscallStop) {
    __ptrace_syscall_info info{};
    ptrace(PTRACE_GET_SYSCALL_INFO, stopped_, reinterpret_cast<void *>(sizeof info), &info);
    return info.op == PTRACE_SYSCALL_INFO_ENTRY ? Stop::kCall : Stop::kReturn;
  }
  if (WSTOPSIG(status) == kGateSignal) {
    return Stop::kGate;
  }
  if (WSTOPSIG(status) != SIGTRAP) {
    signal_ = WSTOPSIG(status);
    return Stop::kOther;
  }
  siginfo_t info{};
  ptrace(PTRACE_GETSIGINFO, stopped_, nullptr, &info);
  return info.si_code == TRAP_TRACE ? Stop::kStep : info.si_code == TRAP_HWBKPT ? Stop::kHardware : Stop::kOther;
}

void SingleStepper::load() { ptrace(PTRACE_GETREGS, stepped_, nullptr, &registers_); }

void SingleStepper::set_breakpoint(unsigned index, std::uint64_t address) {
  if (address != 0 && addresses_[index] != address) {
    addresses_[index] = address;
    ptrace(PTRACE_POKEUSER, stepped_, offsetof(user, u_debugreg) + index * sizeof(long), address);
  }
  const std::uint64_t bit = std::uint64_t{1} << 2 * index;
  const std::uint64_t enabled = address != 0 ? enabled_ | bit : enabled_ & ~bit;
  if (std::exchange(enabled_, enabled) != enabled) {
    ptrace(PTRACE_POKEUSER, stepped_, offsetof(user, u_debugreg) + 7 * sizeof(long), enabled);
  }
}

// ---- stepping ------------------------------------------------------------------------------------------------------

bool SingleStepper::start() {
  for (Stop stop = wait(); stop != Stop::kGate; stop = wait()) {
    if (stop == Stop::kGone) {
      return false;
    }
    ptrace(PTRACE_CONT, stopped_, nullptr, static_cast<long>(std::exchange(signal_, 0)));
  }
  started_ = true;
  if (which_ == Thread::kMain) {
    load();
    return true;
  }
  if (stepped_ != 0) {  // it sleeps: to be stepped from there
    ptrace(PTRACE_INTERRUPT, stepped_, nullptr, nullptr);
    wait();
    load();
  }
  return true;
}

/// Lets the main thread go on where it is another one that is stepped.
bool SingleStepper::set_out() {
  if (which_ == Thread::kHousekeeping && !std::exchange(set_out_, true)) {
    ptrace(PTRACE_CONT, main_, nullptr, nullptr);
    if (stepped_ == 0) {
      if (wait() == Stop::kGone) {
        return false;
      }
      load();
    }
  }
  return !ended_;
}

Event SingleStepper::next() {
  if (!set_out()) {
    return {};
  }
  while (!ended_) {
    if (core_.contains(registers_.rip)) {
      return instruction();
    }
    if (const auto event = outside()) {
      return *event;
    }
  }
  return {};
}

/// Executes one instruction of tandem_core.
Event SingleStepper::instruction() {
  const std::uint64_t from = registers_.rip;
  for (Stop stop = resume(PTRACE_SINGLESTEP); stop != Stop::kStep; stop = resume(PTRACE_SINGLESTEP)) {
    if (stop == Stop::kGone) {
      return {};
    }
  }
  load();
  if (std::exchange(repeats_, registers_.rip == from)) {  // a string instruction stops after each round
    ++last_.extra;
    last_.kind = Event::Kind::kInstruction;
    return last_;
  }
  if (!core_.contains(registers_.rip)) {
    const auto target = static_cast<std::uint64_t>(ptrace(PTRACE_PEEKDATA, stepped_, registers_.rsp, nullptr));
    return_to_ = core_.contains(target) ? target : 0;
    return_stack_ = registers_.rsp;
  }
  last_ = {Event::Kind::kInstruction, from, ++visits_[from], 0, 0};
  return last_;
}

/// Runs what is not tandem_core up to the next system call; nothing when tandem_core is reached.
std::optional<Event> SingleStepper::outside() {
  if (return_to_ == 0 && which_ == Thread::kHousekeeping) {
    return step_into_core();
  }
  set_breakpoint(0, return_to_);
  set_breakpoint(1, entry_);
  const Stop stop = resume(PTRACE_SYSCALL);
  if (stop == Stop::kCall || stop == Stop::kReturn) {
    load();
    if (static_cast<long>(registers_.orig_rax) == SYS_tgkill) {
      return std::nullopt;  // on its way to a gate
    }
    ++last_.extra;
    last_.kind = stop == Stop::kCall ? Event::Kind::kCall : Event::Kind::kReturn;
    last_.number = static_cast<long>(registers_.orig_rax);
    if (on_call_ && stop == Stop::kCall) {
      on_call_(last_.number);
    }
    return last_;
  }
  if (stop == Stop::kGone || stop == Stop::kQuiet) {
    ended_ = true;
    return Event{};
  }
  load();
  if (stop == Stop::kHardware) {
    if (registers_.rip == return_to_ && registers_.rsp <= return_stack_) {
      return std::nullopt;  // deeper: the same call, made anew by what it has called
    }
    set_breakpoint(0, 0);
    set_breakpoint(1, 0);
    return_to_ = 0;
  } else if (stop == Stop::kGate) {
    return enter();
  }
  return std::nullopt;
}

/// At a gate.
std::optional<Event> SingleStepper::enter() {
  if (is_over_()) {
    ended_ = true;
    return Event{};
  }
  set_breakpoint(0, 0);
  set_breakpoint(1, 0);
  return step_into_core();
}

std::optional<Event> SingleStepper::step_into_core() {
  while (!core_.contains(registers_.rip)) {
    const Stop stop = resume(PTRACE_SINGLESTEP);
    if (stop == Stop::kGone || stop == Stop::kQuiet || (stop == Stop::kGate && is_over_())) {
      ended_ = true;
      return Event{};
    }
    load();
  }
  return std::nullopt;
}

bool SingleStepper::seek(std::uint64_t address, std::uint32_t visit) {
  if (!set_out()) {
    return false;
  }
  set_breakpoint(3, address);
  for (std::uint32_t count = 0; count < visit;) {
    const Stop stop = resume(on_call_ ? PTRACE_SYSCALL : PTRACE_CONT);
    if (stop == Stop::kGone || stop == Stop::kQuiet || (stop == Stop::kGate && is_over_())) {
      ended_ = true;
      break;
    }
    if (on_call_ && stop == Stop::kCall) {
      load();
      on_call_(static_cast<long>(registers_.orig_rax));
    }
    count += stop == Stop::kHardware ? 1 : 0;
  }
  set_breakpoint(3, 0);
  load();
  visits_[address] = visit - 1;
  return !ended_;
}

// ---- endings -------------------------------------------------------------------------------------------------------

void SingleStepper::kill() {
  ::kill(main_, SIGKILL);
  for (int status = 0; !gone_;) {
    const pid_t thread = waitpid(-1, &status, __WALL);
    if (thread < 0) {
      give_up("the killed process is lost", errno);
    }
    gone_ = thread == main_ && (WIFEXITED(status) || WIFSIGNALED(status));
  }
}

/// Stops a running thread. A step that it has just done is not left pending: untraced, it would die of it.
void SingleStepper::interrupt(pid_t thread) {
  int status = 0;
  ptrace(PTRACE_INTERRUPT, thread, nullptr, nullptr);
  waitpid(thread, &status, __WALL);
  __ptrace_peeksiginfo_args first{0, 0, 1};
  siginfo_t pending{};
  while (status >> 16 != 0 && ptrace(PTRACE_PEEKSIGINFO, thread, &first, &pending) == 1 &&
         pending.si_signo == SIGTRAP) {
    ptrace(PTRACE_CONT, thread, nullptr, nullptr);
    waitpid(thread, &status, __WALL);
  }
}

void SingleStepper::detach() {
  if (which_ == Thread::kHousekeeping && set_out_ && !main_held_) {
    interrupt(main_);
  }
  if (quiet_) {
    interrupt(stepped_);
  }
  if (stepped_ != 0) {
    // All breakpoints, also one that was to be cleared while the thread ran: untraced, it would die of it.
    enabled_ = 0;
    ptrace(PTRACE_POKEUSER, stepped_, offsetof(user, u_debugreg) + 7 * sizeof(long), enabled_);
  }
}

pid_t SingleStepper::stop() {
  if (gone_) {
    return 0;
  }
  detach();
  ::kill(main_, SIGSTOP);
  release_threads();
  for (char state = 0; state != 'T';) {
    std::ifstream stat("/proc/" + std::to_string(main_) + "/stat");
    std::string line;
    std::getline(stat, line);
    state = line.substr(line.rfind(')') + 2, 1)[0];
    if (state == 'Z') {
      return 0;  // it stood in exit_group(2), which nothing stops
    }
  }
  return main_;
}

void SingleStepper::release() {
  if (gone_) {
    return;
  }
  detach();
  release_threads();
}

void SingleStepper::release_threads() {
  if (stepped_ != 0 && stepped_ != main_) {
    ptrace(PTRACE_DETACH, stepped_, nullptr, nullptr);
  }
  ptrace(PTRACE_DETACH, main_, nullptr, nullptr);
}

int SingleStepper::finish() {
  int status = 0;
  if (!gone_ && waitpid(main_, &status, __WALL) == main_) {
    gone_ = true;
    exit_status_ = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
  return exit_status_;
}

}  // namespace tandem::test
