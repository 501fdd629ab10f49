// Another node's parameters.
#ifndef RCLCPP__PARAMETER_CLIENT_HPP_
#define RCLCPP__PARAMETER_CLIENT_HPP_

#include <chrono>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rcl_interfaces/msg/list_parameters_result.hpp"
#include "rcl_interfaces/msg/parameter_descriptor.hpp"
#include "rcl_interfaces/msg/parameter_event.hpp"
#include "rcl_interfaces/msg/set_parameters_result.hpp"
#include "rcl_interfaces/srv/describe_parameters.hpp"
#include "rcl_interfaces/srv/get_parameter_types.hpp"
#include "rcl_interfaces/srv/get_parameters.hpp"
#include "rcl_interfaces/srv/list_parameters.hpp"
#include "rcl_interfaces/srv/set_parameters.hpp"
#include "rcl_interfaces/srv/set_parameters_atomically.hpp"
#include "rclcpp/create_subscription.hpp"
#include "rclcpp/executors.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/node.hpp"
#include "rclcpp/parameter.hpp"
#include "rclcpp/parameter_map.hpp"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp {

/// Asks, and gives futures; the executor of the node that it was made with brings them. Thread-safe.
class RCLCPP_PUBLIC AsyncParametersClient {
 public:
  RCLCPP_SMART_PTR_DEFINITIONS(AsyncParametersClient)
  using NodeBase = node_interfaces::NodeBaseInterface;
  template <class T>
  using Callback = std::function<void(std::shared_future<T>)>;
  using Results = std::vector<rcl_interfaces::msg::SetParametersResult>;
  using Descriptors = std::vector<rcl_interfaces::msg::ParameterDescriptor>;

  /// \param remote_node_name the node whose parameters are meant; "": this one.
  AsyncParametersClient(const NodeBase::SharedPtr & node_base,
                        const node_interfaces::NodeTopicsInterface::SharedPtr & node_topics,
                        const node_interfaces::NodeGraphInterface::SharedPtr & node_graph,
                        const node_interfaces::NodeServicesInterface::SharedPtr & node_services,
                        const std::string & remote_node_name = "", const QoS & qos = ParametersQoS(),
                        CallbackGroup::SharedPtr group = nullptr);
  template <class NodeT>
  explicit AsyncParametersClient(const std::shared_ptr<NodeT> & node, const std::string & remote_node_name = "",
                                 const QoS & qos = ParametersQoS(), CallbackGroup::SharedPtr group = nullptr)
      : AsyncParametersClient(node->get_node_base_interface(), node->get_node_topics_interface(),
                              node->get_node_graph_interface(), node->get_node_services_interface(), remote_node_name,
                              qos, std::move(group)) {}
  template <class NodeT>
  explicit AsyncParametersClient(NodeT * node, const std::string & remote_node_name = "",
                                 const QoS & qos = ParametersQoS(), CallbackGroup::SharedPtr group = nullptr)
      : AsyncParametersClient(node->get_node_base_interface(), node->get_node_topics_interface(),
                              node->get_node_graph_interface(), node->get_node_services_interface(), remote_node_name,
                              qos, std::move(group)) {}

  // The future of a parameter that the node does not have lacks it, or all of them.
  std::shared_future<std::vector<Parameter>> get_parameters(const std::vector<std::string> & names,
                                                            Callback<std::vector<Parameter>> callback = nullptr);
  std::shared_future<Descriptors> describe_parameters(const std::vector<std::string> & names,
                                                      Callback<Descriptors> callback = nullptr);
  std::shared_future<std::vector<ParameterType>> get_parameter_types(
      const std::vector<std::string> & names, Callback<std::vector<ParameterType>> callback = nullptr);
  /// Each by itself: a result for each.
  std::shared_future<Results> set_parameters(const std::vector<Parameter> & parameters,
                                             Callback<Results> callback = nullptr);
  /// All or none.
  std::shared_future<rcl_interfaces::msg::SetParametersResult> set_parameters_atomically(
      const std::vector<Parameter> & parameters, Callback<rcl_interfaces::msg::SetParametersResult> callback = nullptr);
  std::shared_future<Results> delete_parameters(const std::vector<std::string> & parameters_names);
  /// Sets those of the file that are for the remote node. \throws as parameter_map_from_yaml_file(), and
  /// exceptions::InvalidParametersException when there are none.
  std::shared_future<Results> load_parameters(const std::string & yaml_filename);
  std::shared_future<Results> load_parameters(const ParameterMap & parameter_map);
  std::shared_future<rcl_interfaces::msg::ListParametersResult> list_parameters(
      const std::vector<std::string> & prefixes, uint64_t depth,
      Callback<rcl_interfaces::msg::ListParametersResult> callback = nullptr);

  /// The parameter events of all nodes, taken by the client's node or by another.
  template <class CallbackT>
  std::shared_ptr<Subscription<rcl_interfaces::msg::ParameterEvent>> on_parameter_event(
      CallbackT && callback, const QoS & qos = ParameterEventsQoS()) {
    return on_parameter_event(topics_, std::forward<CallbackT>(callback), qos);
  }
  template <class CallbackT, class NodeT>
  static std::shared_ptr<Subscription<rcl_interfaces::msg::ParameterEvent>> on_parameter_event(
      NodeT && node, CallbackT && callback, const QoS & qos = ParameterEventsQoS()) {
    return create_subscription<rcl_interfaces::msg::ParameterEvent>(node, "/parameter_events", qos,
                                                                    std::forward<CallbackT>(callback));
  }

  /// Whether all of the node's parameter services are there.
  bool service_is_ready() const;
  /// Waits for that. A negative timeout waits without end. \return false when the time is over, or after shutdown.
  template <class RepT = int64_t, class RatioT = std::milli>
  bool wait_for_service(std::chrono::duration<RepT, RatioT> timeout = std::chrono::duration<RepT, RatioT>(-1)) {
    return wait_for_service_nanoseconds(std::chrono::duration_cast<std::chrono::nanoseconds>(timeout));
  }

 private:
  bool wait_for_service_nanoseconds(std::chrono::nanoseconds timeout);

  struct Clients;

  const std::string remote_node_name_;
  const node_interfaces::NodeTopicsInterface::SharedPtr topics_;
  const std::shared_ptr<const Clients> clients_;
};

/// Asks, and spins an executor until the answer is there. Not from a callback of that executor. When the time is over (negative:
/// never) there is no answer: empty, or a result that is not successful.
class RCLCPP_PUBLIC SyncParametersClient {
 public:
  RCLCPP_SMART_PTR_DEFINITIONS(SyncParametersClient)
  using NodeBase = node_interfaces::NodeBaseInterface;
  using Nanoseconds = std::chrono::nanoseconds;
  using Results = AsyncParametersClient::Results;

  SyncParametersClient(const Executor::SharedPtr & executor, const NodeBase::SharedPtr & node_base,
                       const node_interfaces::NodeTopicsInterface::SharedPtr & node_topics,
                       const node_interfaces::NodeGraphInterface::SharedPtr & node_graph,
                       const node_interfaces::NodeServicesInterface::SharedPtr & node_services,
                       const std::string & remote_node_name = "", const QoS & qos = ParametersQoS());
  template <class NodeT>
  explicit SyncParametersClient(const std::shared_ptr<NodeT> & node, const std::string & remote_node_name = "",
                                const QoS & qos = ParametersQoS())
      : SyncParametersClient(make_executor(node), node, remote_node_name, qos) {}
  template <class NodeT>
  SyncParametersClient(const Executor::SharedPtr & executor, const std::shared_ptr<NodeT> & node,
                       const std::string & remote_node_name = "", const QoS & qos = ParametersQoS())
      : SyncParametersClient(executor, node->get_node_base_interface(), node->get_node_topics_interface(),
                             node->get_node_graph_interface(), node->get_node_services_interface(), remote_node_name,
                             qos) {}
  template <class NodeT>
  explicit SyncParametersClient(NodeT * node, const std::string & remote_node_name = "",
                                const QoS & qos = ParametersQoS())
      : SyncParametersClient(make_executor(node), node, remote_node_name, qos) {}
  template <class NodeT>
  SyncParametersClient(const Executor::SharedPtr & executor, NodeT * node, const std::string & remote_node_name = "",
                       const QoS & qos = ParametersQoS())
      : SyncParametersClient(executor, node->get_node_base_interface(), node->get_node_topics_interface(),
                             node->get_node_graph_interface(), node->get_node_services_interface(), remote_node_name,
                             qos) {}

  std::vector<Parameter> get_parameters(const std::vector<std::string> & names, Nanoseconds timeout = Nanoseconds(-1));
  bool has_parameter(const std::string & parameter_name);
  template <class T>
  T get_parameter(const std::string & parameter_name, const T & default_value) {
    const auto found = get_parameters({parameter_name});
    return found.size() == 1 && found[0].get_type() != PARAMETER_NOT_SET ? T(found[0].template get_value<T>())
                                                                         : default_value;
  }
  /// \throws std::runtime_error when there is none.
  template <class T>
  T get_parameter(const std::string & parameter_name) {
    const auto found = get_parameters({parameter_name});
    if (found.size() != 1 || found[0].get_type() == PARAMETER_NOT_SET) {
      throw std::runtime_error("Parameter '" + parameter_name + "' is not set");
    }
    return T(found[0].template get_value<T>());
  }
  AsyncParametersClient::Descriptors describe_parameters(const std::vector<std::string> & parameter_names,
                                                         Nanoseconds timeout = Nanoseconds(-1));
  std::vector<ParameterType> get_parameter_types(const std::vector<std::string> & parameter_names,
                                                 Nanoseconds timeout = Nanoseconds(-1));
  Results set_parameters(const std::vector<Parameter> & parameters, Nanoseconds timeout = Nanoseconds(-1));
  rcl_interfaces::msg::SetParametersResult set_parameters_atomically(const std::vector<Parameter> & parameters,
                                                                     Nanoseconds timeout = Nanoseconds(-1));
  Results delete_parameters(const std::vector<std::string> & parameters_names, Nanoseconds timeout = Nanoseconds(-1));
  Results load_parameters(const std::string & yaml_filename, Nanoseconds timeout = Nanoseconds(-1));
  rcl_interfaces::msg::ListParametersResult list_parameters(const std::vector<std::string> & parameter_prefixes,
                                                            uint64_t depth, Nanoseconds timeout = Nanoseconds(-1));

  template <class CallbackT>
  std::shared_ptr<Subscription<rcl_interfaces::msg::ParameterEvent>> on_parameter_event(CallbackT && callback) {
    return client_.on_parameter_event(std::forward<CallbackT>(callback));
  }
  template <class CallbackT, class NodeT>
  static std::shared_ptr<Subscription<rcl_interfaces::msg::ParameterEvent>> on_parameter_event(NodeT && node,
                                                                                               CallbackT && callback) {
    return AsyncParametersClient::on_parameter_event(node, std::forward<CallbackT>(callback));
  }

  bool service_is_ready() const { return client_.service_is_ready(); }
  template <class RepT = int64_t, class RatioT = std::milli>
  bool wait_for_service(std::chrono::duration<RepT, RatioT> timeout = std::chrono::duration<RepT, RatioT>(-1)) {
    return client_.wait_for_service(timeout);
  }

 private:
  template <class NodeT>
  static Executor::SharedPtr make_executor(const NodeT & node) {
    ExecutorOptions options;
    options.context = node->get_node_base_interface()->get_context();
    return std::make_shared<executors::SingleThreadedExecutor>(options);
  }
  template <class T>
  T answer(std::shared_future<T> future, Nanoseconds timeout);

  const Executor::SharedPtr executor_;
  const NodeBase::SharedPtr node_;
  AsyncParametersClient client_;
};

}  // namespace rclcpp

#endif  // RCLCPP__PARAMETER_CLIENT_HPP_
