// Values of Python from a message in memory.
#include <cstring>

#include "tandem/detail/relative_storage.hpp"
#include "tandem/string.hpp"
#include "tandem_py/memory.hpp"
#include "tandem_py/message.hpp"

namespace tandem_py {
namespace {

using tandem::Field;
using tandem::FieldKind;
using tandem::FieldShape;

template <class T>
T load(const void * memory) {
  T value;
  std::memcpy(&value, memory, sizeof value);
  return value;
}

/// UTF-16, in which a lone half of a pair is replaced.
py::object text_of(const char16_t * characters, std::size_t count) {
  int order = -1;
  return checked(PyUnicode_DecodeUTF16(reinterpret_cast<const char *>(characters), static_cast<Py_ssize_t>(count * 2),
                                       "replace", &order));
}

py::object read_element(FieldOfClass & field, const void * memory, const py::object & keeper) {
  switch (field.field->kind) {
    case FieldKind::kBool: return py::bool_(load<std::uint8_t>(memory) != 0);
    case FieldKind::kOctet: return py::bytes(static_cast<const char *>(memory), 1);
    case FieldKind::kChar: return checked(PyUnicode_FromOrdinal(load<std::uint8_t>(memory)));
    case FieldKind::kWchar: return text_of(static_cast<const char16_t *>(memory), 1);
    case FieldKind::kInt8: return py::int_(load<std::int8_t>(memory));
    case FieldKind::kUint8: return py::int_(load<std::uint8_t>(memory));
    case FieldKind::kInt16: return py::int_(load<std::int16_t>(memory));
    case FieldKind::kUint16: return py::int_(load<std::uint16_t>(memory));
    case FieldKind::kInt32: return py::int_(load<std::int32_t>(memory));
    case FieldKind::kUint32: return py::int_(load<std::uint32_t>(memory));
    case FieldKind::kInt64: return py::int_(load<std::int64_t>(memory));
    case FieldKind::kUint64: return py::int_(load<std::uint64_t>(memory));
    case FieldKind::kFloat32: return py::float_(load<float>(memory));
    case FieldKind::kFloat64: return py::float_(load<double>(memory));
    case FieldKind::kLongDouble: return py::float_(static_cast<double>(load<long double>(memory)));
    case FieldKind::kString: {
      const auto & text = *static_cast<const tandem::String *>(memory);
      return checked(PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace"));
    }
    case FieldKind::kWstring: {
      const auto & text = *static_cast<const tandem::U16String *>(memory);
      return text_of(text.data(), text.size());
    }
    case FieldKind::kMessage: return make_message(nested_class(field), memory, keeper);
  }
  return py::none();
}

py::object new_array(char typecode) {
  static constinit Imported array{"array", "array"};
  return array.get()(py::str(&typecode, 1));
}

// numpy is imported late: that takes longer than all else that a node does first.

/// Of one's own.
py::object numpy_array(char typecode, const void * data, std::size_t bytes) {
  static constinit Imported from_buffer{"numpy", "frombuffer"};
  const auto memory = py::memoryview::from_memory(data, static_cast<py::ssize_t>(bytes));
  return from_buffer.get()(memory, py::str(&typecode, 1)).attr("copy")();
}

py::object numpy_view(const py::object & view) {
  static constinit Imported as_array{"numpy", "asarray"};
  return as_array.get()(view);
}

py::object read_numbers(const FieldOfClass & field, const void * data, std::size_t bytes, const py::object & keeper) {
  const bool is_view = keeper && bytes >= kLeastView;
  if (field.field->shape == FieldShape::kArray) {
    if (!is_view) return numpy_array(field.typecode, data, bytes);
    return numpy_view(make_view(keeper, data, bytes, field.layout.size, field.typecode));
  }
  if (is_view) return make_view(keeper, data, bytes, field.layout.size, field.typecode);
  py::object array = new_array(field.typecode);
  if (bytes != 0) array.attr("frombytes")(py::memoryview::from_memory(data, static_cast<py::ssize_t>(bytes)));
  return array;
}

}  // namespace

py::object read_field(const MessageObject & message, FieldOfClass & field) {
  const Field & its = *field.field;
  const char * elements = static_cast<const char *>(message.native) + its.offset;
  const py::object keeper = py::reinterpret_borrow<py::object>(message.keeper);
  if (its.shape == FieldShape::kSingle) return read_element(field, elements, keeper);
  std::size_t bytes = its.count * field.layout.size;
  if (its.shape == FieldShape::kSequence) {
    const tandem::detail::RawContainer sequence(elements);
    bytes = sequence.used_bytes();
    elements = static_cast<const char *>(sequence.data());
  }
  if (field.typecode != 0) return read_numbers(field, elements, bytes, keeper);
  py::list list(bytes / field.layout.size);
  for (std::size_t i = 0; i < list.size(); ++i) {
    PyList_SET_ITEM(list.ptr(), static_cast<Py_ssize_t>(i),
                    read_element(field, elements + i * field.layout.size, keeper).release().ptr());
  }
  return list;
}

}  // namespace tandem_py
