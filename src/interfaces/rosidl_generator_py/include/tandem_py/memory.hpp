// Memory with a message, as Python objects.
#pragma once

#include <cstddef>
#include <memory>

#include "tandem_py/python.hpp"

namespace tandem_py {

/// A Python object that keeps something of C++'s.
TANDEM_PY_PUBLIC py::object make_keeper(std::shared_ptr<const void> kept);

/// Smaller arrays are copied, so that they can be written to and keep no message.
inline constexpr std::size_t kLeastView = 4096;

/// An array_view.ArrayView: numbers that `keeper` keeps. Read-only.
py::object make_view(py::object keeper, const void * data, std::size_t bytes, std::size_t element_size, char typecode);

TANDEM_PY_PUBLIC void add_memory_types(py::module_ & module);

}  // namespace tandem_py
