#include "folder.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string_view>

#include "descriptor_socket.hpp"
#include "layout.hpp"
#include "log_later.hpp"
#include "tandem/shared_memory_folder.hpp"

namespace tandem {
namespace {

tl::unexpected<Failure<JoinError>> no_directory(const std::string & message) {
  return tl::make_unexpected(Failure<JoinError>{JoinError::kNoDirectory, message});
}

std::string hex(std::uint64_t value) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value));
  return text;
}

constexpr useconds_t kLockTimeout = 100'000;  ///< us: a stopped process that holds the lock must not stop others
constexpr std::size_t kDigits = 16;           ///< of an incarnation in a name

/// Of "<incarnation>.region" and the like; 0 if it is nothing such.
std::uint64_t incarnation_of(std::string_view name) {
  std::uint64_t incarnation = 0;
  for (std::size_t i = 0; i < kDigits; ++i) {
    const char digit = i < name.size() ? name[i] : '.';
    const bool is_decimal = digit >= '0' && digit <= '9';
    if (!is_decimal && (digit < 'a' || digit > 'f')) {
      return 0;
    }
    incarnation = incarnation << 4 | static_cast<std::uint64_t>(is_decimal ? digit - '0' : digit - 'a' + 10);
  }
  return incarnation;
}

std::string default_root() { return "/dev/shm/tandem-" + std::to_string(geteuid()); }

/// Empty if the directory may be used, else why not.
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

bool link_unnamed(const File & file, const std::string & path) {
  const std::string descriptor = "/proc/self/fd/" + std::to_string(file.get());
  return linkat(AT_FDCWD, descriptor.c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW) == 0 || errno == EEXIST ||
         // where there is no /proc, from Linux 6.10 on
         linkat(file.get(), "", AT_FDCWD, path.c_str(), AT_EMPTY_PATH) == 0 || errno == EEXIST;
}

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
  const bool made = mkdir(shared_memory_folder().c_str(), 0700) == 0;
  const int refusal = made ? 0 : errno;
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
    // A group's directory must be asked for: anybody of the group could have put it here.
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
  if (file_mode == 0660 && fchown(file.get(), static_cast<uid_t>(-1), group) != 0) {
    log_later(LogLevel::kWarning,
              "a file in " + path + " cannot be given to the group that shares it: " + error_text(errno));
  }
  fchmod(file.get(), mode);  // not subject to the umask
}

Result<Folder, JoinError> Folder::open(const RootFolder & root, std::uint32_t domain) {
  Folder folder;
  folder.root_ = root;
  folder.path_ = root.path + "/" + std::to_string(domain);
  folder.owner_ = geteuid();
  const FolderLock lock(root.path);  // who leaves last removes the folder, under the same lock
  const int refusal = folder.restore();
  struct stat status {};
  if (lstat(folder.path_.c_str(), &status) != 0) {
    const int error = refusal != 0 ? refusal : errno;
    return no_directory("the folder " + folder.path_ + " of domain " + std::to_string(domain) +
                        " cannot be made: " + error_text(error) + ". " + remedy(error, root.path));
  }
  if (std::string reason = objection_to(folder.path_, status); !reason.empty()) {
    return no_directory("the domain's folder " + reason);
  }
  return folder;
}

Folder Folder::look(const RootFolder & root, std::uint32_t domain, std::string & objection) {
  Folder folder;
  folder.root_ = root;
  folder.path_ = root.path + "/" + std::to_string(domain);
  folder.owner_ = root.owner;
  struct stat status {};
  objection = lstat(folder.path_.c_str(), &status) == 0 ? objection_to(folder.path_, status)
                                                        : folder.path_ + ": " + error_text(errno);
  return folder;
}

std::string Folder::region_path(std::uint64_t incarnation) const { return path_ + "/" + hex(incarnation) + ".region"; }
std::string Folder::bell_path(std::uint64_t incarnation) const { return path_ + "/" + hex(incarnation) + ".bell"; }

Folder::Names Folder::names() const {
  Names names;
  std::unique_ptr<DIR, int (*)(DIR *)> directory(opendir(path_.c_str()), closedir);
  if (!directory) {
    names.error = is_shortage(errno) ? errno : 0;
    return names;
  }
  while (const dirent * entry = readdir(directory.get())) {
    const std::string_view name = entry->d_name;
    if (const std::uint64_t incarnation = incarnation_of(name); incarnation != 0) {
      if (name.substr(kDigits) == ".region") {
        names.regions.push_back(incarnation);
      } else if (name.substr(kDigits) == ".bell") {
        names.bells.push_back(incarnation);
      }
    }
  }
  std::sort(names.regions.begin(), names.regions.end());
  return names;
}

void Folder::remove_stray_bells(const Names & names) const {
  for (const std::uint64_t bell : names.bells) {
    const bool has_region = std::binary_search(names.regions.begin(), names.regions.end(), bell);
    if (!has_region && is_abandoned(bell_path(bell))) {
      unlink(bell_path(bell).c_str());
    }
  }
}

File Folder::open_file(const std::string & path, bool writable, std::string & reason) const {
  const int flags = (writable ? O_RDWR : O_RDONLY) | O_CLOEXEC | O_NONBLOCK;
  File file(::open(path.c_str(), flags | O_NOFOLLOW));
  reason = error_text(errno);
  if (!file && errno == ENXIO) {
    file = descriptor_socket::receive(path, reason);
  }
  if (!file) {
    return {};
  }
  struct stat status {};
  if (fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) {
    reason = "it is not a file";
    return {};
  }
  if (status.st_uid != owner_ && root_.file_mode != 0660) {
    reason = "it belongs to user " + std::to_string(status.st_uid);
    return {};
  }
  reason.clear();
  return file;
}

bool Folder::give_name(const File & file, const File & view, const std::string & path) const {
  return link_unnamed(file, path) || (errno != ENOSPC && view && descriptor_socket::serve(path, view.get(), root_));
}

File Folder::open_roster() const {
  for (int attempt = 0; attempt < 3; ++attempt) {
    std::string reason;
    File file = open_file(roster_path(), true, reason);
    if (file && file_size(file) >= sizeof(Roster)) {
      return file;
    }
    if (file || (reason != error_text(ENOENT) && reason != error_text(EMFILE) && reason != error_text(ENFILE))) {
      // Truncated, somebody's alone, or no file: of no use to us. Who has it open will notice.
      ::remove(roster_path().c_str());
    }
    File fresh(::open(path_.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, root_.file_mode));
    if (!fresh && errno == ENOENT) {
      restore();  // somebody who left last has removed the folder before we had the lock
      continue;
    }
    if (!fresh || !provide(fresh, 0, 4096)) {
      return {};
    }
    root_.share(fresh, root_.file_mode);
    link_unnamed(fresh, roster_path());
  }
  return {};
}

bool Folder::is_abandoned(const std::string & path) const {
  std::string reason;
  const File file = open_file(path, false, reason);
  return file ? !is_locked(file) : descriptor_socket::is_abandoned(path);
}

bool Folder::remove(std::uint64_t incarnation) const {
  const bool removed = unlink(region_path(incarnation).c_str()) == 0;
  unlink(bell_path(incarnation).c_str());
  return removed;
}

void Folder::remove_if_empty() const {
  if (const Names left = names(); left.error != 0 || !left.regions.empty()) {
    return;
  }
  std::unique_ptr<DIR, int (*)(DIR *)> directory(opendir(path_.c_str()), closedir);
  if (!directory) {
    return;
  }
  while (const dirent * entry = readdir(directory.get())) {
    const std::string name = entry->d_name;
    const bool unfinished = name.size() > 4 && name.substr(name.size() - 4) == ".new";
    if (name == "roster" || unfinished || (name.size() == 21 && name.substr(16) == ".bell")) {
      unlinkat(dirfd(directory.get()), entry->d_name, 0);
    }
  }
  rmdir(path_.c_str());
}

int Folder::restore() const {
  const int error = make(root_.path);
  return error != 0 ? error : make(path_);
}

std::uint32_t Folder::root_key() const {
  struct stat status {};
  return stat(root_.path.c_str(), &status) == 0 ? RootFolder::key_of(status) : root_.key;
}

int Folder::make(const std::string & path) const {
  if (mkdir(path.c_str(), 0700) != 0) {
    return errno == EEXIST ? 0 : errno;
  }
  if (const File folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)); folder) {
    root_.share(folder, root_.file_mode == 0660 ? 02770 : 0700);
    return 0;
  }
  const int error = errno;
  rmdir(path.c_str());  // what cannot be shared as it should is better made later
  return error;
}

FolderLock::FolderLock(const std::string & path)
    : directory_(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  // Longer and longer: hundreds of processes that start at once must not wake each other a thousand times a second.
  for (useconds_t waited = 0, pause = 500; directory_ && waited < kLockTimeout; pause += pause / 2) {
    if (flock(directory_.get(), LOCK_EX | LOCK_NB) == 0) {
      is_held_ = true;
      return;
    }
    usleep(pause);
    waited += pause;
  }
}

}  // namespace tandem
