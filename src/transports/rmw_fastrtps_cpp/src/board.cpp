#include "board.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "settings.hpp"
#include "tandem/kit/endpoint.hpp"

namespace rmw_fastrtps {

namespace {
constexpr std::size_t kEntries = 1024;
constexpr const char * kPrefix = "tandem-fastdds-";
}  // namespace

struct BoardPage {
  struct Grant {
    std::atomic<std::uint64_t> key;
    std::atomic<std::uint32_t> samples;
  };
  std::atomic<std::uint32_t> grant_end;  ///< entries from here on have never been used
  std::atomic<std::uint32_t> held_end;
  std::array<Grant, kEntries> grants;
  std::array<std::atomic<std::uint64_t>, kEntries> held;
};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free && sizeof(BoardPage) == 8 + 24 * kEntries);

namespace {

std::string folder() {
  const char * chosen = std::getenv("TANDEM_SHM_DIR");
  return chosen != nullptr && *chosen != '\0' ? chosen : "/dev/shm";
}

std::string path_of(const Gid & participant) {
  return folder() + "/" + kPrefix + tandem::transport::to_hex(participant).substr(0, 24);
}

std::uint64_t mix(std::uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  return value ^ (value >> 31);
}

std::uint64_t not_zero(std::uint64_t key) { return key != 0 ? key : 1; }

/// Removes the boards of contexts that were killed.
void sweep() {
  DIR * const directory = opendir(folder().c_str());
  if (directory == nullptr) {
    return;
  }
  while (const dirent * const entry = readdir(directory)) {
    if (std::strncmp(entry->d_name, kPrefix, std::strlen(kPrefix)) != 0) {
      continue;
    }
    const int file = openat(dirfd(directory), entry->d_name, O_RDWR | O_CLOEXEC);
    struct stat about {};
    // One that is still empty is being made.
    if (file >= 0 && fstat(file, &about) == 0 && about.st_size != 0 && flock(file, LOCK_EX | LOCK_NB) == 0) {
      unlinkat(dirfd(directory), entry->d_name, 0);
    }
    if (file >= 0) {
      close(file);
    }
  }
  closedir(directory);
}

/// A free entry, or -1.
template <class Entries, class IsFree>
int find_free(const Entries & entries, const IsFree & is_free) {
  const auto found = std::find_if(entries.begin(), entries.end(), is_free);
  return found != entries.end() ? static_cast<int>(found - entries.begin()) : -1;
}

void reach(std::atomic<std::uint32_t> & end, int where) {
  end.store(std::max(end.load(std::memory_order_relaxed), static_cast<std::uint32_t>(where) + 1),
            std::memory_order_seq_cst);
}

}  // namespace

std::uint64_t key_of(const Block & block) { return not_zero(mix(mix(block.file) ^ block.offset)); }

std::uint64_t key_of(std::uint64_t writers_file, const Gid & reader) {
  std::array<std::uint64_t, 2> words{};
  std::memcpy(words.data(), reader.data(), sizeof words);
  return not_zero(mix(mix(mix(writers_file) ^ words[0]) ^ words[1]));
}

Board::Board(const Gid & participant) : path_(path_of(participant)) {
  mkdir(folder().c_str(), 0700);  // or it is there
  sweep();
  descriptor_ = open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  const bool is_made = descriptor_ >= 0 && flock(descriptor_, LOCK_EX | LOCK_NB) == 0 &&
                       posix_fallocate(descriptor_, 0, sizeof(BoardPage)) == 0;
  void * const memory =
      is_made ? mmap(nullptr, sizeof(BoardPage), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0) : MAP_FAILED;
  if (memory == MAP_FAILED) {
    const std::string reason = std::strerror(errno);
    if (descriptor_ >= 0) {
      unlink(path_.c_str());
      close(descriptor_);
    }
    throw tandem::transport::Error(std::string(kName) + ": " + path_ + " cannot be made: " + reason +
                                   ". Set TANDEM_SHM_DIR to a directory of yours with free memory");
  }
  page_ = static_cast<BoardPage *>(memory);  // zeros: a page without entries
}

Board::~Board() {
  unlink(path_.c_str());
  munmap(page_, sizeof(BoardPage));
  close(descriptor_);
}

int Board::hold(std::uint64_t block) noexcept {
  const std::lock_guard lock(mutex_);
  const int where =
      find_free(page_->held, [](const auto & entry) { return entry.load(std::memory_order_relaxed) == 0; });
  if (where >= 0) {
    page_->held[static_cast<std::size_t>(where)].store(block, std::memory_order_seq_cst);
    reach(page_->held_end, where);
    std::atomic_thread_fence(std::memory_order_seq_cst);  // H2: pairs with the fence in Pool::borrow()
  }
  return where;
}

void Board::release(int where) noexcept {
  page_->held[static_cast<std::size_t>(where)].store(0, std::memory_order_release);
}

int Board::grant(std::uint64_t key, std::uint32_t samples) noexcept {
  const std::lock_guard lock(mutex_);
  const int where =
      find_free(page_->grants, [](const auto & entry) { return entry.key.load(std::memory_order_relaxed) == 0; });
  if (where >= 0) {
    BoardPage::Grant & entry = page_->grants[static_cast<std::size_t>(where)];
    entry.samples.store(samples, std::memory_order_relaxed);
    entry.key.store(key, std::memory_order_release);  // H1: pairs with acquire in granted()
    reach(page_->grant_end, where);
  }
  return where;
}

void Board::withdraw(int where) noexcept {
  page_->grants[static_cast<std::size_t>(where)].key.store(0, std::memory_order_release);
}

std::shared_ptr<const BoardView> BoardView::open(const Gid & participant) {
  const int file = ::open(path_of(participant).c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    return nullptr;
  }
  struct stat about {};
  void * const memory = fstat(file, &about) == 0 && about.st_size == sizeof(BoardPage)
                            ? mmap(nullptr, sizeof(BoardPage), PROT_READ, MAP_SHARED, file, 0)
                            : MAP_FAILED;
  if (memory == MAP_FAILED) {
    close(file);
    return nullptr;
  }
  return std::shared_ptr<const BoardView>(new BoardView(file, static_cast<const BoardPage *>(memory)));
}

BoardView::~BoardView() {
  munmap(const_cast<BoardPage *>(page_), sizeof(BoardPage));
  close(descriptor_);
}

bool BoardView::is_held(std::uint64_t block) const noexcept {
  const std::size_t end = std::min<std::size_t>(page_->held_end.load(std::memory_order_seq_cst), kEntries);
  return std::any_of(page_->held.begin(), page_->held.begin() + end,
                     [block](const auto & entry) { return entry.load(std::memory_order_seq_cst) == block; });
}

std::uint32_t BoardView::granted(std::uint64_t key) const noexcept {
  const std::size_t end = std::min<std::size_t>(page_->grant_end.load(std::memory_order_acquire), kEntries);
  const auto * const last = page_->grants.begin() + end;
  const auto * const found = std::find_if(page_->grants.begin(), last, [key](const auto & entry) {
    return entry.key.load(std::memory_order_acquire) == key;  // H1: pairs with release in grant()
  });
  return found != last ? found->samples.load(std::memory_order_relaxed) : 0;
}

bool BoardView::is_alive() const noexcept {
  if (flock(descriptor_, LOCK_SH | LOCK_NB) == 0) {
    flock(descriptor_, LOCK_UN);
    return false;
  }
  return errno == EWOULDBLOCK;
}

}  // namespace rmw_fastrtps
