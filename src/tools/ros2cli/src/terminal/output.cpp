#include "terminal/output.hpp"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

#include "terminal/errors.hpp"

namespace ros2cli {

void ignore_broken_pipes() { signal(SIGPIPE, SIG_IGN); }
void restore_broken_pipes() { signal(SIGPIPE, SIG_DFL); }

void print(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(STDOUT_FILENO, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EPIPE) {
      throw BrokenPipe{};
    } else if (errno == EAGAIN) {
      pollfd output{STDOUT_FILENO, POLLOUT, 0};
      poll(&output, 1, 1000);
    } else if (errno != EINTR) {
      throw CommandError("cannot write the output: " + std::generic_category().message(errno));
    }
  }
}

bool is_output_closed() {
  pollfd output{STDOUT_FILENO, 0, 0};
  return poll(&output, 1, 0) > 0 && (output.revents & POLLERR) != 0;
}

}  // namespace ros2cli
