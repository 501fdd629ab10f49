// The buffer of a serialized message.
#include "rclcpp/serialized_message.hpp"

#include <cstring>
#include <string>
#include <utility>

#include "rclcpp/exceptions.hpp"
#include "rclcpp/logging.hpp"

namespace rclcpp {
namespace {

void check(rcutils_ret_t result, const char * what) {
  if (result == RCUTILS_RET_OK) return;
  rcutils_reset_error();
  if (result == RCUTILS_RET_BAD_ALLOC) throw exceptions::RCLBadAlloc("there is no memory for a serialized message");
  throw exceptions::RCLInvalidArgument(std::string("a serialized message cannot ") + what);
}

rcl_serialized_message_t make(size_t capacity, const rcl_allocator_t & allocator) {
  auto message = rmw_get_zero_initialized_serialized_message();
  check(rmw_serialized_message_init(&message, capacity, &allocator), "be made: its allocator is not valid");
  return message;
}

rcl_serialized_message_t copy(const rcl_serialized_message_t & other) {
  const bool has_allocator = other.allocator.allocate != nullptr;
  auto message = make(other.buffer_capacity, has_allocator ? other.allocator : rcl_get_default_allocator());
  if (other.buffer_length != 0) std::memcpy(message.buffer, other.buffer, other.buffer_length);
  message.buffer_length = other.buffer_length;
  return message;
}

rcl_serialized_message_t take(rcl_serialized_message_t & other) noexcept {
  return std::exchange(other, rmw_get_zero_initialized_serialized_message());
}

}  // namespace

SerializedMessage::SerializedMessage(size_t initial_capacity, const rcl_allocator_t & allocator)
    : message_(make(initial_capacity, allocator)) {}
SerializedMessage::SerializedMessage(const SerializedMessage & other) : message_(copy(other.message_)) {}
SerializedMessage::SerializedMessage(SerializedMessage && other) noexcept : message_(take(other.message_)) {}
SerializedMessage::SerializedMessage(const rcl_serialized_message_t & other) : message_(copy(other)) {}
SerializedMessage::SerializedMessage(rcl_serialized_message_t && other) noexcept : message_(take(other)) {}

SerializedMessage & SerializedMessage::operator=(const SerializedMessage & other) { return *this = other.message_; }

SerializedMessage & SerializedMessage::operator=(SerializedMessage && other) noexcept {
  return *this = std::move(other.message_);
}

SerializedMessage & SerializedMessage::operator=(const rcl_serialized_message_t & other) {
  if (&message_ != &other) *this = SerializedMessage(other);
  return *this;
}

SerializedMessage & SerializedMessage::operator=(rcl_serialized_message_t && other) noexcept {
  if (&message_ != &other) {
    SerializedMessage old(std::move(message_));
    message_ = take(other);
  }
  return *this;
}

SerializedMessage::~SerializedMessage() {
  if (message_.buffer == nullptr) return;
  if (rmw_serialized_message_fini(&message_) != RCUTILS_RET_OK) {
    rcutils_reset_error();
    RCLCPP_ERROR(get_logger("rclcpp"),
                 "the buffer of a serialized message cannot be freed: its allocator is not valid");
  }
}

void SerializedMessage::reserve(size_t capacity) {
  if (message_.allocator.allocate == nullptr) message_.allocator = rcl_get_default_allocator();  // it was moved from
  check(rmw_serialized_message_resize(&message_, capacity), "have room for 0 bytes");
}

rcl_serialized_message_t SerializedMessage::release_rcl_serialized_message() { return take(message_); }

}  // namespace rclcpp
