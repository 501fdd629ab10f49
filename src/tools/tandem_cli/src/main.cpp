// tandem: becomes the program tandem-<verb> that lies beside it, as git does.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "tandem-";

std::vector<std::string> verbs(const fs::path & folder) {
  std::vector<std::string> found;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with(kPrefix) && access(entry->path().c_str(), X_OK) == 0 && !entry->is_directory()) {
      found.push_back(name.substr(kPrefix.size()));
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

/// What a verb does, in one line; empty when its package does not say.
std::string summary(const fs::path & folder, const std::string & verb) {
  std::ifstream file(folder.parent_path() / "share" / "tandem" / "verbs" / verb);
  std::string line;
  std::getline(file, line);
  return line;
}

void list(std::ostream & out, const fs::path & folder) {
  const std::vector<std::string> found = verbs(folder);
  std::size_t width = 0;
  for (const std::string & verb : found) {
    width = std::max(width, verb.size());
  }
  out << "usage: tandem VERB [options]; `tandem VERB --help` tells them\n\nverbs:\n";
  for (const std::string & verb : found) {
    const std::string line = summary(folder, verb);
    out << "  " << verb << (line.empty() ? "" : std::string(width - verb.size() + 2, ' ') + line) << '\n';
  }
}

}  // namespace

int main(int argc, char ** argv) {
  std::error_code error;
  const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  const std::string_view verb = argc > 1 ? argv[1] : "";
  if (verb == "--help" || verb == "-h") {
    list(std::cout, folder);
    return 0;
  }
  const bool is_plain = !verb.empty() && verb.front() != '-' && verb.find('/') == std::string_view::npos;
  if (is_plain) {
    const std::string program = (folder / (std::string(kPrefix) + std::string(verb))).string();
    execv(program.c_str(), argv + 1);
    if (errno != ENOENT) {
      std::cerr << "tandem: " << program << " cannot be run: " << std::strerror(errno) << '\n';
      return 126;
    }
  }
  if (!verb.empty()) {
    std::cerr << "tandem: there is no verb '" << verb << "'\n";
  }
  list(std::cerr, folder);
  return 2;
}
