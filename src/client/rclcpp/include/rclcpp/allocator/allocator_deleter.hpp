// Deleters for messages that an allocator made.
#ifndef RCLCPP__ALLOCATOR__ALLOCATOR_DELETER_HPP_
#define RCLCPP__ALLOCATOR__ALLOCATOR_DELETER_HPP_

#include <memory>
#include <stdexcept>
#include <type_traits>

namespace rclcpp {
namespace allocator {

/// Destroys and frees through an allocator of objects of that type, which outlives it.
template <class Allocator>
class AllocatorDeleter {
 public:
  AllocatorDeleter() = default;
  explicit AllocatorDeleter(Allocator * allocator) : allocator_(allocator) {}
  template <class T>
  explicit AllocatorDeleter(const AllocatorDeleter<T> & other) : allocator_(other.get_allocator()) {}

  template <class T>
  void operator()(T * object) {
    using Traits = typename std::allocator_traits<Allocator>::template rebind_traits<T>;
    Traits::destroy(*allocator_, object);
    Traits::deallocate(*allocator_, object, 1);
  }

  Allocator * get_allocator() const { return allocator_; }
  void set_allocator(Allocator * allocator) { allocator_ = allocator; }

 private:
  Allocator * allocator_ = nullptr;
};

/// What deletes a T of this allocator.
template <class Alloc, class T>
using Deleter = std::conditional_t<
    std::is_same_v<typename std::allocator_traits<Alloc>::template rebind_alloc<T>, std::allocator<T>>,
    std::default_delete<T>, AllocatorDeleter<Alloc>>;

template <class T, class U>
void set_allocator_for_deleter(std::default_delete<T> *, std::allocator<U> *) {}
/// \throws std::invalid_argument for null.
template <class Alloc, class T>
void set_allocator_for_deleter(AllocatorDeleter<T> * deleter, Alloc * allocator) {
  if (deleter == nullptr || allocator == nullptr) {
    throw std::invalid_argument("Argument was NULL to set_allocator_for_deleter");
  }
  deleter->set_allocator(allocator);
}

}  // namespace allocator
}  // namespace rclcpp

#endif  // RCLCPP__ALLOCATOR__ALLOCATOR_DELETER_HPP_
