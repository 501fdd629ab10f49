#include "tandem/ament_prefixes.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <string>

namespace tandem {
namespace {

namespace fs = std::filesystem;

/// The prefix of the library with this code; empty if unknown.
fs::path prefix_of(const void * code) {
  Dl_info info{};
  if (code == nullptr || dladdr(code, &info) == 0 || info.dli_fname == nullptr) {
    return {};
  }
  std::error_code error;
  const fs::path library = fs::canonical(info.dli_fname, error);
  return error ? fs::path() : library.parent_path().parent_path();
}

}  // namespace

std::vector<fs::path> ament_prefixes(const void * code) {
  std::vector<fs::path> found;
  const auto add = [&found](const fs::path & prefix) {
    if (!prefix.empty() && std::find(found.begin(), found.end(), prefix) == found.end()) {
      found.push_back(prefix);
    }
  };
  const char * const value = std::getenv("AMENT_PREFIX_PATH");
  std::istringstream path(value != nullptr ? value : "");
  for (std::string prefix; std::getline(path, prefix, ':');) {
    add(prefix);
  }
  add(prefix_of(code));
  return found;
}

}  // namespace tandem
