// Messages as Python sees them.
//
// A message has a value for each field that was looked at or set, as stock messages have, and reads the others from a message in
// memory when they are looked at: from one that was received, or from the default one. So a field that nobody looks at costs
// nothing, and what is large is not copied (array_view.py).
//
// All functions need the GIL.
#pragma once

#include <cstddef>
#include <vector>

#include "tandem/detail/element_layout.hpp"
#include "tandem/message_type.hpp"
#include "tandem_py/python.hpp"

namespace tandem_py {

struct MessageClass;

/// A field of a class.
struct FieldOfClass {
  const tandem::Field * field;
  py::object name;  ///< interned
  tandem::detail::ElementLayout layout;
  char typecode;                    ///< typecode_of()
  MessageClass * nested = nullptr;  ///< found when it is asked for
};

/// What a class of messages has in common. Lives for ever.
struct MessageClass {
  const tandem::MessageType * type;
  PyTypeObject * python;
  std::vector<FieldOfClass> fields;
  void * defaults;  ///< a default-constructed message
};

struct MessageObject {
  PyObject_VAR_HEAD  // its size is the number of fields
      MessageClass * message_class;
  const void * native;   ///< fields without a value are read from there
  PyObject * keeper;     ///< keeps `native`; null: nobody has to
  bool checks;           ///< values are checked when they are set
  PyObject * values[1];  ///< null: not looked at
};

/// Letter of array.array for elements that Python keeps as numbers in a row; else 0.
TANDEM_PY_PUBLIC char typecode_of(const tandem::Field & field);

/// The base of all messages, and the descriptor of a field. Called once. Errors: py::error_already_set.
TANDEM_PY_PUBLIC void add_types(py::module_ & module);

/// Makes `python`, a subclass of the base, the class of a type. Errors: py::error_already_set.
TANDEM_PY_PUBLIC void register_class(py::type python, const tandem::MessageType & type);
/// That of a class or of one derived from it. Errors: py::type_error.
TANDEM_PY_PUBLIC MessageClass & class_of(py::handle python);
/// That of the messages that a field holds. Errors: py::error_already_set.
MessageClass & nested_class(FieldOfClass & field);
/// Whether an object is a message of this class, whatever it says of itself.
TANDEM_PY_PUBLIC bool is_message_of(py::handle object, const MessageClass & message_class);

/// A message that reads from `native`, which `keeper` keeps.
TANDEM_PY_PUBLIC py::object make_message(MessageClass & message_class, const void * native, py::object keeper);
/// The value of a field; a new reference.
py::object read_field(const MessageObject & message, FieldOfClass & field);
/// Writes all fields into a message in memory. Errors: py::error_already_set with the field's name.
TANDEM_PY_PUBLIC void write_message(py::handle message, MessageClass & expected, void * native);

inline MessageObject & object_of(py::handle message) { return *reinterpret_cast<MessageObject *>(message.ptr()); }

}  // namespace tandem_py
