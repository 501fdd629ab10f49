// A message in memory from values of Python.
#include <cstring>
#include <limits>
#include <string>
#include <string_view>

#include "tandem/detail/relative_storage.hpp"
#include "tandem/detail/resize_unfilled.hpp"
#include "tandem/message_memory.hpp"
#include "tandem/string.hpp"
#include "tandem_py/message.hpp"

namespace tandem_py {
namespace {

using tandem::Field;
using tandem::FieldKind;
using tandem::FieldShape;

std::string name_of(const FieldOfClass & field) { return "the field '" + std::string(field.field->name) + "'"; }

/// Throws the error again; one of values with the field's name before its words.
[[noreturn]] void throw_about(const FieldOfClass & field, py::error_already_set & error) {
  const PyObject * const type = error.type().ptr();
  if (type == PyExc_TypeError || type == PyExc_ValueError || type == PyExc_OverflowError) {
    const std::string text = name_of(field) + ": " + std::string(py::str(error.value()));
    py::raise_from(error, error.type().ptr(), text.c_str());
  } else {
    error.restore();  // others may be made of more than a text
  }
  throw py::error_already_set();
}

template <class T>
void store(void * memory, T value) {
  std::memcpy(memory, &value, sizeof value);
}

/// As stock messages take numbers that are too great: those of 64 bits are refused, others cut.
template <class T>
void store_integer(void * memory, py::handle value) {
  if constexpr (std::is_signed_v<T>) {
    const long long number = PyLong_AsLongLong(value.ptr());
    if (number == -1 && PyErr_Occurred() != nullptr) throw py::error_already_set();
    store(memory, static_cast<T>(number));
  } else {
    const py::object integer = checked(PyNumber_Index(value.ptr()));
    const unsigned long long number = PyLong_AsUnsignedLongLong(integer.ptr());
    if (number == std::numeric_limits<unsigned long long>::max() && PyErr_Occurred() != nullptr) {
      throw py::error_already_set();
    }
    store(memory, static_cast<T>(number));
  }
}

template <class T>
void store_float(void * memory, py::handle value) {
  const double number = PyFloat_AsDouble(value.ptr());
  if (number == -1.0 && PyErr_Occurred() != nullptr) throw py::error_already_set();
  store(memory, static_cast<T>(number));
}

void require_text(py::handle value) {
  if (PyUnicode_Check(value.ptr())) return;
  throw py::type_error("a str is wanted, not " + std::string(Py_TYPE(value.ptr())->tp_name));
}

/// The characters up to the first NUL: messages of other languages end there.
std::string_view utf8_of(py::handle value) {
  require_text(value);
  Py_ssize_t size = 0;
  const char * const text = PyUnicode_AsUTF8AndSize(value.ptr(), &size);
  if (text == nullptr) throw py::error_already_set();
  const std::string_view whole(text, static_cast<std::size_t>(size));
  return whole.substr(0, whole.find('\0'));
}

std::u16string utf16_of(py::handle value) {
  require_text(value);
  const py::object bytes = checked(PyUnicode_AsEncodedString(value.ptr(), "utf-16-le", "strict"));
  std::u16string text(static_cast<std::size_t>(PyBytes_GET_SIZE(bytes.ptr())) / 2, u'\0');
  std::memcpy(text.data(), PyBytes_AS_STRING(bytes.ptr()), text.size() * 2);
  return text;
}

void check_bound(const FieldOfClass & field, std::size_t size) {
  if (size > field.field->string_bound) {
    throw py::value_error("a string of " + std::to_string(size) + " characters, of which " +
                          std::to_string(field.field->string_bound) + " are possible");
  }
}

/// The first byte of a bytes object; of a str the first character.
std::uint8_t first_byte(py::handle value) {
  if (PyUnicode_Check(value.ptr()) && PyUnicode_GET_LENGTH(value.ptr()) == 1) {
    return static_cast<std::uint8_t>(PyUnicode_READ_CHAR(value.ptr(), 0));
  }
  const Buffer bytes(value);
  if (!bytes.has_bytes()) throw py::type_error("bytes are wanted, not " + std::string(Py_TYPE(value.ptr())->tp_name));
  return bytes.size() > 0 ? *static_cast<const std::uint8_t *>(bytes.data()) : 0;
}

void write_element(FieldOfClass & field, py::handle value, void * memory) {
  switch (field.field->kind) {
    case FieldKind::kBool: store<std::uint8_t>(memory, value.ptr() == Py_True ? 1 : 0); break;
    case FieldKind::kOctet:
    case FieldKind::kChar: store(memory, first_byte(value)); break;
    case FieldKind::kWchar: {
      const std::u16string text = utf16_of(value);
      store(memory, text.empty() ? u'\0' : text.front());
      break;
    }
    case FieldKind::kInt8: store_integer<std::int8_t>(memory, value); break;
    case FieldKind::kUint8: store_integer<std::uint8_t>(memory, value); break;
    case FieldKind::kInt16: store_integer<std::int16_t>(memory, value); break;
    case FieldKind::kUint16: store_integer<std::uint16_t>(memory, value); break;
    case FieldKind::kInt32: store_integer<std::int32_t>(memory, value); break;
    case FieldKind::kUint32: store_integer<std::uint32_t>(memory, value); break;
    case FieldKind::kInt64: store_integer<std::int64_t>(memory, value); break;
    case FieldKind::kUint64: store_integer<std::uint64_t>(memory, value); break;
    case FieldKind::kFloat32: store_float<float>(memory, value); break;
    case FieldKind::kFloat64: store_float<double>(memory, value); break;
    case FieldKind::kLongDouble: store_float<long double>(memory, value); break;
    case FieldKind::kString: {
      const std::string_view text = utf8_of(value);
      check_bound(field, text.size());
      static_cast<tandem::String *>(memory)->assign(text.data(), text.size());
      break;
    }
    case FieldKind::kWstring: {
      const std::u16string text = utf16_of(value);
      check_bound(field, text.size());
      static_cast<tandem::U16String *>(memory)->assign(text.data(), text.size());
      break;
    }
    case FieldKind::kMessage: write_message(value, nested_class(field), memory); break;
  }
}

/// The elements of a field, of which there are to be `count`.
char * elements_of(const FieldOfClass & field, void * memory, std::size_t count) {
  const Field & its = *field.field;
  if (its.shape == FieldShape::kArray) {
    if (count != its.count) {
      throw py::value_error(std::to_string(count) + " elements, of which there are " + std::to_string(its.count));
    }
    return static_cast<char *>(memory);
  }
  if (count > its.count) {
    throw py::value_error(std::to_string(count) + " elements, of which " + std::to_string(its.count) + " are possible");
  }
  if (field.typecode != 0) {
    return static_cast<char *>(
        tandem::detail::resize_unfilled(memory, count * field.layout.size, field.layout.alignment));
  }
  its.resize(memory, count);
  return static_cast<char *>(const_cast<void *>(tandem::detail::RawContainer(memory).data()));
}

/// What takes longer than to wait for the GIL is copied without it: the buffer keeps the numbers where they are.
void copy_numbers(char * elements, const Buffer & numbers) {
  constexpr std::size_t kLong = 256 * 1024;
  if (numbers.size() == 0) return;
  if (numbers.size() < kLong) {
    tandem::detail::copy_bytes(elements, numbers.data(), numbers.size());
    return;
  }
  const WithoutGil without_gil;
  tandem::detail::copy_bytes(elements, numbers.data(), numbers.size());
}

void write_elements(FieldOfClass & field, py::handle value, void * memory) {
  if (field.typecode != 0) {
    const Buffer numbers(value);
    if (numbers.has_bytes() && numbers.element_size() == field.layout.size) {
      copy_numbers(elements_of(field, memory, numbers.size() / field.layout.size), numbers);
      return;
    }
  }
  const py::object values = checked(PySequence_Tuple(value.ptr()));  // whatever becomes of a list meanwhile
  const auto count = static_cast<std::size_t>(PyTuple_GET_SIZE(values.ptr()));
  char * const elements = elements_of(field, memory, count);
  for (std::size_t i = 0; i < count; ++i) {
    write_element(field, PyTuple_GET_ITEM(values.ptr(), static_cast<Py_ssize_t>(i)), elements + i * field.layout.size);
  }
}

}  // namespace

void write_message(py::handle message, MessageClass & expected, void * native) {
  if (!is_message_of(message, expected)) {
    throw py::type_error("a " + std::string(expected.type->name) + " is wanted, not " +
                         std::string(Py_TYPE(message.ptr())->tp_name));
  }
  MessageObject & own = object_of(message);
  expected.type->assign(native, own.native);
  for (std::size_t i = 0; i < expected.fields.size(); ++i) {
    if (own.values[i] == nullptr) continue;
    FieldOfClass & field = expected.fields[i];
    const py::object value = py::reinterpret_borrow<py::object>(own.values[i]);  // whatever becomes of the message
    void * const memory = static_cast<char *>(native) + field.field->offset;
    try {
      if (field.field->shape == FieldShape::kSingle) {
        write_element(field, value, memory);
      } else {
        write_elements(field, value, memory);
      }
    } catch (py::error_already_set & error) {
      throw_about(field, error);
    } catch (const py::builtin_exception & error) {
      error.set_error();
      py::error_already_set python_error;
      throw_about(field, python_error);
    }
  }
}

}  // namespace tandem_py
