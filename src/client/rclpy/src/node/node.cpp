#include "node/node.hpp"

#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "base/qos.hpp"
#include "rclcpp/detail/names.hpp"
#include "rclcpp/expand_topic_or_service_name.hpp"

namespace tandem_py {
namespace {

using rclcpp::CallbackGroup;
using rclcpp::CallbackGroupType;

/// Keeps one of rclcpp's callback groups for one of Python's.
struct GroupHolder {
  std::shared_ptr<CallbackGroup> group;
};

template <class T>
py::object to_python(const T & value) {
  if constexpr (std::is_same_v<T, std::monostate>) {
    return py::none();
  } else if constexpr (std::is_same_v<T, bool>) {
    return py::bool_(value);
  } else if constexpr (std::is_same_v<T, std::int64_t> || std::is_same_v<T, std::uint8_t>) {
    return py::int_(value);
  } else if constexpr (std::is_same_v<T, double>) {
    return py::float_(value);
  } else if constexpr (std::is_same_v<T, std::string>) {
    return py::str(value);
  } else {
    py::list list;
    for (const typename T::value_type & element : value) {
      if constexpr (std::is_same_v<typename T::value_type, std::uint8_t>) {
        list.append(py::bytes(reinterpret_cast<const char *>(&element), 1));
      } else {
        list.append(to_python(element));
      }
    }
    return list;
  }
}

py::object to_python(const rclcpp::ParameterValue & value) {
  using namespace rclcpp;
  switch (value.get_type()) {
    case PARAMETER_NOT_SET: break;
    case PARAMETER_BOOL: return to_python(value.get<bool>());
    case PARAMETER_INTEGER: return to_python(value.get<std::int64_t>());
    case PARAMETER_DOUBLE: return to_python(value.get<double>());
    case PARAMETER_STRING: return to_python(value.get<std::string>());
    case PARAMETER_BYTE_ARRAY: return to_python(value.get<std::vector<std::uint8_t>>());
    case PARAMETER_BOOL_ARRAY: return to_python(value.get<std::vector<bool>>());
    case PARAMETER_INTEGER_ARRAY: return to_python(value.get<std::vector<std::int64_t>>());
    case PARAMETER_DOUBLE_ARRAY: return to_python(value.get<std::vector<double>>());
    case PARAMETER_STRING_ARRAY: return to_python(value.get<std::vector<std::string>>());
  }
  return py::none();
}

py::object problem(const std::optional<rclcpp::detail::NameProblem> & found) {
  if (!found) return py::none();
  return py::make_tuple(found->message, found->index);
}

/// A name without the checks that have an exception of their own in Python.
std::string expand(const std::string & topic, const std::string & node, const std::string & name_space) {
  const auto refuse = [](const std::string & what, const std::string & name, const auto & found) {
    throw py::value_error(what + " '" + name + "' is invalid: " + found->message);
  };
  if (const auto found = rclcpp::detail::check_topic_name(topic)) refuse("topic name", topic, found);
  if (const auto found = rclcpp::detail::check_node_name(node)) refuse("node name", node, found);
  if (const auto found = rclcpp::detail::check_namespace(name_space)) refuse("node namespace", name_space, found);
  return rclcpp::expand_topic_or_service_name(topic, node, name_space);
}

}  // namespace

NodeHandle::NodeHandle(const std::string & name, const std::string & name_space, std::shared_ptr<ContextHandle> context,
                       const py::args & settings)
    : context_(std::move(context)) {
  if (settings.size() != 3 && settings.size() != 4) throw py::type_error("a node has three or four settings");
  options_.context(context_->context())
      .use_global_arguments(settings[1].cast<bool>())
      .enable_rosout(settings[2].cast<bool>());
  if (!settings[0].is_none()) options_.arguments(strings_of(settings[0]));
  if (settings.size() == 4) options_.rosout_qos(qos_of(settings[3]));
  options_.start_parameter_event_publisher(false);
  groups_ = py::module_::import("weakref").attr("WeakKeyDictionary")();
  const WithoutGil without_gil;
  const auto parts = std::make_shared<Parts>();
  parts->base = std::make_shared<Base>(name, name_space, options_);
  const auto timers = std::make_shared<rclcpp::node_interfaces::NodeTimersInterface>(parts->base);
  parts->topics = std::make_shared<Topics>(parts->base, timers);
  parts->services = std::make_shared<Services>(parts->base);
  parts->graph = std::make_shared<Graph>(parts->base);
  parts->logging = std::make_shared<Logging>(*parts->topics, options_);
  parts->group = parts->base->create_callback_group(CallbackGroupType::Reentrant);
  parts->queue = std::make_shared<ReadyQueue>(context_->context());
  parts->group->add_waitable(parts->queue);
  parts_ = parts;
}

std::shared_ptr<CallbackGroup> NodeHandle::native_group(const py::object & group) {
  // A class of callback groups of the user's own decides itself: each of its entities is in a group of its own, so that one that
  // has to wait does not hold up others.
  const std::string kind = py::str(group.attr("_kind"));
  if (kind == "own") return base().create_callback_group(CallbackGroupType::MutuallyExclusive);
  py::object holder = groups_.attr("get")(group);
  if (holder.is_none()) {
    holder = py::cast(GroupHolder{base().create_callback_group(
        kind == "reentrant" ? CallbackGroupType::Reentrant : CallbackGroupType::MutuallyExclusive)});
    groups_.attr("__setitem__")(group, holder);
  }
  return holder.cast<const GroupHolder &>().group;
}

void NodeHandle::serve(const py::object & entity) {
  const py::object handle = py::getattr(entity, "handle", py::none());
  if (!py::isinstance<ServedHandle>(handle)) return;  // a waitable, which its executor asks
  auto & served = handle.cast<ServedHandle &>();
  served.set_owner(entity);
  const auto group = native_group(entity.attr("callback_group"));
  served.serve(*this, group);
  base().trigger_notify_guard_condition();
}

void NodeHandle::stop_serving(const py::object & entity) {
  const py::object handle = py::getattr(entity, "handle", py::none());
  if (py::isinstance<ServedHandle>(handle)) handle.cast<ServedHandle &>().stop_serving();
}

std::shared_ptr<rclcpp::node_interfaces::NodeParametersInterface> NodeHandle::make_parameters() const {
  const auto clock = std::make_shared<rclcpp::Clock>(RCL_ROS_TIME);
  return std::make_shared<rclcpp::node_interfaces::NodeParametersInterface>(topics(), clock, options_);
}

void NodeHandle::start_type_description_service() {
  auto & parts = required(parts_);
  const WithoutGil without_gil;
  parts.type_descriptions = std::make_shared<rclcpp::node_interfaces::NodeTypeDescriptionsInterface>(
      parts.base, parts.logging, make_parameters(), parts.services);
}

py::dict NodeHandle::overrides() const {
  const auto parameters = make_parameters();
  py::dict values;
  for (const auto & [name, value] : parameters->get_parameter_overrides()) values[py::str(name)] = to_python(value);
  return values;
}

void add_node(py::module_ & module) {
  namespace detail = rclcpp::detail;
  py::class_<GroupHolder>(module, "CallbackGroup");
  py::class_<ServedHandle, Destroyable, std::shared_ptr<ServedHandle>>(module, "Served");
  py::class_<NodeHandle, Destroyable, std::shared_ptr<NodeHandle>>(module, "Node", py::dynamic_attr())
      .def(py::init<const std::string &, const std::string &, std::shared_ptr<ContextHandle>, const py::args &>())
      .def("serve", &NodeHandle::serve)
      .def("stop_serving", &NodeHandle::stop_serving)
      .def("start_type_description_service", &NodeHandle::start_type_description_service)
      .def("get_fully_qualified_name", [](const NodeHandle & self) { return self.base().get_fully_qualified_name(); })
      .def("logger_name", &NodeHandle::logger_name)
      .def("get_node_name", [](const NodeHandle & self) { return self.base().get_name(); })
      .def("get_namespace", [](const NodeHandle & self) { return self.base().get_namespace(); })
      .def("get_parameters", [](const NodeHandle & self, const py::object & parameter_class) {
        py::dict parameters;
        for (const auto & [name, value] : self.overrides()) {
          parameters[name] = parameter_class(name, py::arg("value") = value);
        }
        return parameters;
      });
  module.def("rclpy_expand_topic_name", &expand);
  module.def("rclpy_remap_topic_name",
             [](const NodeHandle & node, const std::string & topic) { return node.base().resolve_topic_name(topic); });
  module.def("rclpy_resolve_name",
             [](const NodeHandle & node, const std::string & name, bool only_expand, bool is_service) {
               return node.base().resolve_topic_or_service_name(name, is_service, only_expand);
             });
  module.def("rclpy_get_validation_error_for_topic_name",
             [](const std::string & name) { return problem(detail::check_topic_name(name)); });
  module.def("rclpy_get_validation_error_for_full_topic_name",
             [](const std::string & name) { return problem(detail::check_full_topic_name(name)); });
  module.def("rclpy_get_validation_error_for_namespace",
             [](const std::string & name) { return problem(detail::check_namespace(name)); });
  module.def("rclpy_get_validation_error_for_node_name",
             [](const std::string & name) { return problem(detail::check_node_name(name)); });
}

}  // namespace tandem_py
