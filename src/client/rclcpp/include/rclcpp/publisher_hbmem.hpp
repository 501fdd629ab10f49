// The hbmem publisher: loaned messages only.
#ifndef RCLCPP__PUBLISHER_HBMEM_HPP_
#define RCLCPP__PUBLISHER_HBMEM_HPP_

#include <memory>
#include <utility>

#include "rclcpp/macros.hpp"
#include "rclcpp/publisher_base.hpp"
#include "rclcpp/publisher_options.hpp"

namespace rclcpp {

template <class MessageT, class AllocatorT>
class PublisherHbmem;

/// Made by PublisherHbmem::borrow_loaned_message(). Move-only; dropping it gives the memory back at once. Of a
/// fixed-size type its content is what an earlier message left there. Not thread-safe.
template <class MessageT, class AllocatorT = std::allocator<void>>
class LoanedHbmemMessage {
 public:
  LoanedHbmemMessage(LoanedHbmemMessage && other) noexcept
      : loan_(std::move(other.loan_)), message_(std::exchange(other.message_, nullptr)) {}
  LoanedHbmemMessage & operator=(LoanedHbmemMessage && other) noexcept {
    loan_ = std::move(other.loan_);
    message_ = std::exchange(other.message_, nullptr);
    return *this;
  }
  virtual ~LoanedHbmemMessage() = default;

  /// False when every message is on loan or still being read, and once it was published.
  bool is_valid() const { return message_ != nullptr; }

  /// Only while is_valid().
  MessageT & get() const { return *message_; }

  /// Gives the memory back without publishing.
  void release() {
    loan_.reset();
    message_ = nullptr;
  }

 private:
  friend class PublisherHbmem<MessageT, AllocatorT>;
  explicit LoanedHbmemMessage(std::unique_ptr<tandem::transport::Loan> loan) : loan_(std::move(loan)) {
    message_ = loan_ ? static_cast<MessageT *>(loan_->message()) : nullptr;
  }

  std::unique_ptr<tandem::transport::Loan> loan_;
  MessageT * message_;
};

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
    loaned_message.message_ = nullptr;
    publish_loan(std::move(loaned_message.loan_));
  }
};

}  // namespace rclcpp

#endif  // RCLCPP__PUBLISHER_HBMEM_HPP_
