#include "subject.hpp"

#include <grp.h>
#include <linux/capability.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tandem/heap.hpp"

namespace tandem::test {
namespace {

bool set_limit(int resource, std::optional<rlim_t> value) {
  const auto kind = static_cast<__rlimit_resource>(resource);
  rlimit limit{};
  getrlimit(kind, &limit);
  limit.rlim_cur = value.value_or(limit.rlim_max);
  limit.rlim_max = std::max(limit.rlim_max, limit.rlim_cur);
  return setrlimit(kind, &limit) == 0;
}

}  // namespace

void arm(User &, Shortage shortage, unsigned number, bool lasting) { arm_faults(shortage, number, lasting); }

unsigned disarm(User &) { return disarm_faults(); }

bool limit(User &, int resource, std::uint64_t value) { return set_limit(resource, value); }

bool unlimit(User &, int resource) { return set_limit(resource, {}); }

bool become(User &, unsigned id) {
  const bool done = setgroups(0, nullptr) == 0 && setresgid(id, id, id) == 0 && setresuid(id, id, id) == 0;
  prctl(PR_SET_DUMPABLE, 1);  // /proc/self stays its own
  return done;
}

bool forget_rights(User &) {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct data[2]{};
  return syscall(SYS_capset, &header, data) == 0;
}

bool lock_all_memory(User &) { return mlockall(MCL_CURRENT | MCL_FUTURE) == 0; }

std::size_t descriptors(User &) { return descriptors_of(getpid()); }

std::size_t mappings(User &) { return mappings_of(getpid()); }

std::size_t committed(User &) { return heap_statistics().committed; }

std::size_t reserved(User &) { return heap_statistics().reserved; }

std::size_t descriptors_of(int pid) {
  const std::filesystem::directory_iterator all("/proc/" + std::to_string(pid) + "/fd");
  const auto count = static_cast<std::size_t>(std::distance(begin(all), end(all)));
  return count - (pid == getpid() ? 1 : 0);
}

/// Of the shared memory: the allocator's own come and go.
std::size_t mappings_of(int pid) {
  std::ifstream maps("/proc/" + std::to_string(pid) + "/maps");
  std::size_t count = 0;
  for (std::string line; std::getline(maps, line);) {
    count += line.find("/dev/shm") != std::string::npos ? 1 : 0;
  }
  return count;
}

}  // namespace tandem::test
