// What both ends of a delay study need: a stamp, a processor of their own, and the two files. Header-only, Linux, C++17.
#pragma once

#include <dirent.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <ios>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace delay_study {

/// One clock for all processes of a host, which nobody sets: CLOCK_MONOTONIC, ns.
inline std::int64_t now_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

/// Where an end of the study runs.
struct Place {
  int cpu = -1;                  ///< processor; -1: any
  int priority = 0;              ///< SCHED_FIFO, 1 to 99; 0: ordinary scheduling
  const char * cpuset = "none";  ///< joined when somebody has made a cpuset of this name
};

/// Puts all threads that the process has there; those that they start later follow.
/// \return what was not allowed, for a warning; empty when all was done.
inline std::string take_place(const Place & place) {
  for (const char * hierarchy : {"/sys/fs/cgroup/cpuset/", "/sys/fs/cgroup/"}) {
    const std::string folder = std::string(hierarchy) + place.cpuset;
    if (access(folder.c_str(), F_OK) == 0) {
      std::ofstream(folder + "/cgroup.procs") << getpid();
      break;
    }
  }
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  if (place.cpu >= 0) CPU_SET(static_cast<unsigned>(place.cpu), &cpus);
  sched_param scheduling{};
  scheduling.sched_priority = place.priority;

  std::string cpu_error;
  std::string priority_error;
  const std::unique_ptr<DIR, int (*)(DIR *)> tasks(opendir("/proc/self/task"), closedir);
  while (const dirent * task = tasks ? readdir(tasks.get()) : nullptr) {
    const auto thread = static_cast<pid_t>(std::atoi(task->d_name));
    if (thread == 0) continue;
    if (place.cpu >= 0 && sched_setaffinity(thread, sizeof(cpus), &cpus) != 0) cpu_error = std::strerror(errno);
    if (place.priority > 0 && sched_setscheduler(thread, SCHED_FIFO, &scheduling) != 0) {
      priority_error = std::strerror(errno);
    }
  }
  std::string refused;
  if (!cpu_error.empty()) refused = "not pinned to processor " + std::to_string(place.cpu) + " (" + cpu_error + ")";
  if (!priority_error.empty()) {
    refused += (refused.empty() ? "" : "; ") + std::string("no real-time priority (") + priority_error +
               "; root and CAP_SYS_NICE have it)";
  }
  return refused;
}

/// The messages' text: its first eight characters are the message's number, as far as there is room for them.
class Text {
 public:
  static constexpr std::size_t kDigits = 8;

  /// Turns a text of the wanted length, made of 'x', into message `number`.
  template <class String>
  static void put_number(String & text, std::size_t number) {
    if (text.size() < kDigits) return;
    for (std::size_t i = kDigits; i-- > 0; number /= 10) text[i] = static_cast<char>('0' + number % 10);
  }

  /// Whether this is message `number` and has `length` characters.
  static bool is(const char * text, std::size_t size, std::size_t number, std::size_t length) {
    if (size != length) return false;
    for (std::size_t i = kDigits; size >= kDigits && i-- > 0; number /= 10) {
      if (text[i] != static_cast<char>('0' + number % 10)) return false;
    }
    return true;
  }
};

/// One line, separated by spaces. The file has the whole line or nothing of it.
/// \throws std::runtime_error when the file cannot be written.
inline void write_stamps(const std::string & path, const std::vector<std::int64_t> & stamps, std::ios::openmode mode) {
  std::string line;
  line.reserve(stamps.size() * 20);
  for (const std::int64_t stamp : stamps) line += (line.empty() ? "" : " ") + std::to_string(stamp);
  line += '\n';
  // Not buffered: a line goes to the file in one piece.
  std::ofstream file;
  file.rdbuf()->pubsetbuf(nullptr, 0);
  file.open(path, std::ios::out | mode);
  if (!file.write(line.data(), static_cast<std::streamsize>(line.size())).flush()) {
    throw std::runtime_error("cannot write " + path + ": " + std::strerror(errno));
  }
}

}  // namespace delay_study
