// What subscriptions of every type have in common.
#ifndef RCLCPP__SUBSCRIPTION_BASE_HPP_
#define RCLCPP__SUBSCRIPTION_BASE_HPP_

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <unordered_map>
#include <vector>

#include "rcl/event.h"
#include "rclcpp/detail/intra_process_taker.hpp"
#include "rclcpp/detail/receiver.hpp"
#include "rclcpp/logging.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/message_info.hpp"
#include "rclcpp/network_flow_endpoint.hpp"
#include "rclcpp/qos.hpp"
#include "rclcpp/serialized_message.hpp"
#include "rclcpp/subscription_options.hpp"
#include "rclcpp/visibility_control.hpp"
#include "rosidl_runtime_c/message_type_support_struct.h"
#include "tandem/transport.hpp"

namespace rclcpp {

class CallbackGroup;
class Context;

/// What a subscription's callback gets.
enum class DeliveredMessageKind : std::uint8_t {
  INVALID = 0,
  ROS_MESSAGE = 1,
  SERIALIZED_MESSAGE = 2,
  DYNAMIC_MESSAGE = 3,  ///< of none
};

namespace detail {

class IntraProcess;
class TopicStatistics;

/// What a node hands to a subscription that it creates.
struct SubscriptionSetup {
  std::shared_ptr<Context> context;
  std::shared_ptr<CallbackGroup> group;
  const tandem::MessageType * type = nullptr;
  std::shared_ptr<tandem::transport::Subscription> transport;
  std::string topic;
  QoS qos{10};
  ContentFilterOptions content_filter;
  std::shared_ptr<TopicStatistics> statistics;  ///< null without
  std::shared_ptr<IntraProcess> intra_process;  ///< null when it is disabled
  std::shared_ptr<LocalQueue> local;            ///< where messages are handed over to it; null: nowhere
  SubscriptionEventCallbacks event_callbacks;
};

/// Of a message, or, where the subscription is serialized, of a SerializedMessage.
using SampleCallback = std::function<void(tandem::transport::Sample &)>;

/// rmw's view of it, received_timestamp filled in.
RCLCPP_PUBLIC MessageInfo message_info(const tandem::transport::MessageInfo & transport_info);

}  // namespace detail

/// Thread-safe.
class RCLCPP_PUBLIC SubscriptionBase : public detail::Receiver, public std::enable_shared_from_this<SubscriptionBase> {
 public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(SubscriptionBase)
  RCLCPP_DISABLE_COPY(SubscriptionBase)

  SubscriptionBase(detail::SubscriptionSetup && setup, detail::SampleCallback callback,
                   DeliveredMessageKind kind = DeliveredMessageKind::ROS_MESSAGE,
                   const detail::IntraProcessTaker & taker = {});
  ~SubscriptionBase() override;

  /// After remapping and expansion: "/ns/topic".
  const char * get_topic_name() const { return topic_.c_str(); }
  /// Matched publishers.
  size_t get_publisher_count() const { return transport()->publisher_count(); }
  QoS get_actual_qos() const { return qos_; }
  bool can_loan_messages() const { return true; }
  bool is_serialized() const { return kind_ == DeliveredMessageKind::SERIALIZED_MESSAGE; }
  DeliveredMessageKind get_delivered_message_kind() const { return kind_; }
  const rosidl_message_type_support_t & get_message_type_support_handle() const;
  /// Whether there is a content filter.
  bool is_cft_enabled() const { return is_filtered(); }
  /// From now on only messages that fulfil the expression are taken. They are looked at here, whatever the middleware. The
  /// language: tandem/content_filter.hpp. An empty expression takes the filter away.
  /// \throws exceptions::RCLError naming the topic and the place in the expression; RCLInvalidArgument for more than 100 parameters.
  void set_content_filter(const std::string & expression, const std::vector<std::string> & parameters = {});
  /// \throws exceptions::RCLError when there is none.
  ContentFilterOptions get_content_filter() const;
  /// \throws exceptions::RCLError: messages do not travel over a network.
  std::vector<NetworkFlowEndpoint> get_network_flow_endpoints() const;

  // To take without an executor, and to call the callback. They return false when there is no message.

  /// A message of the subscription's type; of a GenericSubscription a SerializedMessage. \throws std::bad_alloc.
  virtual std::shared_ptr<void> create_message();
  std::shared_ptr<SerializedMessage> create_serialized_message() { return std::make_shared<SerializedMessage>(); }
  virtual void return_message(std::shared_ptr<void> & message) { message.reset(); }
  virtual void return_serialized_message(std::shared_ptr<SerializedMessage> & message) { message.reset(); }
  bool take_type_erased(void * message_out, MessageInfo & message_info_out) {
    return take_into(message_out, message_info_out);
  }
  /// The next message as CDR; the buffer grows if need be. \throws exceptions::RCLBadAlloc, RCLError.
  bool take_serialized(SerializedMessage & message_out, MessageInfo & message_info_out);
  /// \throws exceptions::UnimplementedError when the callback takes what the other one has.
  virtual void handle_message(std::shared_ptr<void> & message, const MessageInfo & message_info);
  virtual void handle_serialized_message(const std::shared_ptr<SerializedMessage> & message,
                                         const MessageInfo & message_info);
  /// Messages that were overwritten before they were taken (an extension).
  std::uint64_t get_lost_count() const;
  /// Messages that had to be copied or deserialized before the callback, which may copy for itself (an extension).
  std::uint64_t get_copied_count() const { return transport()->copied(); }

  /// Those whose callbacks were given. They live in the subscription's callback group.
  const std::unordered_map<rcl_subscription_event_type_t, std::shared_ptr<EventHandlerBase>> & get_event_handlers()
      const {
    return event_handlers_;
  }
  /// Called with how often an event has become ready, as EventHandlerBase::set_on_ready_callback(). An event whose own callback was
  /// not given is left with a line in the log. \throws std::invalid_argument for null.
  void set_on_new_qos_event_callback(std::function<void(size_t)> callback, rcl_subscription_event_type_t event_type);
  void clear_on_new_qos_event_callback(rcl_subscription_event_type_t event_type);
  /// Called with the number of new messages, at once if some are there already; by a thread of the library, one for all
  /// callbacks of this kind in a context. It must not block; what it throws is logged. The messages are taken as without it,
  /// by an executor or take(). From the first callback on they wait in a queue of the subscription: of its history depth,
  /// in memory of their publisher, which copies those beyond the first 8.
  /// \throws std::invalid_argument for null; exceptions::RCLError after shutdown.
  void set_on_new_message_callback(std::function<void(size_t)> callback);
  /// When it returns, the callback does not run any more. What comes from then on is told to the next one.
  void clear_on_new_message_callback();
  /// The same for messages that are handed over within the process; by the thread that publishes. Without intra-process
  /// delivery nothing comes. \throws std::invalid_argument for null.
  void set_on_new_intra_process_message_callback(std::function<void(size_t)> callback);
  void clear_on_new_intra_process_message_callback();

  /// The first argument is the subscription itself. \return what it was before.
  using detail::Receiver::exchange_in_use_by_wait_set_state;
  bool exchange_in_use_by_wait_set_state(void *, bool in_use_state) {
    return exchange_in_use_by_wait_set_state(in_use_state);
  }

  // For the library's own use: the next message, and its delivery to the callback, which is left out with a line in the
  // log when there is no memory for the copy that it wants.
  bool take_sample(tandem::transport::Sample & sample) final;
  void execute(tandem::transport::Sample & sample) final;

 protected:
  /// The next message into one of the subscription's type. \return false when there is none.
  bool take_into(void * message, MessageInfo & message_info);

 private:
  void serialize(const void * message, SerializedMessage & out) const;
  void execute_serialized(const tandem::transport::Sample & sample);

  const tandem::MessageType & type_;
  const DeliveredMessageKind kind_;
  const std::string topic_;
  const QoS qos_;
  const std::shared_ptr<detail::IntraProcess> intra_process_;
  const std::shared_ptr<detail::TopicStatistics> statistics_;  // null for most
  const detail::SampleCallback callback_;
  mutable std::mutex filter_mutex_;
  ContentFilterOptions filter_;  // guarded by filter_mutex_
  const std::unordered_map<rcl_subscription_event_type_t, std::shared_ptr<EventHandlerBase>> event_handlers_;
  std::shared_ptr<const void> place_;  // among the intra-process subscriptions
};

}  // namespace rclcpp

#endif  // RCLCPP__SUBSCRIPTION_BASE_HPP_
