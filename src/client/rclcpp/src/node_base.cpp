// A node's names, groups and endpoints.
#include "rclcpp/node_interfaces/node_base_interface.hpp"

#include <algorithm>
#include <stdexcept>

#include "arguments.hpp"
#include "intra_process.hpp"
#include "qos_conversion.hpp"
#include "rclcpp/exceptions.hpp"
#include "rclcpp/logging.hpp"
#include "rclcpp/node_options.hpp"
#include "wakeup.hpp"

namespace rclcpp::node_interfaces {
namespace {

using tandem::transport::EndpointKind;

/// Calls the transport; its errors become rclcpp's.
template <class Function>
auto guarded(Function && function) {
  try {
    return function();
  } catch (const tandem::transport::Error & error) {
    throw exceptions::RCLError(RCL_RET_ERROR, error.what());
  }
}

template <class Events>
void require_no_events(const Events & events, const std::string & topic) {
  if (events.deadline_callback || events.liveliness_callback || events.incompatible_qos_callback) {
    throw UnsupportedEventTypeException(
        "topic '" + topic + "': event callbacks (deadline, liveliness, incompatible QoS) are not supported");
  }
}

template <class Options>
void require_no_network(const Options & options, const std::string & topic) {
  if (options.require_unique_network_flow_endpoints == RMW_UNIQUE_NETWORK_FLOW_ENDPOINTS_STRICTLY_REQUIRED) {
    throw exceptions::RCLError(RCL_RET_UNSUPPORTED,
                               "topic '" + topic +
                                   "': unique network flow endpoints are required, but its messages "
                                   "travel over no network");
  }
}

std::string absolute(const std::string & name_space) {
  if (name_space.empty()) return "/";
  return name_space[0] == '/' ? name_space : "/" + name_space;
}

}  // namespace

NodeBaseInterface::NodeBaseInterface(const std::string & name, const std::string & name_space,
                                     const NodeOptions & options)
    : context_(options.context()), use_intra_process_(options.use_intra_process_comms()) {
  local_arguments_ = std::make_shared<detail::Arguments>(detail::parse_arguments(options.arguments()));
  if (options.use_global_arguments()) global_arguments_ = context_->arguments();
  detail::require_node_name(name);
  detail::require_namespace(absolute(name_space));
  name_.name = detail::remap_node_name(local_arguments_.get(), global_arguments_.get(), name).value_or(name);
  name_.name_space =
      detail::remap_namespace(local_arguments_.get(), global_arguments_.get(), name).value_or(absolute(name_space));
  fully_qualified_name_ = detail::NodePath{name_.name_space, name_.name}.full();
  transport_ = context_->transport();
  presence_ = guarded([&] { return transport_->create_node(name_); });
  default_group_ = create_callback_group(CallbackGroupType::MutuallyExclusive);
}

NodeBaseInterface::~NodeBaseInterface() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (const auto wakeup = wakeup_.lock()) wakeup->entities_changed();
}

CallbackGroup::SharedPtr NodeBaseInterface::create_callback_group(CallbackGroupType type, bool automatically_add) {
  auto group = std::make_shared<CallbackGroup>(type, automatically_add);
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto dead = [](const CallbackGroup::WeakPtr & weak) { return weak.expired(); };
  groups_.erase(std::remove_if(groups_.begin(), groups_.end(), dead), groups_.end());
  groups_.push_back(group);
  if (const auto wakeup = wakeup_.lock()) wakeup->entities_changed();
  return group;
}

bool NodeBaseInterface::callback_group_in_node(const CallbackGroup::SharedPtr & group) const {
  bool found = false;
  for_each_callback_group([&](const CallbackGroup::SharedPtr & other) { found = found || other == group; });
  return found;
}

void NodeBaseInterface::for_each_callback_group(const std::function<void(CallbackGroup::SharedPtr)> & function) const {
  std::vector<CallbackGroup::WeakPtr> copy;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    copy = groups_;
  }
  for (const auto & weak : copy) {
    if (auto group = weak.lock()) function(std::move(group));
  }
}

std::string NodeBaseInterface::resolve_topic_or_service_name(const std::string & name, bool is_service,
                                                             bool only_expand) const {
  const detail::NodePath path{name_.name_space, name_.name};
  const std::string expanded = detail::expand_name(name, path, is_service);
  if (only_expand) return expanded;
  return detail::remap_name(local_arguments_.get(), global_arguments_.get(), expanded, path, is_service);
}

bool NodeBaseInterface::is_intra_process(IntraProcessSetting setting, const std::string & topic,
                                         const QoS & qos) const {
  if (setting == IntraProcessSetting::NodeDefault ? !use_intra_process_ : setting == IntraProcessSetting::Disable) {
    return false;
  }
  if (qos.history() != HistoryPolicy::KeepLast) {
    throw std::invalid_argument("intraprocess communication on topic '" + topic +
                                "' allowed only with keep last history qos policy");
  }
  if (qos.depth() == 0) {
    throw std::invalid_argument("intraprocess communication on topic '" + topic +
                                "' is not allowed with a zero qos history depth value");
  }
  return true;
}

detail::PublisherSetup NodeBaseInterface::open_publisher(const tandem::MessageType & type, const std::string & topic,
                                                         const QoS & qos, const PublisherOptionsBase & options) {
  detail::PublisherSetup setup;
  setup.context = context_;
  setup.type = &type;
  setup.topic = resolve_topic_name(topic);
  setup.qos = qos;
  require_no_events(options.event_callbacks, setup.topic);
  require_no_network(options, setup.topic);
  const auto transport_qos = detail::to_transport(qos, setup.topic, EndpointKind::kPublisher);
  if (is_intra_process(options.use_intra_process_comm, setup.topic, qos)) {
    setup.intra_process = context_->intra_process();
  }
  setup.transport = guarded([&] { return transport_->create_publisher(type, {name_, setup.topic, transport_qos}); });
  return setup;
}

detail::SubscriptionSetup NodeBaseInterface::open_subscription(const tandem::MessageType & type,
                                                               const std::string & topic, const QoS & qos,
                                                               const SubscriptionOptionsBase & options) {
  detail::SubscriptionSetup setup;
  setup.group = checked(options.callback_group);
  setup.topic = resolve_topic_name(topic);
  setup.qos = qos;
  require_no_events(options.event_callbacks, setup.topic);
  require_no_network(options, setup.topic);
  if (options.topic_stats_options.state == TopicStatisticsState::Enable) {
    RCLCPP_WARN(get_logger("rclcpp"), "topic '%s': topic statistics are not supported yet", setup.topic.c_str());
  }
  if (options.event_callbacks.message_lost_callback) {
    throw UnsupportedEventTypeException("topic '" + setup.topic + "': the message-lost callback is not supported");
  }
  const auto transport_qos = detail::to_transport(qos, setup.topic, EndpointKind::kSubscription);
  tandem::transport::TopicOptions topic_options{name_, setup.topic, transport_qos};
  topic_options.ignore_local_publications = options.ignore_local_publications;
  if (is_intra_process(options.use_intra_process_comm, setup.topic, qos)) {
    setup.intra_process = context_->intra_process()->add(setup.topic, qos);
  }
  setup.transport = guarded([&] { return transport_->create_subscription(type, topic_options); });
  return setup;
}

detail::ClientSetup NodeBaseInterface::open_client(const tandem::ServiceType & type, const std::string & service,
                                                   const QoS & qos, CallbackGroup::SharedPtr group) {
  detail::ClientSetup setup;
  setup.context = context_;
  setup.group = checked(std::move(group));
  setup.service = resolve_topic_or_service_name(service, true);
  setup.qos = qos;
  const auto transport_qos = detail::to_transport(qos, setup.service, EndpointKind::kPublisher);
  setup.transport = guarded([&] {
    return std::make_unique<tandem::transport::ServiceClient>(
        *transport_, type, tandem::transport::ServiceOptions{name_, setup.service, transport_qos});
  });
  return setup;
}

detail::ServiceSetup NodeBaseInterface::open_service(const tandem::ServiceType & type, const std::string & service,
                                                     const QoS & qos, CallbackGroup::SharedPtr group) {
  detail::ServiceSetup setup;
  setup.group = checked(std::move(group));
  setup.service = resolve_topic_or_service_name(service, true);
  setup.qos = qos;
  const auto transport_qos = detail::to_transport(qos, setup.service, EndpointKind::kSubscription);
  setup.transport = guarded([&] {
    return std::make_unique<tandem::transport::ServiceServer>(
        *transport_, type, tandem::transport::ServiceOptions{name_, setup.service, transport_qos});
  });
  return setup;
}

void NodeBaseInterface::add_receiver(const std::shared_ptr<detail::Receiver> & receiver,
                                     CallbackGroup::SharedPtr group) {
  checked(std::move(group))->add_receiver(receiver);
}

void NodeBaseInterface::add_timer(const TimerBase::SharedPtr & timer, CallbackGroup::SharedPtr group) {
  group = checked(std::move(group));
  timer->set_group(group);
  group->add_timer(timer);
}

CallbackGroup::SharedPtr NodeBaseInterface::checked(CallbackGroup::SharedPtr group) const {
  if (!group) return default_group_;
  if (!callback_group_in_node(group)) {
    throw std::runtime_error("Cannot create an entity of node '" + fully_qualified_name_ +
                             "': its callback group is not of this node");
  }
  return group;
}

void NodeBaseInterface::set_wakeup(std::weak_ptr<detail::Wakeup> wakeup) {
  const std::lock_guard<std::mutex> lock(mutex_);
  wakeup_ = std::move(wakeup);
}

}  // namespace rclcpp::node_interfaces
