#include "endpoint_events.hpp"

#include <algorithm>
#include <mutex>
#include <vector>

#include "tandem/plugin.hpp"

namespace rclcpp::detail {
namespace {

using tandem::transport::Feature;

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
  Maker(const std::shared_ptr<Context> & context, const std::shared_ptr<Transport> & transport)
      : context_(context), transport_(transport) {}

  template <class Kind, class Callback>
  void add(Kind kind, const Callback & callback) {
    if (!callback) return;
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
  const std::shared_ptr<Transport> & transport_;
  const std::shared_ptr<Told> told_ = std::make_shared<Told>();
  Kinds all_;
};

void require(bool is_asked, Feature feature, const std::string & topic, const char * event) {
  if (!is_asked) return;
  const auto & transport = tandem::transport::load();
  for (const auto & limit : transport.limits()) {
    if (limit.feature != feature) continue;
    throw UnsupportedEventTypeException("topic '" + topic + "': " + transport.name() + " has no event '" + event +
                                        "': " + limit.reason);
  }
}

}  // namespace

PublisherEvents make_event_handlers(const std::shared_ptr<Context> & context,
                                    const std::shared_ptr<tandem::transport::Publisher> & transport,
                                    const PublisherEventCallbacks & callbacks) {
  Maker<PublisherEvents, tandem::transport::Publisher> maker(context, transport);
  maker.add(RCL_PUBLISHER_OFFERED_DEADLINE_MISSED, callbacks.deadline_callback);
  maker.add(RCL_PUBLISHER_LIVELINESS_LOST, callbacks.liveliness_callback);
  maker.add(RCL_PUBLISHER_OFFERED_INCOMPATIBLE_QOS, callbacks.incompatible_qos_callback);
  maker.add(RCL_PUBLISHER_INCOMPATIBLE_TYPE, callbacks.incompatible_type_callback);
  maker.add(RCL_PUBLISHER_MATCHED, callbacks.matched_callback);
  return maker.finish();
}

SubscriptionEvents make_event_handlers(const std::shared_ptr<Context> & context,
                                       const std::shared_ptr<tandem::transport::Subscription> & transport,
                                       const SubscriptionEventCallbacks & callbacks) {
  Maker<SubscriptionEvents, tandem::transport::Subscription> maker(context, transport);
  maker.add(RCL_SUBSCRIPTION_REQUESTED_DEADLINE_MISSED, callbacks.deadline_callback);
  maker.add(RCL_SUBSCRIPTION_LIVELINESS_CHANGED, callbacks.liveliness_callback);
  maker.add(RCL_SUBSCRIPTION_REQUESTED_INCOMPATIBLE_QOS, callbacks.incompatible_qos_callback);
  maker.add(RCL_SUBSCRIPTION_MESSAGE_LOST, callbacks.message_lost_callback);
  maker.add(RCL_SUBSCRIPTION_INCOMPATIBLE_TYPE, callbacks.incompatible_type_callback);
  maker.add(RCL_SUBSCRIPTION_MATCHED, callbacks.matched_callback);
  return maker.finish();
}

void require_supported(const PublisherEventCallbacks & callbacks, const std::string & topic) {
  require(callbacks.deadline_callback != nullptr, Feature::kDeadline, topic, "deadline missed");
  require(callbacks.liveliness_callback != nullptr, Feature::kLiveliness, topic, "liveliness lost");
  require(callbacks.incompatible_qos_callback != nullptr, Feature::kEvents, topic, "incompatible QoS");
  require(callbacks.incompatible_type_callback != nullptr, Feature::kTypeEvents, topic, "incompatible type");
  require(callbacks.matched_callback != nullptr, Feature::kEvents, topic, "matched");
}

void require_supported(const SubscriptionEventCallbacks & callbacks, const std::string & topic) {
  require(callbacks.deadline_callback != nullptr, Feature::kDeadline, topic, "deadline missed");
  require(callbacks.liveliness_callback != nullptr, Feature::kEvents, topic, "liveliness changed");
  require(callbacks.incompatible_qos_callback != nullptr, Feature::kEvents, topic, "incompatible QoS");
  require(callbacks.message_lost_callback != nullptr, Feature::kAttribution, topic, "message lost");
  require(callbacks.incompatible_type_callback != nullptr, Feature::kTypeEvents, topic, "incompatible type");
  require(callbacks.matched_callback != nullptr, Feature::kEvents, topic, "matched");
}

}  // namespace rclcpp::detail
