// Ordinary memory for messages, used again: large blocks would otherwise be mapped anew, page by page, for each message.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "tandem/kit/chunk.hpp"

namespace tandem::transport {

/// Chunks of one publisher, aligned to 64 bytes. They may outlive the pool. Thread-safe.
class ChunkPool : public std::enable_shared_from_this<ChunkPool> {
 public:
  /// Each chunk has so many bytes before its data.
  static constexpr std::size_t kHeadroom = 64;

  /// Without reusing every chunk is new.
  explicit ChunkPool(bool is_reusing = true) : is_reusing_(is_reusing) {}
  ~ChunkPool();
  ChunkPool(const ChunkPool &) = delete;
  ChunkPool & operator=(const ChunkPool &) = delete;

  /// Chunk::is_fresh where its memory has held no chunk before. Errors: std::bad_alloc.
  std::unique_ptr<Chunk> lend(std::size_t size);

 private:
  class PooledChunk;
  struct Block {
    std::byte * memory;
    std::size_t capacity;
  };
  Block take(std::size_t size, bool & is_fresh);
  void give_back(Block block) noexcept;

  const bool is_reusing_;
  std::mutex mutex_;
  std::vector<Block> idle_;     ///< guarded by mutex_
  std::size_t idle_bytes_ = 0;  ///< guarded by mutex_
};

}  // namespace tandem::transport
