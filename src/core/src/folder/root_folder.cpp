#include "folder/root_folder.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "system/log_later.hpp"
#include "tandem/shared_memory_folder.hpp"

namespace tandem {
namespace {

std::string default_root() { return "/dev/shm/tandem-" + std::to_string(geteuid()); }

}  // namespace

std::string chosen_root() {
  const char * chosen = std::getenv("TANDEM_SHM_DIR");
  return chosen != nullptr ? chosen : "";
}

std::string shared_memory_folder() {
  const std::string chosen = chosen_root();
  return chosen.empty() ? default_root() : chosen;
}

Result<RootFolder, JoinError> RootFolder::open() {
  const std::string path = chosen_root();
  const int refusal = mkdir(shared_memory_folder().c_str(), 0700) == 0 ? 0 : errno;
  std::string objection;
  const RootFolder root = look(path, objection);
  if (refusal == ENOSPC && access(root.path.c_str(), F_OK) != 0) {
    return no_directory("the shared memory directory " + root.path + " cannot be made: " + error_text(refusal) + ". " +
                        remedy(refusal, "the tmpfs where it is to be"));
  }
  if (!objection.empty()) {
    return no_directory("the shared memory directory " + objection);
  }
  return root;
}

RootFolder RootFolder::look(const std::string & chosen, std::string & objection) {
  RootFolder root;
  root.path = chosen.empty() ? default_root() : chosen;
  struct stat status {};
  if ((chosen.empty() ? lstat(root.path.c_str(), &status) : stat(root.path.c_str(), &status)) != 0) {
    objection = root.path + " cannot be made: " + error_text(errno) +
                ". Mount a tmpfs there or set TANDEM_SHM_DIR to a directory on one";
    return root;
  }
  objection = objection_to(root.path, status);
  if (chosen.empty() && objection.empty() && status.st_uid != geteuid()) {
    // Another user's directory is used only if TANDEM_SHM_DIR names it: anybody may have created the default one.
    objection = root.path + " belongs to user " + std::to_string(status.st_uid) +
                ": set TANDEM_SHM_DIR to it to share it with its group, or to a directory of your own";
  }
  root.file_mode = (status.st_mode & 0020) != 0 ? 0660 : 0600;
  root.owner = status.st_uid;
  root.group = status.st_gid;
  root.key = key_of(status);
  return root;
}

std::uint32_t RootFolder::key_of(const struct stat & status) {
  return static_cast<std::uint32_t>((status.st_ino * 0x9e3779b97f4a7c15 + status.st_dev) >> 32);
}

void RootFolder::share(const File & file, mode_t mode) const {
  if (is_shared() && fchown(file.get(), static_cast<uid_t>(-1), group) != 0) {
    log_later(LogLevel::kWarning,
              "a file in " + path + " cannot be given to the group that shares it: " + error_text(errno));
  }
  fchmod(file.get(), mode);  // not subject to the umask
}

std::string objection_to(const std::string & path, const struct stat & status) {
  if (!S_ISDIR(status.st_mode)) {
    return path + " is not a directory: remove it or set TANDEM_SHM_DIR";
  }
  if ((status.st_mode & 0002) != 0) {
    return path +
           " can be written by everybody, so anybody could disturb this process: `chmod o-w` it or set "
           "TANDEM_SHM_DIR to a directory of your own";
  }
  if (status.st_uid != geteuid() && (status.st_mode & 0020) == 0) {
    return path + " belongs to user " + std::to_string(status.st_uid) +
           " and is not shared with a group: set TANDEM_SHM_DIR to a directory of your own";
  }
  if (faccessat(AT_FDCWD, path.c_str(), R_OK | W_OK | X_OK, AT_EACCESS) != 0) {
    return path + " cannot be written by this user: " + error_text(errno) +
           (status.st_uid != geteuid() ? ", it is shared with group " + std::to_string(status.st_gid) + " only" : "") +
           ". Set TANDEM_SHM_DIR to one that can";
  }
  return {};
}

tl::unexpected<Failure<JoinError>> no_directory(const std::string & message) {
  return tl::make_unexpected(Failure<JoinError>{JoinError::kNoDirectory, message});
}

}  // namespace tandem
