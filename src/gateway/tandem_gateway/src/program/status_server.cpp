#include "program/status_server.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "tandem/shared_memory_folder.hpp"

namespace tandem::gateway {
namespace {

using transport::Error;

std::string socket_name(std::uint32_t domain) { return instance_name(domain) + ".sock"; }

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

}  // namespace

std::string instance_name(std::uint32_t domain) { return "gateway-" + std::to_string(domain); }

StatusServer::StatusServer(std::uint32_t domain, std::function<std::string()> status)
    : folder_(shared_memory_folder()), name_(socket_name(domain)), status_(std::move(status)) {
  const Address address(folder_, name_);
  unlink((folder_ + "/" + name_).c_str());  // left by a gateway that was killed
  end_ = eventfd(0, EFD_CLOEXEC);
  listener_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (end_ < 0 || listener_ < 0 || bind(listener_, address.get(), Address::size()) != 0 || listen(listener_, 16) != 0) {
    const int error = errno;
    close(listener_);
    close(end_);
    throw Error("the socket " + folder_ + "/" + name_ + " cannot be made: " + std::strerror(error));
  }
  thread_ = std::thread([this] { serve(); });
}

StatusServer::~StatusServer() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto written = write(end_, &one, sizeof one);
  thread_.join();
  unlink((folder_ + "/" + name_).c_str());
  close(listener_);
  close(end_);
}

void StatusServer::serve() const {
  pollfd waiting[] = {{listener_, POLLIN, 0}, {end_, POLLIN, 0}};
  while (poll(waiting, 2, -1) < 0 || waiting[1].revents == 0) {
    const int peer = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (peer < 0) {
      if (errno == EMFILE || errno == ENFILE) {  // it stays readable: not all the time
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
      }
      continue;
    }
    const timeval timeout{1, 0};  // who does not read is not waited for
    setsockopt(peer, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof timeout);
    const std::string text = status_();
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

std::string ask_status(std::uint32_t domain) {
  const std::string folder = shared_memory_folder();
  const Address address(folder, socket_name(domain));
  const int peer = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (peer < 0 || connect(peer, address.get(), Address::size()) != 0) {
    close(peer);
    throw Error("no gateway of domain " + std::to_string(domain) + " runs on this host (in " + folder +
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
