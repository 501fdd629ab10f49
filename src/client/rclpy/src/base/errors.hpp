// The exceptions of the client library as those of Python.
#pragma once

#include "tandem_py/python.hpp"

namespace tandem_py {

/// Adds the classes of exceptions, and says how those of C++ become them.
void add_errors(py::module_ & module);

/// Throws a Python exception of one of those classes.
[[noreturn]] void throw_error(const char * class_name, const std::string & text);

}  // namespace tandem_py
