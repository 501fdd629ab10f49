#include "tandem/kit/chunk_pool.hpp"

#include <algorithm>

namespace tandem::transport {
namespace {

constexpr std::size_t kMaxIdle = 16;
constexpr std::size_t kMaxIdleBytes = std::size_t{64} << 20;
/// Up to here malloc is quick.
constexpr std::size_t kSmall = 16 * 1024;

}  // namespace

class ChunkPool::PooledChunk final : public Chunk {
 public:
  PooledChunk(std::shared_ptr<ChunkPool> pool, Block block, std::size_t bytes, bool fresh)
      : pool_(std::move(pool)), block_(block) {
    data = block_.memory + kHeadroom;
    size = bytes;
    is_fresh = fresh;
  }
  ~PooledChunk() override { pool_->give_back(block_); }

 private:
  const std::shared_ptr<ChunkPool> pool_;
  const Block block_;
};

ChunkPool::~ChunkPool() {
  for (const Block & block : idle_) {
    ::operator delete(block.memory, kChunkAlignment);
  }
}

ChunkPool::Block ChunkPool::take(std::size_t size, bool & is_fresh) {
  is_fresh = false;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    // The last one given back: it may still be in the caches.
    const auto found =
        std::find_if(idle_.rbegin(), idle_.rend(), [size](const Block & one) { return one.capacity >= size; });
    if (found != idle_.rend()) {
      const Block block = *found;
      idle_.erase(std::next(found).base());
      idle_bytes_ -= block.capacity;
      return block;
    }
  }
  is_fresh = true;
  const std::size_t capacity = size + size / 8;  // so that messages that grow slowly do not miss each time
  return {static_cast<std::byte *>(::operator new(kHeadroom + capacity, kChunkAlignment)), capacity};
}

void ChunkPool::give_back(Block block) noexcept {
  Block surplus = block;
  if (is_reusing_ && block.capacity > kSmall && block.capacity <= kMaxIdleBytes) {
    const std::lock_guard<std::mutex> lock(mutex_);
    idle_.push_back(block);
    idle_bytes_ += block.capacity;
    surplus.memory = nullptr;
    if (idle_.size() > kMaxIdle || idle_bytes_ > kMaxIdleBytes) {  // the oldest, which may be too small
      surplus = idle_.front();
      idle_bytes_ -= surplus.capacity;
      idle_.erase(idle_.begin());
    }
  }
  ::operator delete(surplus.memory, kChunkAlignment);
}

std::unique_ptr<Chunk> ChunkPool::lend(std::size_t size) {
  bool is_fresh = false;
  const Block block = take(size, is_fresh);
  try {
    return std::make_unique<PooledChunk>(shared_from_this(), block, size, is_fresh);
  } catch (...) {
    give_back(block);
    throw;
  }
}

}  // namespace tandem::transport
