#include "host.hpp"

#include <fcntl.h>
#include <linux/futex.h>
#include <linux/magic.h>
#include <linux/membarrier.h>
#include <pwd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

namespace tandem::doctor {
namespace {

namespace fs = std::filesystem;

std::string first_line(const std::string & path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

/// Of a file that lists choices: the one in brackets.
std::string choice(const std::string & path) {
  const std::string line = first_line(path);
  const auto begin = line.find('[');
  const auto end = line.find(']');
  return begin != std::string::npos && end > begin ? line.substr(begin + 1, end - begin - 1) : "";
}

std::optional<std::uint64_t> finite(rlim_t limit) {
  return limit == RLIM_INFINITY ? std::nullopt : std::optional<std::uint64_t>(limit);
}

Limits look_at_limits() {
  Limits limits;
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
    limits.files = finite(limit.rlim_cur);
    limits.files_most = finite(limit.rlim_max);
  }
  if (getrlimit(RLIMIT_AS, &limit) == 0) {
    limits.address_space = finite(limit.rlim_cur);
  }
  limits.mappings = std::strtoull(first_line("/proc/sys/vm/max_map_count").c_str(), nullptr, 10);
  return limits;
}

/// Why a setting is not what its reader accepts.
std::string objection(const std::string & name, const std::string & value, const FileSystem & file_system) {
  char * end = nullptr;
  const unsigned long long number = std::strtoull(value.c_str(), &end, 10);
  const bool is_number = !value.empty() && *end == '\0';
  if (name == "TANDEM_REGION_SIZE" && (!is_number || number < 8 || number > (1U << 20))) {
    return "it is not a number of MiB from 8 to 1048576, so the default is used";
  }
  if (name == "TANDEM_REGION_SIZE" && file_system.size != 0 && number << 20 > file_system.size) {
    return fmt::format("regions can never become so large: the file system holds {} MiB", file_system.size >> 20);
  }
  if (name == "TANDEM_SPIN_US" && !is_number) {
    return "it is not a number of microseconds";
  }
  if (name == "ROS_DOMAIN_ID" && (!is_number || number > 232)) {
    return "it is not a domain: 0 to 232";
  }
  return {};
}

std::vector<Setting> look_at_settings(const FileSystem & file_system) {
  std::vector<Setting> settings;
  for (char ** variable = environ; *variable != nullptr; ++variable) {
    const std::string text = *variable;
    const std::string name = text.substr(0, text.find('='));
    if (name.starts_with("TANDEM_") || name == "ROS_DOMAIN_ID" || name == "RMW_IMPLEMENTATION") {
      const std::string value = text.substr(std::min(text.size(), name.size() + 1));
      settings.push_back({name, value, value.empty() ? "" : objection(name, value, file_system)});
    }
  }
  std::sort(settings.begin(), settings.end(), [](const auto & a, const auto & b) { return a.name < b.name; });
  return settings;
}

bool has_lock(int file) {
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  return fcntl(file, F_OFD_SETLK, &lock) == 0 && fcntl(file, F_OFD_GETLK, &lock) == 0;
}

std::vector<Feature> look_at_features(const std::string & directory) {
  std::vector<Feature> features;
  if (access(directory.c_str(), W_OK) == 0) {
    const int file = open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    features.push_back({"O_TMPFILE", file >= 0});
    close(file);
  }
  const int memory = static_cast<int>(syscall(SYS_memfd_create, "tandem-doctor", 1U));
  features.push_back({"OFD locks", has_lock(memory)});
  features.push_back({"fallocate", fallocate(memory, 0, 0, 4096) == 0});
  features.push_back({"hole punching", fallocate(memory, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 4096) == 0});
  close(memory);
  std::uint32_t word = 0;
  features.push_back({"futex", syscall(SYS_futex, &word, FUTEX_WAKE, 1, nullptr, nullptr, 0) == 0});
  features.push_back({"membarrier", syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0, 0) > 0, false});
  features.push_back({"/proc", access("/proc/self/fd", X_OK) == 0});
  return features;
}

/// Directories like the default one, of others.
std::vector<std::string> look_for_others(const std::string & directory) {
  std::vector<std::string> found;
  std::error_code error;
  for (fs::directory_iterator entry("/dev/shm", error), end; !error && entry != end; entry.increment(error)) {
    const std::string path = entry->path().string();
    const std::string name = entry->path().filename().string();
    const bool is_default =
        name.starts_with("tandem-") && name.size() > 7 && name.find_first_not_of("0123456789", 7) == std::string::npos;
    if (is_default && path != directory) {
      found.push_back(path);
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<RclpyPackage> look_for_rclpy() {
  std::vector<RclpyPackage> found;
  const char * const path = std::getenv("PYTHONPATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::error_code error;
    const fs::path modules = folder;
    if (folder.empty() || !fs::exists(modules / "rclpy" / "__init__.py", error)) {
      continue;
    }
    found.push_back({folder, fs::exists(modules / "rosidl_generator_py" / "array_view.py", error)});
  }
  return found;
}

}  // namespace

FileSystem look_at_file_system(const std::string & directory) {
  FileSystem result;
  std::error_code error;
  fs::path path = directory;
  while (!fs::exists(path, error) && path.has_relative_path()) {
    path = path.parent_path();
  }
  struct statfs status {};
  if (statfs(path.c_str(), &status) != 0) {
    return result;
  }
  const auto unit = static_cast<std::uint64_t>(status.f_bsize);
  result.type =
      status.f_type == TMPFS_MAGIC ? "tmpfs" : fmt::format("{:#x}", static_cast<std::uint32_t>(status.f_type));
  result.size = status.f_blocks * unit;
  result.free = status.f_bavail * unit;
  result.files = status.f_files;
  result.files_free = status.f_ffree;
  return result;
}

Host look_at_host(const std::string & directory) {
  Host host;
  utsname name{};
  uname(&name);
  host.kernel = fmt::format("{} {} {}", name.sysname, name.release, name.machine);
  host.user = geteuid();
  host.file_system = look_at_file_system(directory);
  host.limits = look_at_limits();
  host.settings = look_at_settings(host.file_system);
  host.features = look_at_features(directory);
  host.huge_pages = choice("/sys/kernel/mm/transparent_hugepage/shmem_enabled");
  host.governor = first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
  host.other_directories = look_for_others(directory);
  host.rclpy = look_for_rclpy();
  return host;
}

Activity activity(const inspection::Region & region) {
  Activity result;
  if (!region.same_pid_namespace || region.state != inspection::State::kAlive) {
    return result;
  }
  const std::string line = first_line(fmt::format("/proc/{}/stat", region.pid));
  const auto name_end = line.rfind(") ");
  if (name_end != std::string::npos && name_end + 2 < line.size()) {
    result.state = line[name_end + 2];
  }
  return result;
}

std::string user_name(std::uint32_t user) {
  const passwd * entry = getpwuid(user);
  return entry != nullptr ? entry->pw_name : std::to_string(user);
}

}  // namespace tandem::doctor
