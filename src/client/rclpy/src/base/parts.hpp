// The parts of the extension.
#pragma once

#include "tandem_py/python.hpp"

namespace tandem_py {

void add_enums(py::module_ & module);
void add_services(py::module_ & module);
void add_timers(py::module_ & module);
void add_wait_set(py::module_ & module);
void add_executor(py::module_ & module);
void add_logging(py::module_ & module);
void add_serialization(py::module_ & module);

}  // namespace tandem_py
