// A message as bytes.
#ifndef RCLCPP__SERIALIZED_MESSAGE_HPP_
#define RCLCPP__SERIALIZED_MESSAGE_HPP_

#include <cstddef>

#include "rcl/allocator.h"
#include "rcl/types.h"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp {

/// CDR with the 4 bytes of its encapsulation, as ROS 2 sends and records it. Owns its buffer. Copies have the capacity of what
/// they are copied from, and allocate as it does. \throws exceptions::RCLBadAlloc, RCLInvalidArgument for an invalid allocator.
class RCLCPP_PUBLIC SerializedMessage {
 public:
  explicit SerializedMessage(const rcl_allocator_t & allocator = rcl_get_default_allocator())
      : SerializedMessage(0, allocator) {}
  explicit SerializedMessage(size_t initial_capacity, const rcl_allocator_t & allocator = rcl_get_default_allocator());
  SerializedMessage(const SerializedMessage & other);
  SerializedMessage(SerializedMessage && other) noexcept;
  SerializedMessage & operator=(const SerializedMessage & other);
  SerializedMessage & operator=(SerializedMessage && other) noexcept;
  virtual ~SerializedMessage();

  // Copies of a struct of rcl, and with && its buffer itself; it is left empty.
  explicit SerializedMessage(const rcl_serialized_message_t & other);
  explicit SerializedMessage(rcl_serialized_message_t && other) noexcept;
  SerializedMessage & operator=(const rcl_serialized_message_t & other);
  SerializedMessage & operator=(rcl_serialized_message_t && other) noexcept;

  rcl_serialized_message_t & get_rcl_serialized_message() { return message_; }
  const rcl_serialized_message_t & get_rcl_serialized_message() const { return message_; }

  /// Bytes that are there.
  size_t size() const { return message_.buffer_length; }
  /// Bytes that there is room for.
  size_t capacity() const { return message_.buffer_capacity; }
  /// Makes room for so many bytes, more or less than now; what is beyond it is cut off. \throws also for 0.
  void reserve(size_t capacity);
  /// Hands the buffer over to the caller, and is empty then.
  rcl_serialized_message_t release_rcl_serialized_message();

 private:
  rcl_serialized_message_t message_;
};

}  // namespace rclcpp

#endif  // RCLCPP__SERIALIZED_MESSAGE_HPP_
