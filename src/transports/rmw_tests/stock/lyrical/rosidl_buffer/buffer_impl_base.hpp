// What stands in for Lyrical's header of this name, for tests with an earlier ROS 2: the same functions in the same order.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace rosidl {

template <class T>
class BufferImplBase {
 public:
  virtual ~BufferImplBase() = default;
  virtual std::string get_backend_type() const = 0;
  virtual std::size_t size() const = 0;
  virtual std::unique_ptr<BufferImplBase> to_cpu() const = 0;
  virtual std::unique_ptr<BufferImplBase> clone() const = 0;
};

}  // namespace rosidl
