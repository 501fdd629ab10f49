#include "base/errors.hpp"

#include <string>

#include "base/destroyable.hpp"
#include "rclcpp/event_handler.hpp"
#include "rclcpp/exceptions.hpp"

namespace tandem_py {
namespace {

py::handle exceptions;  // the module that has the classes; lives for ever

void set_error(const char * class_name, const std::string & text) {
  PyErr_SetString(py::object(exceptions.attr(class_name)).ptr(), text.c_str());
}

void set_unknown_arguments(const rclcpp::exceptions::UnknownROSArgsError & error) {
  py::list arguments;
  for (const auto & argument : error.unknown_ros_args) arguments.append(argument);
  set_error("UnknownROSArgsError", py::repr(arguments));
}

void translate(std::exception_ptr error_of_cpp) {
  namespace errors = rclcpp::exceptions;
  try {
    if (error_of_cpp) std::rethrow_exception(error_of_cpp);
  } catch (const InvalidHandle & error) {
    set_error("InvalidHandle", error.what());
  } catch (const errors::UnknownROSArgsError & error) {
    set_unknown_arguments(error);
  } catch (const errors::RCLInvalidROSArgsError & error) {
    std::string text = error.what();
    for (char & c : text) c = c == '\n' ? ' ' : c;
    set_error("RCLInvalidROSArgsError", "Failed to parse ROS arguments: " + text);
  } catch (const rclcpp::UnsupportedEventTypeException & error) {
    set_error("UnsupportedEventTypeError", error.what());
  } catch (const errors::NameValidationError & error) {
    PyErr_SetString(PyExc_ValueError, error.what());
  } catch (const errors::RCLError & error) {
    set_error(error.ret == RCL_RET_NODE_NAME_NON_EXISTENT ? "NodeNameNonExistentError" : "RCLError", error.what());
  } catch (const errors::RCLInvalidArgument & error) {
    set_error("RCLError", error.what());
  } catch (const errors::RCLBadAlloc &) {
    PyErr_NoMemory();
  }
}

}  // namespace

void throw_error(const char * class_name, const std::string & text) {
  set_error(class_name, text);
  throw py::error_already_set();
}

void add_errors(py::module_ & module) {
  exceptions = module;
  const auto add = [&module](const char * name, py::handle base) {
    const std::string full = "rclpy._rclpy_pybind11." + std::string(name);
    module.attr(name) = checked(PyErr_NewException(full.c_str(), base.ptr(), nullptr));
    return py::handle(module.attr(name));
  };
  add("RCUtilsError", PyExc_RuntimeError);
  add("RMWError", PyExc_RuntimeError);
  const auto rcl_error = add("RCLError", PyExc_RuntimeError);
  for (const char * name :
       {"RCLInvalidROSArgsError", "NodeNameNonExistentError", "UnsupportedEventTypeError", "TimerCancelledError"}) {
    add(name, rcl_error);
  }
  add("UnknownROSArgsError", PyExc_RuntimeError);
  add("NotImplementedError", PyExc_NotImplementedError);
  add("InvalidHandle", PyExc_RuntimeError);
  py::register_exception_translator(translate);
}

}  // namespace tandem_py
