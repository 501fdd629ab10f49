#include <cstring>
#include <new>

#include "endpoints.hpp"

namespace rmw_tandem {

using transport::PublishResult;

namespace {

PublishResult to_result(tandem::PublishError error) {
  switch (error) {
    case tandem::PublishError::kInvalidLoan: return PublishResult::kInvalidLoan;
    case tandem::PublishError::kPoolExhausted: return PublishResult::kPoolExhausted;
    case tandem::PublishError::kNoMemory: return PublishResult::kNoMemory;
    case tandem::PublishError::kTimeout: return PublishResult::kTimeout;
    case tandem::PublishError::kNotShared: return PublishResult::kNoMemory;  // even a copy is not
  }
  return PublishResult::kClosed;
}

PublishResult to_result(const tl::expected<std::uint64_t, tandem::PublishError> & outcome) {
  return outcome ? PublishResult::kOk : to_result(outcome.error());
}

}  // namespace

/// Gives a request its number.
tandem::Address Publisher::address_of(transport::RequestId * id) {
  if (id == nullptr) {
    return {};
  }
  if (addressing_ == tandem::Addressing::kAttached) {
    id->sequence = requests_.fetch_add(1, std::memory_order_relaxed) + 1;
  }
  return {to_endpoint_id(id->client), static_cast<std::uint64_t>(id->sequence)};
}

/// Makes the message of a loan equal to `value`, in the memory that its sequences have if that suffices. False when
/// memory is short; then it is some message nevertheless.
bool Publisher::set(const tandem::Loan & loan, const void * value) const noexcept {
  try {
    loan.is_fresh() ? type_.copy_construct(loan.data(), value) : type_.assign(loan.data(), value);
    return true;
  } catch (...) {
    if (loan.is_fresh()) {
      std::memset(loan.data(), 0, type_.size);  // its sequences and strings are empty
    }
    return false;
  }
}

tandem::Loan Publisher::borrow() {
  auto loan = core_->borrow(type_.size);
  if (!loan) {
    return {};
  }
  if (!blank_) {
    if (loan->is_fresh()) {  // else the content stays what an earlier message left there
      type_.construct(loan->data());
    }
  } else if (!set(*loan, blank_.get())) {
    failed_borrows_.fetch_add(1, std::memory_order_relaxed);
    return {};
  }
  return std::move(*loan);
}

PublishResult Publisher::do_publish(tandem::Loan && loan, transport::RequestId * id) {
  tandem::Loan own = std::move(loan);
  const void * const message = own.data();
  const auto outcome = core_->publish(std::move(own), tandem::Content::kWritten, address_of(id));
  if (!outcome && outcome.error() == tandem::PublishError::kNotShared) {
    return do_publish(message, id);  // the core has left the loan to us until here
  }
  return to_result(outcome);
}

PublishResult Publisher::do_publish(const void * message, transport::RequestId * id) {
  if (message == nullptr) {
    return PublishResult::kInvalidLoan;
  }
  const tandem::Address address = address_of(id);
  if (type_.is_fixed_size) {
    return to_result(core_->publish_copy(message, type_.size, address));
  }
  auto memory = core_->borrow(type_.size);
  if (!memory) {
    return memory.error() == tandem::BorrowError::kNoMemory ? PublishResult::kNoMemory : PublishResult::kPoolExhausted;
  }
  return set(*memory, message) ? to_result(core_->publish(std::move(*memory), tandem::Content::kCopied, address))
                               : PublishResult::kNoMemory;
}

PublishResult Publisher::do_publish(transport::OwnedMessage & message, transport::RequestId * id) {
  const auto outcome = core_->publish_allocation(message.get(), type_.size, address_of(id));
  if (outcome) {
    message.release();
    return PublishResult::kOk;
  }
  // Memory from elsewhere is copied: malloc's, that of a derived class, that of the process before a fork.
  if (outcome.error() == tandem::PublishError::kInvalidLoan || outcome.error() == tandem::PublishError::kNotShared) {
    return do_publish(message.get(), id);
  }
  return to_result(outcome.error());
}

}  // namespace rmw_tandem
