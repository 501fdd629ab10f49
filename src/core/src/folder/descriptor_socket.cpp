#include "folder/descriptor_socket.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <system_error>
#include <utility>
#include <vector>

#include "folder/folder.hpp"
#include "tandem/background_thread.hpp"

namespace tandem::descriptor_socket {
namespace {

constexpr int kAnswerTimeout = 100;  ///< milliseconds: an owner that is stopped must not stop others

std::mutex mutex;

/// The sockets that are served. Used under the mutex. Outlives static destruction, as the threads that serve them do.
std::vector<int> & listeners() {
  static auto * numbers = new std::vector<int>;
  return *numbers;
}

/// The address of a path; of one that is too long, by way of a descriptor of its folder.
class Address {
 public:
  explicit Address(const std::string & path) {
    std::string name = path;
    if (name.size() >= sizeof address_.sun_path) {
      const auto slash = path.rfind('/');
      folder_ = File(::open(path.substr(0, slash).c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
      name = "/proc/self/fd/" + std::to_string(folder_.get()) + path.substr(slash);
    }
    address_.sun_family = AF_UNIX;
    std::memcpy(address_.sun_path, name.c_str(), std::min(name.size() + 1, sizeof address_.sun_path));
  }
  const sockaddr * get() const { return reinterpret_cast<const sockaddr *>(&address_); }
  static constexpr socklen_t size() { return sizeof(sockaddr_un); }

 private:
  File folder_;
  sockaddr_un address_{};
};

File make_socket() { return File(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)); }

/// A message of one byte that carries a descriptor.
class DescriptorMessage {
 public:
  explicit DescriptorMessage(int fd = -1) {
    message_.msg_iov = &content_;
    message_.msg_iovlen = 1;
    message_.msg_control = control_;
    message_.msg_controllen = CMSG_LEN(sizeof fd);  // room for one: who sends more sends it in vain
    cmsghdr * header = CMSG_FIRSTHDR(&message_);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof fd);
    std::memcpy(CMSG_DATA(header), &fd, sizeof fd);
  }
  msghdr * get() { return &message_; }
  File descriptor() const {
    int fd = -1;
    if (const cmsghdr * header = CMSG_FIRSTHDR(&message_);
        header != nullptr && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS) {
      std::memcpy(&fd, CMSG_DATA(header), sizeof fd);
    }
    return File(fd);
  }

 private:
  char byte_ = 0;
  iovec content_{&byte_, 1};
  alignas(cmsghdr) char control_[CMSG_SPACE(sizeof(int))] = {};
  msghdr message_{};
};

/// Answers until the name is gone: nobody can find the socket then.
void answer(const File & listener, const std::string & path, ino_t inode, int fd) {
  while (inode_of(path) == inode) {
    pollfd ready{listener.get(), POLLIN, 0};
    if (poll(&ready, 1, 1000) <= 0) {
      continue;
    }
    const File client(accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (client) {
      sendmsg(client.get(), DescriptorMessage(fd).get(), MSG_NOSIGNAL);
    } else {
      usleep(10'000);  // no descriptor is left, perhaps
    }
  }
}

}  // namespace

bool serve(const std::string & path, int fd, const RootFolder & root) {
  const std::string unfinished = path + ".new";
  File listener = make_socket();
  unlink(unfinished.c_str());
  const Address address(unfinished);
  if (!listener || bind(listener.get(), address.get(), Address::size()) != 0) {
    return false;
  }
  const bool given = root.file_mode != 0660 || lchown(unfinished.c_str(), static_cast<uid_t>(-1), root.group) == 0;
  const ino_t inode = inode_of(unfinished);
  if (!given || chmod(unfinished.c_str(), root.file_mode) != 0 || listen(listener.get(), SOMAXCONN) != 0 ||
      rename(unfinished.c_str(), path.c_str()) != 0) {
    return false;
  }
  const int number = listener.get();
  const std::lock_guard lock(mutex);
  try {
    start_background_thread("tandem-fd", [path, inode, fd, socket = std::move(listener)]() mutable {
      answer(socket, path, inode, fd);
      const std::lock_guard lock(mutex);
      std::erase(listeners(), socket.get());
      socket = File();
    }).detach();
  } catch (const std::system_error & error) {
    errno = error.code().value();
    return false;
  }
  listeners().push_back(number);
  return true;
}

File receive(const std::string & path, std::string & reason) {
  const File socket = make_socket();
  const Address address(path);
  if (!socket || connect(socket.get(), address.get(), Address::size()) != 0) {
    reason = errno == ECONNREFUSED ? "" : error_text(errno);
    return {};
  }
  pollfd ready{socket.get(), POLLIN, 0};
  DescriptorMessage message;
  if (poll(&ready, 1, kAnswerTimeout) <= 0 || recvmsg(socket.get(), message.get(), MSG_CMSG_CLOEXEC) != 1) {
    reason = "its names were deleted, and its owner does not answer";
    return {};
  }
  return message.descriptor();
}

bool is_abandoned(const std::string & path) {
  struct stat status {};
  if (lstat(path.c_str(), &status) != 0 || !S_ISSOCK(status.st_mode)) {
    return false;
  }
  const File socket = make_socket();
  const Address address(path);
  return socket && connect(socket.get(), address.get(), Address::size()) != 0 && errno == ECONNREFUSED;
}

void lock() { mutex.lock(); }
void unlock() { mutex.unlock(); }

void close_all() {
  for (const int fd : listeners()) {
    close(fd);
  }
  listeners().clear();
}

}  // namespace tandem::descriptor_socket
