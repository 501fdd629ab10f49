// `uint8[]` fields of messages, an image's data say, in Tandem's shared memory: filled, published and read without a copy.
//
//   auto image = std::make_unique<sensor_msgs::msg::Image>();
//   image->data = tandem_buffer_backend::allocate_buffer(size);
//   fill(tandem_buffer_backend::write(image->data));
//   publisher->publish(std::move(image));
//
// A subscription whose options say `acceptable_buffer_backends = "tandem"` gets it where it is: `read(image->data)`. All others
// get the bytes in a vector, as always. With other RMWs everything works likewise, by copies.
#pragma once

#include <cstddef>
#include <cstdint>

#include "rosidl_buffer/buffer.hpp"
#include "tandem_buffer_backend/tandem_buffer_impl.hpp"

namespace tandem_buffer_backend {

using Bytes = rosidl::Buffer<std::uint8_t>;

/// A buffer of `size` bytes, whose content is undefined. Call it after rclcpp::init(), which loads the RMW: before, and over
/// other RMWs, its memory is private and a publish copies it. Errors: std::bad_alloc. Thread-safe.
Bytes allocate_buffer(std::size_t size);

/// Where the buffer's bytes are to be written: those of allocate_buffer() and of the CPU's vector. What has been published stays
/// as it is: if it is still held by a subscriber, the buffer gets a copy of its own first, so allocate one for each message.
/// \return valid until the buffer is assigned to, copied from or published. Errors: std::bad_alloc; std::invalid_argument for
/// memory of another back-end.
std::uint8_t * write(Bytes & buffer);

/// Where the buffer's bytes are, in shared memory or in the CPU's vector.
/// \return valid for as long as the buffer. Errors: std::invalid_argument for memory of another back-end, which
/// `buffer.to_vector()` copies.
const std::uint8_t * read(const Bytes & buffer);

}  // namespace tandem_buffer_backend
