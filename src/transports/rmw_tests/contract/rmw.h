/* rmw.h as its public documentation tells it, as of Humble: what the tests need to build the RMW and to call it where there
 * is no ROS 2. Names, values and layouts are the contract's. Every header of rmw/ forwards to this one. */
#ifndef TANDEM_RMW_CONTRACT_H_
#define TANDEM_RMW_CONTRACT_H_

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- names ---- */

#define RMW_TOPIC_VALID 0
#define RMW_NODE_NAME_VALID 0
#define RMW_NAMESPACE_VALID 0
rmw_ret_t rmw_validate_full_topic_name(const char * name, int * validation_result, size_t * invalid_index);
const char * rmw_full_topic_name_validation_result_string(int validation_result);
rmw_ret_t rmw_validate_node_name(const char * name, int * validation_result, size_t * invalid_index);
const char * rmw_node_name_validation_result_string(int validation_result);
rmw_ret_t rmw_validate_namespace(const char * name, int * validation_result, size_t * invalid_index);
const char * rmw_namespace_validation_result_string(int validation_result);

/* ---- what is known of others ---- */

typedef struct {
  rcutils_string_array_t names;
  rcutils_string_array_t * types;
} rmw_names_and_types_t;
rmw_names_and_types_t rmw_get_zero_initialized_names_and_types(void);
rmw_ret_t rmw_names_and_types_check_zero(rmw_names_and_types_t * names_and_types);
rmw_ret_t rmw_names_and_types_init(rmw_names_and_types_t * names_and_types, size_t size,
                                   rcutils_allocator_t * allocator);
rmw_ret_t rmw_names_and_types_fini(rmw_names_and_types_t * names_and_types);

typedef enum { RMW_ENDPOINT_INVALID = 0, RMW_ENDPOINT_PUBLISHER, RMW_ENDPOINT_SUBSCRIPTION } rmw_endpoint_type_t;
typedef struct {
  const char * node_name;
  const char * node_namespace;
  const char * topic_type;
  rmw_endpoint_type_t endpoint_type;
  uint8_t endpoint_gid[RMW_GID_STORAGE_SIZE];
  rmw_qos_profile_t qos_profile;
} rmw_topic_endpoint_info_t;
typedef struct {
  size_t size;
  rmw_topic_endpoint_info_t * info_array;
} rmw_topic_endpoint_info_array_t;
rmw_topic_endpoint_info_t rmw_get_zero_initialized_topic_endpoint_info(void);
rmw_topic_endpoint_info_array_t rmw_get_zero_initialized_topic_endpoint_info_array(void);
rmw_ret_t rmw_topic_endpoint_info_set_topic_type(rmw_topic_endpoint_info_t * info, const char * type,
                                                 rcutils_allocator_t * allocator);
rmw_ret_t rmw_topic_endpoint_info_set_node_name(rmw_topic_endpoint_info_t * info, const char * name,
                                                rcutils_allocator_t * allocator);
rmw_ret_t rmw_topic_endpoint_info_set_node_namespace(rmw_topic_endpoint_info_t * info, const char * name_space,
                                                     rcutils_allocator_t * allocator);
rmw_ret_t rmw_topic_endpoint_info_set_endpoint_type(rmw_topic_endpoint_info_t * info, rmw_endpoint_type_t type);
rmw_ret_t rmw_topic_endpoint_info_set_gid(rmw_topic_endpoint_info_t * info, const uint8_t * gid, size_t size);
rmw_ret_t rmw_topic_endpoint_info_set_qos_profile(rmw_topic_endpoint_info_t * info, const rmw_qos_profile_t * profile);
rmw_ret_t rmw_topic_endpoint_info_array_check_zero(rmw_topic_endpoint_info_array_t * array);
rmw_ret_t rmw_topic_endpoint_info_array_init_with_size(rmw_topic_endpoint_info_array_t * array, size_t size,
                                                       rcutils_allocator_t * allocator);
rmw_ret_t rmw_topic_endpoint_info_array_fini(rmw_topic_endpoint_info_array_t * array, rcutils_allocator_t * allocator);

rmw_ret_t rmw_get_node_names(const rmw_node_t * node, rcutils_string_array_t * names,
                             rcutils_string_array_t * namespaces);
rmw_ret_t rmw_get_node_names_with_enclaves(const rmw_node_t * node, rcutils_string_array_t * names,
                                           rcutils_string_array_t * namespaces, rcutils_string_array_t * enclaves);
rmw_ret_t rmw_get_topic_names_and_types(const rmw_node_t * node, rcutils_allocator_t * allocator, bool no_demangle,
                                        rmw_names_and_types_t * names_and_types);
rmw_ret_t rmw_get_service_names_and_types(const rmw_node_t * node, rcutils_allocator_t * allocator,
                                          rmw_names_and_types_t * names_and_types);
rmw_ret_t rmw_get_subscriber_names_and_types_by_node(const rmw_node_t * node, rcutils_allocator_t * allocator,
                                                     const char * name, const char * name_space, bool no_demangle,
                                                     rmw_names_and_types_t * names_and_types);
rmw_ret_t rmw_get_publisher_names_and_types_by_node(const rmw_node_t * node, rcutils_allocator_t * allocator,
                                                    const char * name, const char * name_space, bool no_demangle,
                                                    rmw_names_and_types_t * names_and_types);
rmw_ret_t rmw_get_service_names_and_types_by_node(const rmw_node_t * node, rcutils_allocator_t * allocator,
                                                  const char * name, const char * name_space,
                                                  rmw_names_and_types_t * names_and_types);
rmw_ret_t rmw_get_client_names_and_types_by_node(const rmw_node_t * node, rcutils_allocator_t * allocator,
                                                 const char * name, const char * name_space,
                                                 rmw_names_and_types_t * names_and_types);
rmw_ret_t rmw_get_publishers_info_by_topic(const rmw_node_t * node, rcutils_allocator_t * allocator, const char * topic,
                                           bool no_mangle, rmw_topic_endpoint_info_array_t * infos);
rmw_ret_t rmw_get_subscriptions_info_by_topic(const rmw_node_t * node, rcutils_allocator_t * allocator,
                                              const char * topic, bool no_mangle,
                                              rmw_topic_endpoint_info_array_t * infos);
rmw_ret_t rmw_count_publishers(const rmw_node_t * node, const char * topic, size_t * count);
rmw_ret_t rmw_count_subscribers(const rmw_node_t * node, const char * topic, size_t * count);
rmw_ret_t rmw_count_clients(const rmw_node_t * node, const char * service, size_t * count);
rmw_ret_t rmw_count_services(const rmw_node_t * node, const char * service, size_t * count);

/* ---- nodes, topics ---- */

const char * rmw_get_implementation_identifier(void);
const char * rmw_get_serialization_format(void);
typedef enum {
  RMW_FEATURE_MESSAGE_INFO_PUBLICATION_SEQUENCE_NUMBER = 0,
  RMW_FEATURE_MESSAGE_INFO_RECEPTION_SEQUENCE_NUMBER = 1
} rmw_feature_t;
bool rmw_feature_supported(rmw_feature_t feature);
typedef enum {
  RMW_LOG_SEVERITY_DEBUG = RCUTILS_LOG_SEVERITY_DEBUG,
  RMW_LOG_SEVERITY_INFO = RCUTILS_LOG_SEVERITY_INFO,
  RMW_LOG_SEVERITY_WARN = RCUTILS_LOG_SEVERITY_WARN,
  RMW_LOG_SEVERITY_ERROR = RCUTILS_LOG_SEVERITY_ERROR,
  RMW_LOG_SEVERITY_FATAL = RCUTILS_LOG_SEVERITY_FATAL
} rmw_log_severity_t;
rmw_ret_t rmw_set_log_severity(rmw_log_severity_t severity);

rmw_node_t * rmw_create_node(rmw_context_t * context, const char * name, const char * name_space);
rmw_ret_t rmw_destroy_node(rmw_node_t * node);
rmw_ret_t rmw_node_assert_liveliness(const rmw_node_t * node);
const rmw_guard_condition_t * rmw_node_get_graph_guard_condition(const rmw_node_t * node);

rmw_publisher_t * rmw_create_publisher(const rmw_node_t * node, const rosidl_message_type_support_t * type_support,
                                       const char * topic, const rmw_qos_profile_t * qos,
                                       const rmw_publisher_options_t * options);
rmw_ret_t rmw_destroy_publisher(rmw_node_t * node, rmw_publisher_t * publisher);
rmw_ret_t rmw_init_publisher_allocation(const rosidl_message_type_support_t * type_support,
                                        const rosidl_runtime_c__Sequence__bound * bounds,
                                        rmw_publisher_allocation_t * allocation);
rmw_ret_t rmw_fini_publisher_allocation(rmw_publisher_allocation_t * allocation);
rmw_ret_t rmw_borrow_loaned_message(const rmw_publisher_t * publisher,
                                    const rosidl_message_type_support_t * type_support, void ** ros_message);
rmw_ret_t rmw_return_loaned_message_from_publisher(const rmw_publisher_t * publisher, void * loaned_message);
rmw_ret_t rmw_publish(const rmw_publisher_t * publisher, const void * ros_message,
                      rmw_publisher_allocation_t * allocation);
rmw_ret_t rmw_publish_loaned_message(const rmw_publisher_t * publisher, void * ros_message,
                                     rmw_publisher_allocation_t * allocation);
rmw_ret_t rmw_publish_serialized_message(const rmw_publisher_t * publisher, const rmw_serialized_message_t * message,
                                         rmw_publisher_allocation_t * allocation);
rmw_ret_t rmw_publisher_count_matched_subscriptions(const rmw_publisher_t * publisher, size_t * count);
rmw_ret_t rmw_publisher_get_actual_qos(const rmw_publisher_t * publisher, rmw_qos_profile_t * qos);
rmw_ret_t rmw_publisher_assert_liveliness(const rmw_publisher_t * publisher);
rmw_ret_t rmw_publisher_wait_for_all_acked(const rmw_publisher_t * publisher, rmw_time_t timeout);
rmw_ret_t rmw_get_gid_for_publisher(const rmw_publisher_t * publisher, rmw_gid_t * gid);
rmw_ret_t rmw_compare_gids_equal(const rmw_gid_t * gid1, const rmw_gid_t * gid2, bool * result);

rmw_ret_t rmw_serialize(const void * ros_message, const rosidl_message_type_support_t * type_support,
                        rmw_serialized_message_t * serialized_message);
rmw_ret_t rmw_deserialize(const rmw_serialized_message_t * serialized_message,
                          const rosidl_message_type_support_t * type_support, void * ros_message);
rmw_ret_t rmw_get_serialized_message_size(const rosidl_message_type_support_t * type_support,
                                          const rosidl_runtime_c__Sequence__bound * bounds, size_t * size);

rmw_subscription_t * rmw_create_subscription(const rmw_node_t * node,
                                             const rosidl_message_type_support_t * type_support, const char * topic,
                                             const rmw_qos_profile_t * qos, const rmw_subscription_options_t * options);
rmw_ret_t rmw_destroy_subscription(rmw_node_t * node, rmw_subscription_t * subscription);
rmw_ret_t rmw_init_subscription_allocation(const rosidl_message_type_support_t * type_support,
                                           const rosidl_runtime_c__Sequence__bound * bounds,
                                           rmw_subscription_allocation_t * allocation);
rmw_ret_t rmw_fini_subscription_allocation(rmw_subscription_allocation_t * allocation);
rmw_ret_t rmw_subscription_count_matched_publishers(const rmw_subscription_t * subscription, size_t * count);
rmw_ret_t rmw_subscription_get_actual_qos(const rmw_subscription_t * subscription, rmw_qos_profile_t * qos);
rmw_ret_t rmw_subscription_set_content_filter(rmw_subscription_t * subscription,
                                              const rmw_subscription_content_filter_options_t * options);
rmw_ret_t rmw_subscription_get_content_filter(const rmw_subscription_t * subscription, rcutils_allocator_t * allocator,
                                              rmw_subscription_content_filter_options_t * options);
rmw_ret_t rmw_subscription_content_filter_options_init(const char * filter_expression, size_t argc, const char * argv[],
                                                       const rcutils_allocator_t * allocator,
                                                       rmw_subscription_content_filter_options_t * options);
rmw_ret_t rmw_subscription_content_filter_options_fini(rmw_subscription_content_filter_options_t * options,
                                                       const rcutils_allocator_t * allocator);
rmw_ret_t rmw_take(const rmw_subscription_t * subscription, void * ros_message, bool * taken,
                   rmw_subscription_allocation_t * allocation);
rmw_ret_t rmw_take_with_info(const rmw_subscription_t * subscription, void * ros_message, bool * taken,
                             rmw_message_info_t * info, rmw_subscription_allocation_t * allocation);
rmw_ret_t rmw_take_sequence(const rmw_subscription_t * subscription, size_t count, rmw_message_sequence_t * messages,
                            rmw_message_info_sequence_t * infos, size_t * taken,
                            rmw_subscription_allocation_t * allocation);
rmw_ret_t rmw_take_serialized_message(const rmw_subscription_t * subscription, rmw_serialized_message_t * message,
                                      bool * taken, rmw_subscription_allocation_t * allocation);
rmw_ret_t rmw_take_serialized_message_with_info(const rmw_subscription_t * subscription,
                                                rmw_serialized_message_t * message, bool * taken,
                                                rmw_message_info_t * info, rmw_subscription_allocation_t * allocation);
rmw_ret_t rmw_take_loaned_message(const rmw_subscription_t * subscription, void ** loaned_message, bool * taken,
                                  rmw_subscription_allocation_t * allocation);
rmw_ret_t rmw_take_loaned_message_with_info(const rmw_subscription_t * subscription, void ** loaned_message,
                                            bool * taken, rmw_message_info_t * info,
                                            rmw_subscription_allocation_t * allocation);
rmw_ret_t rmw_return_loaned_message_from_subscription(const rmw_subscription_t * subscription, void * loaned_message);
rmw_ret_t rmw_subscription_set_on_new_message_callback(rmw_subscription_t * subscription, rmw_event_callback_t callback,
                                                       const void * user_data);

typedef struct rmw_network_flow_endpoint_array_s rmw_network_flow_endpoint_array_t;
rmw_ret_t rmw_publisher_get_network_flow_endpoints(const rmw_publisher_t * publisher, rcutils_allocator_t * allocator,
                                                   rmw_network_flow_endpoint_array_t * endpoints);
rmw_ret_t rmw_subscription_get_network_flow_endpoints(const rmw_subscription_t * subscription,
                                                      rcutils_allocator_t * allocator,
                                                      rmw_network_flow_endpoint_array_t * endpoints);

/* ---- services ---- */

rmw_client_t * rmw_create_client(const rmw_node_t * node, const rosidl_service_type_support_t * type_support,
                                 const char * service, const rmw_qos_profile_t * qos);
rmw_ret_t rmw_destroy_client(rmw_node_t * node, rmw_client_t * client);
rmw_ret_t rmw_send_request(const rmw_client_t * client, const void * ros_request, int64_t * sequence_id);
rmw_ret_t rmw_take_response(const rmw_client_t * client, rmw_service_info_t * header, void * ros_response,
                            bool * taken);
rmw_ret_t rmw_client_request_publisher_get_actual_qos(const rmw_client_t * client, rmw_qos_profile_t * qos);
rmw_ret_t rmw_client_response_subscription_get_actual_qos(const rmw_client_t * client, rmw_qos_profile_t * qos);
rmw_ret_t rmw_client_set_on_new_response_callback(rmw_client_t * client, rmw_event_callback_t callback,
                                                  const void * user_data);
rmw_ret_t rmw_get_gid_for_client(const rmw_client_t * client, rmw_gid_t * gid);
rmw_ret_t rmw_service_server_is_available(const rmw_node_t * node, const rmw_client_t * client, bool * is_available);
rmw_service_t * rmw_create_service(const rmw_node_t * node, const rosidl_service_type_support_t * type_support,
                                   const char * service, const rmw_qos_profile_t * qos);
rmw_ret_t rmw_destroy_service(rmw_node_t * node, rmw_service_t * service);
rmw_ret_t rmw_take_request(const rmw_service_t * service, rmw_service_info_t * header, void * ros_request,
                           bool * taken);
rmw_ret_t rmw_send_response(const rmw_service_t * service, rmw_request_id_t * header, void * ros_response);
rmw_ret_t rmw_service_request_subscription_get_actual_qos(const rmw_service_t * service, rmw_qos_profile_t * qos);
rmw_ret_t rmw_service_response_publisher_get_actual_qos(const rmw_service_t * service, rmw_qos_profile_t * qos);
rmw_ret_t rmw_service_set_on_new_request_callback(rmw_service_t * service, rmw_event_callback_t callback,
                                                  const void * user_data);

/* ---- waiting ---- */

rmw_guard_condition_t * rmw_create_guard_condition(rmw_context_t * context);
rmw_ret_t rmw_destroy_guard_condition(rmw_guard_condition_t * guard_condition);
rmw_ret_t rmw_trigger_guard_condition(const rmw_guard_condition_t * guard_condition);
rmw_wait_set_t * rmw_create_wait_set(rmw_context_t * context, size_t max_conditions);
rmw_ret_t rmw_destroy_wait_set(rmw_wait_set_t * wait_set);
rmw_ret_t rmw_wait(rmw_subscriptions_t * subscriptions, rmw_guard_conditions_t * guard_conditions,
                   rmw_services_t * services, rmw_clients_t * clients, rmw_events_t * events, rmw_wait_set_t * wait_set,
                   const rmw_time_t * timeout);

#ifdef __cplusplus
}
#endif

#endif /* TANDEM_RMW_CONTRACT_H_ */
