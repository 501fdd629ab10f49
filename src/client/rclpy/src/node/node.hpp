// Nodes, made of the parts of rclcpp's that Python does not have itself: no parameters, no /clock.
#pragma once

#include <memory>
#include <string>

#include "node/context.hpp"
#include "node/served.hpp"
#include "rclcpp/node_interfaces/node_base_interface.hpp"
#include "rclcpp/node_interfaces/node_graph_interface.hpp"
#include "rclcpp/node_interfaces/node_logging_interface.hpp"
#include "rclcpp/node_interfaces/node_parameters_interface.hpp"
#include "rclcpp/node_interfaces/node_services_interface.hpp"
#include "rclcpp/node_interfaces/node_topics_interface.hpp"
#include "rclcpp/node_interfaces/node_type_descriptions_interface.hpp"
#include "rclcpp/node_options.hpp"

namespace tandem_py {

class NodeHandle : public Destroyable {
 public:
  using Base = rclcpp::node_interfaces::NodeBaseInterface;
  using Topics = rclcpp::node_interfaces::NodeTopicsInterface;
  using Services = rclcpp::node_interfaces::NodeServicesInterface;
  using Graph = rclcpp::node_interfaces::NodeGraphInterface;
  using Logging = rclcpp::node_interfaces::NodeLoggingInterface;

  /// \param settings (arguments or None, whether those of the process count, whether the log is on /rosout, QoS of that or none)
  NodeHandle(const std::string & name, const std::string & name_space, std::shared_ptr<ContextHandle> context,
             const py::args & settings);

  // \throws InvalidHandle once it is destroyed.
  Base & base() const { return *required(parts_).base; }
  const std::shared_ptr<Base> & shared_base() const { return required(parts_).base; }
  Topics & topics() const { return *required(parts_).topics; }
  Services & services() const { return *required(parts_).services; }
  Graph & graph() const { return *required(parts_).graph; }
  std::string logger_name() const { return required(parts_).logging->get_logger_name(); }
  const std::shared_ptr<ReadyQueue> & queue() const { return required(parts_).queue; }

  /// Serves a Python object by its `handle`, in its `callback_group`.
  void serve(const py::object & entity);
  void stop_serving(const py::object & entity);
  /// Answers others who ask for the types that the node uses.
  void start_type_description_service();
  /// Values that parameters have from arguments and files, by name.
  py::dict overrides() const;

 private:
  struct Parts {
    std::shared_ptr<Base> base;
    std::shared_ptr<Topics> topics;
    std::shared_ptr<Services> services;
    std::shared_ptr<Graph> graph;
    std::shared_ptr<Logging> logging;
    std::shared_ptr<rclcpp::CallbackGroup> group;  // of the queue
    std::shared_ptr<ReadyQueue> queue;
    std::shared_ptr<rclcpp::node_interfaces::NodeTypeDescriptionsInterface> type_descriptions;
  };

  void destroy() override { drop(parts_); }
  std::shared_ptr<rclcpp::node_interfaces::NodeParametersInterface> make_parameters() const;
  std::shared_ptr<rclcpp::CallbackGroup> native_group(const py::object & group);

  const std::shared_ptr<ContextHandle> context_;
  rclcpp::NodeOptions options_;
  std::shared_ptr<Parts> parts_;
  py::object groups_;  // rclcpp's callback groups by those of Python, which are held weakly
};

void add_node(py::module_ & module);
void add_graph(py::module_ & module);

}  // namespace tandem_py
