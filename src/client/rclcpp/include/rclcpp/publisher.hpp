// The writing end of a topic.
#ifndef RCLCPP__PUBLISHER_HPP_
#define RCLCPP__PUBLISHER_HPP_

#include <memory>
#include <stdexcept>
#include <utility>

#include "rclcpp/loaned_message.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/publisher_base.hpp"
#include "rclcpp/publisher_options.hpp"

namespace rclcpp {

/// Publishing is ignored once the context is shut down. It throws exceptions::RCLError when the message cannot be
/// published (pool exhausted, memory full, a reliable keep-all reader too slow), std::invalid_argument for null.
template <class MessageT, class AllocatorT = std::allocator<void>>
class Publisher : public PublisherBase {
 public:
  RCLCPP_SMART_PTR_DEFINITIONS(Publisher)
  using ROSMessageType = MessageT;
  using PublishedType = MessageT;

  explicit Publisher(detail::PublisherSetup && setup) : PublisherBase(std::move(setup)) {}

  /// Memory to fill in place. \throws exceptions::RCLError when the pool or the memory is exhausted.
  LoanedMessage<MessageT, AllocatorT> borrow_loaned_message() {
    return LoanedMessage<MessageT, AllocatorT>(borrow_or_throw());
  }

  /// Moves: no copy when the transport can use the message where it is.
  void publish(std::unique_ptr<MessageT> message) {
    if (!message) throw std::invalid_argument("publish() was given a null unique_ptr");
    if (publish_owned(message.get())) message.release();
  }

  /// Copies once.
  void publish(const MessageT & message) { publish_copy(&message); }

  /// No copy. \throws exceptions::RCLError for an invalid or foreign loan.
  void publish(LoanedMessage<MessageT, AllocatorT> && loaned_message) {
    publish_loan(std::exchange(loaned_message.loan_, nullptr));
    loaned_message.message_ = nullptr;
  }
};

}  // namespace rclcpp

#endif  // RCLCPP__PUBLISHER_HPP_
