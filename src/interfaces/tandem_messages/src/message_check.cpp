// Walks the sequences and strings of a message, following the table of fields; see the header.
#include "tandem/message_check.hpp"

#include "tandem/detail/element_layout.hpp"
#include "tandem/detail/relative_storage.hpp"

namespace tandem {
namespace {

using detail::ElementLayout;
using detail::RawContainer;

class Checker {
 public:
  Checker(const void * region, std::size_t region_size) noexcept
      : region_(reinterpret_cast<std::uintptr_t>(region)), region_size_(region_size), budget_(region_size) {}

  bool message(const MessageType & type, const void * memory) noexcept {
    for (std::size_t i = 0; i < type.field_count; ++i) {
      const Field & field = type.fields[i];
      const void * const value = static_cast<const char *>(memory) + field.offset;
      const bool fine =
          field.shape == FieldShape::kSequence ? sequence(field, value) : elements(field, value, field.count);
      if (!fine) {
        return false;
      }
    }
    return true;
  }

 private:
  bool sequence(const Field & field, const void * memory) noexcept {
    const MessageType * const type = field.kind == FieldKind::kMessage ? &field.message() : nullptr;
    const ElementLayout layout = detail::element_layout(field.kind, type);
    const RawContainer container(memory);
    return container.is_plausible(layout.size, 0) && container.used_bytes() / layout.size <= field.count &&
           block(container, layout.alignment) &&
           elements(field, container.data(), container.used_bytes() / layout.size);
  }

  /// `count` elements of a field, that lie in a row. Those of fixed size are not visited.
  bool elements(const Field & field, const void * memory, std::size_t count) noexcept {
    const char * const first = static_cast<const char *>(memory);
    if (field.kind == FieldKind::kMessage) {
      const MessageType & type = field.message();
      for (std::size_t i = 0; !type.is_fixed_size && i < count; ++i) {
        if (!message(type, first + i * type.size)) {
          return false;
        }
      }
    } else if (field.kind == FieldKind::kString || field.kind == FieldKind::kWstring) {
      for (std::size_t i = 0; i < count; ++i) {
        if (!string(field, first + i * detail::kContainerLayout.size)) {
          return false;
        }
      }
    }
    return true;
  }

  bool string(const Field & field, const void * memory) noexcept {
    return field.kind == FieldKind::kString ? string<char>(field, memory) : string<char16_t>(field, memory);
  }

  template <class Character>
  bool string(const Field & field, const void * memory) noexcept {
    const RawContainer container(memory);
    if (!container.is_plausible(sizeof(Character), 1) ||
        container.used_bytes() / sizeof(Character) > field.string_bound || !block(container, alignof(Character))) {
      return false;
    }
    const auto * const end = static_cast<const volatile Character *>(container.data());
    return end == nullptr || end[container.used_bytes() / sizeof(Character)] == 0;
  }

  /// Whether the block lies in the region. Takes its bytes from the budget.
  bool block(const RawContainer & container, std::size_t alignment) noexcept {
    if (!container.has_block()) {
      return true;
    }
    const auto address = reinterpret_cast<std::uintptr_t>(container.data());
    const std::uintptr_t start = address - region_;  // wraps to something large before the region
    const std::size_t bytes = container.block_bytes();
    if (start > region_size_ || bytes > region_size_ - start || bytes > budget_ || address % alignment != 0) {
      return false;
    }
    budget_ -= bytes;
    return true;
  }

  const std::uintptr_t region_;
  const std::size_t region_size_;
  std::size_t budget_;  ///< bytes that further blocks may have
};

}  // namespace

bool is_well_formed(const MessageType & type, const void * message, const void * region,
                    std::size_t region_size) noexcept {
  return type.is_fixed_size || Checker(region, region_size).message(type, message);
}

}  // namespace tandem
