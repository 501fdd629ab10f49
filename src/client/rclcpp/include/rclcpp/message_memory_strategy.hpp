// Where a subscription's messages come from, for programs that name it: rclcpp takes them where their publisher wrote them.
#ifndef RCLCPP__MESSAGE_MEMORY_STRATEGY_HPP_
#define RCLCPP__MESSAGE_MEMORY_STRATEGY_HPP_

#include <cstddef>
#include <memory>

#include "rclcpp/allocator/allocator_common.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/serialized_message.hpp"

namespace rclcpp {
namespace message_memory_strategy {

/// Subscriptions accept one and never call it.
template <class MessageT, class Alloc = std::allocator<void>>
class MessageMemoryStrategy {
 public:
  RCLCPP_SMART_PTR_DEFINITIONS(MessageMemoryStrategy)
  using MessageAllocTraits = allocator::AllocRebind<MessageT, Alloc>;
  using MessageAlloc = typename MessageAllocTraits::allocator_type;
  using MessageDeleter = allocator::Deleter<MessageAlloc, MessageT>;
  using SerializedMessageAlloc = typename allocator::AllocRebind<SerializedMessage, Alloc>::allocator_type;
  using SerializedMessageDeleter = allocator::Deleter<SerializedMessageAlloc, SerializedMessage>;
  using BufferAlloc = typename allocator::AllocRebind<char, Alloc>::allocator_type;
  using BufferDeleter = allocator::Deleter<BufferAlloc, char>;

  MessageMemoryStrategy() : MessageMemoryStrategy(std::make_shared<Alloc>()) {}
  explicit MessageMemoryStrategy(std::shared_ptr<Alloc> allocator)
      : message_allocator_(std::make_shared<MessageAlloc>(*allocator)),
        serialized_message_allocator_(std::make_shared<SerializedMessageAlloc>(*allocator)),
        buffer_allocator_(std::make_shared<BufferAlloc>(*allocator)) {}
  virtual ~MessageMemoryStrategy() = default;

  static SharedPtr create_default() { return std::make_shared<MessageMemoryStrategy>(); }

  virtual std::shared_ptr<MessageT> borrow_message() { return std::allocate_shared<MessageT>(*message_allocator_); }
  virtual std::shared_ptr<SerializedMessage> borrow_serialized_message(size_t capacity) {
    return std::make_shared<SerializedMessage>(capacity);
  }
  virtual std::shared_ptr<SerializedMessage> borrow_serialized_message() {
    return borrow_serialized_message(default_buffer_capacity_);
  }
  virtual void set_default_buffer_capacity(size_t capacity) { default_buffer_capacity_ = capacity; }
  virtual void return_message(std::shared_ptr<MessageT> & message) { message.reset(); }
  virtual void return_serialized_message(std::shared_ptr<SerializedMessage> & message) { message.reset(); }

  std::shared_ptr<MessageAlloc> message_allocator_;
  std::shared_ptr<SerializedMessageAlloc> serialized_message_allocator_;
  std::shared_ptr<BufferAlloc> buffer_allocator_;
  size_t default_buffer_capacity_ = 0;
};

}  // namespace message_memory_strategy
}  // namespace rclcpp

#endif  // RCLCPP__MESSAGE_MEMORY_STRATEGY_HPP_
