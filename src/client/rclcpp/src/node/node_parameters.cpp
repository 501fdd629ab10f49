// Changes of a node's parameters: declaring, setting and undeclaring. Queries: node_parameters_queries.cpp.
//
// A change takes these steps, all but the last under the lock:
//   1. The pre-set callbacks may change what is set (not when a parameter is declared).
//   2. The name, the type and the range are checked.
//   3. The on-set callbacks may refuse.
//   4. The values change. Nothing is refused from here on, so several parameters change together or not at all.
//   5. The post-set callbacks see the new values.
//   6. /parameter_events tells other nodes.
//   7. The library's own callbacks act on values that were set.
#include <stdexcept>

#include "context/arguments.hpp"
#include "parameters/parameter_callbacks.hpp"
#include "parameters/parameter_check.hpp"
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

}  // namespace

/// Holds the lock while parameters or callbacks change.
/// \throws exceptions::ParameterModifiedInCallbackException when a callback of parameters changes any.
class NodeParametersInterface::ModificationGuard {
 public:
  explicit ModificationGuard(NodeParametersInterface & parameters) : lock_(parameters.mutex_), parameters_(parameters) {
    if (parameters_.is_modifying_) {
      throw exceptions::ParameterModifiedInCallbackException(
          "a callback of parameters cannot set, declare or undeclare any, nor add or remove callbacks");
    }
    parameters_.is_modifying_ = true;
  }
  ~ModificationGuard() { parameters_.is_modifying_ = false; }
  RCLCPP_DISABLE_COPY(ModificationGuard)

 private:
  const std::lock_guard<std::recursive_mutex> lock_;
  NodeParametersInterface & parameters_;
};

NodeParametersInterface::NodeParametersInterface(NodeTopicsInterface & topics, Clock::SharedPtr clock,
                                                 const NodeOptions & options)
    : node_(topics.get_node_base_interface()->get_fully_qualified_name()),
      clock_(std::move(clock)),
      allow_undeclared_(options.allow_undeclared_parameters()) {
  if (options.start_parameter_event_publisher()) {
    events_ = std::make_shared<Publisher<Event>>(
        topics.open_publisher(tandem::message_type<Event>(), "/parameter_events", options.parameter_event_qos(),
                              options.parameter_event_publisher_options()));
  }
  const NodeBaseInterface & base = *topics.get_node_base_interface();
  for (const auto & arguments : {base.global_arguments(), base.local_arguments()}) {
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
  const ModificationGuard guard(*this);
  require_name(name);
  if (parameters_.count(name) != 0) {
    throw exceptions::ParameterAlreadyDeclaredException("parameter '" + name + "' has already been declared");
  }
  const auto override_value = overrides_.find(name);
  const bool is_overridden = !ignore_override && override_value != overrides_.end();
  const Parameter parameter(name, is_overridden ? override_value->second : default_value);
  const bool is_set = parameter.get_type() != PARAMETER_NOT_SET;
  descriptor.name = name;
  if (descriptor.dynamic_typing) descriptor.type = parameter.get_type();
  if (is_set) require_valid(descriptor, parameter);

  const auto & declared = parameters_[name] = {parameter.get_parameter_value(), std::move(descriptor)};
  if (is_set) {
    call_post_set_callbacks({parameter});
    publish({{parameter}, {}, {}});
  }
  return declared.value;
}

/// Checks the first value of a parameter. \throws what declare_parameter() throws.
void NodeParametersInterface::require_valid(const ParameterDescriptor & descriptor, const Parameter & parameter) {
  const std::string & name = parameter.get_name();
  if (const auto problem = detail::check_type(descriptor, parameter)) {
    throw exceptions::InvalidParameterTypeException(name, *problem);
  }
  const auto problem = detail::check_range(descriptor, parameter);
  const SetParametersResult result = problem ? failure(*problem) : call_on_set_callbacks({parameter});
  if (!result.successful) {
    throw exceptions::InvalidParameterValueException("parameter '" + name +
                                                     "' could not be set: " + std::string(result.reason));
  }
}

void NodeParametersInterface::undeclare_parameter(const std::string & name) {
  const ModificationGuard guard(*this);
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
  SetParametersResult result = set_all_or_none(parameters);
  if (result.successful) call_after_set_callbacks();
  return result;
}

SetParametersResult NodeParametersInterface::set_all_or_none(const std::vector<Parameter> & parameters) {
  const ModificationGuard guard(*this);
  std::vector<Parameter> wanted = parameters;
  detail::for_each_callback(pre_set_, [&](const auto & callback) { return callback(wanted), true; });
  if (wanted.empty()) {
    return failure("the list of parameters is empty; it was given so, or a pre-set callback emptied it");
  }
  if (auto result = check(wanted); !result.successful) return result;
  if (auto result = call_on_set_callbacks(wanted); !result.successful) return result;
  const Changes changes = apply(wanted);
  call_post_set_callbacks(wanted);
  publish(changes);
  return success();
}

/// Whether these values may be set. \throws exceptions::ParameterNotDeclaredException, InvalidParametersException
SetParametersResult NodeParametersInterface::check(const std::vector<Parameter> & parameters) const {
  for (const auto & parameter : parameters) {
    const std::string & name = parameter.get_name();
    require_name(name);
    const auto found = parameters_.find(name);
    if (found == parameters_.end()) {
      if (allow_undeclared_) continue;  // apply() declares it, with dynamic typing
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

/// \return the first refusal, or success.
SetParametersResult NodeParametersInterface::call_on_set_callbacks(const std::vector<Parameter> & parameters) {
  SetParametersResult result = success();
  detail::for_each_callback(on_set_, [&](const auto & callback) {
    result = callback(parameters);
    return result.successful;
  });
  return result;
}

void NodeParametersInterface::call_post_set_callbacks(const std::vector<Parameter> & parameters) {
  detail::for_each_callback(post_set_, [&](const auto & callback) { return callback(parameters), true; });
}

/// Sets values that have been checked. \return what changed, for the event.
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
  }
  return changes;
}

void NodeParametersInterface::publish(const Changes & changes) {
  if (!events_) return;
  const bool keeps_history = events_->get_actual_qos().durability() == DurabilityPolicy::TransientLocal;
  if (!keeps_history && events_->get_subscription_count() == 0) return;  // no subscription would ever receive it
  try {
    auto event = std::make_unique<Event>();
    event->stamp = clock_->now();
    event->node = node_;
    for (const auto & parameter : changes.added) event->new_parameters.push_back(parameter.to_parameter_msg());
    for (const auto & parameter : changes.changed) event->changed_parameters.push_back(parameter.to_parameter_msg());
    for (const auto & parameter : changes.deleted) event->deleted_parameters.push_back(parameter.to_parameter_msg());
    events_->publish(std::move(event));
  } catch (const std::exception & error) {  // the parameters have changed already, so the caller's change succeeds
    RCLCPP_WARN_ONCE(get_logger("rclcpp"), "node '%s' cannot tell of changed parameters: %s", node_.c_str(),
                     error.what());
  }
}

PreSetParametersCallbackHandle::SharedPtr NodeParametersInterface::add_pre_set_parameters_callback(
    PreSetParametersCallbackType callback) {
  const ModificationGuard guard(*this);
  return detail::add_callback(pre_set_, std::move(callback));
}

OnSetParametersCallbackHandle::SharedPtr NodeParametersInterface::add_on_set_parameters_callback(
    OnSetParametersCallbackType callback) {
  const ModificationGuard guard(*this);
  return detail::add_callback(on_set_, std::move(callback));
}

PostSetParametersCallbackHandle::SharedPtr NodeParametersInterface::add_post_set_parameters_callback(
    PostSetParametersCallbackType callback) {
  const ModificationGuard guard(*this);
  return detail::add_callback(post_set_, std::move(callback));
}

void NodeParametersInterface::remove_pre_set_parameters_callback(const PreSetParametersCallbackHandle * handle) {
  const ModificationGuard guard(*this);
  detail::remove_callback(pre_set_, handle);
}

void NodeParametersInterface::remove_on_set_parameters_callback(const OnSetParametersCallbackHandle * handle) {
  const ModificationGuard guard(*this);
  detail::remove_callback(on_set_, handle);
}

void NodeParametersInterface::remove_post_set_parameters_callback(const PostSetParametersCallbackHandle * handle) {
  const ModificationGuard guard(*this);
  detail::remove_callback(post_set_, handle);
}

std::shared_ptr<void> NodeParametersInterface::add_after_set_callback(std::function<void()> callback) {
  auto handle = std::make_shared<std::function<void()>>(std::move(callback));
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  after_set_.remove_if([](const auto & weak) { return weak.expired(); });
  after_set_.push_back(handle);
  return handle;
}

void NodeParametersInterface::call_after_set_callbacks() {
  std::list<std::weak_ptr<std::function<void()>>> copy;
  {
    const std::lock_guard<std::recursive_mutex> lock(mutex_);
    copy = after_set_;
  }
  for (const auto & weak : copy) {
    if (const auto callback = weak.lock()) (*callback)();
  }
}

}  // namespace rclcpp::node_interfaces
