#include "topics/endpoint_events.hpp"

#include <algorithm>
#include <mutex>
#include <vector>

#include "transport/transport_limits.hpp"

namespace rclcpp::detail {
namespace {

using tandem::transport::Feature;

/// What the transport needs for an event.
Feature feature_of(rcl_publisher_event_type_t kind) {
  switch (kind) {
    case RCL_PUBLISHER_OFFERED_DEADLINE_MISSED: return Feature::kDeadline;
    case RCL_PUBLISHER_LIVELINESS_LOST: return Feature::kLiveliness;
    case RCL_PUBLISHER_INCOMPATIBLE_TYPE: return Feature::kTypeEvents;
    case RCL_PUBLISHER_OFFERED_INCOMPATIBLE_QOS:
    case RCL_PUBLISHER_MATCHED: break;
  }
  return Feature::kEvents;
}

Feature feature_of(rcl_subscription_event_type_t kind) {
  switch (kind) {
    case RCL_SUBSCRIPTION_REQUESTED_DEADLINE_MISSED: return Feature::kDeadline;
    case RCL_SUBSCRIPTION_MESSAGE_LOST: return Feature::kAttribution;
    case RCL_SUBSCRIPTION_INCOMPATIBLE_TYPE: return Feature::kTypeEvents;
    case RCL_SUBSCRIPTION_LIVELINESS_CHANGED:
    case RCL_SUBSCRIPTION_REQUESTED_INCOMPATIBLE_QOS:
    case RCL_SUBSCRIPTION_MATCHED: break;
  }
  return Feature::kEvents;
}

/// The handlers that an endpoint's status is told to. The transport's thread owns none of them, not even while it tells: with
/// the last handler may go the transport, whose destructor waits for that thread.
class Told {
 public:
  void add(EventHandlerBase * handler) { handlers_.push_back(handler); }
  void remove(EventHandlerBase * handler) {
    const std::lock_guard<std::recursive_mutex> lock(mutex_);
    handlers_.erase(std::remove(handlers_.begin(), handlers_.end(), handler), handlers_.end());
  }
  void tell() {
    const std::lock_guard<std::recursive_mutex> lock(mutex_);  // recursive: a callback may remove a handler
    for (std::size_t i = 0; i < handlers_.size(); ++i) handlers_[i]->status_changed();
  }

 private:
  std::recursive_mutex mutex_;
  std::vector<EventHandlerBase *> handlers_;
};

template <class Kinds, class Transport>
class Maker {
 public:
  Maker(const std::shared_ptr<Context> & context, const std::string & topic,
        const std::shared_ptr<Transport> & transport)
      : context_(context), topic_(topic), transport_(transport) {}

  template <class Kind, class Callback>
  void add(Kind kind, const char * name, const Callback & callback) {
    if (!callback) return;
    if (const auto lack = why_lacking(feature_of(kind))) {
      throw UnsupportedEventTypeException("topic '" + topic_ + "': no event '" + name + "' with " + *lack);
    }
    const auto look = [transport = transport_] { return transport->status(); };
    auto * const handler = new EventHandler<Callback>(context_, callback, look);
    told_->add(handler);
    all_.emplace(kind, std::shared_ptr<EventHandlerBase>(handler, [told = told_](EventHandlerBase * gone) {
                   told->remove(gone);
                   delete gone;
                 }));
  }
  Kinds finish() {
    if (all_.empty()) return {};
    transport_->set_status_listener([told = told_] { told->tell(); });
    return std::move(all_);
  }

 private:
  const std::shared_ptr<Context> & context_;
  const std::string & topic_;
  const std::shared_ptr<Transport> & transport_;
  const std::shared_ptr<Told> told_ = std::make_shared<Told>();
  Kinds all_;
};

}  // namespace

bool is_supported(rcl_publisher_event_type_t kind) { return !why_lacking(feature_of(kind)); }
bool is_supported(rcl_subscription_event_type_t kind) { return !why_lacking(feature_of(kind)); }

PublisherEvents make_event_handlers(const std::shared_ptr<Context> & context, const std::string & topic,
                                    const std::shared_ptr<tandem::transport::Publisher> & transport,
                                    const PublisherEventCallbacks & callbacks) {
  Maker<PublisherEvents, tandem::transport::Publisher> maker(context, topic, transport);
  maker.add(RCL_PUBLISHER_OFFERED_DEADLINE_MISSED, "deadline missed", callbacks.deadline_callback);
  maker.add(RCL_PUBLISHER_LIVELINESS_LOST, "liveliness lost", callbacks.liveliness_callback);
  maker.add(RCL_PUBLISHER_OFFERED_INCOMPATIBLE_QOS, "incompatible QoS", callbacks.incompatible_qos_callback);
  maker.add(RCL_PUBLISHER_INCOMPATIBLE_TYPE, "incompatible type", callbacks.incompatible_type_callback);
  maker.add(RCL_PUBLISHER_MATCHED, "matched", callbacks.matched_callback);
  return maker.finish();
}

SubscriptionEvents make_event_handlers(const std::shared_ptr<Context> & context, const std::string & topic,
                                       const std::shared_ptr<tandem::transport::Subscription> & transport,
                                       const SubscriptionEventCallbacks & callbacks) {
  Maker<SubscriptionEvents, tandem::transport::Subscription> maker(context, topic, transport);
  maker.add(RCL_SUBSCRIPTION_REQUESTED_DEADLINE_MISSED, "deadline missed", callbacks.deadline_callback);
  maker.add(RCL_SUBSCRIPTION_LIVELINESS_CHANGED, "liveliness changed", callbacks.liveliness_callback);
  maker.add(RCL_SUBSCRIPTION_REQUESTED_INCOMPATIBLE_QOS, "incompatible QoS", callbacks.incompatible_qos_callback);
  maker.add(RCL_SUBSCRIPTION_MESSAGE_LOST, "message lost", callbacks.message_lost_callback);
  maker.add(RCL_SUBSCRIPTION_INCOMPATIBLE_TYPE, "incompatible type", callbacks.incompatible_type_callback);
  maker.add(RCL_SUBSCRIPTION_MATCHED, "matched", callbacks.matched_callback);
  return maker.finish();
}

}  // namespace rclcpp::detail
