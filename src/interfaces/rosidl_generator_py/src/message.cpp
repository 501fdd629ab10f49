#include "tandem_py/message.hpp"

#include <algorithm>
#include <new>
#include <string>
#include <unordered_map>

namespace tandem_py {
namespace {

using tandem::Field;
using tandem::FieldKind;
using tandem::FieldShape;

constexpr const char * kClassAttribute = "_message_class";

PyTypeObject * base_type = nullptr;
bool checks_by_default = false;
PyTypeObject * descriptor_type = nullptr;

// ---- objects -------------------------------------------------------------------------------------------------------

/// A message without values. Null, with Python's error set, when memory is short.
PyObject * allocate(PyTypeObject * type, MessageClass & message_class) {
  const auto count = static_cast<Py_ssize_t>(message_class.fields.size());
  PyObject * const made = type->tp_alloc(type, count);
  if (made == nullptr) return nullptr;
  MessageObject & message = object_of(made);
  message.message_class = &message_class;
  message.native = message_class.defaults;
  message.keeper = nullptr;
  message.checks = false;
  return made;
}

PyObject * create(PyTypeObject * type, PyObject *, PyObject *) {
  return guarded<PyObject *>(nullptr, [&] { return allocate(type, class_of(reinterpret_cast<PyObject *>(type))); });
}

PyObject * get_checks(PyObject * self, void *) { return PyBool_FromLong(object_of(self).checks ? 1 : 0); }
int set_checks(PyObject * self, PyObject * value, void *) {
  const int is_true = value != nullptr ? PyObject_IsTrue(value) : 0;
  if (is_true >= 0) object_of(self).checks = is_true != 0;
  return is_true >= 0 ? 0 : -1;
}

/// Errors: py::error_already_set, when the value is refused.
void set_value(MessageObject & message, std::size_t index, PyObject * value) {
  static constinit Imported accept{"rosidl_generator_py.fields", "accept"};
  const FieldOfClass & field = message.message_class->fields[index];
  py::object accepted = py::reinterpret_borrow<py::object>(value);
  if (message.checks || field.typecode != 0) {
    const py::handle message_class(reinterpret_cast<PyObject *>(message.message_class->python));
    accepted = accept.get()(message_class, field.name, accepted, py::bool_(message.checks));
  }
  PyObject * const before = message.values[index];
  message.values[index] = accepted.release().ptr();
  Py_XDECREF(before);
}

/// The index of a field; the number of fields if there is none of this name.
std::size_t index_of(const MessageClass & message_class, PyObject * name) {
  const auto & fields = message_class.fields;
  std::size_t index = 0;
  while (index < fields.size() && fields[index].name.ptr() != name) ++index;
  if (index < fields.size()) return index;
  for (index = 0; index < fields.size() && PyUnicode_Compare(fields[index].name.ptr(), name) != 0;) ++index;
  return index;
}

/// Fields by their names, and `check_fields`.
int initialize(PyObject * self, PyObject * arguments, PyObject * named) {
  return guarded(-1, [&] {
    if (PyTuple_GET_SIZE(arguments) != 0) throw py::type_error("the fields of a message are set by their names");
    MessageObject & message = object_of(self);
    message.checks = checks_by_default;
    if (named == nullptr) return 0;
    if (PyObject * const checks = PyDict_GetItemString(named, "check_fields")) {
      if (checks != Py_None && set_checks(self, checks, nullptr) != 0) throw py::error_already_set();
    }
    py::list unknown;
    PyObject * name = nullptr;
    PyObject * value = nullptr;
    for (Py_ssize_t at = 0; PyDict_Next(named, &at, &name, &value) != 0;) {
      if (!PyUnicode_Check(name)) throw py::type_error("keywords must be strings");
      const std::size_t index = index_of(*message.message_class, name);
      if (index < message.message_class->fields.size()) {
        set_value(message, index, value);
      } else if (PyUnicode_CompareWithASCIIString(name, "check_fields") != 0) {
        unknown.append(py::handle(name));
      }
    }
    if (unknown.empty()) return 0;
    unknown.attr("sort")();
    const py::object text = py::str("Invalid arguments passed to constructor: ") + py::str(", ").attr("join")(unknown);
    PyErr_SetObject(PyExc_AssertionError, text.ptr());
    throw py::error_already_set();
  });
}

int traverse(PyObject * self, visitproc visit, void * arg) {
  MessageObject & message = object_of(self);
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(message.keeper);
  for (Py_ssize_t i = 0; i < Py_SIZE(self); ++i) Py_VISIT(message.values[i]);
  return 0;
}

int clear(PyObject * self) {
  MessageObject & message = object_of(self);
  for (Py_ssize_t i = 0; i < Py_SIZE(self); ++i) Py_CLEAR(message.values[i]);
  return 0;
}

void free_message(PyObject * self) {
  PyObject_GC_UnTrack(self);
  clear(self);
  Py_CLEAR(object_of(self).keeper);
  free_object(self);
}

PyGetSetDef getters[] = {
    {"_check_fields", get_checks, set_checks, "Whether values are checked when they are set.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};
PyType_Slot base_slots[] = {{Py_tp_new, reinterpret_cast<void *>(create)},
                            {Py_tp_init, reinterpret_cast<void *>(initialize)},
                            {Py_tp_traverse, reinterpret_cast<void *>(traverse)},
                            {Py_tp_clear, reinterpret_cast<void *>(clear)},
                            {Py_tp_dealloc, reinterpret_cast<void *>(free_message)},
                            {Py_tp_getset, getters},
                            {0, nullptr}};
PyType_Spec base_spec{"rosidl_generator_py._messages.MessageBase", offsetof(MessageObject, values), sizeof(PyObject *),
                      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, base_slots};

// ---- fields --------------------------------------------------------------------------------------------------------

struct Descriptor {
  PyObject_HEAD MessageClass * message_class;
  std::size_t index;
};

Descriptor & descriptor_of(PyObject * object) { return *reinterpret_cast<Descriptor *>(object); }

/// The message of this object, of which the field is one. Errors: py::type_error.
MessageObject & require_message(const Descriptor & own, PyObject * object) {
  if (is_message_of(object, *own.message_class)) return object_of(object);
  throw py::type_error("'" + std::string(Py_TYPE(object)->tp_name) + "' objects have no such field");
}

PyObject * get_field(PyObject * self, PyObject * object, PyObject *) {
  if (object == nullptr) return Py_NewRef(self);
  return guarded<PyObject *>(nullptr, [&] {
    const Descriptor & own = descriptor_of(self);
    MessageObject & message = require_message(own, object);
    PyObject *& value = message.values[own.index];
    if (value == nullptr) {
      py::object read = read_field(message, own.message_class->fields[own.index]);
      if (value == nullptr) value = read.release().ptr();  // it may have been set meanwhile
    }
    return Py_NewRef(value);
  });
}

int set_field(PyObject * self, PyObject * object, PyObject * value) {
  return guarded(-1, [&] {
    const Descriptor & own = descriptor_of(self);
    MessageObject & message = require_message(own, object);
    if (value == nullptr) throw py::attribute_error("a field of a message cannot be deleted");
    set_value(message, own.index, value);
    return 0;
  });
}

PyType_Slot descriptor_slots[] = {{Py_tp_descr_get, reinterpret_cast<void *>(get_field)},
                                  {Py_tp_descr_set, reinterpret_cast<void *>(set_field)},
                                  {Py_tp_dealloc, reinterpret_cast<void *>(free_object)},
                                  {0, nullptr}};
PyType_Spec descriptor_spec{"rosidl_generator_py._messages.Field", sizeof(Descriptor), 0,
                            Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, descriptor_slots};

/// Whether copies of a message share the field's value.
bool is_shared(const Field & field) { return field.shape != FieldShape::kSingle || field.kind == FieldKind::kMessage; }

/// The same message, with the same values.
py::object copy_of(py::object message) {
  if (!PyObject_TypeCheck(message.ptr(), base_type)) throw py::type_error("a message is wanted");
  const MessageObject & own = object_of(message);
  for (const FieldOfClass & field : own.message_class->fields) {
    if (is_shared(*field.field)) py::getattr(message, field.name);  // makes it
  }
  py::object made = checked(allocate(Py_TYPE(message.ptr()), *own.message_class));
  MessageObject & copy = object_of(made);
  copy.native = own.native;
  copy.keeper = Py_XNewRef(own.keeper);
  copy.checks = own.checks;
  for (std::size_t i = 0; i < own.message_class->fields.size(); ++i) copy.values[i] = Py_XNewRef(own.values[i]);
  return made;
}

/// By type's own function: the class's metaclass refuses.
void set_attribute(py::handle python, const py::object & name, const py::object & value) {
  if (PyType_Type.tp_setattro(python.ptr(), name.ptr(), value.ptr()) != 0) throw py::error_already_set();
}

}  // namespace

char typecode_of(const Field & field) {
  if (field.shape == FieldShape::kSingle) return 0;
  switch (field.kind) {
    case FieldKind::kInt8: return 'b';
    case FieldKind::kUint8: return 'B';
    case FieldKind::kInt16: return 'h';
    case FieldKind::kUint16: return 'H';
    case FieldKind::kInt32: return 'i';
    case FieldKind::kUint32: return 'I';
    case FieldKind::kInt64: return 'q';
    case FieldKind::kUint64: return 'Q';
    case FieldKind::kFloat32: return 'f';
    case FieldKind::kFloat64: return 'd';
    default: return 0;
  }
}

void add_types(py::module_ & module) {
  const py::object base = checked(PyType_FromSpec(&base_spec));
  base_type = reinterpret_cast<PyTypeObject *>(base.inc_ref().ptr());
  descriptor_type = reinterpret_cast<PyTypeObject *>(checked(PyType_FromSpec(&descriptor_spec)).release().ptr());
  module.attr("MessageBase") = base;
  module.def("copy", copy_of);
  module.def("set_checks_by_default", [](bool checks) { checks_by_default = checks; });
}

void register_class(py::type python, const tandem::MessageType & type) {
  auto * const made = new MessageClass{&type, reinterpret_cast<PyTypeObject *>(python.inc_ref().ptr()), {}, nullptr};
  // Never freed: messages of the class read from it.
  made->defaults = ::operator new(std::max<std::size_t>(type.size, 1), std::align_val_t(type.alignment));
  type.construct(made->defaults);
  for (std::size_t i = 0; i < type.field_count; ++i) {
    const Field & field = type.fields[i];
    const auto * const nested = field.kind == FieldKind::kMessage ? &field.message() : nullptr;
    py::object name = checked(PyUnicode_InternFromString(field.name));
    made->fields.push_back({&field, name, tandem::detail::element_layout(field.kind, nested), typecode_of(field)});
    py::object descriptor = checked(descriptor_type->tp_alloc(descriptor_type, 0));
    descriptor_of(descriptor.ptr()).message_class = made;
    descriptor_of(descriptor.ptr()).index = i;
    set_attribute(python, name, descriptor);
    set_attribute(python, py::str("_" + std::string(field.name)), descriptor);  // its slot in stock messages
  }
  set_attribute(python, py::str(kClassAttribute), py::capsule(made));
}

MessageClass & class_of(py::handle python) {
  static std::unordered_map<PyObject *, MessageClass *> & known = *new std::unordered_map<PyObject *, MessageClass *>;
  const auto found = known.find(python.ptr());
  if (found != known.end()) return *found->second;
  if (!PyType_Check(python.ptr()) || !py::hasattr(python, kClassAttribute)) {
    throw py::type_error("not a class of messages: " + std::string(py::repr(python)));
  }
  auto * const message_class = py::capsule(python.attr(kClassAttribute)).get_pointer<MessageClass>();
  if (python.ptr() == reinterpret_cast<PyObject *>(message_class->python)) known.emplace(python.ptr(), message_class);
  return *message_class;
}

MessageClass & nested_class(FieldOfClass & field) {
  static constinit Imported find{"rosidl_generator_py.find", "find_message"};
  if (field.nested == nullptr) field.nested = &class_of(find.get()(field.field->message().name));
  return *field.nested;
}

bool is_message_of(py::handle object, const MessageClass & message_class) {
  return PyObject_TypeCheck(object.ptr(), base_type) && object_of(object).message_class == &message_class;
}

py::object make_message(MessageClass & message_class, const void * native, py::object keeper) {
  py::object made = checked(allocate(message_class.python, message_class));
  object_of(made).native = native;
  object_of(made).keeper = keeper ? keeper.release().ptr() : nullptr;
  return made;
}

}  // namespace tandem_py
