#include "seat.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace tandem::gateway {
namespace {

using transport::Error;

std::string base_name(std::uint32_t domain) { return "gateway-" + std::to_string(domain); }

/// An address in a folder whose path may be longer than an address can be.
class Address {
 public:
  Address(const std::string & folder, const std::string & name)
      : folder_(open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)) {
    const std::string path = "/proc/self/fd/" + std::to_string(folder_) + "/" + name;
    address_.sun_family = AF_UNIX;
    path.copy(address_.sun_path, sizeof address_.sun_path - 1);
  }
  ~Address() { close(folder_); }
  Address(const Address &) = delete;
  Address & operator=(const Address &) = delete;
  const sockaddr * get() const { return reinterpret_cast<const sockaddr *>(&address_); }
  static constexpr socklen_t size() { return sizeof(sockaddr_un); }

 private:
  int folder_;
  sockaddr_un address_{};
};

bool try_lock(int fd) {
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  return fcntl(fd, F_OFD_SETLK, &lock) == 0;
}

/// Whether the name still means this file: a gateway that ended has removed it.
bool is_current(int fd, const std::string & path) {
  struct stat mine {};
  struct stat named {};
  return fstat(fd, &mine) == 0 && stat(path.c_str(), &named) == 0 && mine.st_ino == named.st_ino;
}

std::string holder(int fd) {
  char text[32] = {};
  const ssize_t size = pread(fd, text, sizeof text - 1, 0);
  return size > 0 ? text : "unknown";
}

}  // namespace

std::string shared_memory_folder() {
  const char * chosen = std::getenv("TANDEM_SHM_DIR");
  return chosen != nullptr && *chosen != '\0' ? chosen : "/dev/shm/tandem-" + std::to_string(geteuid());
}

Seat::Seat(std::uint32_t domain) : folder_(shared_memory_folder()), name_(base_name(domain)) {
  mkdir(folder_.c_str(), 0700);
  const std::string path = folder_ + "/" + name_ + ".lock";
  for (;;) {
    lock_ = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (lock_ < 0) {
      throw Error(path + " cannot be made: " + std::strerror(errno) + ". Set TANDEM_SHM_DIR to a directory of yours");
    }
    if (!try_lock(lock_)) {
      const std::string process = holder(lock_);
      close(lock_);
      throw Taken("a gateway of domain " + std::to_string(domain) + " is already running as process " + process +
                  "; one per host is enough (`tandem gateway --status` tells how it is doing)");
    }
    if (is_current(lock_, path)) {
      break;
    }
    close(lock_);
  }
  const std::string process = std::to_string(getpid());
  if (ftruncate(lock_, 0) != 0 || pwrite(lock_, process.data(), process.size(), 0) < 0) {
    const int error = errno;
    close(lock_);
    throw Error(path + " cannot be written: " + std::strerror(error));
  }
}

Seat::~Seat() {
  if (thread_.joinable()) {
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = write(end_, &one, sizeof one);
    thread_.join();
    unlink((folder_ + "/" + name_ + ".sock").c_str());
  }
  for (const int fd : {listener_, end_}) {
    if (fd >= 0) {
      close(fd);
    }
  }
  unlink((folder_ + "/" + name_ + ".lock").c_str());  // while it is locked: nobody else has it
  close(lock_);
}

void Seat::answer(std::function<std::string()> status) {
  const Address address(folder_, name_ + ".sock");
  unlink((folder_ + "/" + name_ + ".sock").c_str());  // left by a gateway that was killed
  end_ = eventfd(0, EFD_CLOEXEC);
  listener_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (end_ < 0 || listener_ < 0 || bind(listener_, address.get(), Address::size()) != 0 || listen(listener_, 16) != 0) {
    throw Error("the socket " + folder_ + "/" + name_ + ".sock cannot be made: " + std::strerror(errno));
  }
  thread_ = std::thread([this, status = std::move(status)] { serve(status); });
}

void Seat::serve(const std::function<std::string()> & status) const {
  pollfd waiting[] = {{listener_, POLLIN, 0}, {end_, POLLIN, 0}};
  while (poll(waiting, 2, -1) < 0 || waiting[1].revents == 0) {
    const int peer = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (peer < 0) {
      if (errno == EMFILE || errno == ENFILE) {  // it stays readable: not all the time
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
      }
      continue;
    }
    const timeval patience{1, 0};  // who does not read is not waited for
    setsockopt(peer, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    const std::string text = status();
    for (std::size_t at = 0; at < text.size();) {
      const ssize_t sent = send(peer, text.data() + at, text.size() - at, MSG_NOSIGNAL);
      if (sent <= 0) {
        break;
      }
      at += static_cast<std::size_t>(sent);
    }
    close(peer);
  }
}

std::string ask(std::uint32_t domain) {
  const Address address(shared_memory_folder(), base_name(domain) + ".sock");
  const int peer = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (peer < 0 || connect(peer, address.get(), Address::size()) != 0) {
    close(peer);
    throw Error("no gateway of domain " + std::to_string(domain) + " runs on this host (in " + shared_memory_folder() +
                "); start one with `tandem gateway`");
  }
  std::string text;
  char part[4096];
  for (ssize_t size = 0; (size = read(peer, part, sizeof part)) > 0;) {
    text.append(part, static_cast<std::size_t>(size));
  }
  close(peer);
  return text;
}

}  // namespace tandem::gateway
