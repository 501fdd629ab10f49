#include "folder/folder.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <string_view>

#include "folder/descriptor_socket.hpp"
#include "layout/layout.hpp"

namespace tandem {
namespace {

constexpr useconds_t kLockTimeout = 100'000;  // us
constexpr std::size_t kDigits = 16;           ///< of an incarnation in a file name

std::string hex(std::uint64_t value) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value));
  return text;
}

/// The incarnation in "<incarnation>.region" or "<incarnation>.bell"; 0 if the name does not begin with one.
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

/// Gives a file without a name this one. True also when the name is taken.
bool link_unnamed(const File & file, const std::string & path) {
  const std::string descriptor = "/proc/self/fd/" + std::to_string(file.get());
  return linkat(AT_FDCWD, descriptor.c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW) == 0 || errno == EEXIST ||
         // without /proc; from Linux 6.10 on
         linkat(file.get(), "", AT_FDCWD, path.c_str(), AT_EMPTY_PATH) == 0 || errno == EEXIST;
}

}  // namespace

Folder::Folder(const RootFolder & root, std::uint32_t domain, uid_t owner)
    : root_(root), path_(root.path + "/" + std::to_string(domain)), owner_(owner) {}

Result<Folder, JoinError> Folder::open(const RootFolder & root, std::uint32_t domain) {
  Folder folder(root, domain, geteuid());
  const FolderLock lock(root.path);  // the last process that leaves removes the folder under the same lock
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
  Folder folder(root, domain, root.owner);
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
  if (status.st_uid != owner_ && !root_.is_shared()) {
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
      // It is truncated, another user's, or not a file. Processes that have it open notice that it is gone.
      ::remove(roster_path().c_str());
    }
    File fresh(::open(path_.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, root_.file_mode));
    if (!fresh && errno == ENOENT) {
      restore();  // another process left last and removed the folder
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
    if (name == "roster" || unfinished || (name.size() == kDigits + 5 && name.substr(kDigits) == ".bell")) {
      unlinkat(dirfd(directory.get()), entry->d_name, 0);
    }
  }
  rmdir(path_.c_str());
}

int Folder::restore() const {
  const int error = create(root_.path);
  return error != 0 ? error : create(path_);
}

std::uint32_t Folder::root_key() const {
  struct stat status {};
  return stat(root_.path.c_str(), &status) == 0 ? RootFolder::key_of(status) : root_.key;
}

int Folder::create(const std::string & path) const {
  if (mkdir(path.c_str(), 0700) != 0) {
    return errno == EEXIST ? 0 : errno;
  }
  if (const File folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)); folder) {
    root_.share(folder, root_.is_shared() ? 02770 : 0700);
    return 0;
  }
  const int error = errno;
  rmdir(path.c_str());  // a later attempt may be able to share it
  return error;
}

FolderLock::FolderLock(const std::string & path)
    : directory_(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  // The pause grows: hundreds of processes that start at once must not each wake a thousand times a second.
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
