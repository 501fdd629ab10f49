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
  }
  return PublishResult::kClosed;
}

PublishResult to_result(const tl::expected<std::uint64_t, tandem::PublishError> & outcome) {
  return outcome ? PublishResult::kOk : to_result(outcome.error());
}

}  // namespace

std::unique_ptr<transport::Loan> Publisher::borrow() {
  auto memory = core_->borrow(type_.size);
  if (!memory) {
    return nullptr;
  }
  // A block that comes back holds a message still if its type is of fixed size; else its message was destroyed.
  if (memory->is_fresh() || !type_.is_fixed_size) {
    type_.construct(memory->data());
  }
  return std::make_unique<Loan>(std::move(*memory));
}

PublishResult Publisher::publish(std::unique_ptr<transport::Loan> loan) {
  // The final class is known by its typeid; a dynamic_cast costs more than the rest of this function.
  if (!loan || typeid(*loan) != typeid(Loan)) {
    return PublishResult::kInvalidLoan;
  }
  return to_result(core_->publish(std::move(static_cast<Loan &>(*loan).memory())));
}

PublishResult Publisher::publish(const void * message) {
  if (message == nullptr) {
    return PublishResult::kInvalidLoan;
  }
  copied_.fetch_add(1, std::memory_order_relaxed);
  if (type_.is_fixed_size) {
    return to_result(core_->publish_copy(message, type_.size));
  }
  auto memory = core_->borrow(type_.size);
  if (!memory) {
    return memory.error() == tandem::BorrowError::kNoMemory ? PublishResult::kNoMemory : PublishResult::kPoolExhausted;
  }
  type_.copy_construct(memory->data(), message);
  return to_result(core_->publish(std::move(*memory)));
}

PublishResult Publisher::publish_owned(void * message, bool & taken) {
  const auto outcome = core_->publish_allocation(message, type_.size);
  taken = outcome.has_value();
  // Memory from elsewhere (malloc, a derived class, private memory of a full region) is copied.
  if (!taken && outcome.error() == tandem::PublishError::kInvalidLoan) {
    return publish(static_cast<const void *>(message));
  }
  return to_result(outcome);
}

}  // namespace rmw_tandem
