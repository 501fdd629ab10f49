#include "terminal.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace tandem::doctor {
namespace {

termios before;
sigset_t mask_before;
volatile sig_atomic_t ended = 0;

void on_end(int number) { ended = number; }
void on_resize(int) {}

void put(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(STDOUT_FILENO, text.data(), text.size());
    if (written <= 0) {
      return;
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

/// Takes one key from the front.
char next_key(std::string & input) {
  struct Sequence {
    std::string_view text;
    char key;
  };
  constexpr Sequence kSequences[] = {{"\033[A", 'k'}, {"\033OA", 'k'},  {"\033[B", 'j'},
                                     {"\033OB", 'j'}, {"\033[5~", 'b'}, {"\033[6~", ' '}};
  for (const Sequence & each : kSequences) {
    if (input.starts_with(each.text)) {
      input.erase(0, each.text.size());
      return each.key;
    }
  }
  const char key = input.front() == '\033' ? '\0' : input.front();
  key == '\0' ? input.clear() : static_cast<void>(input.erase(0, 1));  // an unknown sequence goes as a whole
  return key;
}

}  // namespace

Size terminal_size(int descriptor) {
  Size size;
  winsize window{};
  if (ioctl(descriptor, TIOCGWINSZ, &window) == 0 && window.ws_col != 0 && window.ws_row != 0) {
    size = {window.ws_col, window.ws_row};
  } else if (const char * columns = std::getenv("COLUMNS")) {
    size.columns = std::strtoul(columns, nullptr, 10);
  }
  return size;
}

Terminal::Terminal() {
  tcgetattr(STDIN_FILENO, &before);
  termios raw = before;
  raw.c_lflag &= static_cast<tcflag_t>(~(ICANON | ECHO));
  raw.c_cc[VMIN] = 1;
  raw.c_cc[VTIME] = 0;
  raw.c_cc[VSUSP] = _POSIX_VDISABLE;  // it would leave the terminal as it is now
  struct sigaction action {};
  action.sa_handler = on_end;
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
    sigaction(number, &action, nullptr);
  }
  action.sa_handler = on_resize;
  sigaction(SIGWINCH, &action, nullptr);
  // Signals come while key() waits and at no other time, so that none is missed.
  sigset_t blocked;
  sigemptyset(&blocked);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH}) {
    sigaddset(&blocked, number);
  }
  sigprocmask(SIG_BLOCK, &blocked, &mask_before);
  tcsetattr(STDIN_FILENO, TCSADRAIN, &raw);
  put("\033[?1049h\033[?25l");  // the other screen, no cursor
}

Terminal::~Terminal() {
  put("\033[0m\033[?25h\033[?1049l");
  tcsetattr(STDIN_FILENO, TCSADRAIN, &before);
  sigprocmask(SIG_SETMASK, &mask_before, nullptr);
}

void Terminal::show(const std::string & text) {
  std::string lines;
  for (const char c : text) {
    lines += c == '\n' ? "\033[K\r\n" : std::string(1, c);
  }
  put("\033[H" + lines + "\033[K\033[J");
}

char Terminal::key(std::chrono::milliseconds limit) {
  if (!typed_.empty() && ended == 0) {
    return next_key(typed_);
  }
  pollfd input{STDIN_FILENO, POLLIN, 0};
  const timespec time{limit.count() / 1000, limit.count() % 1000 * 1'000'000};
  const int result = ended != 0 ? 0 : ppoll(&input, 1, &time, &mask_before);
  if (ended != 0) {
    return 'q';
  }
  if (result <= 0) {
    return '\0';
  }
  char buffer[64];
  const ssize_t got = read(STDIN_FILENO, buffer, sizeof buffer);
  if (got <= 0) {
    return 'q';
  }
  typed_.assign(buffer, static_cast<std::size_t>(got));
  return next_key(typed_);
}

}  // namespace tandem::doctor
