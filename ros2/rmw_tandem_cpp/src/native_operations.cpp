#include "native_operations.hpp"

#include <cstring>

#include "ros_type.hpp"
#include "tandem/detail/element_layout.hpp"
#include "tandem/detail/relative_storage.hpp"
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

void set_words(void * container, void * block, std::size_t used, std::size_t room) {
  auto * const words = static_cast<long long *>(container);
  words[0] = block == nullptr ? 0
                              : static_cast<long long>(reinterpret_cast<std::uintptr_t>(block) -
                                                       reinterpret_cast<std::uintptr_t>(container));
  words[1] = words[0] + static_cast<long long>(used);
  words[2] = words[0] + static_cast<long long>(room);
}

void * block_of(void * sequence) { return const_cast<void *>(RawContainer(sequence).data()); }

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

/// Calls `act` with each field that may own memory, and where it is.
template <class Act>
void for_each_owner(const MessageType & type, const void * message, Act act) {
  for (std::size_t i = 0; i < type.field_count; ++i) {
    const Field & field = type.fields[i];
    if (field.shape == FieldShape::kSequence || !is_plain(field)) {
      act(field, const_cast<char *>(static_cast<const char *>(message)) + field.offset);
    }
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
  for_each_owner(type, message, [](const Field & field, char * at) {
    const std::size_t size = layout(field).size;
    if (field.shape != FieldShape::kSequence) {
      for (std::size_t i = 0; i < field.count; ++i) {
        destroy_element(field, at + i * size);
      }
      return;
    }
    const RawContainer sequence(at);
    char * const block = static_cast<char *>(block_of(at));
    if (!is_plain(field)) {
      for (std::size_t used = 0; used < sequence.used_bytes(); used += size) {
        destroy_element(field, block + used);
      }
    }
    tandem::detail::free_message(block, layout(field).alignment);
  });
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
  const RawContainer before(sequence);
  void * block = block_of(sequence);
  std::size_t room = before.block_bytes();
  if (bytes > room) {
    block = tandem::detail::allocate_message(bytes, alignment);
    room = bytes;
    tandem::detail::free_message(block_of(sequence), alignment);
  }
  set_words(sequence, block, bytes, room);
  return block;
}

void resize_native_sequence(const Field & field, void * sequence, std::size_t elements) {
  if (elements > field.count) {
    tandem::detail::throw_length_error();
  }
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
    set_words(sequence, larger, bytes, bytes);
    return;
  }
  if (bytes > used) {
    std::memset(block + used, 0, bytes - used);
  }
  set_words(sequence, block, bytes, room);
}

}  // namespace tandem_rmw
