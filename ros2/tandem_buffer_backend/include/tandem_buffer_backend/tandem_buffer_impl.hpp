// The bytes of a rosidl::Buffer in Tandem's shared memory: what rmw_tandem_cpp and a node hand each other.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "rosidl_buffer/buffer_impl_base.hpp"
#include "rosidl_buffer/cpu_buffer_impl.hpp"

namespace tandem_buffer_backend {

inline constexpr char kBackendType[] = "tandem";

/// Memory in Tandem's shared memory; private memory where rmw_tandem_cpp is not in use or has no room, which a publish copies.
/// Errors: std::bad_alloc. Thread-safe.
std::shared_ptr<void> allocate(std::size_t bytes);

/// Copies share the memory, which is copied when one of them is written. Thread-safe as far as std::vector is.
class TandemBufferImpl final : public rosidl::BufferImplBase<std::uint8_t> {
 public:
  /// \param memory  of `size` bytes.
  /// \param is_read_only  It is part of a message that was received.
  TandemBufferImpl(std::shared_ptr<void> memory, std::size_t size, bool is_read_only)
      : memory_(std::move(memory)), size_(size), is_read_only_(is_read_only) {}

  std::string get_backend_type() const override { return kBackendType; }
  std::size_t size() const override { return size_; }

  std::unique_ptr<rosidl::BufferImplBase<std::uint8_t>> to_cpu() const override {
    auto copy = std::make_unique<rosidl::CpuBufferImpl<std::uint8_t>>();
    copy->get_storage().assign(data(), data() + size_);
    return copy;
  }

  std::unique_ptr<rosidl::BufferImplBase<std::uint8_t>> clone() const override {
    return std::make_unique<TandemBufferImpl>(memory_, size_, is_read_only_);
  }

  const std::uint8_t * data() const { return static_cast<const std::uint8_t *>(memory_.get()); }
  const std::shared_ptr<void> & memory() const { return memory_; }
  /// It is part of a message that was received.
  bool is_read_only() const { return is_read_only_; }

  /// The bytes, for this buffer alone: copied first if a message that was published, or another buffer, has them too.
  /// Errors: std::bad_alloc.
  std::uint8_t * write() {
    if (is_read_only_ || memory_.use_count() != 1) {
      auto own = allocate(size_);
      if (size_ != 0) {
        std::memcpy(own.get(), data(), size_);
      }
      memory_ = std::move(own);
      is_read_only_ = false;
    }
    std::atomic_thread_fence(std::memory_order_acquire);  // pairs with the release of whoever had it too
    return static_cast<std::uint8_t *>(memory_.get());
  }

 private:
  std::shared_ptr<void> memory_;
  std::size_t size_;
  bool is_read_only_;
};

}  // namespace tandem_buffer_backend
