// Callbacks for changes of parameters, of this node and of others.
#ifndef RCLCPP__PARAMETER_EVENT_HANDLER_HPP_
#define RCLCPP__PARAMETER_EVENT_HANDLER_HPP_

#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "rcl_interfaces/msg/parameter_event.hpp"
#include "rclcpp/create_subscription.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/node.hpp"
#include "rclcpp/parameter.hpp"
#include "rclcpp/qos.hpp"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp {

/// A callback for one parameter; it is called for as long as somebody keeps this.
struct ParameterCallbackHandle {
  RCLCPP_SMART_PTR_DEFINITIONS(ParameterCallbackHandle)
  using ParameterCallbackType = std::function<void(const Parameter &)>;

  std::string parameter_name;
  std::string node_name;  ///< fully qualified
  ParameterCallbackType callback;
};

/// The same for all events.
struct ParameterEventCallbackHandle {
  RCLCPP_SMART_PTR_DEFINITIONS(ParameterEventCallbackHandle)
  using ParameterEventCallbackType = std::function<void(const rcl_interfaces::msg::ParameterEvent &)>;

  ParameterEventCallbackType callback;
};

/// Subscribes to /parameter_events; the node's executor calls the callbacks, the last one added first. Thread-safe.
class RCLCPP_PUBLIC ParameterEventHandler {
 public:
  RCLCPP_SMART_PTR_DEFINITIONS(ParameterEventHandler)
  using Event = rcl_interfaces::msg::ParameterEvent;
  using ParameterEventCallbackType = ParameterEventCallbackHandle::ParameterEventCallbackType;
  using ParameterCallbackType = ParameterCallbackHandle::ParameterCallbackType;

  template <class NodeT>
  explicit ParameterEventHandler(NodeT node, const QoS & qos = ParameterEventsQoS())
      : node_base_(node->get_node_base_interface()), state_(std::make_shared<State>()) {
    subscription_ =
        create_subscription<Event>(node, "/parameter_events", qos,
                                   [state = std::weak_ptr<State>(state_)](const std::shared_ptr<const Event> event) {
                                     if (const auto living = state.lock()) living->dispatch(*event);
                                   });
  }

  [[nodiscard]] ParameterEventCallbackHandle::SharedPtr add_parameter_event_callback(
      ParameterEventCallbackType callback);
  /// \throws std::runtime_error when it was not added here.
  void remove_parameter_event_callback(ParameterEventCallbackHandle::SharedPtr callback_handle);
  /// \param node_name of whom the parameter is: fully qualified, or below this node's namespace; "": this node.
  [[nodiscard]] ParameterCallbackHandle::SharedPtr add_parameter_callback(const std::string & parameter_name,
                                                                          ParameterCallbackType callback,
                                                                          const std::string & node_name = "");
  void remove_parameter_callback(ParameterCallbackHandle::SharedPtr callback_handle);
  /// Lets only events of these nodes come; none: of all. \return true.
  bool configure_nodes_filter(const std::vector<std::string> & node_names);

  /// The new value of a parameter, if the event has it. \param node_name fully qualified.
  static bool get_parameter_from_event(const Event & event, Parameter & parameter, const std::string & parameter_name,
                                       const std::string & node_name = "");
  /// A parameter made of PARAMETER_NOT_SET if the event does not have it. \throws std::runtime_error for an event of another node.
  static Parameter get_parameter_from_event(const Event & event, const std::string & parameter_name,
                                            const std::string & node_name = "");
  /// All new and changed ones.
  static std::vector<Parameter> get_parameters_from_event(const Event & event);

 private:
  struct State {
    void dispatch(const Event & event);

    std::mutex mutex;
    std::list<ParameterCallbackHandle::WeakPtr> parameters;   ///< guarded by mutex
    std::list<ParameterEventCallbackHandle::WeakPtr> events;  ///< guarded by mutex
    std::set<std::string> nodes;                              ///< whose events come; guarded by mutex
  };
  std::string resolve_path(const std::string & path) const;

  const node_interfaces::NodeBaseInterface::SharedPtr node_base_;
  const std::shared_ptr<State> state_;
  std::shared_ptr<Subscription<Event>> subscription_;
};

}  // namespace rclcpp

#endif  // RCLCPP__PARAMETER_EVENT_HANDLER_HPP_
