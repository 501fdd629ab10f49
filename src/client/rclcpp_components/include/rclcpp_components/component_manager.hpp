// A container: a node that loads other nodes into its process, and unloads them, when its services are asked to.
#ifndef RCLCPP_COMPONENTS__COMPONENT_MANAGER_HPP_
#define RCLCPP_COMPONENTS__COMPONENT_MANAGER_HPP_

#include <cstdint>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "composition_interfaces/srv/list_nodes.hpp"
#include "composition_interfaces/srv/load_node.hpp"
#include "composition_interfaces/srv/unload_node.hpp"
#include "rclcpp/executor.hpp"
#include "rclcpp/node_options.hpp"
#include "rclcpp/rclcpp.hpp"
#include "rclcpp_components/node_factory.hpp"
#include "rclcpp_components/visibility_control.hpp"

namespace class_loader {
class ClassLoader;
}  // namespace class_loader

namespace rclcpp_components {

/// Its text is the error message of the service's response.
class RCLCPP_COMPONENTS_PUBLIC ComponentManagerException : public std::runtime_error {
 public:
  explicit ComponentManagerException(const std::string & error_desc) : std::runtime_error(error_desc) {}
};

/// Serves ~/_container/load_node, unload_node and list_nodes. What it loads is spun by the executor that it was given. A
/// library stays in the process once it was loaded: others may still read messages whose code lies in it.
///
/// Its calls must not overlap; as callbacks of its services, which are in one group, they do not.
class RCLCPP_COMPONENTS_PUBLIC ComponentManager : public rclcpp::Node {
 public:
  using LoadNode = composition_interfaces::srv::LoadNode;
  using UnloadNode = composition_interfaces::srv::UnloadNode;
  using ListNodes = composition_interfaces::srv::ListNodes;

  /// Name of the class, absolute path of the library.
  using ComponentResource = std::pair<std::string, std::string>;

  /// Declares the parameter thread_num, which the program component_container_mt reads.
  ComponentManager(std::weak_ptr<rclcpp::Executor> executor = std::weak_ptr<rclcpp::executors::MultiThreadedExecutor>(),
                   std::string node_name = "ComponentManager",
                   const rclcpp::NodeOptions & node_options =
                       rclcpp::NodeOptions().start_parameter_services(false).start_parameter_event_publisher(false));
  ~ComponentManager() override;

  /// The components of a package, of the first prefix of AMENT_PREFIX_PATH that has some.
  /// \throws ComponentManagerException when there are none, or when the file that names them is broken.
  virtual std::vector<ComponentResource> get_component_resources(
      const std::string & package_name, const std::string & resource_index = "rclcpp_components") const;

  /// Loads the library, unless it is loaded. \return null when it does not have the class.
  /// \throws ComponentManagerException when it cannot be loaded.
  virtual std::shared_ptr<rclcpp_components::NodeFactory> create_component_factory(const ComponentResource & resource);

  /// Of the nodes that are loaded from now on.
  virtual void set_executor(const std::weak_ptr<rclcpp::Executor> executor);

 protected:
  /// What the request says about name, namespace, remappings, parameters and extra arguments.
  /// \throws ComponentManagerException when an extra argument has the wrong type.
  virtual rclcpp::NodeOptions create_node_options(const std::shared_ptr<LoadNode::Request> request);

  // Called after a node was put into node_wrappers_, and before it is taken from there.
  virtual void add_node_to_executor(uint64_t node_id);
  virtual void remove_node_from_executor(uint64_t node_id);

  // The services. What goes wrong is logged, and told in the response.
  virtual void on_load_node(const std::shared_ptr<rmw_request_id_t> request_header,
                            const std::shared_ptr<LoadNode::Request> request,
                            std::shared_ptr<LoadNode::Response> response);
  virtual void on_unload_node(const std::shared_ptr<rmw_request_id_t> request_header,
                              const std::shared_ptr<UnloadNode::Request> request,
                              std::shared_ptr<UnloadNode::Response> response);
  virtual void on_list_nodes(const std::shared_ptr<rmw_request_id_t> request_header,
                             const std::shared_ptr<ListNodes::Request> request,
                             std::shared_ptr<ListNodes::Response> response);

  // Their names in Foxy. Overriding these has no effect.
  [[deprecated("it is on_load_node()")]] virtual void OnLoadNode(const std::shared_ptr<rmw_request_id_t> request_header,
                                                                 const std::shared_ptr<LoadNode::Request> request,
                                                                 std::shared_ptr<LoadNode::Response> response) {
    on_load_node(request_header, request, response);
  }
  [[deprecated("it is on_unload_node()")]] virtual void OnUnloadNode(
      const std::shared_ptr<rmw_request_id_t> request_header, const std::shared_ptr<UnloadNode::Request> request,
      std::shared_ptr<UnloadNode::Response> response) {
    on_unload_node(request_header, request, response);
  }
  [[deprecated("it is on_list_nodes()")]] virtual void OnListNodes(
      const std::shared_ptr<rmw_request_id_t> request_header, const std::shared_ptr<ListNodes::Request> request,
      std::shared_ptr<ListNodes::Response> response) {
    on_list_nodes(request_header, request, response);
  }

  std::weak_ptr<rclcpp::Executor> executor_;
  uint64_t unique_id_{1};  ///< of the next node; one that fails to load uses its number up
  std::map<std::string, std::unique_ptr<class_loader::ClassLoader>> loaders_;  ///< by the path of the library
  std::map<uint64_t, rclcpp_components::NodeInstanceWrapper> node_wrappers_;

  rclcpp::Service<LoadNode>::SharedPtr loadNode_srv_;
  rclcpp::Service<UnloadNode>::SharedPtr unloadNode_srv_;
  rclcpp::Service<ListNodes>::SharedPtr listNodes_srv_;

 private:
  bool load(const std::shared_ptr<LoadNode::Request> & request, LoadNode::Response & response);
};

}  // namespace rclcpp_components

#endif  // RCLCPP_COMPONENTS__COMPONENT_MANAGER_HPP_
