// The events of a publisher or a subscription, made of the callbacks that its options have.
#pragma once

#include <functional>
#include <memory>
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

/// Sets the callback for when an event is ready, or with nullptr none. An event without a handler is left with a line in the log.
template <class Kind>
void set_on_new_event_callback(const std::unordered_map<Kind, std::shared_ptr<EventHandlerBase>> & handlers, Kind kind,
                               const std::string & topic, std::function<void(size_t)> callback) {
  const auto found = handlers.find(kind);
  if (found == handlers.end()) {
    RCLCPP_WARN(get_logger("rclcpp"),
                "topic '%s': event %d has no callback in the options of its endpoint, so none can be set or cleared "
                "for new ones",
                topic.c_str(), static_cast<int>(kind));
  } else if (callback) {
    found->second->set_on_ready_callback([callback = std::move(callback)](size_t count, int) { callback(count); });
  } else {
    found->second->clear_on_ready_callback();
  }
}

}  // namespace rclcpp::detail
