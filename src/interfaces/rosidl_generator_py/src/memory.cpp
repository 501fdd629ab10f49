#include "tandem_py/memory.hpp"

#include <cstdint>
#include <utility>

namespace tandem_py {
namespace {

/// A read-only buffer in the memory of a message.
struct Memory {
  PyObject_HEAD PyObject * keeper;
  const void * data;
  Py_ssize_t bytes;
  Py_ssize_t count;
  Py_ssize_t element_size;
  char format[2];
};

struct Keeper {
  PyObject_HEAD std::shared_ptr<const void> kept;
};

PyTypeObject * memory_type = nullptr;
py::handle view_type;  // array_view.ArrayView, once it is there
PyTypeObject * keeper_type = nullptr;

Memory & memory_of(PyObject * object) { return *reinterpret_cast<Memory *>(object); }

/// Errors: py::type_error, of what is no view.
Memory & require_view(py::handle object) {
  if (PyObject_TypeCheck(object.ptr(), memory_type)) return memory_of(object.ptr());
  throw py::type_error("a view is wanted");
}

int get_buffer(PyObject * self, Py_buffer * view, int flags) {
  Memory & memory = memory_of(self);
  view->obj = nullptr;
  if ((flags & PyBUF_WRITABLE) == PyBUF_WRITABLE) {
    PyErr_SetString(PyExc_BufferError,
                    "the memory is read-only: others read the message too; numpy.array() or copy.copy() gives a copy");
    return -1;
  }
  view->buf = const_cast<void *>(memory.data);
  view->len = memory.bytes;
  view->readonly = 1;
  view->itemsize = memory.element_size;
  view->format = (flags & PyBUF_FORMAT) == PyBUF_FORMAT ? memory.format : nullptr;
  view->ndim = 1;
  view->shape = (flags & PyBUF_ND) == PyBUF_ND ? &memory.count : nullptr;
  view->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? &memory.element_size : nullptr;
  view->suboffsets = nullptr;
  view->internal = nullptr;
  view->obj = Py_NewRef(self);
  return 0;
}

Py_ssize_t length(PyObject * self) { return memory_of(self).count; }

void free_memory(PyObject * self) {
  Py_CLEAR(memory_of(self).keeper);
  free_object(self);
}

void free_keeper(PyObject * self) {
  reinterpret_cast<Keeper *>(self)->kept.~shared_ptr();
  free_object(self);
}

PyType_Slot memory_slots[] = {{Py_bf_getbuffer, reinterpret_cast<void *>(get_buffer)},
                              {Py_sq_length, reinterpret_cast<void *>(length)},
                              {Py_tp_dealloc, reinterpret_cast<void *>(free_memory)},
                              {0, nullptr}};
PyType_Spec memory_spec{"rosidl_generator_py._messages.Memory", sizeof(Memory), 0,
                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION, memory_slots};
PyType_Slot keeper_slots[] = {{Py_tp_dealloc, reinterpret_cast<void *>(free_keeper)}, {0, nullptr}};
PyType_Spec keeper_spec{"rosidl_generator_py._messages.Keeper", sizeof(Keeper), 0,
                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, keeper_slots};

}  // namespace

py::object make_keeper(std::shared_ptr<const void> kept) {
  py::object made = checked(keeper_type->tp_alloc(keeper_type, 0));
  new (&reinterpret_cast<Keeper *>(made.ptr())->kept) std::shared_ptr<const void>(std::move(kept));
  return made;
}

py::object make_view(py::object keeper, const void * data, std::size_t bytes, std::size_t element_size, char typecode) {
  auto * const type = reinterpret_cast<PyTypeObject *>(view_type.ptr());
  py::object made = checked(type->tp_alloc(type, 0));
  Memory & memory = memory_of(made.ptr());
  memory.keeper = keeper.release().ptr();
  memory.data = data;
  memory.bytes = static_cast<Py_ssize_t>(bytes);
  memory.element_size = static_cast<Py_ssize_t>(element_size);
  memory.count = memory.bytes / memory.element_size;
  memory.format[0] = typecode;
  memory.format[1] = '\0';
  return made;
}

void add_memory_types(py::module_ & module) {
  keeper_type = reinterpret_cast<PyTypeObject *>(checked(PyType_FromSpec(&keeper_spec)).release().ptr());
  memory_type = reinterpret_cast<PyTypeObject *>(checked(PyType_FromSpec(&memory_spec)).release().ptr());
  module.attr("Memory") = py::handle(reinterpret_cast<PyObject *>(memory_type));
  module.def("set_view_type", [](py::type type) {
    if (PyType_IsSubtype(reinterpret_cast<PyTypeObject *>(type.ptr()), memory_type) == 0) {
      throw py::type_error("a class of views is wanted");
    }
    view_type = type.release();
  });
  // A part of a view, in elements.
  module.def("part_of", [](py::object view, py::ssize_t begin, py::ssize_t end) {
    const Memory & memory = require_view(view);
    if (begin < 0 || end < begin || end > memory.count) throw py::index_error("beyond the end of the view");
    const auto * const data = static_cast<const char *>(memory.data) + begin * memory.element_size;
    return make_view(py::reinterpret_borrow<py::object>(memory.keeper), data,
                     static_cast<std::size_t>((end - begin) * memory.element_size),
                     static_cast<std::size_t>(memory.element_size), memory.format[0]);
  });
  module.def("address_of", [](py::object view) { return reinterpret_cast<std::uintptr_t>(require_view(view).data); });
  module.attr("LEAST_VIEW") = kLeastView;
}

}  // namespace tandem_py
