// What Python holds of the client library.
//
// Rules for all of it:
//  * An object that Python uses (`with handle:`) is destroyed when the last use has ended, although that was asked for before.
//  * Destroying, and whatever may wait for another thread, is done without the GIL. Threads of the client library call no Python
//    but for jumps of clocks, in the thread that changes the time.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <utility>

#include "tandem_py/python.hpp"

namespace tandem_py {

/// Use of an object that was destroyed: InvalidHandle in Python.
class InvalidHandle : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Used with the GIL.
class Destroyable : public std::enable_shared_from_this<Destroyable> {
 public:
  Destroyable() = default;
  Destroyable(const Destroyable &) = delete;
  Destroyable & operator=(const Destroyable &) = delete;
  virtual ~Destroyable() = default;

  /// \throws InvalidHandle once destruction was requested.
  void enter() {
    if (is_asked_) throw InvalidHandle("cannot use Destroyable because destruction was requested");
    ++uses_;
  }
  void exit() {
    if (uses_ == 0) throw std::runtime_error("Internal error: Destroyable use_count would be negative");
    if (--uses_ == 0 && is_asked_) destroy();
  }
  void destroy_when_not_in_use() {
    if (std::exchange(is_asked_, true)) return;
    if (uses_ == 0) destroy();
  }
  bool is_destroyed() const { return is_asked_ && uses_ == 0; }
  /// Another number for each object that lives.
  std::uintptr_t pointer() const { return reinterpret_cast<std::uintptr_t>(this); }

 protected:
  virtual void destroy() = 0;

 private:
  std::uint32_t uses_ = 0;
  bool is_asked_ = false;
};

/// The object behind a handle. \throws InvalidHandle once it is destroyed.
template <class T>
T & required(const std::shared_ptr<T> & object) {
  if (!object) throw InvalidHandle("cannot use Destroyable because destruction was requested");
  return *object;
}

/// Lets go of an object, which may wait for other threads.
template <class Pointer>
void drop(Pointer & pointer) {
  Pointer dropped = std::move(pointer);
  pointer = nullptr;
  const WithoutGil without_gil;
  dropped = nullptr;
}

void add_destroyable(py::module_ & module);

}  // namespace tandem_py
