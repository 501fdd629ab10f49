// As buffer_impl_base.hpp, what of it is used here.
#pragma once

#include <stdexcept>
#include <utility>

#include "rosidl_buffer/cpu_buffer_impl.hpp"

namespace rosidl {

template <class T>
class Buffer {
 public:
  Buffer() : Buffer(std::make_unique<CpuBufferImpl<T>>()) {}
  explicit Buffer(std::unique_ptr<BufferImplBase<T>> impl) : impl_(std::move(impl)) {}
  Buffer(const Buffer & other) : Buffer(other.impl_->clone()) {}
  Buffer(Buffer && other) noexcept : Buffer() { std::swap(impl_, other.impl_); }
  Buffer & operator=(Buffer other) noexcept {
    std::swap(impl_, other.impl_);
    return *this;
  }

  std::size_t size() const { return impl_->size(); }
  std::string get_backend_type() const { return impl_->get_backend_type(); }
  const BufferImplBase<T> * get_impl() const { return impl_.get(); }
  BufferImplBase<T> * get_impl() { return impl_.get(); }

  // Of the CPU's.
  T * data() { return elements().data(); }
  const T * data() const { return const_cast<Buffer &>(*this).elements().data(); }
  operator std::vector<T> &() { return elements(); }
  template <class Iterator>
  void assign(Iterator first, Iterator last) {
    elements().assign(first, last);
  }

  std::vector<T> to_vector() const {
    const auto copy = impl_->to_cpu();
    return static_cast<CpuBufferImpl<T> &>(*copy).get_storage();
  }

 private:
  std::vector<T> & elements() {
    auto * const cpu = dynamic_cast<CpuBufferImpl<T> *>(impl_.get());
    if (cpu == nullptr) throw std::runtime_error("not the CPU's: " + get_backend_type());
    return cpu->get_storage();
  }

  std::unique_ptr<BufferImplBase<T>> impl_;
};

}  // namespace rosidl
