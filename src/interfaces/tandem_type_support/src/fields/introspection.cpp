// Values by field, by element and by path.
#include "tandem/introspection.hpp"

#include <charconv>
#include <cmath>
#include <limits>
#include <type_traits>

#include "fields/elements.hpp"

namespace tandem {
namespace {

using namespace detail;

Value value_of(const Field & field, const void * memory) noexcept {
  return {message_of(field), &field, field.kind, field.shape, memory};
}

tl::unexpected<std::string> no_such(const std::string & what) { return tl::make_unexpected(what); }

std::string field_names(const MessageType & type) {
  std::string names;
  for (std::size_t i = 0; i < type.field_count; ++i) {
    names += (i == 0 ? "" : ", ") + std::string(type.fields[i].name);
  }
  return names.empty() ? "none" : names;
}

tl::expected<Value, std::string> find_member(const Value & value, std::string_view name, std::string_view before) {
  if (value.shape != FieldShape::kSingle || value.kind != FieldKind::kMessage) {
    return no_such("'" + std::string(before) + "' is of type " + kind_name(value) + " and has no field '" +
                   std::string(name) + "'");
  }
  for (std::size_t i = 0; i < value.type->field_count; ++i) {
    if (name == value.type->fields[i].name) {
      return member(value, i);
    }
  }
  return no_such(std::string(value.type->name) + " has no field '" + std::string(name) +
                 "'; its fields are: " + field_names(*value.type));
}

tl::expected<Value, std::string> find_element(const Value & value, std::string_view index, std::string_view before) {
  if (value.shape == FieldShape::kSingle) {
    return no_such("'" + std::string(before) + "' is of type " + kind_name(value) + ", not an array");
  }
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(index.data(), index.data() + index.size(), number);
  if (error != std::errc() || end != index.data() + index.size()) {
    return no_such("'" + std::string(index) + "' is no index of '" + std::string(before) + "'");
  }
  if (const std::size_t count = element_count(value); number >= count) {
    return no_such("'" + std::string(before) + "' has " + std::to_string(count) + " elements, none at " +
                   std::string(index));
  }
  return element(value, number);
}

template <class T>
T as_number(const Value & value) noexcept {
  return with_number(value.kind, value.memory, [](auto number) {
    if constexpr (std::is_integral_v<T> && std::is_floating_point_v<decltype(number)>) {
      const auto limit = std::ldexp(1.0L, std::numeric_limits<T>::digits);
      const bool fits = number > (std::is_signed_v<T> ? -limit : -1.0L) && number < limit;
      return fits ? static_cast<T>(number) : T{0};
    } else {
      return static_cast<T>(number);
    }
  });
}

const char * name_of(FieldKind kind) noexcept {
  switch (kind) {
    case FieldKind::kBool: return "bool";
    case FieldKind::kOctet: return "byte";
    case FieldKind::kChar: return "char";
    case FieldKind::kWchar: return "wchar";
    case FieldKind::kInt8: return "int8";
    case FieldKind::kUint8: return "uint8";
    case FieldKind::kInt16: return "int16";
    case FieldKind::kUint16: return "uint16";
    case FieldKind::kInt32: return "int32";
    case FieldKind::kUint32: return "uint32";
    case FieldKind::kInt64: return "int64";
    case FieldKind::kUint64: return "uint64";
    case FieldKind::kFloat32: return "float32";
    case FieldKind::kFloat64: return "float64";
    case FieldKind::kLongDouble: return "long double";
    case FieldKind::kString: return "string";
    case FieldKind::kWstring: return "wstring";
    case FieldKind::kMessage: return "message";
  }
  return "unknown kind";
}

}  // namespace

Value value_of(const MessageType & type, const void * message) noexcept {
  return {&type, nullptr, FieldKind::kMessage, FieldShape::kSingle, message};
}

std::size_t element_count(const Value & value) noexcept {
  return value.shape == FieldShape::kSingle ? 1 : elements_of(*value.field, value.memory).count;
}

Value element(const Value & value, std::size_t index) noexcept {
  return {value.type, value.field, value.kind, FieldShape::kSingle, elements_of(*value.field, value.memory)[index]};
}

Value member(const Value & value, std::size_t index) noexcept {
  const Field & field = value.type->fields[index];
  return value_of(field, field_of(value.memory, field));
}

tl::expected<Value, std::string> find_value(const MessageType & type, const void * message, std::string_view path) {
  tl::expected<Value, std::string> value = value_of(type, message);
  std::size_t position = 0;
  while (value && position < path.size()) {
    const std::string_view before = path.substr(0, position);
    if (path[position] == '[') {
      const std::size_t end = path.find(']', position);
      if (end == std::string_view::npos) {
        return no_such("'" + std::string(path) + "' has a '[' without ']'");
      }
      value = find_element(*value, path.substr(position + 1, end - position - 1), before);
      position = end + 1;
    } else {
      position += path[position] == '.' && position != 0 ? 1 : 0;
      const std::size_t end = std::min(path.find_first_of(".[", position), path.size());
      value = find_member(*value, path.substr(position, end - position), before);
      position = end;
      if (position + 1 == path.size() && path[position] == '.') {
        return no_such("'" + std::string(path) + "' ends with a dot");
      }
    }
  }
  return value;
}

std::string_view as_string(const Value & value) noexcept { return string_at(value.memory); }

std::u16string_view as_wstring(const Value & value) noexcept { return wstring_at(value.memory); }

double as_double(const Value & value) noexcept { return as_number<double>(value); }
std::int64_t as_int64(const Value & value) noexcept { return as_number<std::int64_t>(value); }
std::uint64_t as_uint64(const Value & value) noexcept { return as_number<std::uint64_t>(value); }

std::string kind_name(const Value & value) {
  const std::string element = value.kind == FieldKind::kMessage ? value.type->name : name_of(value.kind);
  switch (value.shape) {
    case FieldShape::kArray: return element + "[" + std::to_string(value.field->count) + "]";
    case FieldShape::kSequence:
      return element + (value.field->count == kUnbounded ? "[]" : "[<=" + std::to_string(value.field->count) + "]");
    case FieldShape::kSingle: break;
  }
  return element;
}

}  // namespace tandem
