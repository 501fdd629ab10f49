// A message in the middleware's memory, filled in place and published without a copy.
#ifndef RCLCPP__LOANED_MESSAGE_HPP_
#define RCLCPP__LOANED_MESSAGE_HPP_

#include <functional>
#include <memory>
#include <utility>

#include "tandem/transport.hpp"

namespace rclcpp {

template <class MessageT, class AllocatorT>
class Publisher;

/// Made by Publisher::borrow_loaned_message(). Move-only; dropping it gives the memory back at once. Of a fixed-size
/// type its content is what an earlier message left there. Not thread-safe.
template <class MessageT, class AllocatorT = std::allocator<void>>
class LoanedMessage {
 public:
  explicit LoanedMessage(std::unique_ptr<tandem::transport::Loan> loan) : loan_(std::move(loan)) {
    message_ = loan_ ? static_cast<MessageT *>(loan_->message()) : nullptr;
  }
  LoanedMessage(LoanedMessage && other) noexcept
      : loan_(std::move(other.loan_)), message_(std::exchange(other.message_, nullptr)) {}
  LoanedMessage & operator=(LoanedMessage &&) = delete;
  virtual ~LoanedMessage() = default;

  bool is_valid() const { return message_ != nullptr; }

  /// Only while is_valid().
  MessageT & get() const { return *message_; }

  /// Gives the message up to the caller, who drops it by dropping the pointer; it can no longer be published.
  std::unique_ptr<MessageT, std::function<void(MessageT *)>> release() {
    std::shared_ptr<tandem::transport::Loan> loan(std::move(loan_));
    return {std::exchange(message_, nullptr), [loan = std::move(loan)](MessageT *) mutable { loan.reset(); }};
  }

 private:
  template <class, class>
  friend class Publisher;  // of this type or of an adapter to it
  std::unique_ptr<tandem::transport::Loan> loan_;
  MessageT * message_;
};

}  // namespace rclcpp

#endif  // RCLCPP__LOANED_MESSAGE_HPP_
