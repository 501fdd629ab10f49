// rosidl::Buffer, in which ROS 2 has the bytes of `uint8[]` fields since Lyrical: in the CPU's vector, or where a back-end keeps
// them. Those of tandem_buffer_backend are in Tandem's shared memory: messages have them as they are, both ways. For those of
// other back-ends, such as CUDA, descriptors go over: small messages, which the back-end makes for each subscription.
//
// Earlier releases have no buffers, and nothing of this is defined.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tandem/transport.hpp"

struct rmw_context_impl_s;

namespace tandem_rmw {

#ifdef TANDEM_RMW_HAS_BUFFERS
inline constexpr bool kHasBuffers = true;
#else
inline constexpr bool kHasBuffers = false;
#endif

class BufferPublisher;     // buffer_backends.hpp
class BufferSubscription;  // likewise
struct RosType;

// ---- buffers, as pointers to a rosidl::Buffer<std::uint8_t> ---------------------------------------------------------
// Errors: std::bad_alloc, and what its back-end throws.

struct BufferBytes {
  const void * data = nullptr;
  std::size_t size = 0;
  std::shared_ptr<void> owner;  ///< null: the buffer has them
  bool is_shareable = false;    ///< `owner` is their block in Tandem's heap, which a message may have too
  std::string descriptors;      ///< for subscriptions that read the bytes elsewhere (buffer_descriptors.hpp)
};

/// A copy where the back-end keeps them out of the CPU's reach; none where all subscriptions read them there.
/// \param publisher  asks back-ends for descriptors. Null: the bytes alone.
BufferBytes bytes_of(const void * buffer, BufferPublisher * publisher);

/// The CPU's vector, in which they are to be from now on. Those that were elsewhere are let go of.
std::vector<std::uint8_t> & vector_of(void * buffer);

/// What a message that is taken has for its buffers.
struct BufferSource {
  std::shared_ptr<void> message;                ///< keeps it: its bytes may be read in place. Null: they are copied
  BufferSubscription * subscription = nullptr;  ///< reads descriptors. Null: nobody does
  tandem::transport::Gid publisher{};
};

/// Lets a buffer refer to the bytes where they are: in the message, or in the memory of a back-end. Who has it may keep them for
/// as long as it likes, but not write those of the message. \return false: they are to be copied.
bool refer(void * buffer, const void * bytes, std::size_t size, std::string_view descriptors,
           const BufferSource & source);

/// Whether the bytes are in the message, or a descriptor is for this subscription, which may be null.
bool is_readable(std::string_view descriptors, const BufferSubscription * subscription);

void * new_buffer();
std::size_t size_of_buffer(const void * buffer);
void delete_buffer(void * buffer);

// ---- endpoints -----------------------------------------------------------------------------------------------------

/// Whether `acceptable`, the option of a subscription, names this back-end, or any. Null: the CPU's vector alone.
bool accepts(const char * acceptable, std::string_view backend);
/// Whether it accepts Tandem's own.
bool accepts_shared_memory(const char * acceptable);

/// User data of an endpoint: those of the installed back-ends that it accepts, with what they tell others. Empty: none.
std::string buffer_user_data(rmw_context_impl_s & context, const RosType & type, const char * acceptable);

/// Null: no messages with buffers, or no back-ends of which it would have to know.
std::shared_ptr<BufferPublisher> make_buffer_publisher(rmw_context_impl_s & context, const RosType & type,
                                                       const tandem::transport::Publisher & publisher,
                                                       const std::string & topic, const tandem::transport::Qos & qos);
std::shared_ptr<BufferSubscription> make_buffer_subscription(rmw_context_impl_s & context, const RosType & type,
                                                             const char * acceptable,
                                                             const tandem::transport::Subscription & subscription);

}  // namespace tandem_rmw
