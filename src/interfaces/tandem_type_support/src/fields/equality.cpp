// Compares two messages along the table of fields.
#include "tandem/equality.hpp"

#include <cstring>

#include "fields/elements.hpp"

namespace tandem {
namespace {

using namespace detail;

template <class T>
bool equal_floats(const void * a, const void * b) noexcept {
  return load<T>(a) == load<T>(b);
}

bool equal_bools(const Elements & a, const Elements & b) noexcept {
  for (std::size_t i = 0; i < a.count; ++i) {
    if ((a.first[i] != 0) != (b.first[i] != 0)) {
      return false;
    }
  }
  return true;
}

bool equal_elements(const Field & field, const void * a, const void * b) noexcept {
  switch (field.kind) {
    case FieldKind::kFloat32: return equal_floats<float>(a, b);
    case FieldKind::kFloat64: return equal_floats<double>(a, b);
    case FieldKind::kLongDouble: return equal_floats<long double>(a, b);
    case FieldKind::kString: return std::string_view(string_at(a)) == std::string_view(string_at(b));
    case FieldKind::kWstring: return std::u16string_view(wstring_at(a)) == std::u16string_view(wstring_at(b));
    default: return equal(field.message(), a, b);
  }
}

bool equal_fields(const Field & field, const Elements & a, const Elements & b) noexcept {
  if (a.count != b.count) {
    return false;
  }
  if (field.kind == FieldKind::kBool) {
    return equal_bools(a, b);
  }
  if (field.kind < FieldKind::kFloat32) {  // characters and integers
    return a.count == 0 || std::memcmp(a.first, b.first, a.count * a.size) == 0;
  }
  for (std::size_t i = 0; i < a.count; ++i) {
    if (!equal_elements(field, a[i], b[i])) {
      return false;
    }
  }
  return true;
}

}  // namespace

bool equal(const MessageType & type, const void * a, const void * b) noexcept {
  for (std::size_t i = 0; i < type.field_count; ++i) {
    const Field & field = type.fields[i];
    if (!equal_fields(field, elements_of(field, field_of(a, field)), elements_of(field, field_of(b, field)))) {
      return false;
    }
  }
  return true;
}

}  // namespace tandem
