#include "rclcpp_components/component_manager.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <thread>

#include "class_loader/class_loader.hpp"
#include "tandem/ament_prefixes.hpp"

namespace rclcpp_components {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kRequests = 200;  // a launch file may send as many at once

/// "class;library" of a line. \throws ComponentManagerException
ComponentManager::ComponentResource to_resource(const std::string & line, const fs::path & prefix) {
  const auto semicolon = line.find(';');
  if (semicolon == std::string::npos || line.find(';', semicolon + 1) != std::string::npos) {
    throw ComponentManagerException("Invalid resource entry");
  }
  // Of two paths joined an absolute second one stays.
  return {line.substr(0, semicolon), (prefix / line.substr(semicolon + 1)).string()};
}

/// \throws ComponentManagerException when it is no bool.
bool to_bool(const rclcpp::Parameter & argument) {
  if (argument.get_type() != rclcpp::ParameterType::PARAMETER_BOOL) {
    throw ComponentManagerException("Extra component argument '" + argument.get_name() + "' must be a boolean");
  }
  return argument.as_bool();
}

std::vector<std::string> to_arguments(const ComponentManager::LoadNode::Request & request) {
  std::vector<std::string> arguments{"--ros-args"};
  const auto remap = [&arguments](const std::string & rule) { arguments.insert(arguments.end(), {"-r", rule}); };
  for (const auto & rule : request.remap_rules) remap(rule.c_str());
  if (!request.node_name.empty()) remap(std::string("__node:=") + request.node_name.c_str());
  if (!request.node_namespace.empty()) remap(std::string("__ns:=") + request.node_namespace.c_str());
  return arguments;
}

NodeInstanceWrapper construct(NodeFactory & factory, const rclcpp::NodeOptions & options) {
  try {
    return factory.create_node_instance(options);
  } catch (const std::exception & error) {
    throw ComponentManagerException("Component constructor threw an exception: " + std::string(error.what()));
  } catch (...) {
    throw ComponentManagerException("Component constructor threw an exception");
  }
}

}  // namespace

ComponentManager::ComponentManager(std::weak_ptr<rclcpp::Executor> executor, std::string node_name,
                                   const rclcpp::NodeOptions & node_options)
    : Node(node_name, node_options), executor_(std::move(executor)) {
  using namespace std::placeholders;  // NOLINT: of std::bind
  const rclcpp::QoS qos = rclcpp::ServicesQoS().keep_last(kRequests);
  loadNode_srv_ = create_service<LoadNode>("~/_container/load_node",
                                           std::bind(&ComponentManager::on_load_node, this, _1, _2, _3), qos);
  unloadNode_srv_ = create_service<UnloadNode>("~/_container/unload_node",
                                               std::bind(&ComponentManager::on_unload_node, this, _1, _2, _3), qos);
  listNodes_srv_ = create_service<ListNodes>("~/_container/list_nodes",
                                             std::bind(&ComponentManager::on_list_nodes, this, _1, _2, _3));

  const auto processors = static_cast<std::int64_t>(std::max(std::thread::hardware_concurrency(), 1U));
  rcl_interfaces::msg::ParameterDescriptor descriptor;
  descriptor.description = "threads of component_container_mt";
  descriptor.integer_range.resize(1);
  descriptor.integer_range[0].from_value = 1;
  descriptor.integer_range[0].to_value = processors;
  descriptor.read_only = true;
  declare_parameter("thread_num", processors, descriptor);
}

ComponentManager::~ComponentManager() {
  const auto executor = executor_.lock();
  if (!executor) return;
  for (auto & [id, wrapper] : node_wrappers_) {
    const auto node = wrapper.get_node_base_interface();
    if (node->get_associated_with_executor_atomic().load()) executor->remove_node(node);
  }
}

std::vector<ComponentManager::ComponentResource> ComponentManager::get_component_resources(
    const std::string & package_name, const std::string & resource_index) const {
  for (const fs::path & prefix : tandem::ament_prefixes()) {
    std::ifstream file(prefix / "share/ament_index/resource_index" / resource_index / package_name);
    if (package_name.empty() || !file) continue;
    std::vector<ComponentResource> resources;
    for (std::string line; std::getline(file, line);) {
      if (!line.empty()) resources.push_back(to_resource(line, prefix));
    }
    return resources;
  }
  throw ComponentManagerException("Could not find requested resource in ament index");
}

std::shared_ptr<NodeFactory> ComponentManager::create_component_factory(const ComponentResource & resource) {
  const auto & [class_name, library] = resource;
  auto & loader = loaders_[library];
  if (!loader) {
    RCLCPP_INFO(get_logger(), "Load Library: %s", library.c_str());
    try {
      loader = std::make_unique<class_loader::ClassLoader>(library);
    } catch (const std::exception & error) {
      loaders_.erase(library);
      throw ComponentManagerException("Failed to load library: " + std::string(error.what()));
    }
    dlopen(library.c_str(), RTLD_LAZY | RTLD_NODELETE);
  }
  const std::string factory = "rclcpp_components::NodeFactoryTemplate<" + class_name + ">";
  for (const std::string & found : loader->getAvailableClasses<NodeFactory>()) {
    RCLCPP_INFO(get_logger(), "Found class: %s", found.c_str());
    if (found != class_name && found != factory) continue;
    RCLCPP_INFO(get_logger(), "Instantiate class: %s", found.c_str());
    return loader->createInstance<NodeFactory>(found);
  }
  return nullptr;
}

rclcpp::NodeOptions ComponentManager::create_node_options(const std::shared_ptr<LoadNode::Request> request) {
  std::vector<rclcpp::Parameter> parameters;
  for (const auto & parameter : request->parameters) {
    parameters.push_back(rclcpp::Parameter::from_parameter_msg(parameter));
  }
  rclcpp::NodeOptions options;
  options.use_global_arguments(false).parameter_overrides(parameters).arguments(to_arguments(*request));
  for (const auto & message : request->extra_arguments) {
    const auto argument = rclcpp::Parameter::from_parameter_msg(message);
    if (argument.get_name() == "use_intra_process_comms") options.use_intra_process_comms(to_bool(argument));
    if (argument.get_name() == "forward_global_arguments") options.use_global_arguments(to_bool(argument));
  }
  if (options.use_global_arguments()) {
    RCLCPP_WARN(get_logger(), "forward_global_arguments is set: the arguments of the container act on this node too");
  }
  return options;
}

void ComponentManager::set_executor(const std::weak_ptr<rclcpp::Executor> executor) { executor_ = executor; }

void ComponentManager::add_node_to_executor(uint64_t node_id) {
  if (const auto executor = executor_.lock()) {
    executor->add_node(node_wrappers_[node_id].get_node_base_interface(), true);
  }
}

void ComponentManager::remove_node_from_executor(uint64_t node_id) {
  if (const auto executor = executor_.lock()) {
    executor->remove_node(node_wrappers_[node_id].get_node_base_interface());
  }
}

/// \return false when the package has no such component, or its library has not.
bool ComponentManager::load(const std::shared_ptr<LoadNode::Request> & request, LoadNode::Response & response) {
  for (const ComponentResource & resource : get_component_resources(request->package_name.c_str())) {
    const auto factory = resource.first == request->plugin_name.c_str() ? create_component_factory(resource) : nullptr;
    if (!factory) continue;
    const rclcpp::NodeOptions options = create_node_options(request);
    const uint64_t node_id = unique_id_++;
    node_wrappers_[node_id] = construct(*factory, options);
    add_node_to_executor(node_id);
    response.full_node_name = node_wrappers_[node_id].get_node_base_interface()->get_fully_qualified_name();
    response.unique_id = node_id;
    return true;
  }
  return false;
}

void ComponentManager::on_load_node(const std::shared_ptr<rmw_request_id_t>,
                                    const std::shared_ptr<LoadNode::Request> request,
                                    std::shared_ptr<LoadNode::Response> response) {
  try {
    response->success = load(request, *response);
    if (!response->success) {
      RCLCPP_ERROR(get_logger(), "Failed to find class with the requested plugin name '%s' in the loaded library",
                   request->plugin_name.c_str());
      response->error_message = "Failed to find class with the requested plugin name.";
    }
  } catch (const std::exception & error) {  // whatever a request brings about, the other nodes go on
    RCLCPP_ERROR(get_logger(), "%s", error.what());
    response->error_message = error.what();
    response->success = false;
  }
}

void ComponentManager::on_unload_node(const std::shared_ptr<rmw_request_id_t>,
                                      const std::shared_ptr<UnloadNode::Request> request,
                                      std::shared_ptr<UnloadNode::Response> response) {
  const auto found = node_wrappers_.find(request->unique_id);
  response->success = found != node_wrappers_.end();
  if (!response->success) {
    const std::string error = "No node found with unique_id: " + std::to_string(request->unique_id);
    RCLCPP_WARN(get_logger(), "%s", error.c_str());
    response->error_message = error;
    return;
  }
  remove_node_from_executor(request->unique_id);
  node_wrappers_.erase(found);
}

void ComponentManager::on_list_nodes(const std::shared_ptr<rmw_request_id_t>, const std::shared_ptr<ListNodes::Request>,
                                     std::shared_ptr<ListNodes::Response> response) {
  for (auto & [id, wrapper] : node_wrappers_) {
    response->unique_ids.push_back(id);
    response->full_node_names.push_back(wrapper.get_node_base_interface()->get_fully_qualified_name());
  }
}

}  // namespace rclcpp_components
