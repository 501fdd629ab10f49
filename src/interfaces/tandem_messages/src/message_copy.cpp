// Follows the table of fields; see the header.
#include "tandem/message_copy.hpp"

#include <cstring>

#include "tandem/detail/element_layout.hpp"
#include "tandem/detail/relative_storage.hpp"
#include "tandem/string.hpp"

namespace tandem {
namespace {

using detail::ElementLayout;
using detail::RawContainer;

const MessageType * message_type_of(const Field & field) {
  return field.kind == FieldKind::kMessage ? &field.message() : nullptr;
}

bool is_string(const Field & field) { return field.kind == FieldKind::kString || field.kind == FieldKind::kWstring; }

/// Of elements whose bytes are their value.
bool is_sequence_of_bytes(const Field & field) {
  const MessageType * const type = message_type_of(field);
  return field.shape == FieldShape::kSequence && !is_string(field) && (type == nullptr || type->is_fixed_size);
}

class Copier {
 public:
  using Share = std::function<void *(const void *, std::size_t)>;
  Copier(std::size_t least, const Share & share) : least_(least), share_(share) {}

  bool is_large(const Field & field, const void * memory) const {
    return is_sequence_of_bytes(field) && RawContainer(memory).block_bytes() >= least_;
  }

  bool has_large(const MessageType & type, const void * memory) const {
    for (std::size_t i = 0; i < type.field_count; ++i) {
      const Field & field = type.fields[i];
      const MessageType * const element = message_type_of(field);
      const char * value = static_cast<const char *>(memory) + field.offset;
      if (is_large(field, value)) {
        return true;
      }
      if (element == nullptr || element->is_fixed_size) {
        continue;
      }
      std::size_t count = field.count;
      if (field.shape == FieldShape::kSequence) {
        const RawContainer container(value);
        count = container.used_bytes() / element->size;
        value = static_cast<const char *>(container.data());
      }
      for (std::size_t e = 0; e < count; ++e) {
        if (has_large(*element, value + e * element->size)) {
          return true;
        }
      }
    }
    return false;
  }

  /// \pre `to` is as default-constructed. \return false when a large sequence is to be copied.
  bool message(const MessageType & type, void * to, const void * from) const {
    for (std::size_t i = 0; i < type.field_count; ++i) {
      const Field & field = type.fields[i];
      void * const target = static_cast<char *>(to) + field.offset;
      const void * const source = static_cast<const char *>(from) + field.offset;
      const bool done = field.shape == FieldShape::kSequence ? sequence(field, target, source)
                                                             : elements(field, target, source, field.count);
      if (!done) {
        return false;
      }
    }
    return true;
  }

 private:
  bool sequence(const Field & field, void * to, const void * from) const {
    const RawContainer source(from);
    if (is_large(field, from)) {
      void * const block = share_(source.data(), source.block_bytes());
      if (block != nullptr) {
        detail::set_block(to, block, source.used_bytes(), source.block_bytes());
      }
      return block != nullptr;
    }
    const std::size_t count = source.used_bytes() / detail::element_layout(field.kind, message_type_of(field)).size;
    field.resize(to, count);
    return elements(field, const_cast<void *>(RawContainer(to).data()), source.data(), count);
  }

  bool elements(const Field & field, void * to, const void * from, std::size_t count) const {
    const MessageType * const type = message_type_of(field);
    const std::size_t size = detail::element_layout(field.kind, type).size;
    if (count != 0 && !is_string(field) && (type == nullptr || type->is_fixed_size)) {
      std::memcpy(to, from, count * size);
      return true;
    }
    for (std::size_t i = 0; i < count; ++i) {
      void * const target = static_cast<char *>(to) + i * size;
      const void * const source = static_cast<const char *>(from) + i * size;
      if (type != nullptr) {
        if (!message(*type, target, source)) {
          return false;
        }
      } else if (field.kind == FieldKind::kString) {
        *static_cast<String *>(target) = *static_cast<const String *>(source);
      } else {
        *static_cast<U16String *>(target) = *static_cast<const U16String *>(source);
      }
    }
    return true;
  }

  const std::size_t least_;
  const Share & share_;
};

}  // namespace

OwnedMessage copy_sharing(const MessageType & type, const void * message, std::size_t least,
                          const std::function<void *(const void * block, std::size_t size)> & share) {
  const Copier copier(least, share);
  if (!copier.has_large(type, message)) {
    return {};
  }
  OwnedMessage copy = make_message(type);
  return copier.message(type, copy.get(), message) ? std::move(copy) : OwnedMessage();
}

}  // namespace tandem
