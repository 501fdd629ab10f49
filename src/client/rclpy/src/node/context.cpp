#include "node/context.hpp"

#include "base/errors.hpp"
#include "rclcpp/guard_condition.hpp"
#include "rclcpp/utilities.hpp"

namespace tandem_py {
namespace {

using rclcpp::SignalHandlerOptions;

std::vector<const char *> pointers_to(const std::vector<std::string> & texts) {
  std::vector<const char *> pointers;
  for (const auto & text : texts) pointers.push_back(text.c_str());
  return pointers;
}

/// As Python counts them: 1 for SIGINT, 2 for SIGTERM.
SignalHandlerOptions options_of(int number) {
  static constexpr SignalHandlerOptions kOptions[] = {SignalHandlerOptions::None, SignalHandlerOptions::SigInt,
                                                      SignalHandlerOptions::SigTerm, SignalHandlerOptions::All};
  if (number < 0 || number > 3) throw py::value_error("not one of SignalHandlerOptions: " + std::to_string(number));
  return kOptions[number];
}

int number_of(SignalHandlerOptions options) {
  switch (options) {
    case SignalHandlerOptions::None: return 0;
    case SignalHandlerOptions::SigInt: return 1;
    case SignalHandlerOptions::SigTerm: return 2;
    case SignalHandlerOptions::All: break;
  }
  return 3;
}

}  // namespace

std::vector<std::string> strings_of(const py::iterable & texts) {
  std::vector<std::string> strings;
  for (const py::handle text : texts) {
    Py_ssize_t length = 0;
    const char * const bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &length);
    if (bytes == nullptr) throw py::error_already_set();
    strings.emplace_back(bytes, static_cast<std::size_t>(length));
  }
  return strings;
}

ContextHandle::ContextHandle(const py::list & arguments, std::size_t domain) {
  const auto strings = strings_of(arguments);
  const auto pointers = pointers_to(strings);
  rclcpp::InitOptions options;
  if (domain != kDefaultDomain) options.set_domain_id(domain);
  const WithoutGil without_gil;
  context_->init(static_cast<int>(pointers.size()), pointers.data(), options);
}

void ContextHandle::shutdown() {
  bool is_done = false;
  {
    const WithoutGil without_gil;
    is_done = context_->shutdown("rclpy.shutdown() was called");
  }
  if (!is_done) throw_error("RCLError", "failed to shutdown: the context is shut down already");
}

void add_context(py::module_ & module) {
  py::class_<ContextHandle, Destroyable, std::shared_ptr<ContextHandle>>(module, "Context")
      .def(py::init<const py::list &, std::size_t>())
      .def("get_domain_id", [](const ContextHandle & self) { return self.context()->get_domain_id(); })
      .def("ok", [](const ContextHandle & self) { return self.context()->is_valid(); })
      .def("shutdown", &ContextHandle::shutdown);
  module.attr("RCL_DEFAULT_DOMAIN_ID") = kDefaultDomain;
  module.def("rclpy_remove_ros_args", [](const py::list & arguments) {
    const auto strings = strings_of(arguments);
    const auto pointers = pointers_to(strings);
    py::list plain;
    for (const auto & text : rclcpp::remove_ros_arguments(static_cast<int>(pointers.size()), pointers.data())) {
      plain.append(text);
    }
    return plain;
  });
  module.def("install_signal_handlers", [](const py::object & options) {
    rclcpp::install_signal_handlers(options_of(py::int_(options.attr("value"))));
  });
  module.def("get_current_signal_handlers_options", [module] {
    return module.attr("SignalHandlerOptions")(number_of(rclcpp::get_current_signal_handler_options()));
  });
  module.def("uninstall_signal_handlers", [] { rclcpp::uninstall_signal_handlers(); });
}

}  // namespace tandem_py
