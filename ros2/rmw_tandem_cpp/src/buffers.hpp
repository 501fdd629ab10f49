// rosidl::Buffer, in which ROS 2 has the bytes of `uint8[]` fields since Lyrical: in the CPU's vector, or where a back-end keeps
// them. Those of tandem_buffer_backend are in Tandem's shared memory: messages have them as they are, both ways.
//
// Earlier releases have no buffers, and nothing of this is defined.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace tandem_rmw {

#ifdef TANDEM_RMW_HAS_BUFFERS
inline constexpr bool kHasBuffers = true;
#else
inline constexpr bool kHasBuffers = false;
#endif

struct BufferBytes {
  const void * data;
  std::size_t size;
  std::shared_ptr<void> owner;  ///< null: the buffer has them
  bool is_shareable = false;    ///< `owner` is their block in Tandem's heap, which a message may have too
};

// `buffer` is a rosidl::Buffer<std::uint8_t>. Errors: std::bad_alloc, and what its back-end throws.

/// A copy where the back-end keeps them out of the CPU's reach.
BufferBytes bytes_of(const void * buffer);
/// The CPU's vector, in which they are to be from now on. Those that were elsewhere are let go of.
std::vector<std::uint8_t> & vector_of(void * buffer);
/// Leaves them where they are. Who gets the buffer may keep them for as long as it likes, but not write them.
void refer_to_bytes(void * buffer, std::shared_ptr<void> memory, std::size_t size);

/// Whether `acceptable`, the option of a subscription, names Tandem's own back-end. Null: the CPU's vector alone.
bool accepts_shared_memory(const char * acceptable);

}  // namespace tandem_rmw
