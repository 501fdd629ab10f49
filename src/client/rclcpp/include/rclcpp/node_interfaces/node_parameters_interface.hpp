// The parameters of a node: declaring, setting and getting them, and the callbacks that watch.
#ifndef RCLCPP__NODE_INTERFACES__NODE_PARAMETERS_INTERFACE_HPP_
#define RCLCPP__NODE_INTERFACES__NODE_PARAMETERS_INTERFACE_HPP_

#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "rcl_interfaces/msg/list_parameters_result.hpp"
#include "rcl_interfaces/msg/parameter_descriptor.hpp"
#include "rcl_interfaces/msg/parameter_event.hpp"
#include "rcl_interfaces/msg/set_parameters_result.hpp"
#include "rclcpp/clock.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/node_interfaces/detail/node_interfaces_helpers.hpp"
#include "rclcpp/node_interfaces/node_topics_interface.hpp"
#include "rclcpp/parameter.hpp"
#include "rclcpp/publisher.hpp"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp {
namespace node_interfaces {

// What add_..._callback() returns: the callback is called for as long as somebody keeps its handle.

struct PreSetParametersCallbackHandle {
  RCLCPP_SMART_PTR_DEFINITIONS(PreSetParametersCallbackHandle)
  using PreSetParametersCallbackType = std::function<void(std::vector<Parameter> &)>;
  PreSetParametersCallbackType callback;
};

struct OnSetParametersCallbackHandle {
  RCLCPP_SMART_PTR_DEFINITIONS(OnSetParametersCallbackHandle)
  using OnSetParametersCallbackType =
      std::function<rcl_interfaces::msg::SetParametersResult(const std::vector<Parameter> &)>;
  OnSetParametersCallbackType callback;
};

struct PostSetParametersCallbackHandle {
  RCLCPP_SMART_PTR_DEFINITIONS(PostSetParametersCallbackHandle)
  using PostSetParametersCallbackType = std::function<void(const std::vector<Parameter> &)>;
  PostSetParametersCallbackType callback;
};

struct ParameterInfo {
  ParameterValue value;
  rcl_interfaces::msg::ParameterDescriptor descriptor;
};

/// Thread-safe. Callbacks run in the thread that sets, one at a time; they may get parameters, but not declare, set or
/// undeclare any: that throws exceptions::ParameterModifiedInCallbackException.
class RCLCPP_PUBLIC NodeParametersInterface {
 public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(NodeParametersInterface)
  RCLCPP_DISABLE_COPY(NodeParametersInterface)

  using ParameterDescriptor = rcl_interfaces::msg::ParameterDescriptor;
  using SetParametersResult = rcl_interfaces::msg::SetParametersResult;
  using PreSetParametersCallbackType = PreSetParametersCallbackHandle::PreSetParametersCallbackType;
  using OnSetParametersCallbackType = OnSetParametersCallbackHandle::OnSetParametersCallbackType;
  using PostSetParametersCallbackType = PostSetParametersCallbackHandle::PostSetParametersCallbackType;

  NodeParametersInterface(NodeTopicsInterface & topics, Clock::SharedPtr clock, const NodeOptions & options);
  ~NodeParametersInterface();

  /// \return the override (command line, files, NodeOptions) if there is one, else the default. The reference is valid
  /// until the parameter is set or undeclared.
  /// \throws exceptions::ParameterAlreadyDeclaredException, InvalidParametersException for an empty name,
  /// InvalidParameterTypeException, InvalidParameterValueException when a range or a callback refuses the value.
  const ParameterValue & declare_parameter(const std::string & name, const ParameterValue & default_value,
                                           const ParameterDescriptor & descriptor = ParameterDescriptor(),
                                           bool ignore_override = false);
  /// Has no default: the parameter is not set when there is no override. \throws also std::invalid_argument when the
  /// descriptor asks for dynamic typing.
  const ParameterValue & declare_parameter(const std::string & name, ParameterType type,
                                           const ParameterDescriptor & descriptor = ParameterDescriptor(),
                                           bool ignore_override = false);
  /// \throws exceptions::ParameterNotDeclaredException, ParameterImmutableException, InvalidParameterTypeException when
  /// the parameter is typed statically.
  void undeclare_parameter(const std::string & name);
  bool has_parameter(const std::string & name) const;

  /// \return a result for each. \throws exceptions::ParameterNotDeclaredException.
  std::vector<SetParametersResult> set_parameters(const std::vector<Parameter> & parameters);
  /// Sets all or none. Setting a dynamically typed parameter to "not set" undeclares it.
  SetParametersResult set_parameters_atomically(const std::vector<Parameter> & parameters);

  /// \throws exceptions::ParameterNotDeclaredException, ParameterUninitializedException.
  Parameter get_parameter(const std::string & name) const;
  std::vector<Parameter> get_parameters(const std::vector<std::string> & names) const;
  /// \return false when the parameter is not declared or not set; `parameter` then stays as it is.
  bool get_parameter(const std::string & name, Parameter & parameter) const;
  /// Adds the parameters below a prefix, without it in their names: "b" for "a.b" and the prefix "a".
  /// \return whether there were any.
  bool get_parameters_by_prefix(const std::string & prefix, std::map<std::string, Parameter> & parameters) const;
  /// \throws exceptions::ParameterNotDeclaredException.
  std::vector<ParameterDescriptor> describe_parameters(const std::vector<std::string> & names) const;
  std::vector<std::uint8_t> get_parameter_types(const std::vector<std::string> & names) const;
  /// The names below the prefixes (none: all) of at most `depth` tokens more (0: any).
  rcl_interfaces::msg::ListParametersResult list_parameters(const std::vector<std::string> & prefixes,
                                                            std::uint64_t depth) const;

  // A pre-set callback may change what is set, an on-set callback may refuse it, a post-set callback sees the new
  // values. The last one added is called first.
  [[nodiscard]] PreSetParametersCallbackHandle::SharedPtr add_pre_set_parameters_callback(
      PreSetParametersCallbackType callback);
  [[nodiscard]] OnSetParametersCallbackHandle::SharedPtr add_on_set_parameters_callback(
      OnSetParametersCallbackType callback);
  [[nodiscard]] PostSetParametersCallbackHandle::SharedPtr add_post_set_parameters_callback(
      PostSetParametersCallbackType callback);
  // \throws std::runtime_error when there is no such callback.
  void remove_pre_set_parameters_callback(const PreSetParametersCallbackHandle * handle);
  void remove_on_set_parameters_callback(const OnSetParametersCallbackHandle * handle);
  void remove_post_set_parameters_callback(const PostSetParametersCallbackHandle * handle);

  /// For the library's own use: calls back after parameters were set, without the lock, so that the callback may wait for
  /// threads that get parameters. Kept as the others are.
  std::shared_ptr<void> add_after_set_callback(std::function<void()> callback);

  /// The values from the command line, files and NodeOptions, also of parameters that are not declared.
  const std::map<std::string, ParameterValue> & get_parameter_overrides() const { return overrides_; }

 private:
  using Event = rcl_interfaces::msg::ParameterEvent;
  class ModificationGuard;
  struct Changes {
    std::vector<Parameter> added, changed, deleted;
  };

  const ParameterValue & declare(const std::string & name, const ParameterValue & default_value,
                                 ParameterDescriptor descriptor, bool ignore_override);
  void require_valid(const ParameterDescriptor & descriptor, const Parameter & parameter);
  SetParametersResult check(const std::vector<Parameter> & parameters) const;
  Changes apply(const std::vector<Parameter> & parameters);
  SetParametersResult call_on_set_callbacks(const std::vector<Parameter> & parameters);
  void call_post_set_callbacks(const std::vector<Parameter> & parameters);
  SetParametersResult set_all_or_none(const std::vector<Parameter> & parameters);
  void call_after_set_callbacks();
  void publish(const Changes & changes);

  const std::string node_;
  const Clock::SharedPtr clock_;
  const bool allow_undeclared_;
  std::shared_ptr<Publisher<Event>> events_;  // null when NodeOptions turns the events off
  std::map<std::string, ParameterValue> overrides_;

  // Guards what follows. It is recursive because callbacks may get parameters.
  mutable std::recursive_mutex mutex_;
  bool is_modifying_ = false;
  std::map<std::string, ParameterInfo> parameters_;
  std::list<PreSetParametersCallbackHandle::WeakPtr> pre_set_;
  std::list<OnSetParametersCallbackHandle::WeakPtr> on_set_;
  std::list<PostSetParametersCallbackHandle::WeakPtr> post_set_;
  std::list<std::weak_ptr<std::function<void()>>> after_set_;
};
using NodeParameters = NodeParametersInterface;

}  // namespace node_interfaces
}  // namespace rclcpp

RCLCPP_NODE_INTERFACE_HELPERS_SUPPORT(rclcpp::node_interfaces::NodeParametersInterface, parameters)

#endif  // RCLCPP__NODE_INTERFACES__NODE_PARAMETERS_INTERFACE_HPP_
