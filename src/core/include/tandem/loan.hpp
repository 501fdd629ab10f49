// Memory of a message that is on its way out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

namespace tandem {

/// Who lends memory for messages. A lender lives for as long as it has loans.
class Lender {
 public:
  /// Ends the loan of `block`, whose memory is at `data`. Called from any thread.
  virtual void take_back(void * data, std::uint32_t block) noexcept = 0;

 protected:
  ~Lender() = default;
};

/// Memory of a message that is not yet published. Move-only; dropping it frees the memory at once.
/// It may outlive its publisher: then publishing it is refused. Not thread-safe; may move between threads.
class Loan {
 public:
  Loan() = default;
  /// For lenders: `block` is their own name for the memory.
  Loan(Lender & lender, void * data, std::size_t size, std::uint32_t block = 0, bool is_fresh = false)
      : lender_(&lender), data_(data), size_(size), block_(block), is_fresh_(is_fresh) {}
  Loan(Loan && other) noexcept { *this = std::move(other); }
  Loan & operator=(Loan && other) noexcept {
    if (this != &other) {
      drop();
      lender_ = other.lender_;
      data_ = std::exchange(other.data_, nullptr);
      size_ = other.size_;
      block_ = other.block_;
      is_fresh_ = other.is_fresh_;
    }
    return *this;
  }
  ~Loan() { drop(); }

  explicit operator bool() const { return data_ != nullptr; }
  void * data() const { return data_; }
  std::size_t size() const { return size_; }
  /// Whether the memory was never handed out before by this publisher: its content is undefined. Otherwise it is what
  /// an earlier message left there.
  bool is_fresh() const { return is_fresh_; }
  void drop() {
    if (data_ != nullptr) {
      lender_->take_back(std::exchange(data_, nullptr), block_);
    }
  }

  // For lenders.
  Lender * lender() const { return lender_; }
  std::uint32_t block() const { return block_; }
  /// Ends the loan without telling the lender: the caller has the memory now. \return the memory.
  void * release() { return std::exchange(data_, nullptr); }

 private:
  Lender * lender_ = nullptr;
  void * data_ = nullptr;
  std::size_t size_ = 0;
  std::uint32_t block_ = 0;
  bool is_fresh_ = false;
};

}  // namespace tandem
