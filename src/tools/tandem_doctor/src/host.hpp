// What the machine offers, and what processes are doing: everything that is not in shared memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tandem/inspect.hpp"

namespace tandem::doctor {

struct FileSystem {
  std::string type;  ///< "tmpfs", or the magic number of another one
  std::uint64_t size = 0;
  std::uint64_t free = 0;
  std::uint64_t files = 0;  ///< inodes that there can be; 0: no limit is told
  std::uint64_t files_free = 0;
  double used() const { return size != 0 ? 1 - static_cast<double>(free) / static_cast<double>(size) : 0; }
};

/// A limit of this process, and so most likely of others that are started here.
struct Limits {
  std::optional<std::uint64_t> files;          ///< nothing: unlimited
  std::optional<std::uint64_t> files_most;     ///< what a process may raise it to
  std::optional<std::uint64_t> address_space;  ///< bytes
  std::uint64_t mappings = 0;                  ///< 0: unknown
};

struct Setting {
  std::string name;
  std::string value;
  std::string objection;  ///< empty: fine
};

struct Feature {
  std::string name;
  bool there = false;
  bool needed = true;
};

/// A folder of PYTHONPATH that has a package rclpy.
struct RclpyPackage {
  std::string folder;
  bool is_tandem = false;
};

struct Host {
  std::string kernel;
  std::uint32_t user = 0;
  FileSystem file_system;  ///< of the directory, or of what is above it
  Limits limits;
  std::vector<Setting> settings;  ///< TANDEM_* and ROS_DOMAIN_ID that are set
  std::vector<Feature> features;
  std::string huge_pages;                      ///< of shared memory: "never", "advise", ...; empty: unknown
  std::string governor;                        ///< of the first processor; empty: unknown
  std::vector<std::string> other_directories;  ///< of other users
  std::vector<RclpyPackage> rclpy;             ///< those of PYTHONPATH: the first is imported
};

FileSystem look_at_file_system(const std::string & directory);

/// Opens nothing in `directory` but a file without a name, to see that it can be made.
Host look_at_host(const std::string & directory);

/// What the kernel says of a region's process. Unknown when it is in another PID namespace.
struct Activity {
  char state = '?';  ///< as in ps(1): R S D T t Z; '?': unknown
  bool is_stopped() const { return state == 'T' || state == 't'; }
};
Activity activity(const inspection::Region & region);

std::string user_name(std::uint32_t user);

}  // namespace tandem::doctor
