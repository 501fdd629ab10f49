#include "board.hpp"

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <climits>
#include <cstring>

namespace rmw_iceoryx2 {

using std::chrono::nanoseconds;
using tandem::transport::Error;

namespace {

constexpr std::uint64_t kMagic = 0x3178'6f69'7864'7401;  // its last byte is the version of the layout

}  // namespace

void SharedBell::ring() noexcept {
  count_.fetch_add(1, std::memory_order_seq_cst);        // pairs with the comparison in sleep()
  if (sleepers_.load(std::memory_order_seq_cst) != 0) {  // pairs with fetch_add in sleep()
    syscall(SYS_futex, &count_, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
  }
}

void SharedBell::sleep(std::uint32_t seen, nanoseconds timeout) noexcept {
  timespec length{};
  length.tv_sec = static_cast<time_t>(timeout / std::chrono::seconds(1));
  length.tv_nsec = static_cast<long>((timeout % std::chrono::seconds(1)).count());
  sleepers_.fetch_add(1, std::memory_order_seq_cst);     // pairs with the load in ring()
  if (count_.load(std::memory_order_seq_cst) == seen) {  // pairs with fetch_add in ring()
    syscall(SYS_futex, &count_, FUTEX_WAIT, seen, timeout < nanoseconds(0) ? nullptr : &length, nullptr, 0);
  }
  sleepers_.fetch_sub(1, std::memory_order_relaxed);
}

std::shared_ptr<Board> Board::map(int file) {
  void * memory = mmap(nullptr, sizeof(BoardLayout), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  return memory == MAP_FAILED ? nullptr : std::shared_ptr<Board>(new Board(static_cast<BoardLayout *>(memory)));
}

std::shared_ptr<Board> Board::create(const std::string & path) {
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  std::shared_ptr<Board> board;
  if (file >= 0) {
    errno = posix_fallocate(file, 0, sizeof(BoardLayout));
    board = errno == 0 ? map(file) : nullptr;
    close(file);
  }
  if (!board) {
    throw Error(std::string("rmw_iceoryx2_cpp: no shared memory can be had for a context: ") + std::strerror(errno) +
                ". Make room in /dev/shm, or set TANDEM_SHM_DIR to a directory on another tmpfs");
  }
  board->layout_->magic = kMagic;
  return board;
}

std::shared_ptr<Board> Board::open(const std::string & path) {
  const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0) {
    return nullptr;
  }
  struct stat status {};
  const bool is_whole = fstat(file, &status) == 0 && status.st_size == sizeof(BoardLayout);
  auto board = is_whole ? map(file) : nullptr;
  close(file);
  return board && board->layout_->magic == kMagic ? board : nullptr;
}

Board::~Board() { munmap(layout_, sizeof(BoardLayout)); }

}  // namespace rmw_iceoryx2
