// As buffer_impl_base.hpp.
#pragma once

#include <vector>

#include "rosidl_buffer/buffer_impl_base.hpp"

namespace rosidl {

template <class T>
class CpuBufferImpl : public BufferImplBase<T> {
 public:
  std::vector<T> & get_storage() { return elements_; }
  std::string get_backend_type() const override { return "cpu"; }
  std::size_t size() const override { return elements_.size(); }
  std::unique_ptr<BufferImplBase<T>> to_cpu() const override { return clone(); }
  std::unique_ptr<BufferImplBase<T>> clone() const override { return std::make_unique<CpuBufferImpl>(*this); }

 private:
  std::vector<T> elements_;
};

}  // namespace rosidl
