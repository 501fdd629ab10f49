#include "wire/connections.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>

namespace tandem::transport {

using std::chrono::nanoseconds;
using std::chrono::steady_clock;

using Scope = RingCounter::Scope;

void SharedBell::ring() noexcept {
  std::atomic_thread_fence(std::memory_order_seq_cst);  // pairs with the fence in wait()
  if (waiting_.load(std::memory_order_relaxed) != 0) {
    counter_.ring(Scope::kShared);
  }
}

bool SharedBell::wait(const std::function<bool()> & condition, steady_clock::time_point end) {
  if (condition()) {
    return true;
  }
  waiting_.fetch_add(1, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_seq_cst);  // pairs with the fence in ring()
  bool holds = false;
  for (;;) {
    const std::uint32_t seen = counter_.count();  // W1 in bell.hpp: before the look
    holds = condition();
    const nanoseconds left = end - steady_clock::now();
    if (holds || left <= nanoseconds(0)) {
      break;
    }
    counter_.sleep(seen, left, Scope::kShared);
  }
  waiting_.fetch_sub(1, std::memory_order_relaxed);
  return holds;
}

struct ConnectionTable::Layout {
  static constexpr std::uint64_t kMagic = 0x746e'6d6e'6f63'0003;  // its last byte is the version

  std::uint64_t magic;
  SharedBell progress;
  std::atomic<std::uint64_t> rows_used;  ///< rows beyond have never been used
  std::array<std::uint64_t, 12> unused;
  std::array<RingCounter, kWaiters> waiters;
  std::array<Connection, kRows> rows;
};

std::shared_ptr<ConnectionTable> ConnectionTable::map(Descriptor file) {
  static_assert(sizeof(Layout) == 128 + 8 * kWaiters + 128 * kRows);
  void * memory = mmap(nullptr, sizeof(Layout), PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
  return memory == MAP_FAILED
             ? nullptr
             : std::shared_ptr<ConnectionTable>(new ConnectionTable(static_cast<Layout *>(memory), std::move(file)));
}

/// Gives so many rows memory. They are not touched before: that would be the end of the process where there is none.
bool ConnectionTable::provide(std::uint64_t rows) const {
  const auto size = static_cast<off_t>(offsetof(Layout, rows) + rows * sizeof(Connection));
  errno = posix_fallocate(file_.get(), 0, size);
  return errno == 0;
}

std::shared_ptr<ConnectionTable> ConnectionTable::create(const std::string & path, const std::string & transport) {
  Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  std::shared_ptr<ConnectionTable> table;
  if (file && ftruncate(file.get(), sizeof(Layout)) == 0) {
    table = map(std::move(file));
  }
  if (!table || !table->provide(0)) {
    throw Error(transport + ": no shared memory can be had for a context: " + std::strerror(errno) +
                ". Make room in /dev/shm, or set TANDEM_SHM_DIR to a directory on another tmpfs");
  }
  table->layout_->magic = Layout::kMagic;
  return table;
}

std::shared_ptr<ConnectionTable> ConnectionTable::open(const std::string & path) {
  Descriptor file(::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW));
  struct stat status {};
  if (!file || fstat(file.get(), &status) != 0 || status.st_size != sizeof(Layout)) {
    return nullptr;
  }
  auto table = map(std::move(file));
  return table && table->layout_->magic == Layout::kMagic ? table : nullptr;
}

ConnectionTable::~ConnectionTable() { munmap(layout_, sizeof(Layout)); }

SharedBell & ConnectionTable::progress() const { return layout_->progress; }

RingCounter & ConnectionTable::waiter(std::uint32_t number) const { return layout_->waiters[number % kWaiters]; }

Connection * ConnectionTable::take_row() {
  for (std::uint64_t i = 0; i < used_; ++i) {
    const std::uint64_t status = layout_->rows[i].status.load(std::memory_order_relaxed);
    if (ConnectionStatus::of(status).state == ConnectionState::kFree) {
      return &layout_->rows[i];
    }
  }
  if (used_ == kRows || !provide(used_ + 1)) {
    return nullptr;
  }
  layout_->rows_used.store(used_ + 1, std::memory_order_release);  // pairs with the load in find()
  return &layout_->rows[used_++];
}

ConnectionTable::Found ConnectionTable::find(const Gid & publisher, const Gid & subscription) const {
  const std::uint64_t count = std::min<std::uint64_t>(layout_->rows_used.load(std::memory_order_acquire), kRows);
  for (std::uint64_t i = 0; i < count; ++i) {
    Connection & row = layout_->rows[i];
    // Pairs with the release of the subscription, which has filled the row before. If it is used anew meanwhile, what is
    // read here is of no use to anybody who compares the status.
    const std::uint64_t status = row.status.load(std::memory_order_acquire);
    if (ConnectionStatus::of(status).state == ConnectionState::kConnected && row.publisher == publisher &&
        row.subscription == subscription) {
      return {&row, status};
    }
  }
  return {};
}

}  // namespace tandem::transport
