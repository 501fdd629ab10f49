// The extension behind rclpy: rclcpp's nodes, topics, services, clocks and executors, as Python's modules use them.
#include "base/parts.hpp"

#include <memory>

#include "base/errors.hpp"
#include "base/qos.hpp"
#include "entities/clock.hpp"
#include "entities/endpoints.hpp"
#include "node/context.hpp"
#include "node/node.hpp"
#include "rmw/rmw.h"

namespace tandem_py {
namespace {

Imported serialize_message("rosidl_generator_py._messages", "serialize");
Imported deserialize_message("rosidl_generator_py._messages", "deserialize");

}  // namespace

void add_serialization(py::module_ & module) {
  module.def("rclpy_serialize", [](const py::object & message, const py::object &) {
    return py::object(serialize_message.get()(message));
  });
  module.def("rclpy_deserialize", [](const py::object & bytes, const py::object & type) {
    return py::object(deserialize_message.get()(bytes, type));
  });
  module.def("rclpy_get_rmw_implementation_identifier", [] { return rmw_get_implementation_identifier(); });
}

}  // namespace tandem_py

PYBIND11_MODULE(_rclpy_pybind11, module) {
  using namespace tandem_py;
  module.doc() = "The client library in C++, for rclpy.";
  // The types of messages that functions here give and take.
  py::module_::import("rosidl_generator_py");
  add_errors(module);
  add_enums(module);
  add_destroyable(module);
  add_qos(module);
  add_context(module);
  add_node(module);
  add_graph(module);
  add_clock(module);
  add_endpoints(module);
  add_events(module);
  add_services(module);
  add_timers(module);
  add_wait_set(module);
  add_executor(module);
  add_logging(module);
  add_serialization(module);
}
