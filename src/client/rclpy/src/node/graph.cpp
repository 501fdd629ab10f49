// What a node sees of the others.
#include <charconv>
#include <string>

#include "base/errors.hpp"
#include "base/qos.hpp"
#include "node/node.hpp"
#include "rclcpp/exceptions.hpp"
#include "rclcpp/topic_endpoint_info.hpp"

namespace tandem_py {
namespace {

using NamesAndTypes = NodeHandle::Graph::NamesAndTypes;

/// Calls without the GIL.
template <class Call>
auto ask(Call call) {
  const WithoutGil without_gil;
  return call();
}

py::list to_list(const NamesAndTypes & names) {
  py::list list;
  for (const auto & [name, types] : names) {
    py::list of_name;
    for (const auto & type : types) of_name.append(type);
    list.append(py::make_tuple(name, of_name));
  }
  return list;
}

/// What a node has of some kind. `what` is "publisher" or the like.
template <class Call>
py::list of_node(const char * what, Call call) {
  try {
    return to_list(ask(call));
  } catch (const rclcpp::exceptions::RCLError & error) {
    if (error.ret != RCL_RET_NODE_NAME_NON_EXISTENT) throw;
    throw_error("NodeNameNonExistentError",
                "cannot get " + std::string(what) + " names and types for nonexistent node: " + error.what());
  }
}

/// "RIHS01_" and 64 digits as version and bytes.
py::dict type_hash(const std::string & text) {
  constexpr std::size_t kPrefix = 7;
  std::string bytes(32, '\0');
  int version = 0;
  if (text.size() == kPrefix + 64) {
    version = 1;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      unsigned value = 0;
      const char * const digits = text.data() + kPrefix + 2 * i;
      std::from_chars(digits, digits + 2, value, 16);
      bytes[i] = static_cast<char>(value);
    }
  }
  py::dict hash;
  hash["version"] = version;
  hash["value"] = py::bytes(bytes);
  return hash;
}

py::list endpoints(const std::vector<rclcpp::TopicEndpointInfo> & infos) {
  py::list list;
  for (const auto & info : infos) {
    py::dict dict;
    dict["node_name"] = info.node_name();
    dict["node_namespace"] = info.node_namespace();
    dict["topic_type"] = info.topic_type();
    dict["topic_type_hash"] = type_hash(info.topic_type_hash());
    dict["endpoint_type"] = static_cast<int>(info.endpoint_type());
    py::list gid;
    for (const std::uint8_t byte : info.endpoint_gid()) gid.append(byte);
    dict["endpoint_gid"] = gid;
    dict["qos_profile"] = to_dict(info.qos_profile().get_rmw_qos_profile());
    list.append(dict);
  }
  return list;
}

bool ends_with(const std::string & text, const std::string & end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// Actions by the name of a topic or a service that each of them has.
py::list actions(const NamesAndTypes & names, const std::string & name_end, const std::string & type_end) {
  NamesAndTypes found;
  for (const auto & [name, types] : names) {
    if (!ends_with(name, name_end)) continue;
    auto & of_name = found[name.substr(0, name.size() - name_end.size())];
    for (const auto & type : types) {
      of_name.push_back(ends_with(type, type_end) ? type.substr(0, type.size() - type_end.size()) : type);
    }
  }
  return to_list(found);
}

constexpr const char * kFeedback = "/_action/feedback";
constexpr const char * kFeedbackType = "_FeedbackMessage";

void add_methods(const py::object & node) {
  const auto method = [&node](const char * name, auto function) {
    node.attr(name) = py::cpp_function(function, py::name(name), py::is_method(node));
  };
  method("get_count_publishers", [](const NodeHandle & self, const std::string & name) {
    return ask([&] { return self.graph().count_publishers(name); });
  });
  method("get_count_subscribers", [](const NodeHandle & self, const std::string & name) {
    return ask([&] { return self.graph().count_subscribers(name); });
  });
  method("get_count_clients", [](const NodeHandle & self, const std::string & name) {
    return ask([&] { return self.graph().count_clients(name); });
  });
  method("get_count_services", [](const NodeHandle & self, const std::string & name) {
    return ask([&] { return self.graph().count_services(name); });
  });
  method("get_node_names_and_namespaces", [](const NodeHandle & self) {
    py::list list;
    for (const auto & [name, name_space] : ask([&] { return self.graph().get_node_names_and_namespaces(); })) {
      list.append(py::make_tuple(name, name_space));
    }
    return list;
  });
  method("get_node_names_and_namespaces_with_enclaves", [](const NodeHandle & self) {
    py::list list;
    for (const auto & [name, name_space, enclave] : ask([&] { return self.graph().get_node_names_with_enclaves(); })) {
      list.append(py::make_tuple(name, name_space, enclave));
    }
    return list;
  });
  method("get_action_client_names_and_types_by_node", [](const NodeHandle & self, const std::string & name,
                                                         const std::string & name_space) {
    return actions(ask([&] { return self.graph().get_subscriber_names_and_types_by_node(name, name_space, true); }),
                   kFeedback, kFeedbackType);
  });
  method("get_action_server_names_and_types_by_node", [](const NodeHandle & self, const std::string & name,
                                                         const std::string & name_space) {
    return actions(ask([&] { return self.graph().get_publisher_names_and_types_by_node(name, name_space, true); }),
                   kFeedback, kFeedbackType);
  });
  method("get_action_names_and_types", [](const NodeHandle & self) {
    return actions(ask([&] { return self.graph().get_topic_names_and_types(true); }), kFeedback, kFeedbackType);
  });
}

}  // namespace

void add_graph(py::module_ & module) {
  add_methods(module.attr("Node"));
  module.def("rclpy_get_topic_names_and_types", [](const NodeHandle & self, bool no_demangle) {
    return to_list(ask([&] { return self.graph().get_topic_names_and_types(no_demangle); }));
  });
  module.def("rclpy_get_service_names_and_types", [](const NodeHandle & self) {
    return to_list(ask([&] { return self.graph().get_service_names_and_types(); }));
  });
  module.def("rclpy_get_publisher_names_and_types_by_node",
             [](const NodeHandle & self, bool no_demangle, const std::string & name, const std::string & name_space) {
               return of_node("publisher", [&] {
                 return self.graph().get_publisher_names_and_types_by_node(name, name_space, no_demangle);
               });
             });
  module.def("rclpy_get_subscriber_names_and_types_by_node",
             [](const NodeHandle & self, bool no_demangle, const std::string & name, const std::string & name_space) {
               return of_node("subscriber", [&] {
                 return self.graph().get_subscriber_names_and_types_by_node(name, name_space, no_demangle);
               });
             });
  module.def("rclpy_get_service_names_and_types_by_node", [](const NodeHandle & self, const std::string & name,
                                                             const std::string & name_space) {
    return of_node("service", [&] { return self.graph().get_service_names_and_types_by_node(name, name_space); });
  });
  module.def("rclpy_get_client_names_and_types_by_node", [](const NodeHandle & self, const std::string & name,
                                                            const std::string & name_space) {
    return of_node("client", [&] { return self.graph().get_client_names_and_types_by_node(name, name_space); });
  });
  module.def("rclpy_get_publishers_info_by_topic",
             [](const NodeHandle & self, const std::string & topic, bool no_mangle) {
               return endpoints(ask([&] { return self.graph().get_publishers_info_by_topic(topic, no_mangle); }));
             });
  module.def("rclpy_get_subscriptions_info_by_topic",
             [](const NodeHandle & self, const std::string & topic, bool no_mangle) {
               return endpoints(ask([&] { return self.graph().get_subscriptions_info_by_topic(topic, no_mangle); }));
             });
}

}  // namespace tandem_py
