// A ROS 2 message type, as its introspection type support tells it, and the same type as Tandem lays it out in memory.
//
// Native Tandem readers read messages where they lie, so a message is written once, into their layout: fields as in the
// C struct, and for each string and sequence three words and a block (tandem/vector.hpp). Types of fixed size look the same in
// both worlds and are never converted.
#pragma once

#include <rosidl_runtime_c/message_type_support_struct.h>
#include <rosidl_runtime_c/service_type_support_struct.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "buffers.hpp"
#include "tandem/message_type.hpp"

namespace tandem_rmw {

enum class Language : std::uint8_t { kC, kCpp };

/// One piece of a message to be copied from one layout to the other. Neighbours that look the same are one piece.
struct Step {
  enum class Kind : std::uint8_t {
    kBytes,
    kString,
    kElements,         ///< an array of strings, or of messages that look different in the two
    kByteSequence,     ///< of elements whose bytes are their value
    kBoolSequence,     ///< std::vector<bool>
    kElementSequence,  ///< of elements as those of kElements
  };
  Kind kind;
  std::size_t native_offset;
  std::size_t ros_offset;
  std::size_t count;            ///< bytes, or elements of an array, or the bound of a sequence
  const tandem::Field * field;  ///< the first that it covers
  const struct RosType * nested;
  std::size_t element_size;  ///< of a sequence or array, native
  // Of a sequence in ROS 2's layout, one of the two.
  bool (*resize_c)(void * sequence, std::size_t elements);
  void (*resize_cpp)(void * sequence, std::size_t elements);
  bool is_buffer = false;  ///< the bytes are in a rosidl::Buffer (buffers.hpp)
};

/// Immutable once made, and lives for as long as the process does. Its own address and its fields' do not change.
struct RosType {
  tandem::MessageType native{};
  Language language = Language::kCpp;
  std::string name;          ///< "sensor_msgs/msg/Image"
  std::size_t size = 0;      ///< of ROS 2's struct
  bool is_same = false;      ///< both layouts are the same, and hold no pointers
  bool has_buffers = false;  ///< it, or a message in it
  std::deque<std::string> names;
  std::vector<tandem::Field> fields;
  std::vector<Step> steps;
  // Of ROS 2's struct.
  std::function<void(void * memory)> initialize;  ///< to the fields' defaults
  std::function<void(void * message)> finalize;

  RosType() = default;
  RosType(const RosType &) = delete;
  RosType & operator=(const RosType &) = delete;
};

struct RosServiceType {
  tandem::ServiceType native{};
  std::string name;  ///< "std_srvs/srv/SetBool"
  const RosType * request = nullptr;
  const RosType * response = nullptr;
};

/// Null, with rmw's error set, when there is no introspection type support. Thread-safe.
const RosType * find_type(const rosidl_message_type_support_t * type_support);
const RosServiceType * find_type(const rosidl_service_type_support_t * type_support);

// Messages of the other layout. Both throw std::bad_alloc, and std::length_error with the field's name when a string or a
// sequence is longer than its bound. The target is some valid message then.

/// \param native  a message, whose blocks are used again where they suffice.
/// \param publisher  of the message, if there are back-ends of buffers that it has to ask
void to_native(const RosType & type, const void * ros_message, void * native, BufferPublisher * publisher = nullptr);
/// \param ros_message  likewise.
/// \return false: the message is for other subscriptions, which read its buffers where their bytes are.
bool to_ros(const RosType & type, const void * native, void * ros_message, const BufferSource & source = {});
/// What to_ros() returns. \param subscription  reads descriptors; null: nobody does
bool is_for(const RosType & type, const void * native, BufferSubscription * subscription);

}  // namespace tandem_rmw
