#include "common/machine.hpp"

#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>

namespace bench {
namespace {

constexpr const char * kUnknown = "unknown";

std::string first_line(const std::string & path) {
  std::string line;
  std::getline(std::ifstream(path), line);
  return line.empty() ? kUnknown : line;
}

/// The value of the first "key : value" line of /proc/cpuinfo whose key is `key`.
std::string cpu_info(const std::string & key) {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (line.rfind(key, 0) == 0 && colon != std::string::npos) {
      return line.substr(colon + 2);
    }
  }
  return kUnknown;
}

std::string virtualisation() {
  const std::string flags = cpu_info("flags");
  if (flags == kUnknown) {
    return kUnknown;  // other processors than x86 do not say
  }
  return (" " + flags + " ").find(" hypervisor ") == std::string::npos ? "no" : "yes";
}

std::string kernel() {
  utsname name{};
  return uname(&name) == 0 ? std::string(name.sysname) + " " + name.release + " " + name.machine : kUnknown;
}

/// The revision of the repository that the benchmark is started in.
std::string revision() {
  const std::unique_ptr<FILE, int (*)(FILE *)> pipe(popen("git describe --always --dirty 2>/dev/null", "r"), pclose);
  std::array<char, 100> line{};
  if (!pipe || std::fgets(line.data(), line.size(), pipe.get()) == nullptr) {
    return kUnknown;
  }
  std::string text = line.data();
  text.erase(text.find_last_not_of('\n') + 1);
  return text;
}

}  // namespace

std::vector<int> allowed_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  sched_getaffinity(0, sizeof(set), &set);
  std::vector<int> cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &set)) {
      cpus.push_back(cpu);
    }
  }
  return cpus;
}

void pin_to(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  if (sched_setaffinity(0, sizeof(set), &set) != 0) {
    throw std::runtime_error("this process may not run on processor " + std::to_string(cpu) + "; choose with --cpus");
  }
}

void unpin() {
  cpu_set_t all;
  std::fill_n(reinterpret_cast<unsigned char *>(&all), sizeof all, 0xff);
  sched_setaffinity(0, sizeof all, &all);
}

nlohmann::json describe_machine() {
  std::array<double, 3> load{};
  const bool has_load = getloadavg(load.data(), 3) == 3;
  return {{"cpu", cpu_info("model name")},
          {"processors", sysconf(_SC_NPROCESSORS_ONLN)},
          {"kernel", kernel()},
          {"governor", first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")},
          {"clock_source", first_line("/sys/devices/system/clocksource/clocksource0/current_clocksource")},
          {"virtualised", virtualisation()},
          {"load_before", has_load ? nlohmann::json(load[0]) : nlohmann::json(kUnknown)},
          {"revision", revision()},
          {"compiler", __VERSION__}};
}

StolenTicks stolen_ticks() {
  // cpu user nice system idle iowait irq softirq steal …
  std::istringstream line(first_line("/proc/stat"));
  std::string label;
  line >> label;
  StolenTicks ticks;
  double value = 0;
  for (int column = 0; column < 8 && line >> value; ++column) {
    ticks.all += value;
    ticks.stolen = column == 7 ? value : 0;
  }
  return ticks;
}

}  // namespace bench
