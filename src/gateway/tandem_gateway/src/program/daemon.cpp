#include "program/daemon.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

#include "program/status_server.hpp"
#include "tandem/shared_memory_folder.hpp"

namespace tandem::gateway {

void leave_terminal() {
  const pid_t child = fork();
  if (child < 0) {
    throw transport::Error(std::string("no process in the background: ") + std::strerror(errno));
  }
  if (child > 0) {
    _exit(0);
  }
  setsid();
  if (chdir("/") != 0) {
    throw transport::Error(std::string("the root folder cannot be entered: ") + std::strerror(errno));
  }
  const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  dup2(nothing, STDIN_FILENO);
  dup2(nothing, STDOUT_FILENO);
  close(nothing);
}

void log_to_file(std::uint32_t domain) {
  const std::string path = shared_memory_folder() + "/" + instance_name(domain) + ".log";
  const int log = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
  const int target = log >= 0 ? log : STDOUT_FILENO;  // which leave_terminal() has pointed to /dev/null
  dup2(target, STDERR_FILENO);
  close(log);
}

void notify_systemd(const char * state) {
  const char * path = std::getenv("NOTIFY_SOCKET");
  if (path == nullptr || (*path != '/' && *path != '@')) {
    return;
  }
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::size_t length = std::string(path).copy(address.sun_path, sizeof address.sun_path - 1);
  if (*path == '@') {
    address.sun_path[0] = '\0';
  }
  const int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  sendto(fd, state, std::string(state).size(), MSG_NOSIGNAL, reinterpret_cast<const sockaddr *>(&address),
         static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + length));
  close(fd);
}

void exit_soon() {
  std::thread([] {
    std::this_thread::sleep_for(std::chrono::seconds(5));
    _exit(0);
  }).detach();
}

}  // namespace tandem::gateway
