#include <rmw/rmw.h>

#include "endpoints.hpp"
#include "errors.hpp"
#include "qos.hpp"
#include "tandem/cdr.hpp"

namespace tandem_rmw {
namespace {

transport::TopicOptions options_for(const rmw_node_t * node, const char * topic, const rmw_qos_profile_t & profile) {
  transport::TopicOptions options;
  options.node = node_of(node).name;
  options.topic = topic;
  options.qos = settled_qos(node_of(node).context, profile, true, topic);
  return options;
}

/// Ends the loan of a message. \return an empty one when it is none of ours.
transport::Loan end_loan(Publisher & publisher, void * message) {
  const std::lock_guard<std::mutex> lock(publisher.mutex);
  const auto found = publisher.loans.find(message);
  if (found == publisher.loans.end()) return {};
  transport::Loan loan = std::move(found->second);
  publisher.loans.erase(found);
  return loan;
}

rmw_ret_t unknown_loan(const Publisher & publisher) {
  return fail(RMW_RET_INVALID_ARGUMENT, "the message was not borrowed from the publisher of '" + publisher.topic + "'");
}

rmw_ret_t require_loans(const rmw_publisher_t * publisher) {
  TANDEM_RMW_RETURN_IF(require_ours(publisher, "publisher"));
  if (publisher->can_loan_messages) return RMW_RET_OK;
  return fail(RMW_RET_UNSUPPORTED,
              "messages of " + publisher_of(publisher).type.name +
                  " cannot be borrowed: they have strings or sequences, which ROS 2 keeps elsewhere");
}

}  // namespace
}  // namespace tandem_rmw

using namespace tandem_rmw;

extern "C" {

rmw_publisher_t * rmw_create_publisher(const rmw_node_t * node, const rosidl_message_type_support_t * type_support,
                                       const char * topic_name, const rmw_qos_profile_t * qos_profile,
                                       const rmw_publisher_options_t * publisher_options) {
  TANDEM_RMW_NULL_IF(require_ours(node, "node"));
  TANDEM_RMW_NULL_IF(first_error(require(type_support, "type_support"), require(topic_name, "topic_name"),
                                 require(qos_profile, "qos_profile"), require(publisher_options, "publisher_options")));
  TANDEM_RMW_NULL_IF(require_topic_name(topic_name, "topic_name", *qos_profile));
  TANDEM_RMW_NULL_IF(require_no_flow_of_its_own(publisher_options->require_unique_network_flow_endpoints));
  return guarded(static_cast<rmw_publisher_t *>(nullptr), [&]() -> rmw_publisher_t * {
    const RosType * const type = find_type(type_support);
    if (type == nullptr) return nullptr;
    auto publisher =
        std::make_unique<Publisher>(node_of(node).context, *type, options_for(node, topic_name, *qos_profile));
    publisher->type_support = type_support;
    auto * const made = new rmw_publisher_t{};
    made->implementation_identifier = kIdentifier;
    made->topic_name = publisher->topic.c_str();
    made->options = *publisher_options;
    made->can_loan_messages = type->is_same;
    made->data = publisher.release();
    return made;
  });
}

rmw_ret_t rmw_destroy_publisher(rmw_node_t * node, rmw_publisher_t * publisher) {
  TANDEM_RMW_RETURN_IF(first_error(require_ours(node, "node"), require_ours(publisher, "publisher")));
  delete &publisher_of(publisher);
  delete publisher;
  return RMW_RET_OK;
}

rmw_ret_t rmw_publish(const rmw_publisher_t * publisher, const void * ros_message, rmw_publisher_allocation_t *) {
  TANDEM_RMW_RETURN_IF(first_error(require_ours(publisher, "publisher"), require(ros_message, "ros_message")));
  return guarded(RMW_RET_ERROR, [&] {
    Publisher & own = publisher_of(publisher);
    return to_ret(send_converted(
                      *own.native, own.type, ros_message,
                      [&](auto && message) { return own.native->publish(std::forward<decltype(message)>(message)); },
                      own.buffers.get()),
                  own.topic);
  });
}

rmw_ret_t rmw_publish_serialized_message(const rmw_publisher_t * publisher,
                                         const rmw_serialized_message_t * serialized_message,
                                         rmw_publisher_allocation_t *) {
  TANDEM_RMW_RETURN_IF(
      first_error(require_ours(publisher, "publisher"), require(serialized_message, "serialized_message")));
  return guarded(RMW_RET_ERROR, [&]() -> rmw_ret_t {
    Publisher & own = publisher_of(publisher);
    transport::Loan loan = own.native->borrow();
    if (!loan) return to_ret(transport::PublishResult::kPoolExhausted, own.topic);
    const auto read = tandem::deserialize(own.type.native, serialized_message->buffer,
                                          serialized_message->buffer_length, loan.data());
    if (!read) return fail(RMW_RET_ERROR, "a serialized message for '" + own.topic + "': " + read.error());
    return to_ret(own.native->publish(std::move(loan)), own.topic);
  });
}

// ---- loans ---------------------------------------------------------------------------------------------------------

rmw_ret_t rmw_borrow_loaned_message(const rmw_publisher_t * publisher,
                                    const rosidl_message_type_support_t * type_support, void ** ros_message) {
  TANDEM_RMW_RETURN_IF(require_loans(publisher));
  TANDEM_RMW_RETURN_IF(first_error(require(type_support, "type_support"), require(ros_message, "ros_message")));
  if (*ros_message != nullptr) return fail(RMW_RET_INVALID_ARGUMENT, "*ros_message is not null");
  return guarded(RMW_RET_ERROR, [&]() -> rmw_ret_t {
    Publisher & own = publisher_of(publisher);
    if (type_support != own.type_support && find_type(type_support) != &own.type) {
      return fail(RMW_RET_INVALID_ARGUMENT,
                  "the publisher of '" + own.topic + "' is of another type: " + own.type.name);
    }
    transport::Loan loan = own.native->borrow();
    if (!loan) return to_ret(transport::PublishResult::kPoolExhausted, own.topic);
    void * const message = loan.data();
    const std::lock_guard<std::mutex> lock(own.mutex);
    own.loans.insert_or_assign(message, std::move(loan));
    *ros_message = message;
    return RMW_RET_OK;
  });
}

rmw_ret_t rmw_return_loaned_message_from_publisher(const rmw_publisher_t * publisher, void * loaned_message) {
  TANDEM_RMW_RETURN_IF(require_loans(publisher));
  TANDEM_RMW_RETURN_IF(require(loaned_message, "loaned_message"));
  return end_loan(publisher_of(publisher), loaned_message) ? RMW_RET_OK : unknown_loan(publisher_of(publisher));
}

rmw_ret_t rmw_publish_loaned_message(const rmw_publisher_t * publisher, void * ros_message,
                                     rmw_publisher_allocation_t *) {
  TANDEM_RMW_RETURN_IF(require_loans(publisher));
  TANDEM_RMW_RETURN_IF(require(ros_message, "ros_message"));
  Publisher & own = publisher_of(publisher);
  transport::Loan loan = end_loan(own, ros_message);
  return loan ? to_ret(own.native->publish(std::move(loan)), own.topic) : unknown_loan(own);
}

// ---- what is known of it -------------------------------------------------------------------------------------------

rmw_ret_t rmw_publisher_count_matched_subscriptions(const rmw_publisher_t * publisher, size_t * subscription_count) {
  TANDEM_RMW_RETURN_IF(
      first_error(require_ours(publisher, "publisher"), require(subscription_count, "subscription_count")));
  *subscription_count = publisher_of(publisher).native->subscription_count();
  return RMW_RET_OK;
}

rmw_ret_t rmw_publisher_get_actual_qos(const rmw_publisher_t * publisher, rmw_qos_profile_t * qos) {
  TANDEM_RMW_RETURN_IF(first_error(require_ours(publisher, "publisher"), require(qos, "qos")));
  *qos = to_rmw(publisher_of(publisher).qos);
  return RMW_RET_OK;
}

rmw_ret_t rmw_publisher_assert_liveliness(const rmw_publisher_t * publisher) {
  TANDEM_RMW_RETURN_IF(require_ours(publisher, "publisher"));
  publisher_of(publisher).native->assert_liveliness();
  return RMW_RET_OK;
}

rmw_ret_t rmw_publisher_wait_for_all_acked(const rmw_publisher_t * publisher, rmw_time_t) {
  return require_ours(publisher, "publisher");  // messages lie where their readers read them
}

rmw_ret_t rmw_get_gid_for_publisher(const rmw_publisher_t * publisher, rmw_gid_t * gid) {
  TANDEM_RMW_RETURN_IF(first_error(require_ours(publisher, "publisher"), require(gid, "gid")));
  *gid = to_gid(publisher_of(publisher).native->gid());
  return RMW_RET_OK;
}

rmw_ret_t rmw_compare_gids_equal(const rmw_gid_t * gid1, const rmw_gid_t * gid2, bool * result) {
  TANDEM_RMW_RETURN_IF(first_error(require_ours(gid1, "gid1"), require_ours(gid2, "gid2"), require(result, "result")));
  *result = std::equal(std::begin(gid1->data), std::end(gid1->data), std::begin(gid2->data));
  return RMW_RET_OK;
}

rmw_ret_t rmw_publisher_event_init(rmw_event_t * rmw_event, const rmw_publisher_t * publisher,
                                   rmw_event_type_t event_type) {
  TANDEM_RMW_RETURN_IF(first_error(require(rmw_event, "rmw_event"), require_ours(publisher, "publisher")));
  return init_event(*rmw_event, *publisher_of(publisher).events, event_type, true);
}

}  // extern "C"
