#include "program/run_folder.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>
#include <filesystem>
#include <system_error>

namespace bench {
namespace {

namespace fs = std::filesystem;

constexpr const char * kPrefix = "tandem_bench_";
constexpr std::time_t kBirth = 60;  ///< seconds in which another run may not have locked its folder yet

bool is_left_behind(const fs::path & folder) {
  struct stat status {};
  if (stat(folder.c_str(), &status) != 0 || status.st_uid != geteuid() ||
      std::time(nullptr) - status.st_mtime < kBirth) {
    return false;
  }
  const int owner = open((folder / "owner").c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (owner < 0) {
    return true;
  }
  const bool left = flock(owner, LOCK_EX | LOCK_NB) == 0;
  close(owner);
  return left;
}

void remove_left_behind(const std::string & parent) {
  std::error_code ignored;
  for (const auto & entry : fs::directory_iterator(parent, ignored)) {
    if (entry.path().filename().string().rfind(kPrefix, 0) == 0 && is_left_behind(entry.path())) {
      fs::remove_all(entry.path(), ignored);
    }
  }
}

}  // namespace

RunFolder::RunFolder(const std::string & parent) {
  remove_left_behind(parent);
  path_ = parent + "/" + kPrefix + "XXXXXX";
  if (mkdtemp(path_.data()) == nullptr) {
    throw std::system_error(errno, std::generic_category(), "cannot make a folder in " + parent);
  }
  owner_ = open((path_ + "/owner").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (owner_ < 0 || flock(owner_, LOCK_EX | LOCK_NB) != 0) {
    throw std::system_error(errno, std::generic_category(), "cannot lock " + path_);
  }
}

RunFolder::~RunFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  close(owner_);
}

}  // namespace bench
