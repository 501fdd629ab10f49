// The publisher of TogetheROS.Bot's zero-copy API, which that system calls "hbmem": loaned messages only.
#ifndef RCLCPP__PUBLISHER_HBMEM_HPP_
#define RCLCPP__PUBLISHER_HBMEM_HPP_

#include <memory>
#include <utility>

#include "rclcpp/loaned_message.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/publisher_base.hpp"
#include "rclcpp/publisher_options.hpp"

namespace rclcpp {

/// Thread-safe.
template <class MessageT, class AllocatorT = std::allocator<void>>
class PublisherHbmem : public PublisherBase {
 public:
  RCLCPP_SMART_PTR_DEFINITIONS(PublisherHbmem)

  explicit PublisherHbmem(detail::PublisherSetup && setup) : PublisherBase(std::move(setup)) {}

  /// Fails at once, never waits: look at is_valid().
  LoanedHbmemMessage<MessageT, AllocatorT> borrow_loaned_message() {
    return LoanedHbmemMessage<MessageT, AllocatorT>(borrow());
  }

  /// No copy. Ignored after shutdown. \throws exceptions::RCLError for an invalid loan.
  void publish(LoanedHbmemMessage<MessageT, AllocatorT> && loaned_message) {
    publish_loan(std::move(loaned_message.loan_));
  }
};

}  // namespace rclcpp

#endif  // RCLCPP__PUBLISHER_HBMEM_HPP_
