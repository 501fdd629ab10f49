// Taking messages.
#include "rclcpp/subscription_base.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <stdexcept>

#include "rclcpp/detail/sample.hpp"
#include "rclcpp/exceptions.hpp"
#include "rclcpp/logging.hpp"

namespace rclcpp {

namespace {

detail::ReceiverParts parts_of(detail::SubscriptionSetup & setup) {
  const bool keeps_all = setup.qos.history() == HistoryPolicy::KeepAll;
  return {std::move(setup.transport),
          setup.group,
          std::move(setup.context),
          setup.type,
          "subscription '" + setup.topic + "'",
          keeps_all ? 0 : std::max<size_t>(setup.qos.depth(), 1),
          true};
}

}  // namespace

SubscriptionBase::SubscriptionBase(detail::SubscriptionSetup && setup, detail::SampleCallback callback)
    : Receiver(parts_of(setup)),
      topic_(std::move(setup.topic)),
      qos_(setup.qos),
      intra_process_(std::move(setup.intra_process)),
      callback_(std::move(callback)) {}

bool SubscriptionBase::take_sample(tandem::transport::Sample & sample) {
  const bool is_taken = Receiver::take_sample(sample);
  sample.info.from_intra_process = sample.info.from_intra_process && intra_process_;
  return is_taken;
}

void SubscriptionBase::set_on_new_message_callback(std::function<void(size_t)> callback) {
  if (!callback) {
    throw std::invalid_argument("topic '" + topic_ + "': the callback for new messages is null; " +
                                "clear_on_new_message_callback() takes it away");
  }
  set_on_new(std::move(callback));
}

void SubscriptionBase::clear_on_new_message_callback() { set_on_new(nullptr); }

void SubscriptionBase::set_content_filter(const std::string &, const std::vector<std::string> &) {
  throw exceptions::RCLError(RCL_RET_UNSUPPORTED, "topic '" + topic_ + "': content filters are not supported");
}

ContentFilterOptions SubscriptionBase::get_content_filter() const {
  throw exceptions::RCLError(RCL_RET_UNSUPPORTED, "topic '" + topic_ + "': content filters are not supported");
}

std::vector<NetworkFlowEndpoint> SubscriptionBase::get_network_flow_endpoints() const {
  throw exceptions::RCLError(RCL_RET_UNSUPPORTED,
                             "topic '" + topic_ + "': its messages travel over no network, so there are no endpoints");
}

void SubscriptionBase::handle_message(std::shared_ptr<void> & message, const MessageInfo & message_info) {
  const auto & info = message_info.get_rmw_message_info();
  tandem::transport::Sample sample;
  sample.message = message.get();
  sample.keeper = message;
  sample.info.source_timestamp = info.source_timestamp;
  sample.info.received_timestamp = info.received_timestamp;
  sample.info.sequence = info.publication_sequence_number;
  std::copy(std::begin(info.publisher_gid.data), std::end(info.publisher_gid.data), sample.info.publisher.begin());
  sample.info.from_intra_process = info.from_intra_process;
  execute(sample);
}

void SubscriptionBase::execute(tandem::transport::Sample & sample) {
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
