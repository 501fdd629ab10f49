// What Python's C functions give, as pybind11 has it.
#pragma once

#include <pybind11/pybind11.h>

namespace tandem_py {

namespace py = pybind11;

/// Takes over a new reference. Null: throws Python's error.
inline py::object checked(PyObject * made) {
  if (made == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(made);
}

/// An attribute of a module, which is kept for ever. Errors: py::error_already_set.
inline py::handle imported(const char * module, const char * name) {
  return py::object(py::module_::import(module).attr(name)).release();
}

}  // namespace tandem_py
