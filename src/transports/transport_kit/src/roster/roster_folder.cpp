#include "roster/roster_folder.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <mutex>
#include <vector>

#include "tandem/kit/endpoint.hpp"
#include "tandem/shared_memory_folder.hpp"
#include "tandem/transport.hpp"

namespace tandem::transport {
namespace {

/// Others' files: if one is none (a FIFO, a link), nobody waits for it or follows it.
constexpr int kToLook = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW;
/// Of what a participant announces; the rest is left out.
constexpr std::size_t kLongestText = std::size_t{64} << 20;
constexpr std::uint32_t kWatched = IN_MOVED_TO | IN_DELETE | IN_CLOSE_WRITE;

/// The lock files of this process. A child of fork() closes them, or it would keep its parent alive in others' eyes.
struct Locks {
  std::mutex mutex;
  std::vector<int> files;
};

Locks & locks() {
  static auto * const instance = [] {
    pthread_atfork([] { locks().mutex.lock(); }, [] { locks().mutex.unlock(); },
                   [] {
                     for (const int file : locks().files) {
                       close(file);
                     }
                     locks().files.clear();
                     locks().mutex.unlock();
                   });
    return new Locks;
  }();
  return *instance;
}

bool is_id(const std::string & text) {
  return text.size() == kIdSize && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

/// The participant that a file belongs to, empty for other files.
std::string owner_of(const std::string & name) {
  const std::string id = name.substr(0, kIdSize);
  return is_id(id) && name.size() > kIdSize && name[kIdSize] == '.' ? id : std::string();
}

using Directory = std::unique_ptr<DIR, int (*)(DIR *)>;

}  // namespace

void RosterFolder::fail(const std::string & what) const {
  throw Error(transport_ + ": " + what + ": " + std::strerror(errno) +
              ". Set TANDEM_SHM_DIR to a directory of yours, best on a tmpfs");
}

void RosterFolder::open_folder(const std::string & transport, std::uint32_t domain) {
  path_ = shared_memory_folder();
  for (const std::string & part : {std::string(), "/" + transport + "-" + std::to_string(domain)}) {
    path_ += part;
    mkdir(path_.c_str(), 0700);
    struct stat status {};
    if (stat(path_.c_str(), &status) != 0 || access(path_.c_str(), R_OK | W_OK | X_OK) != 0) {
      fail("the folder " + path_ + " cannot be made or written");
    }
    if (!S_ISDIR(status.st_mode) || (status.st_mode & S_IWOTH) != 0) {
      errno = S_ISDIR(status.st_mode) ? EPERM : ENOTDIR;
      fail("the folder " + path_ + " is none, or can be written by everybody (`chmod o-w` it)");
    }
  }
  directory_ = Descriptor(open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!directory_) {
    fail("the folder " + path_ + " cannot be opened");
  }
}

RosterFolder::RosterFolder(const std::string & transport, std::uint32_t domain, const std::string & id)
    : transport_(transport), id_(id) {
  open_folder(transport, domain);
  watch_ = Descriptor(inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
  if (!watch_ || inotify_add_watch(watch_.get(), path_.c_str(), kWatched) < 0) {
    warn(transport_, "",
         "others are noticed only after a second, as the folder " + path_ +
             " cannot be watched: " + std::strerror(errno) + ". Raise /proc/sys/fs/inotify/max_user_instances");
    watch_ = Descriptor();
  }
  // Locked before it has its name: who sees it unlocked may remove it.
  const std::string hidden = id_ + ".new";
  const std::lock_guard<std::mutex> guard(locks().mutex);
  lock_ = Descriptor(openat(directory_.get(), hidden.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  struct flock whole {};
  whole.l_type = F_WRLCK;
  if (!lock_ || fcntl(lock_.get(), F_OFD_SETLK, &whole) != 0 ||
      renameat(directory_.get(), hidden.c_str(), directory_.get(), (id_ + ".lock").c_str()) != 0) {
    fail("no file can be made in " + path_);
  }
  locks().files.push_back(lock_.get());
}

RosterFolder::~RosterFolder() {
  remove(id_);
  const std::lock_guard<std::mutex> guard(locks().mutex);
  std::erase(locks().files, lock_.get());
  lock_ = Descriptor();
}

std::string RosterFolder::path_of(const std::string & name) const {
  return "/proc/self/fd/" + std::to_string(directory_.get()) + "/" + name;
}

std::optional<std::set<std::string>> RosterFolder::drain_watch() const {
  std::set<std::string> touched;
  bool is_complete = true;
  alignas(inotify_event) char events[16384];
  for (ssize_t size = 0; (size = ::read(watch_.get(), events, sizeof events)) > 0;) {
    for (const char * at = events; at < events + size;) {
      const auto * event = reinterpret_cast<const inotify_event *>(at);
      at += sizeof *event + event->len;
      const std::string name = event->len > 0 ? event->name : "";
      is_complete = is_complete && (event->mask & (IN_Q_OVERFLOW | IN_IGNORED)) == 0;
      const std::string id = owner_of(name);
      if (!id.empty() && id != id_ && (name.ends_with(".txt") || name.ends_with(".lock"))) {
        touched.insert(id);
      }
    }
  }
  return is_complete ? std::optional(touched) : std::nullopt;
}

void RosterFolder::announce(const std::string & text) {
  const std::string hidden = id_ + ".new";
  Descriptor file(openat(directory_.get(), hidden.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  if (!file || write(file.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()) ||
      renameat(directory_.get(), hidden.c_str(), directory_.get(), (id_ + ".txt").c_str()) != 0) {
    fail("nothing can be written into " + path_);
  }
}

std::set<std::string> RosterFolder::list() const {
  std::set<std::string> found;
  const Directory directory(opendir(path_.c_str()), closedir);
  while (const dirent * entry = directory ? readdir(directory.get()) : nullptr) {
    const std::string id = owner_of(entry->d_name);
    if (!id.empty() && id != id_ && id + ".lock" == entry->d_name) {
      found.insert(id);
    }
  }
  return found;
}

/// The file is opened for reading only: closing it again is nothing that anybody watches for. Who cannot be asked (too
/// many files are open) is alive.
bool RosterFolder::is_alive(const std::string & id) const {
  const Descriptor file(openat(directory_.get(), (id + ".lock").c_str(), kToLook));
  if (!file) {
    return errno != ENOENT;
  }
  struct flock whole {};
  whole.l_type = F_WRLCK;
  return fcntl(file.get(), F_OFD_GETLK, &whole) != 0 || whole.l_type != F_UNLCK;
}

std::optional<std::string> RosterFolder::read(const std::string & id) const {
  const Descriptor file(openat(directory_.get(), (id + ".txt").c_str(), kToLook));
  if (!file) {
    return std::nullopt;
  }
  std::string text;
  char part[4096];
  for (ssize_t size = 0; text.size() < kLongestText && (size = ::read(file.get(), part, sizeof part)) > 0;) {
    text.append(part, static_cast<std::size_t>(size));
  }
  return text;
}

/// The lock goes last: while it is there, somebody will remove the rest.
void RosterFolder::remove(const std::string & id) const {
  const std::string last = id + ".lock";
  const Directory directory(opendir(path_.c_str()), closedir);
  while (const dirent * entry = directory ? readdir(directory.get()) : nullptr) {
    if (owner_of(entry->d_name) == id && last != entry->d_name) {
      unlinkat(directory_.get(), entry->d_name, 0);
    }
  }
  unlinkat(directory_.get(), last.c_str(), 0);
}

}  // namespace tandem::transport
