// A message in the middleware's memory, filled in place and published without a copy.
#ifndef RCLCPP__LOANED_MESSAGE_HPP_
#define RCLCPP__LOANED_MESSAGE_HPP_

#include <functional>
#include <memory>
#include <utility>

#include "rclcpp/publisher_base.hpp"
#include "tandem/loan.hpp"
#include "tandem/message_type.hpp"

namespace rclcpp {

template <class MessageT, class AllocatorT>
class Publisher;
template <class MessageT, class AllocatorT>
class PublisherHbmem;

namespace detail {

/// What a loaned message is by either API. Move-only; dropping it gives the memory back at once. Of a fixed-size type its
/// content is what an earlier message left there. Not thread-safe.
template <class MessageT>
class Loaned {
 public:
  /// False when there was nothing to borrow, and once it was published or released.
  bool is_valid() const { return static_cast<bool>(loan_); }

  /// Only while is_valid().
  MessageT & get() const { return *static_cast<MessageT *>(loan_.data()); }

 protected:
  explicit Loaned(tandem::Loan && loan) : loan_(std::move(loan)) {}
  Loaned(Loaned &&) noexcept = default;
  Loaned & operator=(Loaned &&) noexcept = default;
  ~Loaned() = default;

  tandem::Loan loan_;
};

}  // namespace detail

/// Made by Publisher::borrow_loaned_message(), or by hand.
template <class MessageT, class AllocatorT = std::allocator<void>>
class LoanedMessage : public detail::Loaned<MessageT> {
 public:
  /// The allocator is ignored. \throws exceptions::RCLError as Publisher::borrow_loaned_message(), and
  /// RCLInvalidArgument for a publisher of another type.
  LoanedMessage(const PublisherBase & publisher, std::allocator<MessageT>)
      : LoanedMessage(publisher.borrow_of_type(tandem::message_type<MessageT>())) {}
  [[deprecated("used the LoanedMessage constructor that does not use a shared_ptr to the allocator")]]  //
  LoanedMessage(const PublisherBase * publisher, std::shared_ptr<std::allocator<MessageT>> allocator)
      : LoanedMessage(*publisher, *allocator) {}
  explicit LoanedMessage(tandem::Loan && loan) : detail::Loaned<MessageT>(std::move(loan)) {}
  LoanedMessage(LoanedMessage &&) noexcept = default;
  LoanedMessage & operator=(LoanedMessage &&) = delete;
  virtual ~LoanedMessage() = default;

  /// Gives the message up to the caller, who drops it by dropping the pointer; it can no longer be published.
  std::unique_ptr<MessageT, std::function<void(MessageT *)>> release() {
    auto loan = std::make_shared<tandem::Loan>(std::move(this->loan_));
    return {static_cast<MessageT *>(loan->data()), [loan](MessageT *) { loan->drop(); }};
  }

 private:
  template <class, class>
  friend class Publisher;  // of this type or of an adapter to it
};

/// Made by PublisherHbmem::borrow_loaned_message(), in TogetheROS.Bot's API for zero-copy ("hbmem").
template <class MessageT, class AllocatorT = std::allocator<void>>
class LoanedHbmemMessage : public detail::Loaned<MessageT> {
 public:
  LoanedHbmemMessage(LoanedHbmemMessage &&) noexcept = default;
  LoanedHbmemMessage & operator=(LoanedHbmemMessage &&) noexcept = default;
  virtual ~LoanedHbmemMessage() = default;

  /// Gives the memory back without publishing.
  void release() { this->loan_.drop(); }

 private:
  friend class PublisherHbmem<MessageT, AllocatorT>;
  explicit LoanedHbmemMessage(tandem::Loan && loan) : detail::Loaned<MessageT>(std::move(loan)) {}
};

}  // namespace rclcpp

#endif  // RCLCPP__LOANED_MESSAGE_HPP_
