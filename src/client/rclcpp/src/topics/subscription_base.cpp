// Taking messages.
#include "rclcpp/subscription_base.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <stdexcept>

#include "qos/qos_conversion.hpp"
#include "rclcpp/detail/sample.hpp"
#include "rclcpp/detail/type_support_handle.hpp"
#include "rclcpp/exceptions.hpp"
#include "rclcpp/logging.hpp"
#include "tandem/content_filter.hpp"
#include "topics/endpoint_events.hpp"
#include "topics/intra_process.hpp"
#include "topics/topic_statistics.hpp"
#include "types/serialization.hpp"

namespace rclcpp {
namespace {

tandem::transport::Sample to_sample(const std::shared_ptr<void> & message, const MessageInfo & message_info) {
  const auto & info = message_info.get_rmw_message_info();
  tandem::transport::Sample sample;
  sample.message = message.get();
  sample.keeper = message;
  sample.info.source_timestamp = info.source_timestamp;
  sample.info.received_timestamp = info.received_timestamp;
  sample.info.sequence = info.publication_sequence_number;
  std::copy(std::begin(info.publisher_gid.data), std::end(info.publisher_gid.data), sample.info.publisher.begin());
  sample.info.from_intra_process = info.from_intra_process;
  return sample;
}

detail::ReceiverParts parts_of(detail::SubscriptionSetup & setup) {
  const bool keeps_all = setup.qos.history() == HistoryPolicy::KeepAll;
  return {std::move(setup.transport),
          setup.group,
          setup.context,
          setup.type,
          "subscription '" + setup.topic + "'",
          keeps_all ? 0 : detail::history_depth(setup.qos),
          true,
          setup.local};
}

}  // namespace

SubscriptionBase::SubscriptionBase(detail::SubscriptionSetup && setup, detail::SampleCallback callback,
                                   DeliveredMessageKind kind, const detail::IntraProcessTaker & taker)
    : Receiver(parts_of(setup)),
      type_(*setup.type),
      kind_(kind),
      topic_(std::move(setup.topic)),
      qos_(setup.qos),
      intra_process_(setup.intra_process),
      statistics_(std::move(setup.statistics)),
      callback_(std::move(callback)),
      event_handlers_(detail::make_event_handlers(setup.context, topic_, transport(), setup.event_callbacks)) {
  const auto & filter = setup.content_filter;
  if (!filter.filter_expression.empty()) set_content_filter(filter.filter_expression, filter.expression_parameters);
  if (!intra_process_) return;
  if (setup.local) setup.local->set_taker(taker);
  place_ = intra_process_->add({topic_, qos_, &type_, setup.local, transport()->gid()});  // from now on messages come
}

SubscriptionBase::~SubscriptionBase() {
  if (!event_handlers_.empty()) transport()->set_status_listener(nullptr);
}

void SubscriptionBase::set_on_new_qos_event_callback(std::function<void(size_t)> callback,
                                                     rcl_subscription_event_type_t event_type) {
  detail::set_on_new_event_callback(event_handlers_, event_type, topic_, std::move(callback));
}

void SubscriptionBase::clear_on_new_qos_event_callback(rcl_subscription_event_type_t event_type) {
  detail::clear_on_new_event_callback(event_handlers_, event_type, topic_);
}

bool SubscriptionBase::take_sample(tandem::transport::Sample & sample) {
  const bool is_taken = Receiver::take_sample(sample);
  sample.info.from_intra_process = sample.info.from_intra_process && intra_process_;
  return is_taken;
}

void SubscriptionBase::set_on_new_message_callback(std::function<void(size_t)> callback) {
  set_on_new_or_refuse("message", std::move(callback));
}

void SubscriptionBase::clear_on_new_message_callback() { set_on_new_from_transport(nullptr); }

void SubscriptionBase::set_on_new_intra_process_message_callback(std::function<void(size_t)> callback) {
  if (!callback) {
    throw std::invalid_argument("subscription '" + topic_ +
                                "': the callback for a new intra-process message is null; "
                                "clear_on_new_intra_process_message_callback() takes it away");
  }
  set_on_new_from_local(std::move(callback));
}

void SubscriptionBase::clear_on_new_intra_process_message_callback() { set_on_new_from_local(nullptr); }

std::uint64_t SubscriptionBase::get_lost_count() const {
  return transport()->lost() + (local() ? local()->dropped() : 0);
}

void SubscriptionBase::set_content_filter(const std::string & expression, const std::vector<std::string> & parameters) {
  constexpr size_t kMostParameters = 100;
  if (parameters.size() > kMostParameters) {
    throw exceptions::RCLInvalidArgument("topic '" + topic_ + "': a content filter has at most 100 parameters, not " +
                                         std::to_string(parameters.size()));
  }
  std::shared_ptr<const tandem::ContentFilter> filter;
  if (!expression.empty()) {
    const auto compiled = tandem::ContentFilter::compile(type(), expression, parameters);
    if (!compiled) {
      throw exceptions::RCLError(RCL_RET_ERROR, "topic '" + topic_ + "': the content filter \"" + expression +
                                                    "\" is wrong " + compiled.error());
    }
    filter = std::make_shared<const tandem::ContentFilter>(*compiled);
  }
  const std::lock_guard<std::mutex> lock(filter_mutex_);
  filter_ = {expression, parameters};
  set_filter(std::move(filter));
}

ContentFilterOptions SubscriptionBase::get_content_filter() const {
  const std::lock_guard<std::mutex> lock(filter_mutex_);
  if (!is_cft_enabled()) throw exceptions::RCLError(RCL_RET_ERROR, "topic '" + topic_ + "' has no content filter");
  return filter_;
}

std::vector<NetworkFlowEndpoint> SubscriptionBase::get_network_flow_endpoints() const {
  throw exceptions::RCLError(RCL_RET_UNSUPPORTED,
                             "topic '" + topic_ + "': its messages travel over no network, so there are no endpoints");
}

const rosidl_message_type_support_t & SubscriptionBase::get_message_type_support_handle() const {
  return *detail::handle_of(type_);
}

std::shared_ptr<void> SubscriptionBase::create_message() { return tandem::make_message(type_); }

void SubscriptionBase::handle_message(std::shared_ptr<void> & message, const MessageInfo & message_info) {
  if (is_serialized()) {
    throw exceptions::UnimplementedError("topic '" + topic_ + "': its callback takes serialized messages only");
  }
  auto sample = to_sample(message, message_info);
  execute(sample);
}

void SubscriptionBase::handle_serialized_message(const std::shared_ptr<SerializedMessage> & message,
                                                 const MessageInfo & message_info) {
  if (!is_serialized()) {
    throw exceptions::UnimplementedError("topic '" + topic_ + "': its callback takes no serialized messages");
  }
  auto sample = to_sample(message, message_info);
  callback_(sample);
}

bool SubscriptionBase::take_serialized(SerializedMessage & message_out, MessageInfo & message_info_out) {
  tandem::transport::Sample sample;
  if (!take_sample(sample)) return false;
  tandem::OwnedMessage made;
  serialize(local() ? local()->message_of(sample, made) : sample.message, message_out);
  message_info_out = detail::message_info(sample.info);
  return true;
}

void SubscriptionBase::serialize(const void * message, SerializedMessage & out) const {
  detail::throw_if_failed(detail::serialize(type_, message, out.get_rcl_serialized_message()),
                          "topic '" + topic_ + "': a message of type " + type_.name + " cannot be serialized");
}

void SubscriptionBase::execute_serialized(const tandem::transport::Sample & sample) {
  const auto message = create_serialized_message();
  try {
    serialize(sample.message, *message);
  } catch (const exceptions::RCLErrorBase & error) {
    RCLCPP_ERROR(get_logger("rclcpp"), "%s; it is dropped", error.message.c_str());
    return;
  }
  tandem::transport::Sample serialized;
  serialized.message = message.get();
  serialized.keeper = message;
  serialized.info = sample.info;
  callback_(serialized);
}

void SubscriptionBase::execute(tandem::transport::Sample & sample) {
  if (statistics_) statistics_->received(sample.info);
  if (is_serialized()) {
    execute_serialized(sample);
    return;
  }
  try {
    callback_(sample);
  } catch (const detail::NoMemoryForCopy &) {
    RCLCPP_ERROR(get_logger("rclcpp"),
                 "topic '%s': a message is dropped, since there is no memory for a copy of it; free some, or let the "
                 "callback take a const reference or a ConstSharedPtr, which copy nothing",
                 get_topic_name());
  }
}

bool SubscriptionBase::take_into(void * message, MessageInfo & message_info) {
  tandem::transport::MessageInfo info;
  if (!take_message(message, info)) return false;
  info.from_intra_process = info.from_intra_process && intra_process_;
  message_info = detail::message_info(info);
  return true;
}

MessageInfo detail::message_info(const tandem::transport::MessageInfo & transport_info) {
  rmw_message_info_t info{};
  info.source_timestamp = transport_info.source_timestamp;
  info.received_timestamp = transport_info.received_timestamp;
  if (info.received_timestamp == 0) {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    info.received_timestamp = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
  }
  info.publication_sequence_number = transport_info.sequence;
  info.reception_sequence_number = std::numeric_limits<std::uint64_t>::max();
  std::copy(transport_info.publisher.begin(), transport_info.publisher.end(), info.publisher_gid.data);
  info.from_intra_process = transport_info.from_intra_process;
  return info;
}

}  // namespace rclcpp
