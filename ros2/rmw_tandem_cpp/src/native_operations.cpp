#include "native_operations.hpp"

#include <atomic>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "ros_type.hpp"
#include "tandem/detail/element_layout.hpp"
#include "tandem/detail/relative_storage.hpp"
#include "tandem/detail/resize_unfilled.hpp"
#include "tandem/string.hpp"

namespace tandem_rmw {
namespace {

using tandem::Field;
using tandem::FieldKind;
using tandem::FieldShape;
using tandem::MessageType;
using tandem::detail::RawContainer;

bool is_message(const Field & field) { return field.kind == FieldKind::kMessage; }

/// Elements own no memory.
bool is_plain(const Field & field) {
  return field.kind != FieldKind::kString && field.kind != FieldKind::kWstring &&
         (!is_message(field) || field.message().is_fixed_size);
}

tandem::detail::ElementLayout layout(const Field & field) {
  return tandem::detail::element_layout(field.kind, is_message(field) ? &field.message() : nullptr);
}

void * block_of(void * sequence) { return const_cast<void *>(RawContainer(sequence).data()); }

// ---- bytes that others have too ------------------------------------------------------------------------------------

/// By the sequences that have them. Never destroyed: messages may be, by other threads, while the program ends.
auto & shared_bytes = *new std::unordered_map<const void *, std::shared_ptr<void>>;  // guarded by shared_bytes_mutex
auto & shared_bytes_mutex = *new std::mutex;
std::atomic<std::size_t> shared_bytes_count = 0;

/// Stands behind the bytes of a sequence, at the next multiple of 8, if they have an attachment.
struct AttachmentHead {
  static constexpr std::uint64_t kMagic = 0x6174746163686564;
  std::uint64_t magic;
  std::uint64_t size;  ///< of what follows
};

constexpr std::size_t attachment_at(std::size_t bytes) { return (bytes + 7) / 8 * 8; }

/// Memory may have one of a message that was there before.
void end_attachment(void * sequence) {
  const RawContainer own(sequence);
  const std::size_t at = attachment_at(own.used_bytes());
  if (at + sizeof(AttachmentHead) > own.block_bytes()) return;
  std::memset(static_cast<char *>(block_of(sequence)) + at, 0, sizeof(AttachmentHead));
}

/// Null unless the sequence's bytes are shared. It has to get others, or none, then.
std::shared_ptr<void> take_shared_bytes(const void * sequence) {
  // Relaxed: whoever has the message has it from the thread that shared its bytes.
  if (shared_bytes_count.load(std::memory_order_relaxed) == 0) return nullptr;
  const std::lock_guard<std::mutex> lock(shared_bytes_mutex);
  const auto found = shared_bytes.find(sequence);
  if (found == shared_bytes.end()) return nullptr;
  std::shared_ptr<void> memory = std::move(found->second);
  shared_bytes.erase(found);
  shared_bytes_count.store(shared_bytes.size(), std::memory_order_relaxed);
  return memory;
}

/// Ends the block of a sequence, whose elements are destroyed. It has to get another, or none, then.
void free_block(void * sequence, std::size_t alignment) {
  if (!take_shared_bytes(sequence)) tandem::detail::free_message(block_of(sequence), alignment);
}

/// Copies what is shared, so that it can be written.
void own_bytes(void * sequence) {
  const std::shared_ptr<void> memory = take_shared_bytes(sequence);
  if (!memory) return;
  const std::size_t bytes = RawContainer(sequence).used_bytes();
  tandem::detail::set_block(sequence, nullptr, 0, 0);
  if (bytes != 0) tandem::detail::copy_bytes(set_size(sequence, bytes, alignof(std::uint8_t)), memory.get(), bytes);
}

// ---- operations ----------------------------------------------------------------------------------------------------

void destroy_element(const Field & field, void * element) {
  switch (field.kind) {
    case FieldKind::kString: static_cast<tandem::String *>(element)->~BasicString(); break;
    case FieldKind::kWstring: static_cast<tandem::U16String *>(element)->~BasicString(); break;
    case FieldKind::kMessage: field.message().destroy(element); break;
    default: break;
  }
}

void assign_element(const Field & field, void * to, const void * from) {
  switch (field.kind) {
    case FieldKind::kString: *static_cast<tandem::String *>(to) = *static_cast<const tandem::String *>(from); break;
    case FieldKind::kWstring:
      *static_cast<tandem::U16String *>(to) = *static_cast<const tandem::U16String *>(from);
      break;
    case FieldKind::kMessage: field.message().assign(to, from); break;
    default: std::memcpy(to, from, layout(field).size); break;
  }
}

void construct(const MessageType & type, void * memory) {
  std::memset(memory, 0, type.size);  // strings and sequences of zeros are empty
  // The type is the first member of a RosType.
  const auto & its_type = reinterpret_cast<const RosType &>(type);
  if (its_type.is_same) {
    its_type.initialize(memory);
  }
}

void destroy(const MessageType & type, void * message) {
  for (std::size_t i = 0; i < type.field_count; ++i) {
    const Field & field = type.fields[i];
    const bool is_sequence = field.shape == FieldShape::kSequence;
    char * const at = static_cast<char *>(message) + field.offset;
    const auto [size, alignment] = layout(field);
    char * const elements = is_sequence ? static_cast<char *>(block_of(at)) : at;
    if (!is_plain(field)) {
      const std::size_t bytes = is_sequence ? RawContainer(at).used_bytes() : field.count * size;
      for (std::size_t used = 0; used < bytes; used += size) {
        destroy_element(field, elements + used);
      }
    }
    if (is_sequence) {
      free_block(at, alignment);
    }
  }
}

void assign(const MessageType & type, void * message, const void * other) {
  for (std::size_t i = 0; i < type.field_count; ++i) {
    const Field & field = type.fields[i];
    char * to = static_cast<char *>(message) + field.offset;
    const char * from = static_cast<const char *>(other) + field.offset;
    const auto [size, alignment] = layout(field);
    std::size_t count = field.count;
    if (field.shape == FieldShape::kSequence) {
      const RawContainer source(from);
      if (is_plain(field)) {
        if (const std::string_view attachment = size == 1 ? attachment_of(from) : ""; !attachment.empty()) {
          set_bytes(to, source.data(), source.used_bytes(), attachment);
          continue;
        }
        if (void * const target = set_size(to, source.used_bytes(), alignment); source.used_bytes() != 0) {
          tandem::detail::copy_bytes(target, source.data(), source.used_bytes());
        }
        continue;
      }
      count = source.used_bytes() / size;
      from = static_cast<const char *>(source.data());
      field.resize(to, count);
      to = static_cast<char *>(block_of(to));
    }
    if (is_plain(field)) {
      std::memcpy(to, from, count * size);
      continue;
    }
    for (std::size_t e = 0; e < count; ++e) {
      assign_element(field, to + e * size, from + e * size);
    }
  }
}

void copy_construct(const MessageType & type, void * memory, const void * message) {
  std::memset(memory, 0, type.size);
  try {
    assign(type, memory, message);
  } catch (...) {
    destroy(type, memory);
    throw;
  }
}

}  // namespace

const tandem::MessageOperations kNativeOperations{construct, destroy, copy_construct, assign};

void * set_size(void * sequence, std::size_t bytes, std::size_t alignment) {
  if (take_shared_bytes(sequence)) tandem::detail::set_block(sequence, nullptr, 0, 0);
  void * const block = tandem::detail::resize_unfilled(sequence, bytes, alignment);
  end_attachment(sequence);
  return block;
}

void set_shared_bytes(void * sequence, std::shared_ptr<void> memory, std::size_t bytes) {
  std::shared_ptr<void> before;  // ends when the lock is free
  void * const block = memory.get();
  {
    const std::lock_guard<std::mutex> lock(shared_bytes_mutex);
    before = std::exchange(shared_bytes[sequence], std::move(memory));
    shared_bytes_count.store(shared_bytes.size(), std::memory_order_relaxed);
  }
  if (!before) tandem::detail::free_message(block_of(sequence), alignof(std::uint8_t));
  tandem::detail::set_block(sequence, block, bytes, bytes);
}

void set_bytes(void * sequence, const void * bytes, std::size_t size, std::string_view attachment) {
  const std::size_t at = attachment_at(size);
  const AttachmentHead head{AttachmentHead::kMagic, attachment.size()};
  char * const block =
      static_cast<char *>(set_size(sequence, at + sizeof head + attachment.size(), alignof(AttachmentHead)));
  if (size != 0) tandem::detail::copy_bytes(block, bytes, size);
  std::memcpy(block + at, &head, sizeof head);
  std::memcpy(block + at + sizeof head, attachment.data(), attachment.size());
  tandem::detail::set_block(sequence, block, size, RawContainer(sequence).block_bytes());
}

std::string_view attachment_of(const void * sequence) {
  const RawContainer own(sequence);
  const std::size_t at = attachment_at(own.used_bytes());
  const std::size_t room = own.block_bytes();
  AttachmentHead head{};
  if (at + sizeof head > room) return {};
  const char * const first = static_cast<const char *>(own.data()) + at;
  std::memcpy(&head, first, sizeof head);
  if (head.magic != AttachmentHead::kMagic || head.size > room - at - sizeof head) return {};
  return {first + sizeof head, head.size};
}

void resize_native_sequence(const Field & field, void * sequence, std::size_t elements) {
  if (elements > field.count) {
    tandem::detail::throw_length_error();
  }
  own_bytes(sequence);
  const std::size_t size = layout(field).size;
  const std::size_t alignment = layout(field).alignment;
  const RawContainer before(sequence);
  const std::size_t used = before.used_bytes();
  const std::size_t bytes = elements * size;
  char * block = static_cast<char *>(block_of(sequence));
  std::size_t room = before.block_bytes();
  for (std::size_t at = bytes; at < used; at += size) {
    destroy_element(field, block + at);
  }
  if (bytes > room) {
    char * const larger = static_cast<char *>(tandem::detail::allocate_message(bytes, alignment));
    std::memset(larger, 0, bytes);
    const auto destroy_all = [&](char * elements_of) {
      for (std::size_t at = 0; at < used; at += size) {
        destroy_element(field, elements_of + at);
      }
    };
    try {
      // What an element owns is named by its distance, so each is copied, and the old one ended.
      for (std::size_t at = 0; at < used; at += size) {
        assign_element(field, larger + at, block + at);
      }
    } catch (...) {
      destroy_all(larger);
      tandem::detail::free_message(larger, alignment);
      throw;
    }
    destroy_all(block);
    tandem::detail::free_message(block, alignment);
    tandem::detail::set_block(sequence, larger, bytes, bytes);
    return;
  }
  if (bytes > used) {
    std::memset(block + used, 0, bytes - used);
  }
  tandem::detail::set_block(sequence, block, bytes, room);
  end_attachment(sequence);
}

}  // namespace tandem_rmw
