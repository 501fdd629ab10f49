// Memory for the small objects that go with each message, so that a steady flow allocates nothing.
#pragma once

#include <time.h>

#include <atomic>
#include <cstddef>
#include <new>
#include <thread>

namespace rmw_tandem {

/// Blocks of one size. Keeps as many as were ever out at once; lives for ever, as samples may outlive everything.
/// Thread-safe. Locks: one process-local flag for three instructions. Allocates only when it has none left.
class Pool {
 public:
  explicit constexpr Pool(std::size_t size) : size_(size < sizeof(Free) ? sizeof(Free) : size) {}

  void * get() {
    lock();
    Free * block = first_;
    if (block != nullptr) {
      first_ = block->next;
    }
    unlock();
    return block != nullptr ? block : ::operator new(size_);
  }

  void put(void * memory) noexcept {
    lock();
    first_ = new (memory) Free{first_};
    unlock();
  }

 private:
  struct Free {
    Free * next;
  };

  // acquire pairs with the release in unlock(): what the last holder did to the list is seen.
  // Who finds it taken soon sleeps, so that a holder of lower priority gets to run: to yield does not let it.
  void lock() noexcept {
    for (unsigned attempt = 0; busy_.test_and_set(std::memory_order_acquire); ++attempt) {
      if (attempt < 20) {
        std::this_thread::yield();
      } else {
        const timespec moment{0, 20'000};
        nanosleep(&moment, nullptr);
      }
    }
  }
  void unlock() noexcept { busy_.clear(std::memory_order_release); }

  const std::size_t size_;
  std::atomic_flag busy_ = ATOMIC_FLAG_INIT;
  Free * first_ = nullptr;
};

/// For std::allocate_shared: every object of type T comes from one pool of this process.
template <class T>
struct PoolAllocator {
  using value_type = T;  // NOLINT: the name is the standard's
  PoolAllocator() = default;
  template <class U>
  PoolAllocator(const PoolAllocator<U> &) {}  // NOLINT: the standard asks for the conversion

  T * allocate(std::size_t) { return static_cast<T *>(pool().get()); }
  void deallocate(T * memory, std::size_t) noexcept { pool().put(memory); }

  static Pool & pool() {
    static_assert(alignof(T) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);
    static constinit Pool instance{sizeof(T)};
    return instance;
  }

  bool operator==(const PoolAllocator &) const { return true; }
};

}  // namespace rmw_tandem
