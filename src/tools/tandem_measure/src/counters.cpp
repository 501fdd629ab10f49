// See counters.hpp.
#include "tandem/measure/counters.hpp"

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace tandem::measure {
namespace {

int open_counter(std::uint64_t what) {
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  attributes.type = PERF_TYPE_HARDWARE;
  attributes.config = what;
  attributes.inherit = 1;
  attributes.exclude_hv = 1;
  attributes.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  return static_cast<int>(syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC));
}

std::string reason_for(int error) {
  if (error == EACCES || error == EPERM) {
    return "not permitted (run as root, or set /proc/sys/kernel/perf_event_paranoid to 1)";
  }
  if (error == ENOENT || error == ENODEV || error == EOPNOTSUPP || error == ENOSYS) {
    return "not supported by this machine";
  }
  return std::strerror(error);
}

/// Scaled when the processor had to share its counters among several users.
std::uint64_t value_of(int counter) {
  struct {
    std::uint64_t count, enabled, running;
  } got{};
  if (::read(counter, &got, sizeof got) != sizeof got || got.running == 0) {
    return 0;
  }
  const double scale = static_cast<double>(got.enabled) / static_cast<double>(got.running);
  return static_cast<std::uint64_t>(static_cast<double>(got.count) * scale);
}

}  // namespace

Counters::Counters()
    : cycles_(open_counter(PERF_COUNT_HW_CPU_CYCLES)), instructions_(open_counter(PERF_COUNT_HW_INSTRUCTIONS)) {
  if (cycles_ < 0 || instructions_ < 0) {
    reason_ = reason_for(errno);
  } else if (read().cycles == 0) {
    reason_ = "they do not count on this machine";
  }
}

Counters::~Counters() {
  for (const int file : {cycles_, instructions_}) {
    if (file >= 0) {
      close(file);
    }
  }
}

const Counters & counters() {
  static const Counters instance;
  return instance;
}

Counters::Reading Counters::read() const {
  return cycles_ >= 0 && instructions_ >= 0 ? Reading{value_of(cycles_), value_of(instructions_)} : Reading{};
}

}  // namespace tandem::measure
