// Writes messages as CDR: a walk over the table of fields into a sink that counts or one that writes.
#include <limits>

#include "cdr/cdr_layout.hpp"
#include "cdr/fast_cdr.hpp"
#include "tandem/cdr.hpp"
#include "tandem/serialized_type.hpp"

namespace tandem {
namespace {

using namespace detail;

/// A sink that counts bytes.
class Counter {
 public:
  void add_numbers(const void *, std::size_t width, std::size_t count) noexcept {
    position_ += padding(position_, width) + width * count;
  }
  void add_bools(const void *, std::size_t count) noexcept { position_ += count; }
  void add_wide_characters(const void * first, std::size_t count) noexcept { add_numbers(first, 4, count); }
  std::size_t position() const noexcept { return position_; }

 private:
  std::size_t position_ = 0;
};

/// A sink that writes to a buffer. The buffer is large enough unless another thread changes the message meanwhile; then
/// Fast CDR throws.
class Writer {
 public:
  /// \param size  bytes that the buffer of `cdr` has
  Writer(eprosima::fastcdr::Cdr & cdr, std::size_t size) : cdr_(cdr), size_(size) {}

  void add_numbers(const void * first, std::size_t width, std::size_t count) {
    // Fast CDR skips padding. It is cleared, so that no old content of the buffer is sent.
    const std::size_t gap = padding(position_, width);
    std::memset(detail::position_of(cdr_), 0, std::min(gap, size_ - position_));
    switch (width) {
      case 1: detail::write_numbers(cdr_, static_cast<const std::uint8_t *>(first), count); break;
      case 2: detail::write_numbers(cdr_, static_cast<const std::uint16_t *>(first), count); break;
      case 4: detail::write_numbers(cdr_, static_cast<const std::uint32_t *>(first), count); break;
      case 8: detail::write_numbers(cdr_, static_cast<const std::uint64_t *>(first), count); break;
      default: add_long_doubles(static_cast<const char *>(first), count); break;
    }
    position_ += gap + width * count;
  }

  void add_bools(const void * first, std::size_t count) {
    add_converted(static_cast<const std::uint8_t *>(first), count,
                  [](std::uint8_t value) -> std::uint8_t { return value != 0; });
  }

  void add_wide_characters(const void * first, std::size_t count) {
    add_converted(static_cast<const char16_t *>(first), count, [](char16_t c) -> std::uint32_t { return c; });
  }

 private:
  /// One by one, without the padding that they have in memory.
  void add_long_doubles(const char * first, std::size_t count) {
    constexpr std::size_t kUsed = std::numeric_limits<long double>::digits == 64 ? 10 : sizeof(long double);
    for (std::size_t i = 0; i < count; ++i) {
      alignas(long double) char clean[sizeof(long double)] = {};
      std::memcpy(clean, first + i * sizeof clean, kUsed);
      detail::write_numbers(cdr_, reinterpret_cast<const long double *>(clean), 1);
    }
  }

  template <class T, class Convert>
  void add_converted(const T * first, std::size_t count, const Convert & convert) {
    constexpr std::size_t kAtOnce = 256;
    decltype(convert(*first)) converted[kAtOnce];
    for (std::size_t done = 0; done < count;) {
      const std::size_t n = std::min(kAtOnce, count - done);
      for (std::size_t i = 0; i < n; ++i) {
        converted[i] = convert(first[done + i]);
      }
      add_numbers(converted, sizeof converted[0], n);
      done += n;
    }
  }

  eprosima::fastcdr::Cdr & cdr_;
  const std::size_t size_;
  std::size_t position_ = 0;  ///< behind the encapsulation
};

/// Tells the sink what to write, in the order of the wire. is_fine() is false when a sequence or string is too long for CDR.
template <class Sink>
class Walk {
 public:
  explicit Walk(Sink & sink) : sink_(sink) {}

  void write_message(const MessageType & type, const void * memory) {
    if (type.field_count == 0) {
      const std::uint8_t nothing = 0;
      sink_.add_numbers(&nothing, 1, 1);
    }
    for (std::size_t i = 0; i < type.field_count; ++i) {
      const Field & field = type.fields[i];
      const Elements elements = elements_of(field, field_of(memory, field));
      if (field.shape == FieldShape::kSequence) {
        write_length(elements.count);
      }
      if (elements.count != 0) {
        write_elements(field, elements);
      }
    }
  }

  bool is_fine() const noexcept { return is_fine_; }

 private:
  void write_elements(const Field & field, const Elements & elements) {
    switch (field.kind) {
      case FieldKind::kBool: sink_.add_bools(elements.first, elements.count); break;
      case FieldKind::kWchar: sink_.add_wide_characters(elements.first, elements.count); break;
      case FieldKind::kString:
        for (std::size_t i = 0; i < elements.count; ++i) {
          const String & text = string_at(elements[i]);
          write_length(text.size() + 1);
          sink_.add_numbers(text.data(), 1, text.size() + 1);
        }
        break;
      case FieldKind::kWstring:
        for (std::size_t i = 0; i < elements.count; ++i) {
          const U16String & text = wstring_at(elements[i]);
          write_length(text.size());
          if (!text.empty()) {
            sink_.add_wide_characters(text.data(), text.size());
          }
        }
        break;
      case FieldKind::kMessage: write_messages(field.message(), elements); break;
      default: sink_.add_numbers(elements.first, elements.size, elements.count); break;
    }
  }

  void write_messages(const MessageType & type, const Elements & elements) {
    const Run run = elements.count == 1 ? Run{0, 0} : run_of(type);
    if (run.width != 0) {
      sink_.add_numbers(elements.first, run.width, run.count * elements.count);
      return;
    }
    for (std::size_t i = 0; i < elements.count; ++i) {
      write_message(type, elements[i]);
    }
  }

  void write_length(std::size_t count) {
    is_fine_ = is_fine_ && count <= std::numeric_limits<std::uint32_t>::max();
    const auto narrow = static_cast<std::uint32_t>(count);
    sink_.add_numbers(&narrow, sizeof narrow, 1);
  }

  Sink & sink_;
  bool is_fine_ = true;
};

const Vector<std::uint8_t> & bytes_of(const void * message) {
  return static_cast<const SerializedMessage *>(message)->bytes;
}

/// What serialize() would write, 0 if it could not.
std::size_t writable_size(const MessageType & type, const void * message) noexcept {
  if (is_serialized(type)) {
    return bytes_of(message).size();
  }
  Counter counter;
  Walk walk(counter);
  walk.write_message(type, message);
  return walk.is_fine() ? kEncapsulation + counter.position() : 0;
}

/// \pre size == writable_size(type, message) != 0
void write(const MessageType & type, const void * message, void * buffer, std::size_t size) {
  if (is_serialized(type)) {
    std::memcpy(buffer, bytes_of(message).data(), size);
    return;
  }
  constexpr unsigned char kHeader[kEncapsulation] = {0, 1, 0, 0};
  std::memcpy(buffer, kHeader, kEncapsulation);
  eprosima::fastcdr::FastBuffer bytes(static_cast<char *>(buffer) + kEncapsulation, size - kEncapsulation);
  eprosima::fastcdr::Cdr cdr = detail::plain_cdr(bytes, eprosima::fastcdr::Cdr::LITTLE_ENDIANNESS);
  Writer writer(cdr, size - kEncapsulation);
  Walk(writer).write_message(type, message);
}

}  // namespace

std::size_t serialized_size(const MessageType & type, const void * message) noexcept {
  if (is_serialized(type)) {
    return bytes_of(message).size();
  }
  Counter counter;
  Walk(counter).write_message(type, message);
  return kEncapsulation + counter.position();
}

std::size_t serialize(const MessageType & type, const void * message, void * buffer, std::size_t size) noexcept {
  const std::size_t needed = writable_size(type, message);
  if (needed == 0 || needed > size) {
    return 0;
  }
  try {
    write(type, message, buffer, needed);
    return needed;
  } catch (const eprosima::fastcdr::exception::Exception &) {
    return 0;  // the message changed meanwhile
  }
}

std::vector<std::uint8_t> serialize(const MessageType & type, const void * message) {
  std::vector<std::uint8_t> bytes(writable_size(type, message));
  bytes.resize(bytes.empty() ? 0 : serialize(type, message, bytes.data(), bytes.size()));
  return bytes;
}

}  // namespace tandem
