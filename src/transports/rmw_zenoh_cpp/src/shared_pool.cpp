#include "shared_pool.hpp"

#include <algorithm>
#include <utility>

#include "tandem/kit/endpoint.hpp"

namespace rmw_zenoh {
namespace {

/// Messages that a pool has room for, and its least and largest size. It is locked in RAM.
constexpr std::size_t kMessages = 16;
constexpr std::size_t kLeast = std::size_t{1} << 20;
constexpr std::size_t kLargest = std::size_t{512} << 20;
/// Bytes of a message that the pool needs for itself.
constexpr std::size_t kOverhead = 128;
constexpr std::size_t kRecent = 6;

}  // namespace

std::unique_ptr<SentChunk> SharedPool::allocate(std::size_t size) {
  if (!is_usable_.load(std::memory_order_relaxed)) {
    return nullptr;
  }
  const std::lock_guard lock(mutex_);
  if ((raw_ == nullptr || size > designed_) && !grow_locked(size)) {
    return nullptr;
  }
  ZnPayload raw{};
  return zn_allocate(raw_, size, &raw) ? std::make_unique<SentChunk>(raw, size) : nullptr;
}

void SharedPool::keep(std::unique_ptr<Chunk> sent) {
  std::unique_ptr<Chunk> oldest;
  const std::lock_guard lock(mutex_);
  recent_.push_back(std::move(sent));
  if (recent_.size() > kRecent) {
    oldest = std::move(recent_.front());
    recent_.pop_front();
  }
}

bool SharedPool::grow_locked(std::size_t size) {
  char reason[256] = "";
  const std::size_t wanted = std::clamp(kMessages * (size + kOverhead), kLeast, kLargest);
  ZnPool * const larger = zn_pool_new(wanted, reason, sizeof reason);
  if (larger == nullptr) {
    is_usable_ = false;
    warn(kName, topic_,
         "no shared memory of " + std::to_string(wanted >> 20) + " MiB can be had, messages are copied: " + reason +
             ". Zenoh locks it in RAM: raise `ulimit -l`, or make room in /dev/shm");
    return false;
  }
  zn_pool_free(std::exchange(raw_, larger));
  designed_ = std::max(size, kLeast / kMessages - kOverhead);
  return true;
}

}  // namespace rmw_zenoh
