#include <rmw/rmw.h>
#include <rmw/subscription_content_filter_options.h>

#include "buffers.hpp"
#include "endpoints.hpp"
#include "errors.hpp"
#include "qos.hpp"
#include "serialized.hpp"

namespace tandem_rmw {
namespace {

transport::TopicOptions options_for(const rmw_node_t * node, const char * topic, const rmw_qos_profile_t & profile,
                                    const rmw_subscription_options_t & given) {
  transport::TopicOptions options;
  options.node = node_of(node).name;
  options.topic = topic;
  options.qos = settled_qos(node_of(node).context, profile, false, topic);
  options.ignore_local_publications = given.ignore_local_publications;
  return options;
}

rmw_message_info_t to_rmw(const transport::MessageInfo & info) {
  rmw_message_info_t told = rmw_get_zero_initialized_message_info();
  told.source_timestamp = info.source_timestamp;
  told.received_timestamp = received_time(info);
  told.publication_sequence_number = info.sequence;
  told.reception_sequence_number = RMW_MESSAGE_INFO_SEQUENCE_NUMBER_UNSUPPORTED;
  told.publisher_gid = to_gid(info.publisher);
  told.from_intra_process = false;  // this is what rclcpp's own way within a process says
  return told;
}

/// What handles tell of filters since Lyrical.
template <class Handle>
void say_that_filters_are_supported(Handle & handle) {
  if constexpr (requires { handle.is_cft_supported; }) handle.is_cft_supported = true;
}

/// Of the option that is there since Lyrical.
template <class Options>
const char * acceptable_backends(const Options & options) {
  if constexpr (requires { options.acceptable_buffer_backends; }) {
    return options.acceptable_buffer_backends;
  } else {
    return nullptr;
  }
}

/// Of the options that rmw.h gives; an empty expression is no filter.
rmw_ret_t set_filter(rmw_subscription_t & handle, const rmw_subscription_content_filter_options_t & options) {
  Subscription & own = subscription_of(&handle);
  std::shared_ptr<const Filter> filter;
  if (options.filter_expression != nullptr && *options.filter_expression != '\0') {
    std::vector<std::string> parameters;
    for (std::size_t i = 0; i < options.expression_parameters.size; ++i) {
      parameters.emplace_back(options.expression_parameters.data[i]);
    }
    auto compiled = tandem::ContentFilter::compile(own.type.native, options.filter_expression, parameters);
    if (!compiled) return fail(RMW_RET_ERROR, "the content filter of '" + own.topic + "': " + compiled.error());
    filter = std::make_shared<const Filter>(Filter{options.filter_expression, std::move(parameters), *compiled});
  }
  handle.is_cft_enabled = filter != nullptr;
  own.inbox->set_filter(std::move(filter));
  return RMW_RET_OK;
}

rmw_ret_t take_one(const rmw_subscription_t * subscription, void * ros_message, bool * taken,
                   rmw_message_info_t * message_info) {
  TANDEM_RMW_RETURN_IF(require_ours(subscription, "subscription"));
  TANDEM_RMW_RETURN_IF(first_error(require(ros_message, "ros_message"), require(taken, "taken")));
  *taken = false;
  return guarded(RMW_RET_ERROR, [&]() -> rmw_ret_t {
    transport::MessageInfo info;
    Subscription & own = subscription_of(subscription);
    *taken = take_converted(*own.inbox, own.type, ros_message, info, own.takes_buffers_in_place, own.buffers.get());
    if (*taken && message_info != nullptr) *message_info = to_rmw(info);
    own.note_losses();
    return RMW_RET_OK;
  });
}

/// A message in ROS 2's layout, which lives as long as this.
std::shared_ptr<void> make_ros_message(const RosType & type) {
  void * const memory = ::operator new(type.size);
  try {
    type.initialize(memory);
  } catch (...) {
    ::operator delete(memory);
    throw;
  }
  return {memory, [&type](void * message) {
            type.finalize(message);
            ::operator delete(message);
          }};
}

rmw_ret_t take_serialized(const rmw_subscription_t * subscription, rmw_serialized_message_t * serialized_message,
                          bool * taken, rmw_message_info_t * message_info) {
  TANDEM_RMW_RETURN_IF(require_ours(subscription, "subscription"));
  TANDEM_RMW_RETURN_IF(first_error(require(serialized_message, "serialized_message"), require(taken, "taken")));
  *taken = false;
  return guarded(RMW_RET_ERROR, [&]() -> rmw_ret_t {
    Subscription & own = subscription_of(subscription);
    transport::MessageInfo info;
    if (own.buffers) {  // whose bytes may be elsewhere
      const auto message = make_ros_message(own.type);
      if (!take_converted(*own.inbox, own.type, message.get(), info, false, own.buffers.get())) return RMW_RET_OK;
      TANDEM_RMW_RETURN_IF(serialize_ros(own.type, message.get(), *serialized_message));
    } else {
      transport::Sample sample;
      do {
        sample = own.inbox->take();
        if (!sample) return RMW_RET_OK;
      } while (!is_for(own.type, sample.message, nullptr));
      info = sample.info;
      TANDEM_RMW_RETURN_IF(serialize_native(own.type, sample.message, *serialized_message));
    }
    if (message_info != nullptr) *message_info = to_rmw(info);
    *taken = true;
    own.note_losses();
    return RMW_RET_OK;
  });
}

rmw_ret_t require_loans(const rmw_subscription_t * subscription) {
  TANDEM_RMW_RETURN_IF(require_ours(subscription, "subscription"));
  if (subscription->can_loan_messages) return RMW_RET_OK;
  return fail(RMW_RET_UNSUPPORTED, "messages of " + subscription_of(subscription).type.name +
                                       " cannot be taken as loans: they have strings or sequences, which ROS 2 keeps "
                                       "elsewhere");
}

rmw_ret_t take_loan(const rmw_subscription_t * subscription, void ** loaned_message, bool * taken,
                    rmw_message_info_t * message_info) {
  TANDEM_RMW_RETURN_IF(require_loans(subscription));
  TANDEM_RMW_RETURN_IF(first_error(require(loaned_message, "loaned_message"), require(taken, "taken")));
  if (*loaned_message != nullptr) return fail(RMW_RET_INVALID_ARGUMENT, "*loaned_message is not null");
  *taken = false;
  return guarded(RMW_RET_ERROR, [&]() -> rmw_ret_t {
    Subscription & own = subscription_of(subscription);
    transport::Sample sample = own.inbox->take();
    if (!sample) return RMW_RET_OK;
    if (message_info != nullptr) *message_info = to_rmw(sample.info);
    void * const message = const_cast<void *>(sample.message);
    {
      const std::lock_guard<std::mutex> lock(own.mutex);
      own.lent.emplace(message, std::move(sample));
    }
    *loaned_message = message;
    *taken = true;
    own.note_losses();
    return RMW_RET_OK;
  });
}

}  // namespace
}  // namespace tandem_rmw

using namespace tandem_rmw;

extern "C" {

rmw_subscription_t * rmw_create_subscription(const rmw_node_t * node,
                                             const rosidl_message_type_support_t * type_support,
                                             const char * topic_name, const rmw_qos_profile_t * qos_policies,
                                             const rmw_subscription_options_t * subscription_options) {
  TANDEM_RMW_NULL_IF(require_ours(node, "node"));
  TANDEM_RMW_NULL_IF(first_error(require(type_support, "type_support"), require(topic_name, "topic_name"),
                                 require(qos_policies, "qos_policies"),
                                 require(subscription_options, "subscription_options")));
  TANDEM_RMW_NULL_IF(require_topic_name(topic_name, "topic_name", *qos_policies));
  TANDEM_RMW_NULL_IF(require_no_flow_of_its_own(subscription_options->require_unique_network_flow_endpoints));
  return guarded(static_cast<rmw_subscription_t *>(nullptr), [&]() -> rmw_subscription_t * {
    const RosType * const type = find_type(type_support);
    if (type == nullptr) return nullptr;
    auto subscription = std::make_unique<Subscription>(
        node_of(node).context, *type, options_for(node, topic_name, *qos_policies, *subscription_options),
        acceptable_backends(*subscription_options));
    auto made = std::make_unique<rmw_subscription_t>();
    made->implementation_identifier = kIdentifier;
    made->topic_name = subscription->topic.c_str();
    made->options = *subscription_options;
    made->can_loan_messages = type->is_same;
    made->is_cft_enabled = false;
    say_that_filters_are_supported(*made);
    made->data = static_cast<HasInbox *>(subscription.get());
    if (const auto * const filter = subscription_options->content_filter_options) {
      if (set_filter(*made, *filter) != RMW_RET_OK) return nullptr;
    }
    static_cast<void>(subscription.release());
    return made.release();
  });
}

rmw_ret_t rmw_destroy_subscription(rmw_node_t * node, rmw_subscription_t * subscription) {
  TANDEM_RMW_RETURN_IF(first_error(require_ours(node, "node"), require_ours(subscription, "subscription")));
  destroy(subscription_of(subscription));
  delete subscription;
  return RMW_RET_OK;
}

// ---- taking --------------------------------------------------------------------------------------------------------

rmw_ret_t rmw_take(const rmw_subscription_t * subscription, void * ros_message, bool * taken,
                   rmw_subscription_allocation_t *) {
  return take_one(subscription, ros_message, taken, nullptr);
}

rmw_ret_t rmw_take_with_info(const rmw_subscription_t * subscription, void * ros_message, bool * taken,
                             rmw_message_info_t * message_info, rmw_subscription_allocation_t *) {
  TANDEM_RMW_RETURN_IF(first_error(require_ours(subscription, "subscription"), require(message_info, "message_info")));
  return take_one(subscription, ros_message, taken, message_info);
}

rmw_ret_t rmw_take_sequence(const rmw_subscription_t * subscription, size_t count,
                            rmw_message_sequence_t * message_sequence,
                            rmw_message_info_sequence_t * message_info_sequence, size_t * taken,
                            rmw_subscription_allocation_t *) {
  TANDEM_RMW_RETURN_IF(require_ours(subscription, "subscription"));
  TANDEM_RMW_RETURN_IF(first_error(require(message_sequence, "message_sequence"),
                                   require(message_info_sequence, "message_info_sequence"), require(taken, "taken")));
  if (count == 0) return fail(RMW_RET_INVALID_ARGUMENT, "count is 0");
  if (count > message_sequence->capacity || count > message_info_sequence->capacity) {
    return fail(RMW_RET_INVALID_ARGUMENT, "a sequence has no room for so many messages");
  }
  rmw_ret_t code = RMW_RET_OK;
  for (*taken = 0; *taken < count; ++*taken) {
    bool is_taken = false;
    code = take_one(subscription, message_sequence->data[*taken], &is_taken, &message_info_sequence->data[*taken]);
    if (!is_taken) break;
  }
  message_sequence->size = *taken;  // also when one has failed: those before it are taken
  message_info_sequence->size = *taken;
  return code;
}

rmw_ret_t rmw_take_serialized_message(const rmw_subscription_t * subscription,
                                      rmw_serialized_message_t * serialized_message, bool * taken,
                                      rmw_subscription_allocation_t *) {
  return take_serialized(subscription, serialized_message, taken, nullptr);
}

rmw_ret_t rmw_take_serialized_message_with_info(const rmw_subscription_t * subscription,
                                                rmw_serialized_message_t * serialized_message, bool * taken,
                                                rmw_message_info_t * message_info, rmw_subscription_allocation_t *) {
  TANDEM_RMW_RETURN_IF(first_error(require_ours(subscription, "subscription"), require(message_info, "message_info")));
  return take_serialized(subscription, serialized_message, taken, message_info);
}

rmw_ret_t rmw_take_loaned_message(const rmw_subscription_t * subscription, void ** loaned_message, bool * taken,
                                  rmw_subscription_allocation_t *) {
  return take_loan(subscription, loaned_message, taken, nullptr);
}

rmw_ret_t rmw_take_loaned_message_with_info(const rmw_subscription_t * subscription, void ** loaned_message,
                                            bool * taken, rmw_message_info_t * message_info,
                                            rmw_subscription_allocation_t *) {
  TANDEM_RMW_RETURN_IF(first_error(require_ours(subscription, "subscription"), require(message_info, "message_info")));
  return take_loan(subscription, loaned_message, taken, message_info);
}

rmw_ret_t rmw_return_loaned_message_from_subscription(const rmw_subscription_t * subscription, void * loaned_message) {
  TANDEM_RMW_RETURN_IF(require_loans(subscription));
  TANDEM_RMW_RETURN_IF(require(loaned_message, "loaned_message"));
  Subscription & own = subscription_of(subscription);
  const std::lock_guard<std::mutex> lock(own.mutex);
  if (own.lent.erase(loaned_message) != 0) return RMW_RET_OK;
  return fail(RMW_RET_ERROR, "the message was not taken from the subscription to '" + own.topic + "'");
}

// ---- content filters -----------------------------------------------------------------------------------------------

rmw_ret_t rmw_subscription_set_content_filter(rmw_subscription_t * subscription,
                                              const rmw_subscription_content_filter_options_t * options) {
  TANDEM_RMW_RETURN_IF(first_error(require_ours(subscription, "subscription"), require(options, "options")));
  return guarded(RMW_RET_ERROR, [&] { return set_filter(*subscription, *options); });
}

rmw_ret_t rmw_subscription_get_content_filter(const rmw_subscription_t * subscription, rcutils_allocator_t * allocator,
                                              rmw_subscription_content_filter_options_t * options) {
  TANDEM_RMW_RETURN_IF(first_error(require_ours(subscription, "subscription"), require(allocator, "allocator"),
                                   require(options, "options")));
  return guarded(RMW_RET_ERROR, [&]() -> rmw_ret_t {
    const auto filter = subscription_of(subscription).inbox->filter();
    if (!filter) {
      return fail(RMW_RET_ERROR, "the subscription to '" + subscription_of(subscription).topic + "' has no filter");
    }
    std::vector<const char *> parameters;
    for (const std::string & parameter : filter->parameters) parameters.push_back(parameter.c_str());
    return rmw_subscription_content_filter_options_init(filter->expression.c_str(), parameters.size(),
                                                        parameters.data(), allocator, options);
  });
}

// ---- what is known of it -------------------------------------------------------------------------------------------

rmw_ret_t rmw_subscription_count_matched_publishers(const rmw_subscription_t * subscription, size_t * publisher_count) {
  TANDEM_RMW_RETURN_IF(
      first_error(require_ours(subscription, "subscription"), require(publisher_count, "publisher_count")));
  *publisher_count = subscription_of(subscription).native->publisher_count();
  return RMW_RET_OK;
}

rmw_ret_t rmw_subscription_get_actual_qos(const rmw_subscription_t * subscription, rmw_qos_profile_t * qos) {
  TANDEM_RMW_RETURN_IF(first_error(require_ours(subscription, "subscription"), require(qos, "qos")));
  *qos = to_rmw(subscription_of(subscription).qos);
  return RMW_RET_OK;
}

rmw_ret_t rmw_subscription_event_init(rmw_event_t * rmw_event, const rmw_subscription_t * subscription,
                                      rmw_event_type_t event_type) {
  TANDEM_RMW_RETURN_IF(first_error(require(rmw_event, "rmw_event"), require_ours(subscription, "subscription")));
  return init_event(*rmw_event, *subscription_of(subscription).events, event_type, false);
}

rmw_ret_t rmw_subscription_set_on_new_message_callback(rmw_subscription_t * subscription, rmw_event_callback_t callback,
                                                       const void * user_data) {
  TANDEM_RMW_RETURN_IF(require_ours(subscription, "subscription"));
  return set_callback(subscription_of(subscription), callback, user_data);
}

}  // extern "C"
