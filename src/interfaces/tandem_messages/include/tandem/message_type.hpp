// What the transport must know of a generated message type: the run-time face of a C++ struct.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace tandem {

/// One object per generated type, of static lifetime, immutable. The generator writes a specialisation of
/// message_type<T>() for each. More members are added at the end as types grow serialisation and introspection.
struct MessageType {
  const char * name;                  ///< "std_msgs/msg/Header"
  std::array<std::uint8_t, 32> hash;  ///< RIHS01
  std::uint64_t abi;                  ///< computed in the user's translation unit
  std::size_t size;                   ///< sizeof(T)
  std::size_t alignment;              ///< alignof(T)
  bool is_fixed_size;                 ///< trivially copyable: its bytes are its value
  void (*construct)(void * memory);   ///< default-constructs (fields' defaults, others zero)
  void (*destroy)(void * message);
  void (*copy_construct)(void * memory, const void * message);
};

/// The type object of T. Specialised next to each generated struct.
template <class T>
const MessageType & message_type();

}  // namespace tandem
