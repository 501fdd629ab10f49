// The changes of an event that somebody wants to know of.
#ifndef RCLCPP__PARAMETER_EVENTS_FILTER_HPP_
#define RCLCPP__PARAMETER_EVENTS_FILTER_HPP_

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rcl_interfaces/msg/parameter_event.hpp"
#include "rcl_interfaces/msg/parameter_type.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp {

class ParameterEventsFilter {
 public:
  RCLCPP_SMART_PTR_DEFINITIONS(ParameterEventsFilter)
  enum class EventType { NEW, DELETED, CHANGED };
  using EventPair = std::pair<EventType, const rcl_interfaces::msg::Parameter *>;

  /// Changes of these kinds of the parameters named. The pointers live as long as this.
  ParameterEventsFilter(std::shared_ptr<const rcl_interfaces::msg::ParameterEvent> event,
                        const std::vector<std::string> & names, const std::vector<EventType> & types)
      : event_(std::move(event)) {
    const auto add = [&](EventType type, const auto & parameters) {
      if (std::find(types.begin(), types.end(), type) == types.end()) return;
      for (const auto & parameter : parameters) {
        if (std::find(names.begin(), names.end(), parameter.name.c_str()) != names.end()) {
          result_.push_back({type, &parameter});
        }
      }
    };
    add(EventType::NEW, event_->new_parameters);
    add(EventType::CHANGED, event_->changed_parameters);
    add(EventType::DELETED, event_->deleted_parameters);
  }

  const std::vector<EventPair> & get_events() const { return result_; }

 private:
  std::shared_ptr<const rcl_interfaces::msg::ParameterEvent> event_;
  std::vector<EventPair> result_;
};

}  // namespace rclcpp

#endif  // RCLCPP__PARAMETER_EVENTS_FILTER_HPP_
