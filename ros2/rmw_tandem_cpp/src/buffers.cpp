#include "buffers.hpp"

#ifdef TANDEM_RMW_HAS_BUFFERS
#include <rosidl_buffer/buffer.hpp>

#include <algorithm>
#include <cctype>
#include <new>
#include <string_view>
#include <utility>

#include "buffer_backends.hpp"
#include "buffer_descriptors.hpp"
#include "tandem/heap.hpp"
#include "tandem_buffer_backend/tandem_buffer_impl.hpp"

namespace tandem_buffer_backend {

std::shared_ptr<void> allocate(std::size_t bytes) {
  void * const memory = tandem::allocate(std::max<std::size_t>(bytes, 1));
  if (memory == nullptr) throw std::bad_alloc();
  return {memory, tandem::deallocate};
}

}  // namespace tandem_buffer_backend

namespace tandem_rmw {
namespace {

using Buffer = rosidl::Buffer<std::uint8_t>;
using tandem_buffer_backend::TandemBufferImpl;

bool is_in_cpu(const Buffer & buffer) {
  return dynamic_cast<const rosidl::CpuBufferImpl<std::uint8_t> *>(buffer.get_impl()) != nullptr;
}

std::string_view trimmed(std::string_view text) {
  const auto is_space = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace

BufferBytes bytes_of(const void * buffer, BufferPublisher * publisher) {
  const auto & own = *static_cast<const Buffer *>(buffer);
  if (is_in_cpu(own)) return {own.data(), own.size(), nullptr, false, {}};
  if (const auto * const shared = dynamic_cast<const TandemBufferImpl *>(own.get_impl())) {
    const bool is_shareable = !shared->is_read_only() && tandem::is_shared_allocation(shared->data(), shared->size());
    return {shared->data(), shared->size(), shared->memory(), is_shareable, {}};
  }
  BufferBytes bytes;
  if (publisher != nullptr) bytes.descriptors = publisher->describe(own);
  if (!has_bytes(bytes.descriptors)) return bytes;
  auto copy = std::make_shared<std::vector<std::uint8_t>>(own.to_vector());
  bytes.data = copy->data();
  bytes.size = copy->size();
  bytes.owner = std::move(copy);
  return bytes;
}

std::vector<std::uint8_t> & vector_of(void * buffer) {
  auto & own = *static_cast<Buffer *>(buffer);
  if (!is_in_cpu(own)) own = Buffer();
  return own;
}

bool refer(void * buffer, const void * bytes, std::size_t size, std::string_view descriptors,
           const BufferSource & source) {
  auto & own = *static_cast<Buffer *>(buffer);
  if (source.subscription != nullptr && !descriptors.empty()) {
    if (auto received = source.subscription->receive(descriptors, source.publisher)) {
      own = Buffer(std::move(received));
      return true;
    }
  }
  if (!source.message || size == 0) return false;
  const std::shared_ptr<void> memory(source.message, const_cast<void *>(bytes));
  own = Buffer(std::make_unique<TandemBufferImpl>(memory, size, true));
  return true;
}

bool is_readable(std::string_view descriptors, const BufferSubscription * subscription) {
  return has_bytes(descriptors) || (subscription != nullptr && subscription->is_told(descriptors));
}

void * new_buffer() { return new Buffer; }
std::size_t size_of_buffer(const void * buffer) { return static_cast<const Buffer *>(buffer)->size(); }
void delete_buffer(void * buffer) { delete static_cast<Buffer *>(buffer); }

bool accepts(const char * acceptable, std::string_view backend) {
  const std::string_view names = acceptable != nullptr ? acceptable : "";
  for (std::size_t at = 0, end = 0; at <= names.size(); at = end + 1) {
    end = std::min(names.find(',', at), names.size());
    const std::string_view name = trimmed(names.substr(at, end - at));
    if (name == "any" || name == backend) return true;
  }
  return false;
}

bool accepts_shared_memory(const char * acceptable) { return accepts(acceptable, tandem_buffer_backend::kBackendType); }

}  // namespace tandem_rmw

// For tandem_buffer_backend, which finds them by their names.
extern "C" {

void * rmw_tandem_cpp_allocate(std::size_t bytes) {
  return tandem::allocate_shared_memory(std::max<std::size_t>(bytes, 1));
}

void rmw_tandem_cpp_deallocate(void * memory) { tandem::deallocate(memory); }

}  // extern "C"
#endif
