// What publishers of every type have in common.
#ifndef RCLCPP__PUBLISHER_BASE_HPP_
#define RCLCPP__PUBLISHER_BASE_HPP_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "rcl/event.h"
#include "rclcpp/detail/intra_process_taker.hpp"
#include "rclcpp/event_handler.hpp"
#include "rclcpp/logging.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/network_flow_endpoint.hpp"
#include "rclcpp/qos.hpp"
#include "rclcpp/serialized_message.hpp"
#include "rclcpp/visibility_control.hpp"
#include "tandem/transport.hpp"

namespace rclcpp {

class Context;

namespace detail {

class IntraProcess;
class LocalWriter;

/// What a node hands to a publisher that it creates.
struct PublisherSetup {
  std::shared_ptr<Context> context;
  std::shared_ptr<tandem::transport::Publisher> transport;
  std::string topic;
  QoS qos{10};
  const tandem::MessageType * type = nullptr;
  std::shared_ptr<IntraProcess> intra_process;                    ///< null when it is disabled
  std::shared_ptr<tandem::transport::Context> transport_context;  ///< with intra_process
  PublisherEventCallbacks event_callbacks;
};

}  // namespace detail

/// Thread-safe.
class RCLCPP_PUBLIC PublisherBase : public std::enable_shared_from_this<PublisherBase> {
 public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(PublisherBase)
  RCLCPP_DISABLE_COPY(PublisherBase)

  explicit PublisherBase(detail::PublisherSetup && setup);
  virtual ~PublisherBase();

  /// After remapping and expansion: "/ns/topic".
  const char * get_topic_name() const { return topic_.c_str(); }
  size_t get_queue_size() const { return qos_.depth(); }
  /// Matched subscriptions.
  size_t get_subscription_count() const { return transport_->subscription_count(); }
  /// Of this process and context, with intra-process delivery enabled as here; 0 when it is disabled here.
  size_t get_intra_process_subscription_count() const;
  QoS get_actual_qos() const { return qos_; }
  /// Whether subscribers of this host see loaned messages without a copy.
  bool can_loan_messages() const { return transport_->can_loan(); }
  /// Borrows that failed since the publisher was made (an extension).
  std::uint64_t get_failed_borrow_count() const { return transport_->failed_borrows(); }
  /// Messages that had to be copied or serialized (an extension).
  std::uint64_t get_copied_count() const;
  rmw_gid_t get_gid() const;
  /// Waits until every reliable subscription has what was published; true at once where publish() delivers, as the
  /// default middleware does. A negative timeout waits without end. \return false when the time is over.
  template <class Rep = std::int64_t, class Period = std::milli>
  bool wait_for_all_acked(std::chrono::duration<Rep, Period> timeout = std::chrono::duration<Rep, Period>(-1)) const {
    return transport_->wait_for_all_acked(std::chrono::duration_cast<std::chrono::nanoseconds>(timeout));
  }
  /// With manual liveliness: it lives for another lease, as it does after each publish. \return true.
  bool assert_liveliness() const;
  /// Those whose callbacks were given. They live in the publisher's callback group.
  const std::unordered_map<rcl_publisher_event_type_t, std::shared_ptr<EventHandlerBase>> & get_event_handlers() const {
    return event_handlers_;
  }
  /// Called with how often an event has become ready, as EventHandlerBase::set_on_ready_callback(). An event whose own callback was
  /// not given is left with a line in the log. \throws std::invalid_argument for null.
  void set_on_new_qos_event_callback(std::function<void(size_t)> callback, rcl_publisher_event_type_t event_type);
  void clear_on_new_qos_event_callback(rcl_publisher_event_type_t event_type);
  /// For the library's own use. \throws exceptions::RCLInvalidArgument when the publisher is of another type; as
  /// Publisher::borrow_loaned_message().
  tandem::Loan borrow_of_type(const tandem::MessageType & type) const;
  /// \throws exceptions::RCLError: messages do not travel over a network.
  std::vector<NetworkFlowEndpoint> get_network_flow_endpoints() const;

 protected:
  /// Empty when the pool or the memory is exhausted.
  tandem::Loan borrow() const { return transport_->borrow(); }
  /// As borrow(), but throws exceptions::RCLError naming topic and remedy.
  tandem::Loan borrow_or_throw() const;

  // Ignored once the context is shut down. They throw exceptions::RCLError naming topic and remedy.
  // Allocate / lock between processes / make system calls: no more than the transport does.
  void publish_copy(const void * message);
  void publish_owned(tandem::OwnedMessage message);
  void publish_loan(tandem::Loan && loan);
  /// Deserializes once, where the transport can lend into the memory that subscribers see. \throws also for bytes that are no
  /// message of the type.
  void publish_serialized(const rcl_serialized_message_t & bytes);
  /// Whether somebody in this process takes objects of this type as they are.
  bool is_wanted(const detail::CustomType & type) const;
  /// Converts it for all others.
  void publish_custom(detail::OwnedCustom custom, const detail::CustomType & type);

 private:
  void throw_if_failed(tandem::transport::PublishResult result) const;

  const std::shared_ptr<Context> context_;
  const std::shared_ptr<tandem::transport::Publisher> transport_;
  const std::string topic_;
  const QoS qos_;
  const tandem::MessageType & type_;
  const std::shared_ptr<detail::IntraProcess> intra_process_;
  const std::shared_ptr<detail::LocalWriter> writer_;  // null without intra-process delivery
  const std::unordered_map<rcl_publisher_event_type_t, std::shared_ptr<EventHandlerBase>> event_handlers_;
};

}  // namespace rclcpp

#endif  // RCLCPP__PUBLISHER_BASE_HPP_
