// What the transport and the tools must know of a generated message type: the run-time face of a C++ struct.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace tandem {

/// The bound of a container without one.
inline constexpr std::size_t kUnbounded = std::numeric_limits<std::size_t>::max();

struct MessageType;

enum class FieldKind : std::uint8_t {
  kBool,
  kOctet,  ///< unsigned char
  kChar,   ///< unsigned char; IDL's char
  kWchar,  ///< char16_t
  kInt8,
  kUint8,
  kInt16,
  kUint16,
  kInt32,
  kUint32,
  kInt64,
  kUint64,
  kFloat32,
  kFloat64,
  kLongDouble,
  kString,   ///< tandem::String, whatever its bound
  kWstring,  ///< tandem::U16String, whatever its bound
  kMessage,
};

enum class FieldShape : std::uint8_t {
  kSingle,
  kArray,     ///< std::array
  kSequence,  ///< tandem::Vector
};

/// A field of a message as it lies in memory. Generated code holds one constant table of them per type.
struct Field {
  const char * name;
  FieldKind kind;  ///< of the elements
  FieldShape shape;
  std::size_t offset;                     ///< bytes from the start of the message
  std::size_t count;                      ///< 1; elements of the array; bound of the sequence or kUnbounded
  std::size_t string_bound;               ///< characters that each string may have, or kUnbounded
  const MessageType & (*find_message)();  ///< only for kMessage; null with `nested`
  void (*resize_sequence)(const Field & self, void * sequence, std::size_t elements);  ///< only for kSequence
  const MessageType * nested = nullptr;  ///< of a table made at run time: instead of find_message

  /// The type of the elements. \pre kMessage
  const MessageType & message() const { return nested != nullptr ? *nested : find_message(); }
  /// As Vector::resize(). \pre kSequence
  void resize(void * sequence, std::size_t elements) const { resize_sequence(*this, sequence, elements); }
};

/// What is done with messages of a type, which each is told.
struct MessageOperations {
  void (*construct)(const MessageType & type, void * memory);
  void (*destroy)(const MessageType & type, void * message);
  void (*copy_construct)(const MessageType & type, void * memory, const void * message);
  void (*assign)(const MessageType & type, void * message, const void * other);
};

/// One object per type, of static lifetime, immutable. The generator writes a specialisation of TypeObject for each struct.
struct MessageType {
  const char * name;                  ///< "std_msgs/msg/Header"
  std::array<std::uint8_t, 32> hash;  ///< RIHS01
  std::uint64_t abi;                  ///< computed in the user's translation unit
  std::size_t size;                   ///< sizeof(T)
  std::size_t alignment;              ///< alignof(T)
  bool is_fixed_size;                 ///< trivially copyable: its bytes are its value
  MessageOperations operations;
  const Field * fields;  ///< in the order of the definition; none: an empty message
  std::size_t field_count;

  /// Default-constructs: fields' defaults, others zero. Errors: std::bad_alloc.
  void construct(void * memory) const { operations.construct(*this, memory); }
  void destroy(void * message) const { operations.destroy(*this, message); }
  /// Errors: std::bad_alloc.
  void copy_construct(void * memory, const void * message) const { operations.copy_construct(*this, memory, message); }
  /// Keeps capacity that suffices. Errors: std::bad_alloc.
  void assign(void * message, const void * other) const { operations.assign(*this, message, other); }
};

/// The messages of a service, found at run time as messages are.
struct ServiceType {
  const char * name;                  ///< "std_srvs/srv/SetBool"
  std::array<std::uint8_t, 32> hash;  ///< RIHS01
  const MessageType * request;
  const MessageType * response;
  /// Of introspection: {service_msgs/msg/ServiceEventInfo info, Request[<=1] request, Response[<=1] response}; null: without.
  const MessageType * event = nullptr;
};

/// What an action is made of, found at run time as messages are.
struct ActionType {
  const char * name;                  ///< "example_interfaces/action/Fibonacci"
  std::array<std::uint8_t, 32> hash;  ///< RIHS01
  const MessageType * goal;
  const MessageType * result;
  const MessageType * feedback;
  const ServiceType * send_goal;
  const ServiceType * get_result;
  const MessageType * feedback_message;
};

namespace detail {

/// Specialised next to each generated struct; get<T>() returns the type object. An action's services have theirs too.
template <class T>
struct TypeObject;

}  // namespace detail

// The type objects of T: of a message, a service, an action.
template <class T>
const MessageType & message_type() {
  return detail::TypeObject<T>::template get<T>();
}
template <class T>
const ServiceType & service_type() {
  return detail::TypeObject<T>::template get<T>();
}
template <class T>
const ActionType & action_type() {
  return detail::TypeObject<T>::template get<T>();
}

}  // namespace tandem
