#include "file_tracer.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

namespace {

namespace fs = std::filesystem;

constexpr int kCallStop = SIGTRAP | 0x80;

/// Which argument of a call names a file that it changes; -1: it changes none.
struct Argument {
  int descriptor = -1;
  int path = -1;
};

Argument argument_of(std::uint64_t call, const std::uint64_t * arguments) {
  switch (call) {
    case SYS_write:
    case SYS_writev:
    case SYS_pwrite64:
    case SYS_pwritev:
    case SYS_ftruncate:
    case SYS_fallocate:
    case SYS_fsync:
    case SYS_fdatasync: return {0, -1};
    case SYS_openat: return (arguments[2] & O_CREAT) != 0 ? Argument{-1, 1} : Argument{};
    case SYS_mkdirat:
    case SYS_unlinkat:
    case SYS_renameat:
    case SYS_renameat2: return {-1, 1};
#ifdef SYS_mkdir
    case SYS_mkdir:
    case SYS_unlink:
    case SYS_rename: return {-1, 0};
#endif
    default: return {};
  }
}

std::string read_text(pid_t thread, std::uint64_t address) {
  std::array<char, 512> text{};
  const int memory = open(("/proc/" + std::to_string(thread) + "/mem").c_str(), O_RDONLY | O_CLOEXEC);
  const ssize_t size = pread(memory, text.data(), text.size() - 1, static_cast<off_t>(address));
  close(memory);
  return size > 0 ? text.data() : "";
}

}  // namespace

void end_with(const std::function<int()> & work) {
  try {
    _exit(work());
  } catch (const std::exception & error) {
    std::fprintf(stderr, "the child: %s\n", error.what());
    _exit(99);
  }
}

bool FileTracer::is_possible() {
  const pid_t child = fork();
  if (child == 0) {
    _exit(ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) == 0 ? 0 : 1);
  }
  int status = 0;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

FileTracer::FileTracer(const fs::path & folder, const std::function<int()> & work)
    : folder_(folder), child_(fork()), stopped_(child_) {
  if (child_ == 0) {
    ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
    setpgid(0, 0);
    raise(SIGSTOP);
    end_with(work);
  }
  int status = 0;
  waitpid(child_, &status, 0);
  ptrace(PTRACE_SETOPTIONS, child_, nullptr, PTRACE_O_EXITKILL | PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE);
}

FileTracer::~FileTracer() { kill(); }

bool FileTracer::run(int count) {
  int signal = 0;
  while (!is_gone_) {
    ptrace(PTRACE_SYSCALL, stopped_, nullptr, static_cast<long>(std::exchange(signal, 0)));
    int status = 0;
    stopped_ = wait(status);
    while (!WIFSTOPPED(status)) {
      if (stopped_ == child_) {
        is_gone_ = true;
        exit_status_ = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
        return false;
      }
      stopped_ = wait(status);  // another thread has ended
    }
    if (WSTOPSIG(status) == kCallStop) {
      count -= is_change(stopped_) ? 1 : 0;
      if (count == 0) {
        return true;
      }
    } else if (status >> 16 == 0 && WSTOPSIG(status) != SIGSTOP) {  // SIGSTOP: a new thread
      signal = WSTOPSIG(status);
    }
  }
  return false;
}

/// For one of its threads. \return which one.
pid_t FileTracer::wait(int & status) const {
  const pid_t thread = waitpid(-child_, &status, __WALL);
  if (thread < 0) {
    std::perror("the traced process is lost");
    std::abort();
  }
  return thread;
}

bool FileTracer::is_change(pid_t thread) const {
  __ptrace_syscall_info info{};
  ptrace(PTRACE_GET_SYSCALL_INFO, thread, reinterpret_cast<void *>(sizeof info), &info);
  if (info.op != PTRACE_SYSCALL_INFO_ENTRY) {
    return false;
  }
  const Argument argument = argument_of(info.entry.nr, info.entry.args);
  std::error_code error;
  fs::path path;
  if (argument.path >= 0) {
    path = read_text(thread, info.entry.args[argument.path]);
  } else if (argument.descriptor >= 0) {
    path = fs::read_symlink(
        "/proc/" + std::to_string(thread) + "/fd/" + std::to_string(info.entry.args[argument.descriptor]), error);
  }
  return path.string().rfind(folder_.string(), 0) == 0;
}

void FileTracer::kill() {
  if (is_gone_) {
    return;
  }
  ::kill(child_, SIGKILL);
  for (int status = 0; !is_gone_;) {
    is_gone_ = wait(status) == child_ && !WIFSTOPPED(status);
  }
  exit_status_ = -SIGKILL;
}
