#include "tandem/kit/copying_publisher.hpp"

#include <mutex>
#include <new>
#include <typeinfo>
#include <utility>
#include <vector>

#include "tandem/kit/own_message.hpp"

namespace tandem::transport {

/// The messages that a publisher lends. Lives until the last loan is back.
class CopyingPublisher::Pool {
 public:
  explicit Pool(const MessageType & type) : type_(type) { idle_.reserve(kMaxLoans); }

  /// Null when too many are out. Errors: std::bad_alloc.
  std::unique_ptr<OwnMessage> take() {
    std::unique_ptr<OwnMessage> message;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (out_ == kMaxLoans) {
        return nullptr;
      }
      ++out_;
      if (!idle_.empty()) {
        message = std::move(idle_.back());
        idle_.pop_back();
      }
    }
    try {
      prepare(message);
    } catch (...) {
      give_back(nullptr);
      throw;
    }
    return message;
  }

  void give_back(std::unique_ptr<OwnMessage> message) noexcept {
    const std::lock_guard<std::mutex> lock(mutex_);
    --out_;
    if (message) {
      idle_.push_back(std::move(message));
    }
  }

 private:
  /// A message that was lent before is made like a new one, in the memory that it has; one of fixed size stays as it is.
  void prepare(std::unique_ptr<OwnMessage> & message) {
    if (!message) {
      message = std::make_unique<OwnMessage>(type_);
    } else if (!type_.is_fixed_size) {
      std::call_once(has_blank_, [this] { blank_ = std::make_unique<OwnMessage>(type_); });
      type_.assign(message->get(), blank_->get());
    }
  }

  const MessageType & type_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<OwnMessage>> idle_;  ///< guarded by mutex_
  std::size_t out_ = 0;                            ///< guarded by mutex_
  std::once_flag has_blank_;
  std::unique_ptr<const OwnMessage> blank_;
};

class CopyingPublisher::HeapLoan final : public Loan {
 public:
  HeapLoan(std::shared_ptr<Pool> from, std::unique_ptr<OwnMessage> message)
      : pool(std::move(from)), message_(std::move(message)) {}
  ~HeapLoan() override { pool->give_back(std::move(message_)); }
  void * message() override { return message_->get(); }

  const std::shared_ptr<Pool> pool;

 private:
  std::unique_ptr<OwnMessage> message_;
};

CopyingPublisher::CopyingPublisher(const MessageType & type) : type_(type), pool_(std::make_shared<Pool>(type)) {}

std::unique_ptr<Loan> CopyingPublisher::borrow() {
  try {
    if (auto message = pool_->take()) {
      return std::make_unique<HeapLoan>(pool_, std::move(message));
    }
  } catch (const std::bad_alloc &) {
  }
  failed_borrows_.fetch_add(1, std::memory_order_relaxed);
  return nullptr;
}

PublishResult CopyingPublisher::publish(std::unique_ptr<Loan> loan) {
  if (!loan || typeid(*loan) != typeid(HeapLoan) || static_cast<const HeapLoan &>(*loan).pool != pool_) {
    return PublishResult::kInvalidLoan;
  }
  return publish(static_cast<const void *>(loan->message()));
}

PublishResult CopyingPublisher::publish(const void * message) {
  if (message == nullptr) {
    return PublishResult::kInvalidLoan;
  }
  PublishResult result = PublishResult::kNoMemory;
  try {
    result = send(message);
  } catch (const std::bad_alloc &) {
  }
  if (result == PublishResult::kOk) {
    copied_.fetch_add(1, std::memory_order_relaxed);
  }
  return result;
}

PublishResult CopyingPublisher::publish_owned(void * message, bool & taken) {
  taken = false;
  return publish(static_cast<const void *>(message));
}

}  // namespace tandem::transport
