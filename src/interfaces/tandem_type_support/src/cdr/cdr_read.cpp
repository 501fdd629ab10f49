// Reads messages from CDR. Every length is checked against the bytes that are left before anything is allocated.
#include <limits>

#include "cdr/cdr_layout.hpp"
#include "cdr/fast_cdr.hpp"
#include "tandem/cdr.hpp"
#include "tandem/serialized_type.hpp"

namespace tandem {
namespace {

using namespace detail;
using eprosima::fastcdr::Cdr;

/// A walk over the table of fields. Functions return false once error() tells why.
///
/// Invariant: position_ is where `cdr_` stands. No function reads from either before it has compared with remaining().
class Reader {
 public:
  /// `data` begins behind the encapsulation, as does the buffer of `cdr`.
  Reader(Cdr & cdr, const char * data, std::size_t size) : cdr_(cdr), data_(data), size_(size) {}

  bool read_message(const MessageType & type, void * memory, const Path & path) {
    if (type.field_count == 0) {
      std::uint8_t nothing = 0;  // CDR has a byte for a message without fields
      return read_numbers(&nothing, 1, 1, path);
    }
    for (std::size_t i = 0; i < type.field_count; ++i) {
      const Field & field = type.fields[i];
      if (!read_field(field, field_of(memory, field), Path{&path, field.name})) {
        return false;
      }
    }
    return true;
  }

  std::string & error() noexcept { return error_; }

 private:
  bool read_field(const Field & field, void * memory, const Path & path) {
    if (field.shape == FieldShape::kSequence) {
      std::uint32_t count = 0;
      if (!read_length(count, path)) {
        return false;
      }
      if (count > field.count) {
        return fail(path, std::to_string(count) + " elements, at most " + std::to_string(field.count) + " are allowed");
      }
      if (count > remaining() / least_size(field)) {
        return fail(path,
                    std::to_string(count) + " elements, but only " + std::to_string(remaining()) + " bytes are left");
      }
      field.resize(memory, count);
    }
    const Elements found = elements_of(field, memory);
    return found.count == 0 || read_elements(field, found, path);
  }

  bool read_elements(const Field & field, const Elements & found, const Path & path) {
    char * const first = const_cast<char *>(found.first);  // they lie in the caller's message, which may be written
    switch (field.kind) {
      case FieldKind::kBool: return read_bools(first, found.count, path);
      case FieldKind::kWchar: return read_wide_characters(reinterpret_cast<char16_t *>(first), found.count, path);
      case FieldKind::kString:
      case FieldKind::kWstring:
      case FieldKind::kMessage: break;
      default: return read_numbers(first, found.size, found.count, path);
    }
    // A sequence of messages that are the same in memory as on the wire is read at once.
    if (field.kind == FieldKind::kMessage && found.count > 1) {
      if (const Run run = run_of(field.message()); run.width != 0) {
        return read_numbers(first, run.width, run.count * found.count, path);
      }
    }
    for (std::size_t i = 0; i < found.count; ++i) {
      const Path element{&path, nullptr, i};
      if (!read_element(field, first + i * found.size, field.shape == FieldShape::kSingle ? path : element)) {
        return false;
      }
    }
    return true;
  }

  bool read_element(const Field & field, void * memory, const Path & path) {
    switch (field.kind) {
      case FieldKind::kString: return read_string(field.string_bound, string_at(memory), path);
      case FieldKind::kWstring: return read_wstring(field.string_bound, wstring_at(memory), path);
      default: return read_message(field.message(), memory, path);
    }
  }

  bool read_string(std::size_t bound, String & to, const Path & path) {
    std::uint32_t count = 0;
    if (!read_length(count, path)) {
      return false;
    }
    if (count > remaining()) {
      return fail(path, "a string of " + std::to_string(count) + " bytes, but only " + std::to_string(remaining()) +
                            " are left");
    }
    if (count != 0 && data_[position_ + count - 1] != '\0') {
      return fail(path, "a string that is not terminated");
    }
    if (count == 0) {
      to.clear();
      return true;
    }
    const std::size_t characters = count - 1;
    if (characters > bound) {
      return fail(path, too_long(characters, bound));
    }
    char terminator = 0;
    to.reserve(characters);  // exactly: resize() would reserve more, since this String knows no bound
    to.resize(characters);
    return read_numbers(to.data(), 1, characters, path) && read_numbers(&terminator, 1, 1, path);
  }

  bool read_wstring(std::size_t bound, U16String & to, const Path & path) {
    std::uint32_t count = 0;
    if (!read_length(count, path)) {
      return false;
    }
    if (count > remaining() / 4) {
      return fail(path, "a string of " + std::to_string(count) + " wide characters, but only " +
                            std::to_string(remaining()) + " bytes are left");
    }
    if (count > bound) {
      return fail(path, too_long(count, bound));
    }
    to.reserve(count);
    to.resize(count);
    return count == 0 || read_wide_characters(to.data(), count, path);
  }

  static std::string too_long(std::size_t characters, std::size_t bound) {
    return "a string of " + std::to_string(characters) + " characters, at most " + std::to_string(bound) +
           " are allowed";
  }

  bool read_wide_characters(char16_t * to, std::size_t count, const Path & path) {
    for (std::size_t i = 0; i < count; ++i) {
      std::uint32_t c = 0;
      if (!read_numbers(&c, 4, 1, path)) {
        return false;
      }
      if (c > std::numeric_limits<char16_t>::max()) {
        return fail(path, "a wide character of more than 16 bits");
      }
      to[i] = static_cast<char16_t>(c);
    }
    return true;
  }

  /// Checks the bytes before it stores them: a C++ bool that is neither 0 nor 1 is undefined behaviour.
  bool read_bools(void * to, std::size_t count, const Path & path) {
    if (count > remaining()) {
      return fail_truncated(path);
    }
    for (std::size_t i = 0; i < count; ++i) {
      if (static_cast<unsigned char>(data_[position_ + i]) > 1) {
        return fail(path, "a bool that is neither 0 nor 1");
      }
    }
    return read_numbers(to, 1, count, path);
  }

  bool read_length(std::uint32_t & count, const Path & path) { return read_numbers(&count, sizeof count, 1, path); }

  /// Reads `count` numbers of `width` bytes: 1, 2, 4, 8 or sizeof(long double).
  bool read_numbers(void * to, std::size_t width, std::size_t count, const Path & path) {
    const std::size_t gap = padding(position_, width);
    if (gap > remaining() || count > (remaining() - gap) / width) {
      return fail_truncated(path);
    }
    position_ += gap + width * count;
    switch (width) {
      case 1: detail::read_numbers(cdr_, static_cast<std::uint8_t *>(to), count); break;
      case 2: detail::read_numbers(cdr_, static_cast<std::uint16_t *>(to), count); break;
      case 4: detail::read_numbers(cdr_, static_cast<std::uint32_t *>(to), count); break;
      case 8: detail::read_numbers(cdr_, static_cast<std::uint64_t *>(to), count); break;
      default: detail::read_numbers(cdr_, static_cast<long double *>(to), count); break;
    }
    return true;
  }

  std::size_t remaining() const noexcept { return size_ - position_; }

  bool fail_truncated(const Path & path) {
    return fail(path, "the data ends after " + std::to_string(kEncapsulation + size_) + " bytes");
  }

  bool fail(const Path & path, const std::string & reason) {
    const std::string name = path.text();
    error_ = (name.empty() ? "" : "field '" + name + "': ") + reason;
    return false;
  }

  Cdr & cdr_;
  const char * const data_;
  const std::size_t size_;
  std::size_t position_ = 0;
  std::string error_;
};

std::string refusal(const MessageType & type, const std::string & reason) {
  return "this is no CDR of " + std::string(type.name) + ": " + reason;
}

}  // namespace

tl::expected<void, std::string> deserialize(const MessageType & type, const void * data, std::size_t size,
                                            void * message) {
  const auto * const bytes = static_cast<const unsigned char *>(data);
  if (size < kEncapsulation) {
    return tl::make_unexpected(refusal(type, std::to_string(size) + " bytes are too few"));
  }
  if (bytes[0] != 0 || bytes[1] > 1) {
    return tl::make_unexpected(refusal(
        type, "its encapsulation is not PLAIN_CDR but " + std::to_string(bytes[0]) + " " + std::to_string(bytes[1])));
  }
  if (is_serialized(type)) {
    static_cast<SerializedMessage *>(message)->bytes.assign(bytes, bytes + size);
    return {};
  }
  // Fast CDR's buffer is for both directions; reading does not write to it.
  char * const begin = const_cast<char *>(static_cast<const char *>(data)) + kEncapsulation;
  eprosima::fastcdr::FastBuffer buffer(begin, size - kEncapsulation);
  Cdr cdr = detail::plain_cdr(buffer, bytes[1] == 0 ? Cdr::BIG_ENDIANNESS : Cdr::LITTLE_ENDIANNESS);
  Reader reader(cdr, begin, size - kEncapsulation);
  try {
    if (reader.read_message(type, message, Path{nullptr, nullptr})) {
      return {};
    }
  } catch (const eprosima::fastcdr::exception::Exception & error) {
    reader.error() = error.what();  // unexpected: every read was checked against the size
  }
  return tl::make_unexpected(refusal(type, reader.error()));
}

}  // namespace tandem
