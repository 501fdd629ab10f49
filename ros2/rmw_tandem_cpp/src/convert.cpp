// Copies messages between the two layouts, step by step.
#include <rosidl_runtime_c/primitives_sequence.h>
#include <rosidl_runtime_c/string.h>
#include <rosidl_runtime_c/string_functions.h>
#include <rosidl_runtime_c/u16string.h>
#include <rosidl_runtime_c/u16string_functions.h>

#include <cstring>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "native_operations.hpp"
#include "ros_type.hpp"
#include "tandem/detail/element_layout.hpp"
#include "tandem/detail/relative_storage.hpp"
#include "tandem/message_memory.hpp"
#include "tandem/string.hpp"

namespace tandem_rmw {
namespace {

using tandem::detail::RawContainer;

[[noreturn]] void throw_too_long(const Step & step, const char * what) {
  throw std::length_error(std::string("field '") + step.field->name + "': " + what + " is longer than its bound");
}

void copy(void * to, const void * from, std::size_t size) {
  if (size != 0) tandem::detail::copy_bytes(to, from, size);
}

// ---- strings -------------------------------------------------------------------------------------------------------

void read(const std::string & from, tandem::String & to) { to.assign(from.data(), from.size()); }
void read(const std::u16string & from, tandem::U16String & to) { to.assign(from.data(), from.size()); }
void read(const rosidl_runtime_c__String & from, tandem::String & to) { to.assign(from.data, from.size); }
void read(const rosidl_runtime_c__U16String & from, tandem::U16String & to) {
  to.assign(reinterpret_cast<const char16_t *>(from.data), from.size);
}
void write(const tandem::String & from, std::string & to) { to.assign(from.data(), from.size()); }
void write(const tandem::U16String & from, std::u16string & to) { to.assign(from.data(), from.size()); }
void write(const tandem::String & from, rosidl_runtime_c__String & to) {
  if (!rosidl_runtime_c__String__assignn(&to, from.data(), from.size())) throw std::bad_alloc();
}
void write(const tandem::U16String & from, rosidl_runtime_c__U16String & to) {
  if (!rosidl_runtime_c__U16String__assignn(&to, reinterpret_cast<const std::uint16_t *>(from.data()), from.size())) {
    throw std::bad_alloc();
  }
}

template <class Native, class Ros>
void read_strings(const Step & step, const void * from, void * to, std::size_t count) {
  const auto * ros = static_cast<const Ros *>(from);
  auto * native = static_cast<Native *>(to);
  for (std::size_t i = 0; i < count; ++i) {
    read(ros[i], native[i]);
    if (native[i].size() > step.field->string_bound) throw_too_long(step, "a string");
  }
}

template <class Native, class Ros>
void write_strings(const void * from, void * to, std::size_t count) {
  const auto * native = static_cast<const Native *>(from);
  auto * ros = static_cast<Ros *>(to);
  for (std::size_t i = 0; i < count; ++i) write(native[i], ros[i]);
}

// ---- sequences of ROS 2 --------------------------------------------------------------------------------------------

/// A sequence of C: what each of rosidl_runtime_c's and of the generated ones looks like.
struct CSequence {
  void * data;
  std::size_t size;
  std::size_t capacity;
};

struct Elements {
  void * data;
  std::size_t bytes;
};

/// Vectors look the same whatever their elements, unless these are bool.
Elements elements_of_vector(const void * vector) {
  const auto & bytes = *static_cast<const std::vector<std::uint8_t> *>(vector);
  return {const_cast<std::uint8_t *>(bytes.data()), bytes.size()};
}

Elements elements_of_buffer(const Step & step, void * buffer) {
  const std::size_t bytes = step.size_of_buffer(buffer);
  return {bytes != 0 ? step.at_buffer(buffer, 0) : nullptr, bytes};
}

/// \param ros_size  of an element in ROS 2's layout
Elements elements_of(Language language, const Step & step, const void * sequence, std::size_t ros_size) {
  if (step.size_of_buffer != nullptr) return elements_of_buffer(step, const_cast<void *>(sequence));
  if (language == Language::kC) {
    const auto & c = *static_cast<const CSequence *>(sequence);
    return {c.data, c.size * ros_size};
  }
  return elements_of_vector(sequence);
}

void resize_ros(Language language, const Step & step, void * sequence, std::size_t count) {
  if (step.size_of_buffer != nullptr) {
    if (step.size_of_buffer(sequence) == count) return;
  } else if (language == Language::kC) {
    auto & c = *static_cast<CSequence *>(sequence);
    if (c.capacity >= count) {
      c.size = count;
      return;
    }
  }
  if (step.resize_cpp != nullptr) {
    step.resize_cpp(sequence, count);
  } else if (!step.resize_c(sequence, count)) {
    throw std::bad_alloc();
  }
}

template <class T>
void assign_vector(void * vector, const void * from, std::size_t bytes) {
  const auto * first = static_cast<const T *>(from);
  auto & elements = *static_cast<std::vector<T> *>(vector);
  if (bytes == 0) {
    elements.clear();
  } else if (elements.size() == bytes / sizeof(T)) {
    copy(elements.data(), first, bytes);
  } else {
    elements.assign(first, first + bytes / sizeof(T));
  }
}

// ---- messages ------------------------------------------------------------------------------------------------------

std::size_t ros_size(const Step & step) { return step.nested != nullptr ? step.nested->size : step.element_size; }

std::size_t checked(const Step & step, std::size_t count) {
  if (count > step.count) throw_too_long(step, "a sequence");
  return count;
}

void read_bools(const Step & step, const void * from, void * to) {
  const auto & bools = *static_cast<const std::vector<bool> *>(from);
  auto * const target = static_cast<bool *>(set_size(to, checked(step, bools.size()), 1));
  for (std::size_t i = 0; i < bools.size(); ++i) target[i] = bools[i];
}

void read_bytes(Language language, const Step & step, const void * from, void * to) {
  const Elements elements = elements_of(language, step, from, ros_size(step));
  checked(step, elements.bytes / step.element_size);
  const auto alignment = tandem::detail::element_layout(step.field->kind, step.field->nested).alignment;
  copy(set_size(to, elements.bytes, alignment), elements.data, elements.bytes);
}

void read_messages(const RosType & type, const void * from, void * to, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    to_native(type, static_cast<const char *>(from) + i * type.size, static_cast<char *>(to) + i * type.native.size);
  }
}

void write_messages(const RosType & type, const void * from, void * to, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    to_ros(type, static_cast<const char *>(from) + i * type.native.size, static_cast<char *>(to) + i * type.size);
  }
}

void write_bools(const RawContainer & from, void * to) {
  const auto * first = static_cast<const std::uint8_t *>(from.data());
  auto & bools = *static_cast<std::vector<bool> *>(to);
  bools.resize(from.used_bytes());
  for (std::size_t i = 0; i < bools.size(); ++i) bools[i] = first[i] != 0;
}

void write_bytes(Language language, const Step & step, const RawContainer & from, void * to) {
  const std::size_t bytes = from.used_bytes();
  if (language == Language::kCpp && step.nested == nullptr && step.size_of_buffer == nullptr) {
    switch (step.element_size) {
      case 1: return assign_vector<std::uint8_t>(to, from.data(), bytes);
      case 2: return assign_vector<std::uint16_t>(to, from.data(), bytes);
      case 4: return assign_vector<std::uint32_t>(to, from.data(), bytes);
      case 8: return assign_vector<std::uint64_t>(to, from.data(), bytes);
      default: break;
    }
  }
  resize_ros(language, step, to, bytes / step.element_size);
  copy(elements_of(language, step, to, ros_size(step)).data, from.data(), bytes);
}

/// Strings, or messages that are not the same in both layouts.
template <class Native, class CString, class CppString>
void read_string_elements(Language language, const Step & step, const void * from, void * to, std::size_t count) {
  language == Language::kC ? read_strings<Native, CString>(step, from, to, count)
                           : read_strings<Native, CppString>(step, from, to, count);
}
template <class Native, class CString, class CppString>
void write_string_elements(Language language, const void * from, void * to, std::size_t count) {
  language == Language::kC ? write_strings<Native, CString>(from, to, count)
                           : write_strings<Native, CppString>(from, to, count);
}

void read_elements(Language language, const Step & step, const void * from, void * to, std::size_t count) {
  if (step.nested != nullptr) {
    read_messages(*step.nested, from, to, count);
  } else if (step.field->kind == tandem::FieldKind::kString) {
    read_string_elements<tandem::String, rosidl_runtime_c__String, std::string>(language, step, from, to, count);
  } else {
    read_string_elements<tandem::U16String, rosidl_runtime_c__U16String, std::u16string>(language, step, from, to,
                                                                                         count);
  }
}

void write_elements(Language language, const Step & step, const void * from, void * to, std::size_t count) {
  if (step.nested != nullptr) {
    write_messages(*step.nested, from, to, count);
  } else if (step.field->kind == tandem::FieldKind::kString) {
    write_string_elements<tandem::String, rosidl_runtime_c__String, std::string>(language, from, to, count);
  } else {
    write_string_elements<tandem::U16String, rosidl_runtime_c__U16String, std::u16string>(language, from, to, count);
  }
}

/// Of an element in ROS 2's layout.
std::size_t ros_element_size(Language language, const Step & step) {
  if (step.nested != nullptr) return step.nested->size;
  if (step.field->kind == tandem::FieldKind::kString) {
    return language == Language::kC ? sizeof(rosidl_runtime_c__String) : sizeof(std::string);
  }
  return language == Language::kC ? sizeof(rosidl_runtime_c__U16String) : sizeof(std::u16string);
}

}  // namespace

void to_native(const RosType & type, const void * ros_message, void * native) {
  for (const Step & step : type.steps) {
    const char * const from = static_cast<const char *>(ros_message) + step.ros_offset;
    char * const to = static_cast<char *>(native) + step.native_offset;
    switch (step.kind) {
      case Step::Kind::kBytes: std::memcpy(to, from, step.count); break;
      case Step::Kind::kElements: read_elements(type.language, step, from, to, step.count); break;
      case Step::Kind::kBoolSequence: read_bools(step, from, to); break;
      case Step::Kind::kByteSequence: read_bytes(type.language, step, from, to); break;
      case Step::Kind::kElementSequence: {
        const std::size_t size = ros_element_size(type.language, step);
        const Elements elements = elements_of(type.language, step, from, size);
        const std::size_t count = checked(step, elements.bytes / size);
        step.field->resize(to, count);
        read_elements(type.language, step, elements.data, const_cast<void *>(RawContainer(to).data()), count);
        break;
      }
    }
  }
}

void to_ros(const RosType & type, const void * native, void * ros_message) {
  for (const Step & step : type.steps) {
    const char * const from = static_cast<const char *>(native) + step.native_offset;
    char * const to = static_cast<char *>(ros_message) + step.ros_offset;
    switch (step.kind) {
      case Step::Kind::kBytes: std::memcpy(to, from, step.count); break;
      case Step::Kind::kElements: write_elements(type.language, step, from, to, step.count); break;
      case Step::Kind::kBoolSequence: write_bools(RawContainer(from), to); break;
      case Step::Kind::kByteSequence: write_bytes(type.language, step, RawContainer(from), to); break;
      case Step::Kind::kElementSequence: {
        const RawContainer sequence(from);
        const std::size_t count = sequence.used_bytes() / step.element_size;
        resize_ros(type.language, step, to, count);
        write_elements(type.language, step, sequence.data(),
                       elements_of(type.language, step, to, ros_element_size(type.language, step)).data, count);
        break;
      }
    }
  }
}

}  // namespace tandem_rmw
