// The events of a publisher or a subscription, made of the callbacks that its options have.
#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>

#include "rcl/event.h"
#include "rclcpp/event_handler.hpp"
#include "rclcpp/logging.hpp"
#include "tandem/transport.hpp"

namespace rclcpp::detail {

using PublisherEvents = std::unordered_map<rcl_publisher_event_type_t, std::shared_ptr<EventHandlerBase>>;
using SubscriptionEvents = std::unordered_map<rcl_subscription_event_type_t, std::shared_ptr<EventHandlerBase>>;

/// Those hear of the transport's endpoint from then on, until it gets another listener.
/// \throws UnsupportedEventTypeException for a callback that this process's transport would never call.
PublisherEvents make_event_handlers(const std::shared_ptr<Context> & context, const std::string & topic,
                                    const std::shared_ptr<tandem::transport::Publisher> & transport,
                                    const PublisherEventCallbacks & callbacks);
SubscriptionEvents make_event_handlers(const std::shared_ptr<Context> & context, const std::string & topic,
                                       const std::shared_ptr<tandem::transport::Subscription> & transport,
                                       const SubscriptionEventCallbacks & callbacks);

/// Null, with a line in the log, for an event without a handler.
template <class Kind>
EventHandlerBase * find_handler(const std::unordered_map<Kind, std::shared_ptr<EventHandlerBase>> & handlers, Kind kind,
                                const std::string & topic) {
  const auto found = handlers.find(kind);
  if (found != handlers.end()) return found->second.get();
  RCLCPP_WARN(get_logger("rclcpp"),
              "topic '%s': event %d has no callback in the options of its endpoint, so none can be set or cleared "
              "for new ones",
              topic.c_str(), static_cast<int>(kind));
  return nullptr;
}

/// Sets the callback for when an event is ready. \throws std::invalid_argument for null.
template <class Kind>
void set_on_new_event_callback(const std::unordered_map<Kind, std::shared_ptr<EventHandlerBase>> & handlers, Kind kind,
                               const std::string & topic, std::function<void(size_t)> callback) {
  EventHandlerBase * const handler = find_handler(handlers, kind, topic);
  if (handler == nullptr) return;
  if (!callback) {
    throw std::invalid_argument("topic '" + topic +
                                "': the callback given to set_on_new_qos_event_callback() is empty");
  }
  handler->set_on_ready_callback([callback = std::move(callback)](size_t count, int) { callback(count); });
}

template <class Kind>
void clear_on_new_event_callback(const std::unordered_map<Kind, std::shared_ptr<EventHandlerBase>> & handlers,
                                 Kind kind, const std::string & topic) {
  if (EventHandlerBase * const handler = find_handler(handlers, kind, topic)) handler->clear_on_ready_callback();
}

}  // namespace rclcpp::detail
