/* The types of rmw.h, and the functions of contexts, QoS and events. */
#ifndef TANDEM_RMW_CONTRACT_TYPES_H_
#define TANDEM_RMW_CONTRACT_TYPES_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rcutils/allocator.h"
#include "rcutils/error_handling.h"
#include "rcutils/logging.h"
#include "rcutils/types.h"
#include "rosidl_runtime_c/message_type_support_struct.h"
#include "rosidl_runtime_c/sequence_bound.h"
#include "rosidl_runtime_c/service_type_support_struct.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- results and errors ---- */

typedef int32_t rmw_ret_t;
#define RMW_RET_OK 0
#define RMW_RET_ERROR 1
#define RMW_RET_TIMEOUT 2
#define RMW_RET_UNSUPPORTED 3
#define RMW_RET_BAD_ALLOC 10
#define RMW_RET_INVALID_ARGUMENT 11
#define RMW_RET_INCORRECT_RMW_IMPLEMENTATION 12
#define RMW_RET_NODE_NAME_NON_EXISTENT 203

#define RMW_SET_ERROR_MSG(message) RCUTILS_SET_ERROR_MSG(message)
#define rmw_get_error_string rcutils_get_error_string
#define rmw_reset_error rcutils_reset_error
#define rmw_error_is_set rcutils_error_is_set

/* ---- time ---- */

typedef struct rmw_time_s {
  uint64_t sec;
  uint64_t nsec;
} rmw_time_t;
typedef rcutils_time_point_value_t rmw_time_point_value_t;
#define RMW_DURATION_INFINITE \
  { 9223372036LL, 854775807LL }
#define RMW_DURATION_UNSPECIFIED \
  { 0LL, 0LL }

/* ---- options and contexts ---- */

typedef enum {
  RMW_SECURITY_ENFORCEMENT_PERMISSIVE,
  RMW_SECURITY_ENFORCEMENT_ENFORCE
} rmw_security_enforcement_policy_t;
typedef struct {
  rmw_security_enforcement_policy_t enforce_security;
  char * security_root_path;
} rmw_security_options_t;
typedef enum {
  RMW_LOCALHOST_ONLY_DEFAULT = 0,
  RMW_LOCALHOST_ONLY_ENABLED = 1,
  RMW_LOCALHOST_ONLY_DISABLED = 2
} rmw_localhost_only_t;
#define RMW_DEFAULT_DOMAIN_ID SIZE_MAX

typedef struct rmw_init_options_impl_s rmw_init_options_impl_t;
typedef struct {
  uint64_t instance_id;
  const char * implementation_identifier;
  size_t domain_id;
  rmw_security_options_t security_options;
  rmw_localhost_only_t localhost_only;
  char * enclave;
  rcutils_allocator_t allocator;
  rmw_init_options_impl_t * impl;
} rmw_init_options_t;

typedef struct rmw_context_impl_s rmw_context_impl_t;
typedef struct {
  uint64_t instance_id;
  const char * implementation_identifier;
  rmw_init_options_t options;
  size_t actual_domain_id;
  rmw_context_impl_t * impl;
} rmw_context_t;

rmw_init_options_t rmw_get_zero_initialized_init_options(void);
rmw_ret_t rmw_init_options_init(rmw_init_options_t * init_options, rcutils_allocator_t allocator);
rmw_ret_t rmw_init_options_copy(const rmw_init_options_t * src, rmw_init_options_t * dst);
rmw_ret_t rmw_init_options_fini(rmw_init_options_t * init_options);
rmw_security_options_t rmw_get_zero_initialized_security_options(void);
rmw_security_options_t rmw_get_default_security_options(void);
rmw_ret_t rmw_security_options_copy(const rmw_security_options_t * src, const rcutils_allocator_t * allocator,
                                    rmw_security_options_t * dst);
rmw_ret_t rmw_security_options_fini(rmw_security_options_t * options, const rcutils_allocator_t * allocator);
rmw_context_t rmw_get_zero_initialized_context(void);
rmw_ret_t rmw_init(const rmw_init_options_t * options, rmw_context_t * context);
rmw_ret_t rmw_shutdown(rmw_context_t * context);
rmw_ret_t rmw_context_fini(rmw_context_t * context);

/* ---- handles ---- */

#define RMW_GID_STORAGE_SIZE 24u

typedef struct {
  const char * implementation_identifier;
  void * data;
  const char * name;
  const char * namespace_;
  rmw_context_t * context;
} rmw_node_t;

typedef enum {
  RMW_UNIQUE_NETWORK_FLOW_ENDPOINTS_NOT_REQUIRED = 0,
  RMW_UNIQUE_NETWORK_FLOW_ENDPOINTS_STRICTLY_REQUIRED,
  RMW_UNIQUE_NETWORK_FLOW_ENDPOINTS_OPTIONALLY_REQUIRED,
  RMW_UNIQUE_NETWORK_FLOW_ENDPOINTS_SYSTEM_DEFAULT
} rmw_unique_network_flow_endpoints_requirement_t;

typedef struct {
  char * filter_expression;
  rcutils_string_array_t expression_parameters;
} rmw_subscription_content_filter_options_t;

typedef struct {
  void * rmw_specific_publisher_payload;
  rmw_unique_network_flow_endpoints_requirement_t require_unique_network_flow_endpoints;
} rmw_publisher_options_t;
typedef struct {
  void * rmw_specific_subscription_payload;
  bool ignore_local_publications;
  rmw_unique_network_flow_endpoints_requirement_t require_unique_network_flow_endpoints;
  rmw_subscription_content_filter_options_t * content_filter_options;
} rmw_subscription_options_t;

typedef struct {
  const char * implementation_identifier;
  void * data;
  const char * topic_name;
  rmw_publisher_options_t options;
  bool can_loan_messages;
} rmw_publisher_t;
typedef struct {
  const char * implementation_identifier;
  void * data;
  const char * topic_name;
  rmw_subscription_options_t options;
  bool can_loan_messages;
  bool is_cft_enabled;
} rmw_subscription_t;
typedef struct {
  const char * implementation_identifier;
  void * data;
  const char * service_name;
} rmw_service_t;
typedef struct {
  const char * implementation_identifier;
  void * data;
  const char * service_name;
} rmw_client_t;
typedef struct {
  const char * implementation_identifier;
  void * data;
  rmw_context_t * context;
} rmw_guard_condition_t;
typedef struct {
  const char * implementation_identifier;
  void * data;
} rmw_publisher_allocation_t;
typedef struct {
  const char * implementation_identifier;
  void * data;
} rmw_subscription_allocation_t;

typedef struct {
  size_t subscriber_count;
  void ** subscribers;
} rmw_subscriptions_t;
typedef struct {
  size_t service_count;
  void ** services;
} rmw_services_t;
typedef struct {
  size_t client_count;
  void ** clients;
} rmw_clients_t;
typedef struct {
  size_t event_count;
  void ** events;
} rmw_events_t;
typedef struct {
  size_t guard_condition_count;
  void ** guard_conditions;
} rmw_guard_conditions_t;
typedef struct {
  const char * implementation_identifier;
  rmw_guard_conditions_t * guard_conditions;
  void * data;
} rmw_wait_set_t;

typedef struct {
  int8_t writer_guid[16];
  int64_t sequence_number;
} rmw_request_id_t;
typedef struct {
  rmw_time_point_value_t source_timestamp;
  rmw_time_point_value_t received_timestamp;
  rmw_request_id_t request_id;
} rmw_service_info_t;
typedef struct {
  const char * implementation_identifier;
  uint8_t data[RMW_GID_STORAGE_SIZE];
} rmw_gid_t;
#define RMW_MESSAGE_INFO_SEQUENCE_NUMBER_UNSUPPORTED UINT64_MAX
typedef struct {
  rmw_time_point_value_t source_timestamp;
  rmw_time_point_value_t received_timestamp;
  uint64_t publication_sequence_number;
  uint64_t reception_sequence_number;
  rmw_gid_t publisher_gid;
  bool from_intra_process;
} rmw_message_info_t;
rmw_message_info_t rmw_get_zero_initialized_message_info(void);

typedef struct {
  void ** data;
  size_t size;
  size_t capacity;
  rcutils_allocator_t * allocator;
} rmw_message_sequence_t;
typedef struct {
  rmw_message_info_t * data;
  size_t size;
  size_t capacity;
  rcutils_allocator_t * allocator;
} rmw_message_info_sequence_t;

typedef rcutils_uint8_array_t rmw_serialized_message_t;
#define rmw_get_zero_initialized_serialized_message rcutils_get_zero_initialized_uint8_array
#define rmw_serialized_message_init(message, size, allocator) rcutils_uint8_array_init(message, size, allocator)
#define rmw_serialized_message_fini(message) rcutils_uint8_array_fini(message)
#define rmw_serialized_message_resize(message, size) rcutils_uint8_array_resize(message, size)

/* ---- quality of service; what is "best available" is of Jazzy ---- */

typedef enum {
  RMW_QOS_POLICY_RELIABILITY_SYSTEM_DEFAULT,
  RMW_QOS_POLICY_RELIABILITY_RELIABLE,
  RMW_QOS_POLICY_RELIABILITY_BEST_EFFORT,
  RMW_QOS_POLICY_RELIABILITY_UNKNOWN,
  RMW_QOS_POLICY_RELIABILITY_BEST_AVAILABLE
} rmw_qos_reliability_policy_t;
typedef enum {
  RMW_QOS_POLICY_HISTORY_SYSTEM_DEFAULT,
  RMW_QOS_POLICY_HISTORY_KEEP_LAST,
  RMW_QOS_POLICY_HISTORY_KEEP_ALL,
  RMW_QOS_POLICY_HISTORY_UNKNOWN
} rmw_qos_history_policy_t;
typedef enum {
  RMW_QOS_POLICY_DURABILITY_SYSTEM_DEFAULT,
  RMW_QOS_POLICY_DURABILITY_TRANSIENT_LOCAL,
  RMW_QOS_POLICY_DURABILITY_VOLATILE,
  RMW_QOS_POLICY_DURABILITY_UNKNOWN,
  RMW_QOS_POLICY_DURABILITY_BEST_AVAILABLE
} rmw_qos_durability_policy_t;
typedef enum {
  RMW_QOS_POLICY_LIVELINESS_SYSTEM_DEFAULT = 0,
  RMW_QOS_POLICY_LIVELINESS_AUTOMATIC = 1,
  RMW_QOS_POLICY_LIVELINESS_MANUAL_BY_NODE = 2,
  RMW_QOS_POLICY_LIVELINESS_MANUAL_BY_TOPIC = 3,
  RMW_QOS_POLICY_LIVELINESS_UNKNOWN = 4,
  RMW_QOS_POLICY_LIVELINESS_BEST_AVAILABLE = 5
} rmw_qos_liveliness_policy_t;
enum { RMW_QOS_POLICY_DEPTH_SYSTEM_DEFAULT = 0 };
#define RMW_QOS_DEADLINE_BEST_AVAILABLE \
  { 9223372036ULL, 854775806ULL }
#define RMW_QOS_LIVELINESS_LEASE_DURATION_BEST_AVAILABLE RMW_QOS_DEADLINE_BEST_AVAILABLE
typedef enum {
  RMW_QOS_POLICY_INVALID = 1 << 0,
  RMW_QOS_POLICY_DURABILITY = 1 << 1,
  RMW_QOS_POLICY_DEADLINE = 1 << 2,
  RMW_QOS_POLICY_LIVELINESS = 1 << 3,
  RMW_QOS_POLICY_RELIABILITY = 1 << 4,
  RMW_QOS_POLICY_HISTORY = 1 << 5,
  RMW_QOS_POLICY_LIFESPAN = 1 << 6,
  RMW_QOS_POLICY_DEPTH = 1 << 7,
  RMW_QOS_POLICY_LIVELINESS_LEASE_DURATION = 1 << 8,
  RMW_QOS_POLICY_AVOID_ROS_NAMESPACE_CONVENTIONS = 1 << 9
} rmw_qos_policy_kind_t;

typedef struct {
  rmw_qos_history_policy_t history;
  size_t depth;
  rmw_qos_reliability_policy_t reliability;
  rmw_qos_durability_policy_t durability;
  rmw_time_t deadline;
  rmw_time_t lifespan;
  rmw_qos_liveliness_policy_t liveliness;
  rmw_time_t liveliness_lease_duration;
  bool avoid_ros_namespace_conventions;
} rmw_qos_profile_t;

typedef enum {
  RMW_QOS_COMPATIBILITY_OK = 0,
  RMW_QOS_COMPATIBILITY_WARNING,
  RMW_QOS_COMPATIBILITY_ERROR
} rmw_qos_compatibility_type_t;
rmw_ret_t rmw_qos_profile_check_compatible(rmw_qos_profile_t publisher_profile, rmw_qos_profile_t subscription_profile,
                                           rmw_qos_compatibility_type_t * compatibility, char * reason,
                                           size_t reason_size);

/* ---- events ---- */

typedef enum {
  RMW_EVENT_LIVELINESS_CHANGED,
  RMW_EVENT_REQUESTED_DEADLINE_MISSED,
  RMW_EVENT_REQUESTED_QOS_INCOMPATIBLE,
  RMW_EVENT_MESSAGE_LOST,
  RMW_EVENT_LIVELINESS_LOST,
  RMW_EVENT_OFFERED_DEADLINE_MISSED,
  RMW_EVENT_OFFERED_QOS_INCOMPATIBLE,
  RMW_EVENT_INVALID
} rmw_event_type_t;
typedef struct {
  const char * implementation_identifier;
  void * data;
  rmw_event_type_t event_type;
} rmw_event_t;
typedef void (*rmw_event_callback_t)(const void * user_data, size_t number_of_events);

typedef struct {
  int32_t total_count;
  int32_t total_count_change;
  rmw_qos_policy_kind_t last_policy_kind;
} rmw_qos_incompatible_event_status_t;
typedef struct {
  int32_t alive_count;
  int32_t not_alive_count;
  int32_t alive_count_change;
  int32_t not_alive_count_change;
} rmw_liveliness_changed_status_t;
typedef struct {
  int32_t total_count;
  int32_t total_count_change;
} rmw_liveliness_lost_status_t;
typedef struct {
  size_t total_count;
  size_t total_count_change;
} rmw_message_lost_status_t;
typedef struct {
  int32_t total_count;
  int32_t total_count_change;
} rmw_offered_deadline_missed_status_t;
typedef struct {
  int32_t total_count;
  int32_t total_count_change;
} rmw_requested_deadline_missed_status_t;

rmw_event_t rmw_get_zero_initialized_event(void);
rmw_ret_t rmw_publisher_event_init(rmw_event_t * event, const rmw_publisher_t * publisher, rmw_event_type_t type);
rmw_ret_t rmw_subscription_event_init(rmw_event_t * event, const rmw_subscription_t * subscription,
                                      rmw_event_type_t type);
rmw_ret_t rmw_take_event(const rmw_event_t * event_handle, void * event_info, bool * taken);
rmw_ret_t rmw_event_set_callback(rmw_event_t * event, rmw_event_callback_t callback, const void * user_data);

#ifdef __cplusplus
}
#endif

#endif /* TANDEM_RMW_CONTRACT_TYPES_H_ */
