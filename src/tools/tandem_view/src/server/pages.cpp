#include "server/pages.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "tandem/tools/error.hpp"

namespace tandem::view {
namespace {

namespace fs = std::filesystem;

const std::map<std::string, std::string> kTypes = {{".css", "text/css; charset=utf-8"},
                                                   {".html", "text/html; charset=utf-8"},
                                                   {".svg", "image/svg+xml"},
                                                   {".js", "text/javascript; charset=utf-8"},
                                                   {".txt", "text/plain; charset=utf-8"}};

}  // namespace

Pages::Pages(const std::string & folder) {
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const auto type = kTypes.find(entry->path().extension().string());
    if (type != kTypes.end()) {
      std::ifstream file(entry->path(), std::ios::binary);
      pages_["/" + entry->path().filename().string()] = {type->second, {std::istreambuf_iterator<char>(file), {}}};
    }
  }
  if (pages_.count("/index.html") == 0) {
    throw tools::Error("the page is not in " + folder + ": install Tandem again");
  }
  pages_["/"] = pages_["/index.html"];
}

const Page * Pages::find(const std::string & path) const {
  const auto found = pages_.find(path);
  return found != pages_.end() ? &found->second : nullptr;
}

std::string installed_pages() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  return (program.parent_path().parent_path() / "share" / "tandem_view" / "web").string();
}

}  // namespace tandem::view
