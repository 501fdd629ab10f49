// The events of a publisher or a subscription, made of the callbacks that its options have.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>

#include "rcl/event.h"
#include "rclcpp/event_handler.hpp"
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

}  // namespace rclcpp::detail
