#include "installed/ament_index.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "tandem/ament_prefixes.hpp"
#include "terminal/errors.hpp"

namespace ros2cli {
namespace fs = std::filesystem;
namespace {

const fs::path kIndex = "share/ament_index/resource_index";

bool is_executable(const fs::directory_entry & entry) {
  std::error_code error;
  return entry.is_regular_file(error) && access(entry.path().c_str(), X_OK) == 0;
}

/// "msg/Header.msg" → "msg/Header"; empty for a generated part, such as "srv/SetBool_Request.msg".
std::string interface_name(const std::string & line) {
  const fs::path file(line);
  const std::string extension = file.extension();
  const std::string kind = file.parent_path();
  const std::string stem = file.stem();
  if (kind.empty() || (extension != ".idl" && extension != ".msg" && extension != ".srv" && extension != ".action")) {
    return {};
  }
  const bool is_generated = kind != "msg" && stem.find('_') != std::string::npos;
  return is_generated ? std::string() : kind + "/" + stem;
}

std::set<std::string> registered_interfaces(const fs::path & prefix, const std::string & package) {
  std::set<std::string> found;
  std::ifstream file(resource_file(prefix, "rosidl_interfaces", package));
  for (std::string line; std::getline(file, line);) {
    if (const std::string name = interface_name(line); !name.empty()) {
      found.insert(name);
    }
  }
  return found;
}

}  // namespace

fs::path resource_file(const fs::path & prefix, const std::string & type, const std::string & name) {
  return prefix / kIndex / type / name;
}

std::vector<fs::path> prefixes() {
  std::vector<fs::path> found = tandem::ament_prefixes();
  if (found.empty()) {
    throw CommandError("AMENT_PREFIX_PATH is not set: source the local_setup.bash of an installation first");
  }
  return found;
}

std::map<std::string, fs::path> resources(const std::string & type) {
  std::map<std::string, fs::path> found;
  for (const fs::path & prefix : prefixes()) {
    std::error_code error;
    for (fs::directory_iterator entry(prefix / kIndex / type, error), end; !error && entry != end;
         entry.increment(error)) {
      found.emplace(entry->path().filename(), prefix);
    }
  }
  return found;
}

fs::path package_prefix(const std::string & package) {
  const auto found = resources("packages");
  const auto entry = found.find(package);
  if (entry == found.end()) {
    throw unknown("package", package, names_of(found));
  }
  return entry->second;
}

fs::path share_folder(const std::string & package) { return package_prefix(package) / "share" / package; }

std::map<std::string, fs::path> executables(const std::string & package) {
  std::map<std::string, fs::path> found;
  std::error_code error;
  fs::recursive_directory_iterator entry(package_prefix(package) / "lib" / package, error);
  for (const fs::recursive_directory_iterator end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename();
    if (entry->is_directory()) {
      if (name.starts_with('.') || name == "__pycache__") {
        entry.disable_recursion_pending();
      }
    } else if (is_executable(*entry)) {
      // Of two with one name the one that lies less deep, whatever order the folder is read in.
      const auto [known, is_new] = found.emplace(name, entry->path());
      if (!is_new && entry->path().string().size() < known->second.string().size()) {
        known->second = entry->path();
      }
    }
  }
  return found;
}

fs::path executable_path(const std::string & package, const std::string & executable) {
  const auto found = executables(package);
  if (found.empty()) {
    throw CommandError("package '" + package + "' has no executables");
  }
  const auto entry = found.find(executable);
  if (entry == found.end()) {
    throw unknown("executable in package '" + package + "':", executable, names_of(found));
  }
  return entry->second;
}

std::vector<std::string> launch_files(const std::string & package) {
  std::set<std::string> names;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(share_folder(package), error), end; !error && entry != end;
       entry.increment(error)) {
    const fs::path name = entry->path().filename();
    const std::string extension = name.extension();
    const bool is_language = extension == ".py" || extension == ".xml" || extension == ".yaml" || extension == ".yml";
    if (is_language && name.string().find("launch") != std::string::npos && !entry->is_directory()) {
      names.insert(name);
    }
  }
  return {names.begin(), names.end()};
}

std::vector<std::string> package_names(const std::vector<std::string> &) { return names_of(resources("packages")); }

std::vector<std::string> interfaces(const std::string & package) {
  const auto found = resources("rosidl_interfaces");
  const auto entry = found.find(package);
  if (entry == found.end()) {
    throw unknown("package with interfaces", package, names_of(found));
  }
  const std::set<std::string> names = registered_interfaces(entry->second, package);
  return {names.begin(), names.end()};
}

std::vector<std::string> all_interfaces(const std::string & kind) {
  std::vector<std::string> all;
  for (const auto & [package, prefix] : resources("rosidl_interfaces")) {
    for (const std::string & name : registered_interfaces(prefix, package)) {
      if (kind.empty() || name.starts_with(kind + "/")) {
        all.push_back(package + "/" + name);
      }
    }
  }
  return all;
}

}  // namespace ros2cli
