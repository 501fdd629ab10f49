#include "installed/programs.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <system_error>

#include "installed/ament_index.hpp"
#include "terminal/errors.hpp"
#include "terminal/output.hpp"

namespace ros2cli {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kPrefix = "ros2-";

/// Where this program lies; empty if that is unknown.
fs::path own_folder() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).parent_path();
}

/// Where commands are looked for: beside this program's own package, then where the shell looks.
std::vector<fs::path> folders() {
  std::vector<fs::path> found;
  try {
    for (const fs::path & prefix : prefixes()) {
      found.push_back(prefix / "lib" / "ros2cli");
    }
  } catch (const CommandError &) {
    // Nothing was sourced: the prefix of this program and PATH remain.
  }
  if (const fs::path own = own_folder(); !own.empty()) {
    found.push_back(own.parent_path() / "lib" / "ros2cli");
  }
  const char * path = std::getenv("PATH");
  const std::string text = path != nullptr ? path : "";
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(':', begin), text.size());
    found.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return found;
}

}  // namespace

std::vector<std::string> external_commands() {
  std::set<std::string> names;
  for (const fs::path & folder : folders()) {
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
      const std::string name = entry->path().filename();
      if (name.starts_with(kPrefix) && access(entry->path().c_str(), X_OK) == 0) {
        names.insert(name.substr(kPrefix.size()));
      }
    }
  }
  return {names.begin(), names.end()};
}

void become_external(const std::vector<std::string> & words) {
  if (words[0].find('/') != std::string::npos) {
    return;
  }
  for (const fs::path & folder : folders()) {
    const fs::path program = folder / (std::string(kPrefix) + words[0]);
    if (!folder.empty() && access(program.c_str(), X_OK) == 0) {
      std::vector<std::string> command = words;
      command[0] = program;
      become(command);
    }
  }
}

void become(const std::vector<std::string> & words) {
  std::vector<char *> arguments;
  for (const std::string & word : words) {
    arguments.push_back(const_cast<char *>(word.c_str()));  // execvp does not write to it
  }
  arguments.push_back(nullptr);
  restore_broken_pipes();
  execvp(arguments[0], arguments.data());
  throw CommandError("cannot run '" + words[0] + "': " + std::generic_category().message(errno));
}

void become_beside(const std::string & program, const std::string & package) {
  const fs::path beside = own_folder() / program;
  try {
    become({access(beside.c_str(), X_OK) == 0 ? beside.string() : program});
  } catch (const CommandError & error) {
    throw CommandError(std::string(error.what()) + "; is the package " + package + " installed?");
  }
}

}  // namespace ros2cli
