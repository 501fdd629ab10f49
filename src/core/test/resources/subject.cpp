#include "subject.hpp"

#include <grp.h>
#include <linux/capability.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <sstream>

#include "agent.hpp"
#include "faults.hpp"
#include "tandem/heap.hpp"

namespace tandem::test {
namespace {

std::string arm(std::istringstream & words) {
  std::string shortage;
  unsigned number = 0;
  std::string how;
  words >> shortage >> number >> how;
  arm_faults(shortage == "space"         ? Shortage::kSpace
             : shortage == "descriptors" ? Shortage::kDescriptors
                                         : Shortage::kMemory,
             number, how == "all");
  return "ok";
}

std::string set_limit(std::istringstream & words, bool limited) {
  static const std::map<std::string, int> kinds = {{"nofile", RLIMIT_NOFILE},
                                                   {"as", RLIMIT_AS},
                                                   {"fsize", RLIMIT_FSIZE},
                                                   {"nproc", RLIMIT_NPROC},
                                                   {"memlock", RLIMIT_MEMLOCK}};
  std::string name;
  rlim_t value = 0;
  words >> name >> value;
  const auto kind = static_cast<__rlimit_resource>(kinds.at(name));
  rlimit limit{};
  getrlimit(kind, &limit);
  limit.rlim_cur = limited ? value : limit.rlim_max;
  limit.rlim_max = std::max(limit.rlim_max, limit.rlim_cur);
  return setrlimit(kind, &limit) == 0 ? "ok" : "error setrlimit";
}

std::string forget_rights() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct data[2]{};
  return syscall(SYS_capset, &header, data) == 0 ? "ok" : "error capset";
}

std::string become(std::istringstream & words) {
  unsigned user = 0;
  words >> user;
  const bool done = setgroups(0, nullptr) == 0 && setresgid(user, user, user) == 0 && setresuid(user, user, user) == 0;
  prctl(PR_SET_DUMPABLE, 1);  // /proc/self stays its own
  return done ? "ok" : "error setresuid";
}

std::string execute(Agent & agent, const std::string & line) {
  std::istringstream words(line);
  std::string verb;
  words >> verb;
  if (verb == "arm") {
    return arm(words);
  }
  if (verb == "disarm") {
    return std::to_string(disarm_faults());
  }
  if (verb == "failed_calls") {
    return "calls " + failed_calls();
  }
  if (verb == "limit" || verb == "unlimit") {
    return set_limit(words, verb == "limit");
  }
  if (verb == "become") {
    return become(words);
  }
  if (verb == "forget_rights") {
    return forget_rights();
  }
  if (verb == "mlockall") {
    return mlockall(MCL_CURRENT | MCL_FUTURE) == 0 ? "ok" : "error mlockall";
  }
  if (verb == "fds") {
    return std::to_string(descriptors_of(getpid()));
  }
  if (verb == "mappings") {
    return std::to_string(mappings_of(getpid()));
  }
  if (verb == "committed" || verb == "reserved") {
    return std::to_string(verb == "reserved" ? heap_statistics().reserved : heap_statistics().committed);
  }
  return agent.execute(line);
}

}  // namespace

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

int run_subject() {
  LogCapture log;
  Agent agent;
  bool joined = false;
  std::size_t told = 0;
  for (std::string line; std::getline(std::cin, line);) {
    std::string answer;
    if (line == "log") {
      const auto lines = log.lines();
      for (; told < lines.size(); ++told) {
        answer += lines[told] + " | ";
      }
      answer = answer.empty() ? "none" : answer;
    } else if (const std::string verb = line.substr(0, line.find(' '));
               !joined && (verb == "pub" || verb == "sub" || verb == "set" || verb == "settle")) {
      answer = "impossible without a participant";
    } else {
      try {
        answer = execute(agent, line);
        joined = verb == "join" ? answer == "ok" : joined && verb != "leave";
      } catch (const std::exception & error) {
        answer = std::string("impossible ") + error.what();
      }
    }
    std::cout << answer << std::endl;
  }
  return 0;
}

}  // namespace tandem::test
