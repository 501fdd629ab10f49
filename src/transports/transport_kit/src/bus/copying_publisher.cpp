#include "tandem/kit/copying_publisher.hpp"

#include <mutex>
#include <new>
#include <utility>
#include <vector>

namespace tandem::transport {

/// A message that is lent again and again. While it is out it keeps the pool.
struct CopyingPublisher::Lent final : Lender {
  explicit Lent(const MessageType & type) : message(make_message(type)) {}
  void take_back(void * data, std::uint32_t block) noexcept override;

  const OwnedMessage message;
  std::shared_ptr<Pool> pool;
};

/// The messages that a publisher lends. Lives until the last loan is back.
class CopyingPublisher::Pool {
 public:
  explicit Pool(const MessageType & type) : type_(type) { idle_.reserve(kMaxLoans); }

  /// Null when too many are out. Errors: std::bad_alloc.
  std::unique_ptr<Lent> take() {
    std::unique_ptr<Lent> lent;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (out_ == kMaxLoans) {
        return nullptr;
      }
      ++out_;
      if (!idle_.empty()) {
        lent = std::move(idle_.back());
        idle_.pop_back();
      }
    }
    try {
      prepare(lent);
    } catch (...) {
      give_back(nullptr);
      throw;
    }
    return lent;
  }

  void give_back(std::unique_ptr<Lent> lent) noexcept {
    const std::lock_guard<std::mutex> lock(mutex_);
    --out_;
    if (lent) {
      idle_.push_back(std::move(lent));
    }
  }

 private:
  /// A message that was lent before is made like a new one, in the memory that it has; one of fixed size stays as it is.
  void prepare(std::unique_ptr<Lent> & lent) {
    if (!lent) {
      lent = std::make_unique<Lent>(type_);
    } else if (!type_.is_fixed_size) {
      std::call_once(has_blank_, [this] { blank_ = make_message(type_); });
      type_.assign(lent->message.get(), blank_.get());
    }
  }

  const MessageType & type_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Lent>> idle_;  ///< guarded by mutex_
  std::size_t out_ = 0;                      ///< guarded by mutex_
  std::once_flag has_blank_;
  OwnedMessage blank_;
};

void CopyingPublisher::Lent::take_back(void *, std::uint32_t) noexcept {
  const std::shared_ptr<Pool> owner = std::move(pool);  // may end with this call
  owner->give_back(std::unique_ptr<Lent>(this));
}

CopyingPublisher::CopyingPublisher(const MessageType & type, const Qos & qos)
    : Publisher(qos), type_(type), pool_(std::make_shared<Pool>(type)) {}

Loan CopyingPublisher::borrow() {
  try {
    if (auto lent = pool_->take()) {
      lent->pool = pool_;
      Lent & lender = *lent.release();
      return Loan(lender, lender.message.get(), type_.size);
    }
  } catch (const std::bad_alloc &) {
  }
  failed_borrows_.fetch_add(1, std::memory_order_relaxed);
  return {};
}

PublishResult CopyingPublisher::do_publish(Loan && loan, RequestId * id) {
  const Loan ended = std::move(loan);
  const auto * lent = ended ? dynamic_cast<const Lent *>(ended.lender()) : nullptr;
  if (lent == nullptr || lent->pool != pool_) {
    return PublishResult::kInvalidLoan;
  }
  return do_publish(static_cast<const void *>(ended.data()), id);
}

PublishResult CopyingPublisher::do_publish(const void * message, RequestId * id) {
  if (message == nullptr) {
    return PublishResult::kInvalidLoan;
  }
  PublishResult result = PublishResult::kNoMemory;
  try {
    result = send(message, id);
  } catch (const std::bad_alloc &) {
  }
  if (result == PublishResult::kOk) {
    copied_.fetch_add(1, std::memory_order_relaxed);
  }
  return result;
}

PublishResult CopyingPublisher::do_publish(OwnedMessage & message, RequestId * id) {
  return do_publish(static_cast<const void *>(message.get()), id);
}

}  // namespace tandem::transport
