// A node's parameters. What may happen to one: declared → set, set, ... → undeclared, each under the lock, in the order
// checks · callbacks that may refuse · the change · callbacks that look · the event.
#include <algorithm>
#include <stdexcept>

#include "arguments.hpp"
#include "parameter_check.hpp"
#include "rclcpp/logging.hpp"
#include "rclcpp/node_interfaces/node_parameters_interface.hpp"
#include "rclcpp/node_options.hpp"

namespace rclcpp::node_interfaces {
namespace {

using rcl_interfaces::msg::SetParametersResult;

SetParametersResult success() {
  SetParametersResult result;
  result.successful = true;
  return result;
}

SetParametersResult failure(const std::string & reason) {
  SetParametersResult result;
  result.successful = false;
  result.reason = reason;
  return result;
}

void require_name(const std::string & name) {
  if (name.empty()) throw exceptions::InvalidParametersException("parameter name must not be empty");
}

/// Calls function(callback) for each that is still wanted, until it returns false.
template <class Handles, class Function>
void for_each_callback(Handles & handles, Function && function) {
  for (auto it = handles.begin(); it != handles.end();) {
    const auto handle = it->lock();
    if (!handle) {
      it = handles.erase(it);
    } else if (function(handle->callback)) {
      ++it;
    } else {
      return;
    }
  }
}

template <class Handle, class Callback>
std::shared_ptr<Handle> add(std::list<std::weak_ptr<Handle>> & handles, Callback && callback) {
  auto handle = std::make_shared<Handle>();
  handle->callback = std::forward<Callback>(callback);
  handles.push_front(handle);
  return handle;
}

template <class Handle>
void remove(std::list<std::weak_ptr<Handle>> & handles, const Handle * handle) {
  const auto found =
      std::find_if(handles.begin(), handles.end(), [handle](const auto & weak) { return weak.lock().get() == handle; });
  if (!handle || found == handles.end())
    throw std::runtime_error("the callback of parameters to remove does not exist");
  handles.erase(found);
}

}  // namespace

/// The lock, held while parameters change; refuses a second change from within.
class NodeParametersInterface::Modification {
 public:
  explicit Modification(NodeParametersInterface & parameters) : lock_(parameters.mutex_), parameters_(parameters) {
    if (parameters_.is_modifying_) {
      throw exceptions::ParameterModifiedInCallbackException(
          "cannot set or declare a parameter, or change the callbacks of parameters, from within a callback of theirs");
    }
    parameters_.is_modifying_ = true;
  }
  ~Modification() { parameters_.is_modifying_ = false; }
  RCLCPP_DISABLE_COPY(Modification)

 private:
  const std::lock_guard<std::recursive_mutex> lock_;
  NodeParametersInterface & parameters_;
};

NodeParametersInterface::NodeParametersInterface(const NodeBaseInterface::SharedPtr & base, Clock::SharedPtr clock,
                                                 const NodeOptions & options)
    : node_(base->get_fully_qualified_name()),
      clock_(std::move(clock)),
      allow_undeclared_(options.allow_undeclared_parameters()) {
  if (options.start_parameter_event_publisher()) {
    events_ = std::make_shared<Publisher<Event>>(base->open_publisher(
        tandem::message_type<Event>(), "/parameter_events", options.parameter_event_qos(), PublisherOptionsBase()));
  }
  for (const auto & arguments : {base->global_arguments(), base->local_arguments()}) {
    if (arguments) detail::apply_rules(arguments->parameters, node_, overrides_);
  }
  for (const auto & parameter : options.parameter_overrides()) {
    overrides_[parameter.get_name()] = parameter.get_parameter_value();
  }
  if (options.automatically_declare_parameters_from_overrides()) {
    ParameterDescriptor descriptor;
    descriptor.dynamic_typing = true;
    for (const auto & [name, value] : overrides_) declare_parameter(name, value, descriptor, true);
  }
  if (!has_parameter("use_sim_time")) declare_parameter("use_sim_time", ParameterValue(false));
}

NodeParametersInterface::~NodeParametersInterface() = default;

const ParameterValue & NodeParametersInterface::declare_parameter(const std::string & name,
                                                                  const ParameterValue & default_value,
                                                                  const ParameterDescriptor & descriptor,
                                                                  bool ignore_override) {
  ParameterDescriptor typed = descriptor;
  if (!descriptor.dynamic_typing) {
    if (default_value.get_type() == PARAMETER_NOT_SET) {
      throw exceptions::InvalidParameterTypeException(
          name, "cannot declare a statically typed parameter with an uninitialized value");
    }
    typed.type = default_value.get_type();
  }
  return declare(name, default_value, std::move(typed), ignore_override);
}

const ParameterValue & NodeParametersInterface::declare_parameter(const std::string & name, ParameterType type,
                                                                  const ParameterDescriptor & descriptor,
                                                                  bool ignore_override) {
  if (type == PARAMETER_NOT_SET) {
    throw std::invalid_argument("declare_parameter(): the type of parameter '" + name + "' cannot be 'not set'");
  }
  if (descriptor.dynamic_typing) {
    throw std::invalid_argument("declare_parameter(): parameter '" + name +
                                "' is given a type, but its descriptor asks for dynamic typing");
  }
  ParameterDescriptor typed = descriptor;
  typed.type = type;
  return declare(name, ParameterValue(), std::move(typed), ignore_override);
}

const ParameterValue & NodeParametersInterface::declare(const std::string & name, const ParameterValue & default_value,
                                                        ParameterDescriptor descriptor, bool ignore_override) {
  const Modification modification(*this);
  require_name(name);
  if (parameters_.count(name) != 0) {
    throw exceptions::ParameterAlreadyDeclaredException("parameter '" + name + "' has already been declared");
  }
  const auto override_value = overrides_.find(name);
  const bool is_overridden = !ignore_override && override_value != overrides_.end();
  const Parameter parameter(name, is_overridden ? override_value->second : default_value);
  descriptor.name = name;
  if (descriptor.dynamic_typing) descriptor.type = parameter.get_type();

  if (parameter.get_type() != PARAMETER_NOT_SET) {
    if (const auto problem = detail::check_type(descriptor, parameter)) {
      throw exceptions::InvalidParameterTypeException(name, *problem);
    }
    const auto problem = detail::check_range(descriptor, parameter);
    const SetParametersResult result = problem ? failure(*problem) : ask_callbacks({parameter});
    if (!result.successful) {
      throw exceptions::InvalidParameterValueException("parameter '" + name +
                                                       "' could not be set: " + std::string(result.reason));
    }
  }
  const auto & declared = parameters_[name] = {parameter.get_parameter_value(), std::move(descriptor)};
  if (parameter.get_type() != PARAMETER_NOT_SET) {
    warn_about_simulated_time(parameter);
    for_each_callback(post_set_, [&](const auto & callback) { return callback({parameter}), true; });
    publish({{parameter}, {}, {}});
  }
  return declared.value;
}

void NodeParametersInterface::undeclare_parameter(const std::string & name) {
  const Modification modification(*this);
  const auto found = parameters_.find(name);
  if (found == parameters_.end()) {
    throw exceptions::ParameterNotDeclaredException("cannot undeclare parameter '" + name +
                                                    "' which has not yet been declared");
  }
  if (found->second.descriptor.read_only) {
    throw exceptions::ParameterImmutableException("cannot undeclare parameter '" + name + "' because it is read-only");
  }
  if (!found->second.descriptor.dynamic_typing) {
    throw exceptions::InvalidParameterTypeException(name, "cannot undeclare a statically typed parameter");
  }
  parameters_.erase(found);
}

std::vector<SetParametersResult> NodeParametersInterface::set_parameters(const std::vector<Parameter> & parameters) {
  std::vector<SetParametersResult> results;
  for (const auto & parameter : parameters) results.push_back(set_parameters_atomically({parameter}));
  return results;
}

SetParametersResult NodeParametersInterface::set_parameters_atomically(const std::vector<Parameter> & parameters) {
  const Modification modification(*this);
  std::vector<Parameter> wanted = parameters;
  for_each_callback(pre_set_, [&](const auto & callback) { return callback(wanted), true; });
  if (wanted.empty()) {
    return failure("the list of parameters is empty; it was given so, or a pre-set callback emptied it");
  }
  if (auto result = check(wanted); !result.successful) return result;
  if (auto result = ask_callbacks(wanted); !result.successful) return result;
  const Changes changes = apply(wanted);
  for_each_callback(post_set_, [&](const auto & callback) { return callback(wanted), true; });
  publish(changes);
  return success();
}

SetParametersResult NodeParametersInterface::check(const std::vector<Parameter> & parameters) const {
  for (const auto & parameter : parameters) {
    const std::string & name = parameter.get_name();
    require_name(name);
    const auto found = parameters_.find(name);
    if (found == parameters_.end()) {
      if (allow_undeclared_) continue;  // it will be typed dynamically
      throw exceptions::ParameterNotDeclaredException("parameter '" + name +
                                                      "' cannot be set because it was not declared");
    }
    const auto & descriptor = found->second.descriptor;
    if (descriptor.read_only) return failure("parameter '" + name + "' cannot be set because it is read-only");
    if (const auto problem = detail::check_type(descriptor, parameter)) return failure(*problem);
    if (const auto problem = detail::check_range(descriptor, parameter)) return failure(*problem);
  }
  return success();
}

SetParametersResult NodeParametersInterface::ask_callbacks(const std::vector<Parameter> & parameters) {
  SetParametersResult result = success();
  for_each_callback(on_set_, [&](const auto & callback) {
    result = callback(parameters);
    return result.successful;
  });
  return result;
}

NodeParametersInterface::Changes NodeParametersInterface::apply(const std::vector<Parameter> & parameters) {
  Changes changes;
  for (const auto & parameter : parameters) {
    const auto [entry, is_new] = parameters_.try_emplace(parameter.get_name());
    auto & [value, descriptor] = entry->second;
    if (!is_new && parameter.get_type() == PARAMETER_NOT_SET && value.get_type() != PARAMETER_NOT_SET) {
      changes.deleted.emplace_back(parameter.get_name(), value);
      parameters_.erase(entry);
      continue;
    }
    if (is_new) {
      descriptor.name = parameter.get_name();
      descriptor.dynamic_typing = true;
    }
    if (descriptor.dynamic_typing) descriptor.type = parameter.get_type();
    value = parameter.get_parameter_value();
    (is_new ? changes.added : changes.changed).push_back(parameter);
    warn_about_simulated_time(parameter);
  }
  return changes;
}

void NodeParametersInterface::warn_about_simulated_time(const Parameter & parameter) const {
  if (parameter.get_name() == "use_sim_time" && parameter.get_parameter_value() == ParameterValue(true)) {
    RCLCPP_WARN(get_logger("rclcpp"), "node '%s': simulated time is not supported yet; ROS time is the system's time",
                node_.c_str());
  }
}

void NodeParametersInterface::publish(const Changes & changes) {
  if (!events_) return;
  const bool is_kept = events_->get_actual_qos().durability() == DurabilityPolicy::TransientLocal;
  if (!is_kept && events_->get_subscription_count() == 0) return;  // nobody would ever see it
  try {
    auto event = std::make_unique<Event>();
    event->stamp = clock_->now();
    event->node = node_;
    for (const auto & parameter : changes.added) event->new_parameters.push_back(parameter.to_parameter_msg());
    for (const auto & parameter : changes.changed) event->changed_parameters.push_back(parameter.to_parameter_msg());
    for (const auto & parameter : changes.deleted) event->deleted_parameters.push_back(parameter.to_parameter_msg());
    events_->publish(std::move(event));
  } catch (const std::exception & error) {  // the parameters are set all the same
    RCLCPP_WARN_ONCE(get_logger("rclcpp"), "node '%s' cannot tell of changed parameters: %s", node_.c_str(),
                     error.what());
  }
}

PreSetParametersCallbackHandle::SharedPtr NodeParametersInterface::add_pre_set_parameters_callback(
    PreSetParametersCallbackType callback) {
  const Modification modification(*this);
  return add(pre_set_, std::move(callback));
}

OnSetParametersCallbackHandle::SharedPtr NodeParametersInterface::add_on_set_parameters_callback(
    OnSetParametersCallbackType callback) {
  const Modification modification(*this);
  return add(on_set_, std::move(callback));
}

PostSetParametersCallbackHandle::SharedPtr NodeParametersInterface::add_post_set_parameters_callback(
    PostSetParametersCallbackType callback) {
  const Modification modification(*this);
  return add(post_set_, std::move(callback));
}

void NodeParametersInterface::remove_pre_set_parameters_callback(const PreSetParametersCallbackHandle * handle) {
  const Modification modification(*this);
  remove(pre_set_, handle);
}

void NodeParametersInterface::remove_on_set_parameters_callback(const OnSetParametersCallbackHandle * handle) {
  const Modification modification(*this);
  remove(on_set_, handle);
}

void NodeParametersInterface::remove_post_set_parameters_callback(const PostSetParametersCallbackHandle * handle) {
  const Modification modification(*this);
  remove(post_set_, handle);
}

}  // namespace rclcpp::node_interfaces
