// Builds the MessageType of a generated struct. Only generated code includes this.
#pragma once

#include <new>
#include <type_traits>

#include "tandem/message_type.hpp"

namespace tandem::detail {

/// Raised whenever the layout of what messages are made of (our containers) changes.
inline constexpr std::uint64_t kContainerLayoutVersion = 2;

/// One step of FNV-1a over the eight bytes of `value`.
constexpr std::uint64_t mix(std::uint64_t state, std::uint64_t value) {
  for (int byte = 0; byte < 8; ++byte) {
    state = (state ^ ((value >> (8 * byte)) & 0xffu)) * 0x100000001b3u;
  }
  return state;
}

/// What two processes must agree on, besides the definition, to read each other's memory: of a message of this size and
/// alignment.
constexpr std::uint64_t abi_tag(std::size_t size, std::size_t alignment) {
  std::uint64_t tag = 0xcbf29ce484222325u;
  tag = mix(tag, kContainerLayoutVersion);
  tag = mix(tag, sizeof(void *));
  tag = mix(tag, __BYTE_ORDER__);
  tag = mix(tag, size);
  tag = mix(tag, alignment);
  return tag;
}

/// The same, as a constant of the translation unit of the user, so that it tells how that one sees T.
template <class T>
constexpr std::uint64_t abi_tag() {
  return abi_tag(sizeof(T), alignof(T));
}

template <class T>
void construct_message(const MessageType &, void * memory) {
  ::new (memory) T();
}

template <class T>
void destroy_message(const MessageType &, void * message) {
  static_cast<T *>(message)->~T();
}

template <class T>
void copy_construct_message(const MessageType &, void * memory, const void * message) {
  ::new (memory) T(*static_cast<const T *>(message));
}

template <class T>
void assign_message(const MessageType &, void * message, const void * other) {
  *static_cast<T *>(message) = *static_cast<const T *>(other);
}

template <class Sequence>
void resize_sequence(const Field &, void * sequence, std::size_t elements) {
  static_cast<Sequence *>(sequence)->resize(elements);
}

/// What a generated type_support header adds to T: name ("package/msg/Name"), RIHS01 hash and the table of fields.
struct TypeDescription {
  const char * name;
  std::array<std::uint8_t, 32> hash;
  const Field * fields;
  std::size_t field_count;
};

template <class T>
constexpr MessageType make_message_type(const TypeDescription & description) {
  static_assert(std::is_standard_layout_v<T>, "a message has exactly the C layout of its fields");
  return MessageType{description.name,
                     description.hash,
                     abi_tag<T>(),
                     sizeof(T),
                     alignof(T),
                     std::is_trivially_copyable_v<T>,
                     {&construct_message<T>, &destroy_message<T>, &copy_construct_message<T>, &assign_message<T>},
                     description.fields,
                     description.field_count};
}

}  // namespace tandem::detail
