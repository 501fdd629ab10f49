#include "folder.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

namespace unixsocket {
namespace {

using tandem::transport::Error;

[[noreturn]] void fail(const std::string & what) {
  throw Error("rmw_unixsocket_cpp: " + what + ": " + std::strerror(errno) +
              ". Set TANDEM_SHM_DIR to a directory of yours");
}

std::string home() {
  const char * chosen = std::getenv("TANDEM_SHM_DIR");
  return chosen != nullptr && *chosen != '\0' ? chosen : "/dev/shm/tandem-sockets-" + std::to_string(geteuid());
}

/// Socket paths are limited to 108 bytes; through the open directory any folder will do.
sockaddr_un address(int directory, const std::string & name) {
  sockaddr_un result{};
  result.sun_family = AF_UNIX;
  std::snprintf(result.sun_path, sizeof result.sun_path, "/proc/self/fd/%d/%s", directory, name.c_str());
  return result;
}

}  // namespace

Descriptor::~Descriptor() {
  if (fd_ >= 0) {
    close(fd_);
  }
}

Folder::Folder(std::uint32_t domain, std::uint64_t id) : path_(home()) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(id));
  id_ = text;
  mkdir(path_.c_str(), 0700);
  path_ += "/sockets-" + std::to_string(domain);
  mkdir(path_.c_str(), 0700);
  directory_ = Descriptor(open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!directory_) {
    fail("the folder " + path_ + " cannot be made");
  }
  watch_ = Descriptor(inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
  if (!watch_ || inotify_add_watch(watch_.get(), path_.c_str(), IN_MOVED_TO | IN_DELETE) < 0) {
    fail("the folder " + path_ + " cannot be watched");
  }
  // Locked before it has its name: who sees it unlocked may remove it.
  const std::string hidden = id_ + ".new";
  lock_ = Descriptor(openat(directory_.get(), hidden.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  struct flock whole {};
  whole.l_type = F_WRLCK;
  if (!lock_ || fcntl(lock_.get(), F_OFD_SETLK, &whole) != 0 ||
      renameat(directory_.get(), hidden.c_str(), directory_.get(), (id_ + ".lock").c_str()) != 0) {
    fail("no file can be made in " + path_);
  }
  listen_at(id_ + ".sock");
}

Folder::~Folder() { remove(id_); }

void Folder::listen_at(const std::string & name) {
  listener_ = Descriptor(socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  const sockaddr_un where = address(directory_.get(), name);
  if (!listener_ || bind(listener_.get(), reinterpret_cast<const sockaddr *>(&where), sizeof where) != 0 ||
      listen(listener_.get(), SOMAXCONN) != 0) {
    fail("no socket can be made in " + path_);
  }
}

void Folder::drain_watch() const {
  char events[4096];
  while (::read(watch_.get(), events, sizeof events) > 0) {
  }
}

void Folder::announce(const Presence & presence) {
  const std::string text = to_text(presence);
  const std::string hidden = id_ + ".new";
  const Descriptor file(openat(directory_.get(), hidden.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  if (!file || write(file.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()) ||
      renameat(directory_.get(), hidden.c_str(), directory_.get(), (id_ + ".txt").c_str()) != 0) {
    fail("nothing can be written into " + path_);
  }
}

std::vector<Presence> Folder::scan() const {
  std::vector<Presence> found;
  const std::unique_ptr<DIR, int (*)(DIR *)> directory(opendir(path_.c_str()), closedir);
  while (const dirent * entry = directory ? readdir(directory.get()) : nullptr) {
    const std::string name = entry->d_name;
    if (name.size() != 21 || name.substr(16) != ".lock" || name.substr(0, 16) == id_) {
      continue;
    }
    const std::string id = name.substr(0, 16);
    if (!is_alive(id)) {
      remove(id);
    } else if (const auto text = read(id + ".txt")) {
      found.push_back(parse(id, *text));
    }
  }
  return found;
}

Descriptor Folder::connect(const std::string & id) const {
  Descriptor connection(socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  const sockaddr_un where = address(directory_.get(), id + ".sock");
  if (!connection || ::connect(connection.get(), reinterpret_cast<const sockaddr *>(&where), sizeof where) != 0) {
    return {};
  }
  return connection;
}

bool Folder::is_alive(const std::string & id) const {
  const Descriptor file(openat(directory_.get(), (id + ".lock").c_str(), O_RDWR | O_CLOEXEC));
  struct flock whole {};
  whole.l_type = F_WRLCK;
  return file && fcntl(file.get(), F_OFD_GETLK, &whole) == 0 && whole.l_type != F_UNLCK;
}

void Folder::remove(const std::string & id) const {
  for (const char * ending : {".new", ".txt", ".sock", ".lock"}) {
    unlinkat(directory_.get(), (id + ending).c_str(), 0);
  }
}

std::optional<std::string> Folder::read(const std::string & name) const {
  const Descriptor file(openat(directory_.get(), name.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) {
    return std::nullopt;
  }
  std::string text;
  char part[4096];
  for (ssize_t size = 0; (size = ::read(file.get(), part, sizeof part)) > 0;) {
    text.append(part, static_cast<std::size_t>(size));
  }
  return text;
}

}  // namespace unixsocket
