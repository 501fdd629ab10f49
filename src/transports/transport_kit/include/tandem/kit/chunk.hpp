// The memory of one message, as a middleware has it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

namespace tandem::transport {

/// Of memory that is allocated for messages: a line of the cache.
constexpr std::align_val_t kChunkAlignment{64};

/// Owns what is at `data`. A middleware derives from it what gives its memory back.
class Chunk {
 public:
  /// Whether a user may keep the chunk itself instead of a copy of the message in it.
  enum class Hold : std::uint8_t {
    kNever,        ///< its memory is needed soon
    kWithinQuota,  ///< it is the publisher's memory: as many as TopicOptions::held_quota says
    kAlways
  };

  virtual ~Chunk() = default;

  std::byte * data = nullptr;
  std::size_t size = 0;
  Hold hold = Hold::kNever;
  std::size_t alignment = 0;  ///< where its middleware lends memory of less than the type's; 0: the type's
  bool is_fresh = false;      ///< of memory that is lent: no message of its publisher was ever constructed in it

 protected:
  Chunk() = default;
  Chunk(const Chunk &) = delete;
  Chunk & operator=(const Chunk &) = delete;
};

/// Ordinary memory, aligned to 64 bytes. Errors: std::bad_alloc.
std::unique_ptr<Chunk> make_heap_chunk(std::size_t size);

}  // namespace tandem::transport
