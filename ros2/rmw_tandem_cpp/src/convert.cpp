// Copies messages between the two layouts, step by step.
#include <rcutils/allocator.h>
#include <rosidl_runtime_c/primitives_sequence.h>
#include <rosidl_runtime_c/primitives_sequence_functions.h>
#include <rosidl_runtime_c/string.h>
#include <rosidl_runtime_c/string_functions.h>
#include <rosidl_runtime_c/u16string.h>
#include <rosidl_runtime_c/u16string_functions.h>

#include <cstring>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "buffer_descriptors.hpp"
#include "buffers.hpp"
#include "freed_memory.hpp"
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

std::size_t checked(const Step & step, std::size_t count) {
  if (count > step.count) throw_too_long(step, "a sequence");
  return count;
}

/// Into a block of Tandem's heap, which is one of several in turn.
void copy_to_native(void * to, const void * from, std::size_t size) {
  if (size != 0) tandem::detail::copy_bytes(to, from, size);
}

/// Into the user's message, which is read next: through the caches, whatever its size.
void copy_to_ros(void * to, const void * from, std::size_t size) {
  if (size != 0) std::memcpy(to, from, size);
}

// ---- strings and sequences of ROS 2 --------------------------------------------------------------------------------

struct Elements {
  void * data;
  std::size_t bytes;
};

/// The C structs of rosidl_runtime_c, whose blocks are of rcutils' allocator.
struct C {
  using String = rosidl_runtime_c__String;
  using U16String = rosidl_runtime_c__U16String;
  /// What each of rosidl_runtime_c's and of the generated sequences looks like.
  struct Sequence {
    void * data;
    std::size_t size;
    std::size_t capacity;
  };

  static const char * data(const String & string) { return string.data; }
  static const char16_t * data(const U16String & string) { return reinterpret_cast<const char16_t *>(string.data); }
  static std::size_t size(const String & string) { return string.size; }
  static std::size_t size(const U16String & string) { return string.size; }

  static void assign(String & to, const char * data, std::size_t size) {
    if (to.capacity > size) {
      std::memcpy(to.data, data, size);
      to.data[size] = '\0';
      to.size = size;
    } else if (!rosidl_runtime_c__String__assignn(&to, data, size)) {
      throw std::bad_alloc();
    }
  }
  static void assign(U16String & to, const char16_t * data, std::size_t size) {
    if (!rosidl_runtime_c__U16String__assignn(&to, reinterpret_cast<const std::uint16_t *>(data), size)) {
      throw std::bad_alloc();
    }
  }

  static Elements elements(const void * sequence, std::size_t element_size) {
    const auto & c = *static_cast<const Sequence *>(sequence);
    return {c.data, c.size * element_size};
  }
  static void resize(const Step & step, void * sequence, std::size_t count) {
    auto & c = *static_cast<Sequence *>(sequence);
    if (c.capacity >= count) {
      c.size = count;
    } else if (!step.resize_c(sequence, count)) {
      throw std::bad_alloc();
    }
  }
  /// The rosidl::Buffer that a sequence of bytes names in their place, or null.
  template <class Bytes = rosidl_runtime_c__uint8__Sequence>
  static const void * buffer(const void * sequence) {
    if constexpr (requires(Bytes bytes) { bytes.is_rosidl_buffer; }) {
      const auto & bytes = *static_cast<const Bytes *>(sequence);
      return bytes.is_rosidl_buffer ? bytes.data : nullptr;
    } else {
      return nullptr;
    }
  }
  /// The same sequence, without a buffer.
  static void * without_buffer(void * sequence) {
    if (buffer(sequence) != nullptr) {
      rosidl_runtime_c__uint8__Sequence__fini(static_cast<rosidl_runtime_c__uint8__Sequence *>(sequence));
    }
    return sequence;
  }
  /// Puts a buffer into a sequence if `fill` returns true of it.
  template <class Fill, class Bytes = rosidl_runtime_c__uint8__Sequence>
  static bool set_buffer(void * sequence, Fill fill) {
    if constexpr (requires(Bytes bytes) { bytes.is_rosidl_buffer; }) {
      std::unique_ptr<void, void (*)(void *)> buffer(new_buffer(), delete_buffer);
      if (!fill(buffer.get())) return false;
      auto & bytes = *static_cast<Bytes *>(sequence);
      rosidl_runtime_c__uint8__Sequence__fini(&bytes);
      bytes.size = size_of_buffer(buffer.get());
      bytes.capacity = 0;
      bytes.data = static_cast<std::uint8_t *>(buffer.release());
      bytes.is_rosidl_buffer = bytes.owns_rosidl_buffer = true;
      return true;
    } else {
      return false;
    }
  }
  /// Of elements whose bytes are their value: none is made only to be written over.
  static void assign_bytes(void * sequence, const void * from, std::size_t bytes, std::size_t element_size) {
    auto & c = *static_cast<Sequence *>(sequence);
    if (c.capacity * element_size < bytes) {
      const rcutils_allocator_t allocator = rcutils_get_default_allocator();
      void * const block = allocator.allocate(bytes, allocator.state);
      if (block == nullptr) throw std::bad_alloc();
      allocator.deallocate(c.data, allocator.state);
      c.data = block;
      c.capacity = bytes / element_size;
    }
    c.size = bytes / element_size;
    copy_to_ros(c.data, from, bytes);
  }
};

/// The C++ structs. Vectors look the same whatever their elements, unless these are bool.
struct Cpp {
  using String = std::string;
  using U16String = std::u16string;
  using Bytes = std::vector<std::uint8_t>;

  template <class Text>
  static const auto * data(const Text & text) {
    return text.data();
  }
  template <class Text>
  static std::size_t size(const Text & text) {
    return text.size();
  }
  template <class Text>
  static void assign(Text & to, const typename Text::value_type * data, std::size_t size) {
    to.assign(data, size);
  }

  static Elements elements(const void * sequence, std::size_t) {
    const auto & bytes = *static_cast<const Bytes *>(sequence);
    return {const_cast<std::uint8_t *>(bytes.data()), bytes.size()};
  }
  static void resize(const Step & step, void * sequence, std::size_t count) { step.resize_cpp(sequence, count); }
  static const void * buffer(const void * field) { return field; }
  static void * without_buffer(void * field) { return &vector_of(field); }
  template <class Fill>
  static bool set_buffer(void * field, Fill fill) {
    return fill(field);
  }
  /// As C::assign_bytes().
  static void assign_bytes(void * sequence, const void * from, std::size_t bytes, std::size_t) {
    auto & elements = *static_cast<Bytes *>(sequence);
    const auto * const first = static_cast<const std::uint8_t *>(from);
    bytes != 0 ? elements.assign(first, first + bytes) : elements.clear();
  }
};

// ---- messages ------------------------------------------------------------------------------------------------------

bool is_u16(const Step & step) { return step.field->kind == tandem::FieldKind::kWstring; }

/// Both ways, for messages in the struct of one language.
template <class Ros>
class Converter {
 public:
  explicit Converter(BufferPublisher * publisher) : publisher_(publisher) {}
  explicit Converter(const BufferSource & source) : source_(source) {}

  void read(const RosType & type, const void * ros_message, void * native) const {
    for (const Step & step : type.steps) {
      const char * const from = static_cast<const char *>(ros_message) + step.ros_offset;
      char * const to = static_cast<char *>(native) + step.native_offset;
      switch (step.kind) {
        case Step::Kind::kBytes: std::memcpy(to, from, step.count); break;
        case Step::Kind::kString: read_string<String>(step, from, to); break;
        case Step::Kind::kElements: read_elements(step, from, to, step.count); break;
        case Step::Kind::kBoolSequence: read_bools(step, from, to); break;
        case Step::Kind::kByteSequence: read_bytes(step, from, to); break;
        case Step::Kind::kElementSequence: {
          const Elements elements = Ros::elements(from, element_size(step));
          const std::size_t count = checked(step, elements.bytes / element_size(step));
          step.field->resize(to, count);
          read_elements(step, elements.data, const_cast<void *>(RawContainer(to).data()), count);
          break;
        }
      }
    }
  }

  void write(const RosType & type, const void * native, void * ros_message) const {
    for (const Step & step : type.steps) {
      const char * const from = static_cast<const char *>(native) + step.native_offset;
      char * const to = static_cast<char *>(ros_message) + step.ros_offset;
      switch (step.kind) {
        case Step::Kind::kBytes: std::memcpy(to, from, step.count); break;
        case Step::Kind::kString: write_string<String>(from, to); break;
        case Step::Kind::kElements: write_elements(step, from, to, step.count); break;
        case Step::Kind::kBoolSequence: write_bools(RawContainer(from), to); break;
        case Step::Kind::kByteSequence: write_bytes(step, from, to); break;
        case Step::Kind::kElementSequence: {
          const RawContainer sequence(from);
          const std::size_t count = sequence.used_bytes() / step.element_size;
          Ros::resize(step, to, count);
          write_elements(step, sequence.data(), Ros::elements(to, element_size(step)).data, count);
          break;
        }
      }
    }
  }

 private:
  using String = typename Ros::String;
  using U16String = typename Ros::U16String;
  template <class Text>
  using Native = std::conditional_t<std::is_same_v<Text, String>, tandem::String, tandem::U16String>;

  /// Of an element of a sequence or an array, in ROS 2's layout.
  static std::size_t element_size(const Step & step) {
    if (step.nested != nullptr) return step.nested->size;
    return is_u16(step) ? sizeof(U16String) : sizeof(String);
  }

  template <class Text>
  static void read_string(const Step & step, const void * from, void * to) {
    const auto & text = *static_cast<const Text *>(from);
    if (Ros::size(text) > step.field->string_bound) throw_too_long(step, "a string");
    static_cast<Native<Text> *>(to)->assign(Ros::data(text), Ros::size(text));
  }
  template <class Text>
  static void write_string(const void * from, void * to) {
    const auto & text = *static_cast<const Native<Text> *>(from);
    Ros::assign(*static_cast<Text *>(to), text.data(), text.size());
  }

  /// Strings, or messages that are not the same in both layouts.
  void read_elements(const Step & step, const void * from, void * to, std::size_t count) const {
    const char * ros = static_cast<const char *>(from);
    char * native = static_cast<char *>(to);
    for (; count != 0; --count, ros += element_size(step), native += step.element_size) {
      if (step.nested != nullptr) {
        read(*step.nested, ros, native);
      } else if (is_u16(step)) {
        read_string<U16String>(step, ros, native);
      } else {
        read_string<String>(step, ros, native);
      }
    }
  }
  void write_elements(const Step & step, const void * from, void * to, std::size_t count) const {
    const char * native = static_cast<const char *>(from);
    char * ros = static_cast<char *>(to);
    for (; count != 0; --count, ros += element_size(step), native += step.element_size) {
      if (step.nested != nullptr) {
        write(*step.nested, native, ros);
      } else if (is_u16(step)) {
        write_string<U16String>(native, ros);
      } else {
        write_string<String>(native, ros);
      }
    }
  }

  void read_bytes(const Step & step, const void * from, void * to) const {
    if constexpr (kHasBuffers) {
      if (const void * const buffer = step.is_buffer ? Ros::buffer(from) : nullptr)
        return read_buffer(step, buffer, to);
    }
    const Elements elements = Ros::elements(from, step.element_size);
    checked(step, elements.bytes / step.element_size);
    const auto alignment = tandem::detail::element_layout(step.field->kind, step.field->nested).alignment;
    copy_to_native(set_size(to, elements.bytes, alignment), elements.data, elements.bytes);
  }
  void read_buffer(const Step & step, const void * buffer, void * to) const {
    BufferBytes bytes = bytes_of(buffer, publisher_);
    checked(step, bytes.size);
    if (bytes.is_shareable) {
      set_shared_bytes(to, std::move(bytes.owner), bytes.size);
    } else if (!bytes.descriptors.empty()) {
      set_bytes(to, bytes.data, bytes.size, bytes.descriptors);
    } else {
      copy_to_native(set_size(to, bytes.size, 1), bytes.data, bytes.size);
    }
  }
  void write_bytes(const Step & step, const void * sequence, void * to) const {
    const RawContainer from(sequence);
    if constexpr (kHasBuffers) {
      if (step.is_buffer && write_buffer(sequence, to)) return;
      if (step.is_buffer) to = Ros::without_buffer(to);
    }
    keep_freed_memory(from.used_bytes());
    Ros::assign_bytes(to, from.data(), from.used_bytes(), step.element_size);
  }

  /// \return false: the bytes are to be copied.
  bool write_buffer(const void * sequence, void * to) const {
    const RawContainer from(sequence);
    const std::string_view descriptors = attachment_of(sequence);
    const bool is_in_place = source_.message != nullptr || source_.subscription != nullptr;
    const auto fill = [&](void * buffer) {
      return refer(buffer, from.data(), from.used_bytes(), descriptors, source_);
    };
    return is_in_place && Ros::set_buffer(to, fill);
  }

  static void read_bools(const Step & step, const void * from, void * to) {
    const auto & bools = *static_cast<const std::vector<bool> *>(from);
    auto * const target = static_cast<bool *>(set_size(to, checked(step, bools.size()), 1));
    for (std::size_t i = 0; i < bools.size(); ++i) target[i] = bools[i];
  }
  static void write_bools(const RawContainer & from, void * to) {
    const auto * first = static_cast<const std::uint8_t *>(from.data());
    auto & bools = *static_cast<std::vector<bool> *>(to);
    bools.resize(from.used_bytes());
    for (std::size_t i = 0; i < bools.size(); ++i) bools[i] = first[i] != 0;
  }

  BufferPublisher * const publisher_ = nullptr;
  const BufferSource source_;
};

}  // namespace

void to_native(const RosType & type, const void * ros_message, void * native, BufferPublisher * publisher) {
  type.language == Language::kC ? Converter<C>(publisher).read(type, ros_message, native)
                                : Converter<Cpp>(publisher).read(type, ros_message, native);
}

bool to_ros(const RosType & type, const void * native, void * ros_message, const BufferSource & source) {
  if (!is_for(type, native, source.subscription)) return false;
  type.language == Language::kC ? Converter<C>(source).write(type, native, ros_message)
                                : Converter<Cpp>(source).write(type, native, ros_message);
  return true;
}

bool is_for(const RosType & type, const void * native, BufferSubscription * subscription) {
  if constexpr (kHasBuffers) {
    if (!type.has_buffers) return true;
    for (const Step & step : type.steps) {
      const char * at = static_cast<const char *>(native) + step.native_offset;
      if (step.is_buffer && !is_readable(attachment_of(at), subscription)) return false;
      if (step.nested == nullptr) continue;
      std::size_t count = step.count;
      if (step.kind == Step::Kind::kElementSequence) {
        count = RawContainer(at).used_bytes() / step.element_size;
        at = static_cast<const char *>(RawContainer(at).data());
      }
      for (std::size_t i = 0; i < count; ++i) {
        if (!is_for(*step.nested, at + i * step.element_size, subscription)) return false;
      }
    }
  }
  return true;
}

}  // namespace tandem_rmw
