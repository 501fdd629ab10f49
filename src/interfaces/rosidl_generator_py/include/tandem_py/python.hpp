// What Python's C functions give, as pybind11 has it. All of it needs the GIL.
#pragma once

#include <pybind11/pybind11.h>
#include <unistd.h>

#include <cstddef>
#include <exception>

/// What other extensions call.
#define TANDEM_PY_PUBLIC __attribute__((visibility("default")))

namespace tandem_py {

namespace py = pybind11;

/// Takes over a new reference. Null: throws Python's error.
inline py::object checked(PyObject * made) {
  if (made == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(made);
}

/// Frees an object of a type of ours, which keeps its type. tp_dealloc of those that have nothing more to let go of.
inline void free_object(PyObject * self) {
  PyTypeObject * const type = Py_TYPE(self);
  type->tp_free(self);
  Py_DECREF(type);
}

/// Lets other threads run Python as long as it lives.
///
/// A thread that wants to go on in Python while the interpreter ends would be ended within C++, which aborts the process; it
/// stays here instead, until the process ends. The thread that ends the interpreter lets none run.
class WithoutGil {
 public:
  WithoutGil() : state_(is_finalizing() ? nullptr : PyEval_SaveThread()) {}
  ~WithoutGil() noexcept(false) {  // the end may begin just behind the question: then the stack is unwound
    if (state_ == nullptr) return;
    while (is_finalizing()) pause();
    PyEval_RestoreThread(state_);
  }
  WithoutGil(const WithoutGil &) = delete;
  WithoutGil & operator=(const WithoutGil &) = delete;

 private:
  static bool is_finalizing() {
#if PY_VERSION_HEX >= 0x030D0000
    return Py_IsFinalizing() != 0;
#else
    return _Py_IsFinalizing() != 0;
#endif
  }

  PyThreadState * const state_;
};

/// An attribute of a module, which is imported when it is first asked for, and kept for ever. A static variable of it has no guard
/// that a thread could hold while the import lets other threads run.
class Imported {
 public:
  constexpr Imported(const char * module, const char * name) : module_(module), name_(name) {}

  /// Errors: py::error_already_set.
  py::handle get() {
    if (object_ == nullptr) {
      PyObject * const found = py::object(py::module_::import(module_).attr(name_)).release().ptr();
      object_ = found;  // another thread may have been faster, with the same
    }
    return object_;
  }

 private:
  const char * module_;
  const char * name_;
  PyObject * object_ = nullptr;
};

/// Bytes that follow each other in the memory of another object.
class Buffer {
 public:
  /// Without bytes if the object has none.
  explicit Buffer(py::handle object)
      : has_bytes_(PyObject_GetBuffer(object.ptr(), &view_, PyBUF_ND | PyBUF_FORMAT) == 0) {
    if (!has_bytes_) PyErr_Clear();
  }
  ~Buffer() {
    if (has_bytes_) PyBuffer_Release(&view_);
  }
  Buffer(const Buffer &) = delete;
  Buffer & operator=(const Buffer &) = delete;

  bool has_bytes() const { return has_bytes_; }
  const void * data() const { return view_.buf; }
  std::size_t size() const { return static_cast<std::size_t>(view_.len); }
  std::size_t element_size() const { return static_cast<std::size_t>(view_.itemsize); }

 private:
  Py_buffer view_{};
  bool has_bytes_;
};

/// Does the work of a function that C calls. `failed` is what it returns with Python's error set.
template <class Result, class Work>
Result guarded(Result failed, Work work) noexcept {
  try {
    return work();
  } catch (py::error_already_set & error) {
    error.restore();
  } catch (const py::builtin_exception & error) {
    error.set_error();
  } catch (const std::bad_alloc &) {
    PyErr_NoMemory();
  } catch (const std::exception & error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
  return failed;
}

}  // namespace tandem_py
