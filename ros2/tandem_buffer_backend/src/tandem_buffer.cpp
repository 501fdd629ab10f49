#include "tandem_buffer_backend/tandem_buffer.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <mutex>
#include <new>
#include <stdexcept>
#include <utility>

namespace tandem_buffer_backend {
namespace {

/// What rmw_tandem_cpp exports; null while it is not loaded.
struct SharedMemory {
  void * (*allocate)(std::size_t bytes) = nullptr;
  void (*deallocate)(void * memory) = nullptr;
};

SharedMemory find_shared_memory() {
  static std::mutex mutex;
  static SharedMemory found;
  const std::lock_guard<std::mutex> lock(mutex);
  if (found.allocate != nullptr) {
    return found;
  }
  if (void * const library = dlopen("librmw_tandem_cpp.so", RTLD_LAZY | RTLD_NOLOAD)) {
    found.allocate = reinterpret_cast<decltype(found.allocate)>(dlsym(library, "rmw_tandem_cpp_allocate"));
    found.deallocate = reinterpret_cast<decltype(found.deallocate)>(dlsym(library, "rmw_tandem_cpp_deallocate"));
    dlclose(library);  // it never goes
  }
  return found;
}

[[noreturn]] void refuse(const Bytes & buffer) {
  throw std::invalid_argument("a buffer of the back-end '" + buffer.get_backend_type() +
                              "', whose memory only that can reach: use to_vector()");
}

}  // namespace

std::shared_ptr<void> allocate(std::size_t bytes) {
  const SharedMemory shared = find_shared_memory();
  if (shared.allocate != nullptr && shared.deallocate != nullptr) {
    if (void * const memory = shared.allocate(bytes)) {
      return {memory, shared.deallocate};
    }
  }
  void * const memory = std::malloc(bytes != 0 ? bytes : 1);
  if (memory == nullptr) {
    throw std::bad_alloc();
  }
  return {memory, std::free};
}

Bytes allocate_buffer(std::size_t size) {
  return Bytes(std::make_unique<TandemBufferImpl>(allocate(size), size, false));
}

std::uint8_t * write(Bytes & buffer) {
  if (buffer.get_backend_type() == kBackendType) {
    return static_cast<TandemBufferImpl *>(buffer.get_impl())->write();
  }
  if (buffer.get_backend_type() != "cpu") {
    refuse(buffer);
  }
  return buffer.data();
}

const std::uint8_t * read(const Bytes & buffer) {
  if (buffer.get_backend_type() == kBackendType) {
    return static_cast<const TandemBufferImpl *>(buffer.get_impl())->data();
  }
  if (buffer.get_backend_type() != "cpu") {
    refuse(buffer);
  }
  return buffer.data();
}

}  // namespace tandem_buffer_backend
