#include "rclcpp/parameter_event_handler.hpp"

#include <algorithm>
#include <stdexcept>

#include "rclcpp/detail/names.hpp"

namespace rclcpp {
namespace {

/// Those that somebody still keeps; the others leave the list.
template <class Handle>
std::vector<std::shared_ptr<Handle>> living(std::list<std::weak_ptr<Handle>> & handles) {
  std::vector<std::shared_ptr<Handle>> result;
  for (auto it = handles.begin(); it != handles.end();) {
    if (auto handle = it->lock()) {
      result.push_back(std::move(handle));
      ++it;
    } else {
      it = handles.erase(it);
    }
  }
  return result;
}

template <class Handle>
void remove(std::list<std::weak_ptr<Handle>> & handles, const std::shared_ptr<Handle> & handle) {
  const auto found =
      std::find_if(handles.begin(), handles.end(), [&](const auto & weak) { return weak.lock() == handle; });
  if (found == handles.end()) throw std::runtime_error("Callback doesn't exist");
  handles.erase(found);
}

}  // namespace

ParameterEventCallbackHandle::SharedPtr ParameterEventHandler::add_parameter_event_callback(
    ParameterEventCallbackType callback) {
  auto handle = std::make_shared<ParameterEventCallbackHandle>();
  handle->callback = std::move(callback);
  const std::lock_guard<std::mutex> lock(state_->mutex);
  state_->events.push_front(handle);
  return handle;
}

void ParameterEventHandler::remove_parameter_event_callback(ParameterEventCallbackHandle::SharedPtr callback_handle) {
  const std::lock_guard<std::mutex> lock(state_->mutex);
  remove(state_->events, callback_handle);
}

ParameterCallbackHandle::SharedPtr ParameterEventHandler::add_parameter_callback(const std::string & parameter_name,
                                                                                 ParameterCallbackType callback,
                                                                                 const std::string & node_name) {
  auto handle = std::make_shared<ParameterCallbackHandle>();
  handle->callback = std::move(callback);
  handle->parameter_name = parameter_name;
  handle->node_name = resolve_path(node_name);
  const std::lock_guard<std::mutex> lock(state_->mutex);
  state_->parameters.push_front(handle);
  return handle;
}

void ParameterEventHandler::remove_parameter_callback(ParameterCallbackHandle::SharedPtr callback_handle) {
  const std::lock_guard<std::mutex> lock(state_->mutex);
  remove(state_->parameters, callback_handle);
}

bool ParameterEventHandler::configure_nodes_filter(const std::vector<std::string> & node_names) {
  std::set<std::string> names;
  for (const std::string & name : node_names) names.insert(resolve_path(name));
  const std::lock_guard<std::mutex> lock(state_->mutex);
  state_->nodes = std::move(names);
  return true;
}

bool ParameterEventHandler::get_parameter_from_event(const Event & event, Parameter & parameter,
                                                     const std::string & parameter_name,
                                                     const std::string & node_name) {
  if (event.node != node_name) return false;
  for (const auto * changes : {&event.new_parameters, &event.changed_parameters}) {
    for (const auto & change : *changes) {
      if (change.name == parameter_name) {
        parameter = Parameter::from_parameter_msg(change);
        return true;
      }
    }
  }
  return false;
}

Parameter ParameterEventHandler::get_parameter_from_event(const Event & event, const std::string & parameter_name,
                                                          const std::string & node_name) {
  Parameter parameter;
  if (event.node != node_name) {
    throw std::runtime_error(std::string("an event of node '") + event.node.c_str() + "' has no parameter '" +
                             parameter_name + "' of node '" + node_name + "'");
  }
  if (!get_parameter_from_event(event, parameter, parameter_name, node_name)) {
    return Parameter(parameter_name, PARAMETER_NOT_SET);
  }
  return parameter;
}

std::vector<Parameter> ParameterEventHandler::get_parameters_from_event(const Event & event) {
  std::vector<Parameter> parameters;
  for (const auto * changes : {&event.new_parameters, &event.changed_parameters}) {
    for (const auto & change : *changes) parameters.push_back(Parameter::from_parameter_msg(change));
  }
  return parameters;
}

void ParameterEventHandler::State::dispatch(const Event & event) {
  std::unique_lock<std::mutex> lock(mutex);
  if (!nodes.empty() && nodes.count(event.node.c_str()) == 0) return;
  const auto for_parameters = living(parameters);
  const auto for_events = living(events);
  lock.unlock();
  for (const auto & handle : for_parameters) {
    Parameter parameter;
    if (get_parameter_from_event(event, parameter, handle->parameter_name, handle->node_name)) {
      handle->callback(parameter);
    }
  }
  for (const auto & handle : for_events) handle->callback(event);
}

std::string ParameterEventHandler::resolve_path(const std::string & path) const {
  if (path.empty()) return node_base_->get_fully_qualified_name();
  return path[0] == '/' ? path : detail::NodePath{node_base_->get_namespace(), path}.full();
}

}  // namespace rclcpp
