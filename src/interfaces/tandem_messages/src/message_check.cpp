// Walks the sequences and strings of a message, following the table of fields; see the header.
#include "tandem/message_check.hpp"

#include "tandem/detail/raw_container.hpp"

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
    const RawContainer container = detail::read_container(memory);
    return block(container, detail::element_layout(field.kind, type), field.count) &&
           elements(field, reinterpret_cast<const void *>(container.block), container.size);
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
    const RawContainer container = detail::read_container(memory);
    const bool is_wide = field.kind == FieldKind::kWstring;
    if (!block(container, is_wide ? ElementLayout{2, 2} : ElementLayout{1, 1}, field.string_bound)) {
      return false;
    }
    return !container.has_block ||
           (container.size < container.capacity && (is_wide ? is_zero<char16_t>(container) : is_zero<char>(container)));
  }

  template <class Character>
  static bool is_zero(const RawContainer & string) noexcept {
    return __atomic_load_n(reinterpret_cast<const Character *>(string.block) + string.size, __ATOMIC_RELAXED) == 0;
  }

  /// Whether the block lies in the region and holds no more than its bound. Takes its bytes from the budget.
  bool block(const RawContainer & container, const ElementLayout & layout, std::size_t bound) noexcept {
    if (!container.has_block) {
      return container.size == 0 && container.capacity == 0;
    }
    if (container.size > container.capacity || container.size > bound || container.capacity > budget_ / layout.size) {
      return false;
    }
    const std::size_t bytes = container.capacity * layout.size;
    const std::uintptr_t start = container.block - region_;  // wraps to something large before the region
    if (start > region_size_ || bytes > region_size_ - start || container.block % layout.alignment != 0) {
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
