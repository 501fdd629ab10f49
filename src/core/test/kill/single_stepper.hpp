// Steps one thread of another process, instruction by instruction within tandem_core and system call by system call
// elsewhere (ptrace). Other threads of that process run freely.
//
// Gates: the process under test sends itself kGateSignal before each call into tandem_core and at the end of the phase;
// untraced, it has a handler for it that does nothing. What it
// does between the calls, and what libraries do for tandem_core, is run through: with a debug register at the return
// address, which belongs to one thread and changes no text.
#pragma once

#include <signal.h>
#include <sys/types.h>
#include <sys/user.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <utility>

namespace tandem::test {

inline constexpr int kGateSignal = SIGUSR2;

/// The executable pages of libtandem_core_open.so in this process, and so in each one forked from it.
struct CoreText {
  static CoreText find();
  bool contains(std::uint64_t address) const { return address >= begin && address < end; }
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

/// What has just happened: an instruction of tandem_core was executed, or a system call begins or has ended.
struct Event {
  enum class Kind { kInstruction, kCall, kReturn, kEnd };
  Kind kind = Kind::kEnd;
  // The instruction executed last, which time it was, and how many events have followed since.
  std::uint64_t from = 0;
  std::uint32_t visit = 0;
  std::uint32_t extra = 0;
  long number = 0;  ///< of the system call
};

class SingleStepper {
 public:
  enum class Thread { kMain, kHousekeeping };

  /// Attaches to a child that waits; `is_over` tells at a gate whether the phase has ended.
  SingleStepper(pid_t child, Thread thread, std::function<bool()> is_over);
  /// Kills the child if it has not ended.
  ~SingleStepper();
  SingleStepper(const SingleStepper &) = delete;
  SingleStepper & operator=(const SingleStepper &) = delete;

  /// To be called whenever the stepped thread is about to make a system call.
  void set_on_call(std::function<void(long number)> on_call) { on_call_ = std::move(on_call); }
  /// Runs the child to its first gate: the phase begins. False if it has ended before.
  bool start();
  /// Runs to the next event. kEnd: at the end of the phase, or of the process.
  Event next();
  /// Runs to before the `visit`th execution of the instruction at `address`. False: the phase has ended before.
  bool seek(std::uint64_t address, std::uint32_t visit);
  /// SIGKILL where it stands. Returns when the process is gone.
  void kill();
  /// SIGSTOP where it stands; it is no longer traced. \return its id, or 0 if it had ended.
  pid_t stop();
  /// Lets it run to its end untraced.
  void release();
  /// After stop() or release(): waits for the end. \return the exit status, or -signal.
  int finish();

 private:
  enum class Stop { kStep, kHardware, kGate, kCall, kReturn, kOther, kQuiet, kGone };

  Stop resume(int request);
  Stop wait();
  bool take_up(pid_t thread, int status);
  Stop classify(int status);
  void load();
  void set_breakpoint(unsigned index, std::uint64_t address);
  bool set_out();
  Event instruction();
  std::optional<Event> outside();
  std::optional<Event> enter();
  std::optional<Event> step_into_core();
  static void interrupt(pid_t thread);
  void detach();
  void release_threads();

  const pid_t main_;
  const Thread which_;
  const std::function<bool()> is_over_;
  std::function<void(long)> on_call_;
  const CoreText core_;
  pid_t stepped_;              ///< the thread that is stepped; 0: not started yet
  pid_t stopped_ = 0;          ///< the thread that wait() has told of
  const std::uint64_t entry_;  ///< where libraries call tandem_core without a gate
  bool started_ = false;       ///< the first gate was reached
  bool set_out_ = false;       ///< the main thread goes on from there
  bool ended_ = false;         ///< the phase
  bool gone_ = false;          ///< the process, and it is reaped
  bool main_held_ = false;     ///< another thread is stepped, and main stands at the last gate
  bool quiet_ = false;         ///< the stepped thread sleeps, and is not stopped
  bool repeats_ = false;       ///< the last instruction is not done yet
  int exit_status_ = 0;
  int signal_ = 0;  ///< to be delivered with the next resume
  user_regs_struct registers_{};
  std::uint64_t return_to_ = 0;     ///< where the call out of tandem_core returns to
  std::uint64_t return_stack_ = 0;  ///< the stack pointer at that call
  std::uint64_t addresses_[4] = {};
  std::uint64_t enabled_ = 0;
  std::unordered_map<std::uint64_t, std::uint32_t> visits_;
  Event last_;
};

}  // namespace tandem::test
