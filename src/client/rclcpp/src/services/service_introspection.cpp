// Filling events, whatever the service: by the table of their fields.
#include "rclcpp/detail/service_introspection.hpp"

#include <algorithm>
#include <new>
#include <service_msgs/msg/service_event_info.hpp>
#include <utility>

#include "qos/qos_conversion.hpp"
#include "rclcpp/exceptions.hpp"
#include "rclcpp/logging.hpp"
#include "tandem/introspection.hpp"
#include "transport/transport_error.hpp"

namespace rclcpp::detail {
namespace {

using tandem::transport::PublishResult;

/// The fields of an event, in the order of its definition.
enum EventField : std::size_t { kInfo, kRequest, kResponse };

void * memory_of(const tandem::Field & field, const tandem::OwnedMessage & message) {
  return static_cast<char *>(message.get()) + field.offset;
}

}  // namespace

void ServiceIntrospection::configure(Clock::SharedPtr clock, const QoS & qos, rcl_service_introspection_state_t state) {
  const std::string topic = setup_.service + RCL_SERVICE_INTROSPECTION_TOPIC_POSTFIX;
  std::shared_ptr<tandem::transport::Publisher> publisher;
  if (state != RCL_SERVICE_INTROSPECTION_OFF) {
    if (!clock) throw exceptions::RCLInvalidArgument("service '" + setup_.service + "': its events need a clock");
    if (setup_.type->event == nullptr) {
      throw exceptions::RCLError(RCL_RET_UNSUPPORTED, "service '" + setup_.service + "': its type " +
                                                          setup_.type->name +
                                                          " has no event; generate its package anew");
    }
    const auto transport_qos = to_transport(qos, topic, tandem::transport::EndpointKind::kPublisher);
    publisher = transport_call([&] {
      return setup_.transport->create_publisher(*setup_.type->event, {setup_.node, topic, transport_qos});
    });
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  clock_ = std::move(clock);
  publisher_.swap(publisher);
  state_.store(state, std::memory_order_relaxed);  // what goes with it is behind the mutex
}

tandem::OwnedMessage ServiceIntrospection::make(Kind kind, const tandem::transport::RequestId & id,
                                                const void * message) const {
  const auto state = state_.load(std::memory_order_relaxed);
  if (state == RCL_SERVICE_INTROSPECTION_OFF) return {};
  const tandem::MessageType & type = *setup_.type->event;
  try {
    tandem::OwnedMessage event = tandem::make_message(type);
    auto & info = *static_cast<service_msgs::msg::ServiceEventInfo *>(memory_of(type.fields[kInfo], event));
    info.event_type = static_cast<std::uint8_t>(kind);
    std::copy(id.client.begin(), id.client.end(), info.client_gid.begin());
    info.sequence_number = id.sequence;
    if (state == RCL_SERVICE_INTROSPECTION_CONTENTS) {
      const bool is_request = kind == Kind::kRequestSent || kind == Kind::kRequestReceived;
      const EventField index = is_request ? kRequest : kResponse;
      const tandem::Field & field = type.fields[index];
      field.resize(memory_of(field, event), 1);
      const auto only = tandem::element(tandem::member(tandem::value_of(type, event.get()), index), 0);
      field.message().assign(const_cast<void *>(only.memory), message);  // it is ours
    }
    return event;
  } catch (const std::bad_alloc &) {
    RCLCPP_WARN(get_logger("rclcpp"), "service '%s': there is no memory for an event, which is left out",
                setup_.service.c_str());
    return {};
  }
}

void ServiceIntrospection::publish(tandem::OwnedMessage event) const {
  if (!event) return;
  std::unique_lock<std::mutex> lock(mutex_);
  const auto publisher = publisher_;
  if (!publisher) return;  // it was turned off meanwhile
  const Time now = clock_->now();
  lock.unlock();
  auto & info =
      *static_cast<service_msgs::msg::ServiceEventInfo *>(memory_of(setup_.type->event->fields[kInfo], event));
  info.stamp = now;
  const PublishResult result = publisher->publish(event);
  if (result == PublishResult::kOk) return;
  RCLCPP_WARN(get_logger("rclcpp"), "service '%s': an event could not be published (%s)", setup_.service.c_str(),
              tandem::transport::to_string(result));
}

}  // namespace rclcpp::detail
