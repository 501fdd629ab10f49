// A node's publishers, subscriptions, timers and waitables: each goes into a callback group.
#include "rclcpp/node_interfaces/node_topics_interface.hpp"

#include <stdexcept>

#include "node/used_types.hpp"
#include "qos/qos_conversion.hpp"
#include "rclcpp/exceptions.hpp"
#include "rclcpp/logging.hpp"
#include "rclcpp/node_interfaces/node_timers_interface.hpp"
#include "rclcpp/node_interfaces/node_waitables_interface.hpp"
#include "topics/intra_process.hpp"
#include "topics/topic_statistics.hpp"
#include "transport/transport_error.hpp"
#include "transport/transport_limits.hpp"

namespace rclcpp::node_interfaces {
namespace {

using tandem::transport::EndpointKind;

template <class Options>
void require_no_network(const Options & options, const std::string & topic) {
  if (options.require_unique_network_flow_endpoints == RMW_UNIQUE_NETWORK_FLOW_ENDPOINTS_STRICTLY_REQUIRED) {
    throw exceptions::RCLError(RCL_RET_UNSUPPORTED,
                               "topic '" + topic +
                                   "': unique network flow endpoints are required, but its messages "
                                   "travel over no network");
  }
}

}  // namespace

bool NodeTopicsInterface::is_intra_process(IntraProcessSetting setting, const std::string & topic,
                                           const QoS & qos) const {
  if (setting == IntraProcessSetting::NodeDefault ? !base_->get_use_intra_process_default()
                                                  : setting == IntraProcessSetting::Disable) {
    return false;
  }
  if (qos.history() != HistoryPolicy::KeepLast) {
    throw std::invalid_argument("intraprocess communication on topic '" + topic +
                                "' allowed only with keep last history qos policy");
  }
  return true;
}

detail::PublisherSetup NodeTopicsInterface::open_publisher(const tandem::MessageType & type, const std::string & topic,
                                                           const QoS & qos, const PublisherOptionsBase & options) {
  detail::PublisherSetup setup;
  setup.context = base_->get_context();
  setup.type = &type;
  setup.topic = resolve_topic_name(topic);
  setup.qos = qos;
  setup.event_callbacks = options.event_callbacks;
  require_no_network(options, setup.topic);
  const auto transport_qos = detail::to_transport(qos, setup.topic, EndpointKind::kPublisher);
  if (is_intra_process(options.use_intra_process_comm, setup.topic, qos)) {
    if (qos.depth() == 0) {
      throw std::invalid_argument("intraprocess communication on topic '" + setup.topic +
                                  "' is not allowed with a zero qos history depth value");
    }
    setup.intra_process = base_->get_context()->intra_process();
    setup.transport_context = base_->transport();
  }
  setup.transport = detail::transport_call([&] {
    return base_->transport()->create_publisher(type, {base_->transport_name(), setup.topic, transport_qos});
  });
  base_->used_types()->add(type);
  return setup;
}

detail::SubscriptionSetup NodeTopicsInterface::open_subscription(const tandem::MessageType & type,
                                                                 const std::string & topic, const QoS & qos,
                                                                 const SubscriptionOptionsBase & options) {
  detail::SubscriptionSetup setup;
  setup.context = base_->get_context();
  setup.type = &type;
  setup.group = base_->group_or_default(options.callback_group, "subscription");
  setup.topic = resolve_topic_name(topic);
  setup.qos = qos;
  setup.event_callbacks = options.event_callbacks;
  require_no_network(options, setup.topic);
  setup.content_filter = options.content_filter_options;
  const auto transport_qos = detail::to_transport(qos, setup.topic, EndpointKind::kSubscription);
  tandem::transport::TopicOptions topic_options{base_->transport_name(), setup.topic, transport_qos};
  topic_options.ignore_local_publications = options.ignore_local_publications;
  if (is_intra_process(options.use_intra_process_comm, setup.topic, qos)) {
    setup.intra_process = base_->get_context()->intra_process();
    if (detail::IntraProcess::is_plain(qos) && !options.ignore_local_publications &&
        !detail::why_lacking(tandem::transport::Feature::kAttribution)) {
      setup.local = std::make_shared<detail::LocalQueue>(detail::history_depth(qos), setup.group);
    }
  }
  setup.transport =
      detail::transport_call([&] { return base_->transport()->create_subscription(type, topic_options); });
  base_->used_types()->add(type);
  const auto state = options.topic_stats_options.state;
  if (state == TopicStatisticsState::NodeDefault ? base_->get_enable_topic_statistics_default()
                                                 : state == TopicStatisticsState::Enable) {
    setup.statistics = detail::make_topic_statistics(*this, options);
  }
  return setup;
}

void NodeTopicsInterface::add_publisher(PublisherBase::SharedPtr publisher, CallbackGroup::SharedPtr group) {
  group = base_->group_or_default(std::move(group), "publisher");
  for (const auto & [kind, handler] : publisher->get_event_handlers()) group->add_waitable(handler);
  base_->trigger_notify_guard_condition();
}

void NodeTopicsInterface::add_subscription(SubscriptionBase::SharedPtr subscription, CallbackGroup::SharedPtr group) {
  group = base_->group_or_default(std::move(group), "subscription");
  group->add_receiver(subscription);
  for (const auto & [kind, handler] : subscription->get_event_handlers()) group->add_waitable(handler);
  base_->trigger_notify_guard_condition();
}

void NodeTimersInterface::add_timer(TimerBase::SharedPtr timer, CallbackGroup::SharedPtr group) {
  group = base_->group_or_default(std::move(group), "timer");
  timer->set_group(group);
  group->add_timer(timer);
  base_->trigger_notify_guard_condition();
}

void NodeWaitablesInterface::add_waitable(Waitable::SharedPtr waitable, CallbackGroup::SharedPtr group) {
  base_->group_or_default(std::move(group), "waitable")->add_waitable(waitable);
  base_->trigger_notify_guard_condition();
}

void NodeWaitablesInterface::remove_waitable(Waitable::SharedPtr waitable, CallbackGroup::SharedPtr group) noexcept {
  if (!group) group = base_->get_default_callback_group();
  group->remove_waitable(waitable);
}

}  // namespace rclcpp::node_interfaces
