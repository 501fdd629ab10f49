#include <cstring>
#include <new>
#include <typeinfo>

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

OwnMessage::OwnMessage(const tandem::MessageType & type)
    : type_(type), memory_(::operator new (type.size, std::align_val_t{type.alignment})) {
  try {
    type.construct(memory_);
  } catch (...) {
    ::operator delete (memory_, std::align_val_t{type.alignment});
    throw;
  }
}

OwnMessage::~OwnMessage() {
  type_.destroy(memory_);
  ::operator delete (memory_, std::align_val_t{type_.alignment});
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

std::unique_ptr<transport::Loan> Publisher::borrow() {
  auto memory = core_->borrow(type_.size);
  if (!memory) {
    return nullptr;
  }
  if (!blank_) {
    if (memory->is_fresh()) {  // else the content stays what an earlier message left there
      type_.construct(memory->data());
    }
  } else if (!set(*memory, blank_->get())) {
    failed_borrows_.fetch_add(1, std::memory_order_relaxed);
    return nullptr;
  }
  return std::make_unique<Loan>(std::move(*memory));
}

PublishResult Publisher::publish(std::unique_ptr<transport::Loan> loan) {
  // The final class is known by its typeid; a dynamic_cast costs more than the rest of this function.
  if (!loan || typeid(*loan) != typeid(Loan)) {
    return PublishResult::kInvalidLoan;
  }
  tandem::Loan & memory = static_cast<Loan &>(*loan).memory();
  const void * const message = memory.data();
  const auto outcome = core_->publish(std::move(memory));
  if (!outcome && outcome.error() == tandem::PublishError::kNotShared) {
    return publish(message);  // it stays on loan
  }
  return to_result(outcome);
}

PublishResult Publisher::publish(const void * message) {
  if (message == nullptr) {
    return PublishResult::kInvalidLoan;
  }
  if (type_.is_fixed_size) {
    return to_result(core_->publish_copy(message, type_.size));
  }
  auto memory = core_->borrow(type_.size);
  if (!memory) {
    return memory.error() == tandem::BorrowError::kNoMemory ? PublishResult::kNoMemory : PublishResult::kPoolExhausted;
  }
  return set(*memory, message) ? to_result(core_->publish(std::move(*memory), true)) : PublishResult::kNoMemory;
}

PublishResult Publisher::publish_owned(void * message, bool & taken) {
  const auto outcome = core_->publish_allocation(message, type_.size);
  taken = outcome.has_value();
  // Memory from elsewhere is copied: malloc's, that of a derived class, that of the process before a fork.
  if (!taken &&
      (outcome.error() == tandem::PublishError::kInvalidLoan || outcome.error() == tandem::PublishError::kNotShared)) {
    return publish(static_cast<const void *>(message));
  }
  return to_result(outcome);
}

}  // namespace rmw_tandem
