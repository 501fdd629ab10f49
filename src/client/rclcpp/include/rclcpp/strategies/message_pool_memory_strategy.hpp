// A fixed number of messages to borrow, for programs that name it: subscriptions accept it and never call it.
#ifndef RCLCPP__STRATEGIES__MESSAGE_POOL_MEMORY_STRATEGY_HPP_
#define RCLCPP__STRATEGIES__MESSAGE_POOL_MEMORY_STRATEGY_HPP_

#include <array>
#include <cstddef>
#include <memory>
#include <mutex>
#include <new>
#include <stdexcept>
#include <type_traits>

#include "rclcpp/macros.hpp"
#include "rclcpp/message_memory_strategy.hpp"
#include "rosidl_runtime_cpp/traits.hpp"

namespace rclcpp {
namespace strategies {
namespace message_pool_memory_strategy {

/// The memory of kSize messages of a fixed size is allocated once. Thread-safe. Messages may outlive the strategy.
template <class MessageT, std::size_t kSize,
          std::enable_if_t<rosidl_generator_traits::has_fixed_size<MessageT>::value> * = nullptr>
class MessagePoolMemoryStrategy : public message_memory_strategy::MessageMemoryStrategy<MessageT> {
 public:
  RCLCPP_SMART_PTR_DEFINITIONS(MessagePoolMemoryStrategy)

  MessagePoolMemoryStrategy() : pool_(std::make_shared<Pool>()) {}

  /// A new message, whose memory is free again when the last pointer goes. \throws std::runtime_error when all are
  /// borrowed.
  std::shared_ptr<MessageT> borrow_message() override {
    return {new (pool_->take()) MessageT(), [pool = pool_](MessageT * message) {
              message->~MessageT();
              pool->give_back(message);
            }};
  }
  /// Nothing: the message is given back by its last pointer.
  void return_message(std::shared_ptr<MessageT> & /*message*/) override {}

 private:
  class Pool {
   public:
    void * take() {
      const std::lock_guard<std::mutex> lock(mutex_);
      for (Slot & slot : slots_) {
        if (!slot.is_taken) {
          slot.is_taken = true;
          return slot.memory;
        }
      }
      throw std::runtime_error("No more free slots in the pool");
    }
    void give_back(const void * memory) {
      const std::lock_guard<std::mutex> lock(mutex_);
      for (Slot & slot : slots_) {
        if (slot.memory == memory) slot.is_taken = false;
      }
    }

   private:
    struct Slot {
      alignas(MessageT) unsigned char memory[sizeof(MessageT)];
      bool is_taken = false;
    };
    std::mutex mutex_;
    std::array<Slot, kSize> slots_;
  };

  const std::shared_ptr<Pool> pool_;
};

}  // namespace message_pool_memory_strategy
}  // namespace strategies
}  // namespace rclcpp

#endif  // RCLCPP__STRATEGIES__MESSAGE_POOL_MEMORY_STRATEGY_HPP_
