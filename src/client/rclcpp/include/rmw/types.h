// The plain structs and enums of ROS's rmw layer that applications name: QoS profiles, gids, message information.
#ifndef RMW__TYPES_H_
#define RMW__TYPES_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "rmw/ret_types.h"

#define RMW_GID_STORAGE_SIZE 16u

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rmw_time_s {
  uint64_t sec;
  uint64_t nsec;
} rmw_time_t;

#define RMW_DURATION_UNSPECIFIED \
  { 0, 0 }
#define RMW_DURATION_INFINITE \
  { 9223372036LL, 854775807LL }
#define RMW_QOS_DEADLINE_DEFAULT RMW_DURATION_UNSPECIFIED
#define RMW_QOS_LIFESPAN_DEFAULT RMW_DURATION_UNSPECIFIED
#define RMW_QOS_LIVELINESS_LEASE_DURATION_DEFAULT RMW_DURATION_UNSPECIFIED
// What the other side has.
#define RMW_QOS_DEADLINE_BEST_AVAILABLE \
  { 9223372036LL, 854775806LL }
#define RMW_QOS_LIVELINESS_LEASE_DURATION_BEST_AVAILABLE \
  { 9223372036LL, 854775806LL }

enum rmw_qos_history_policy_e {
  RMW_QOS_POLICY_HISTORY_SYSTEM_DEFAULT,
  RMW_QOS_POLICY_HISTORY_KEEP_LAST,
  RMW_QOS_POLICY_HISTORY_KEEP_ALL,
  RMW_QOS_POLICY_HISTORY_UNKNOWN
};
typedef enum rmw_qos_history_policy_e rmw_qos_history_policy_t;

enum rmw_qos_reliability_policy_e {
  RMW_QOS_POLICY_RELIABILITY_SYSTEM_DEFAULT,
  RMW_QOS_POLICY_RELIABILITY_RELIABLE,
  RMW_QOS_POLICY_RELIABILITY_BEST_EFFORT,
  RMW_QOS_POLICY_RELIABILITY_UNKNOWN,
  RMW_QOS_POLICY_RELIABILITY_BEST_AVAILABLE
};
typedef enum rmw_qos_reliability_policy_e rmw_qos_reliability_policy_t;

enum rmw_qos_durability_policy_e {
  RMW_QOS_POLICY_DURABILITY_SYSTEM_DEFAULT,
  RMW_QOS_POLICY_DURABILITY_TRANSIENT_LOCAL,
  RMW_QOS_POLICY_DURABILITY_VOLATILE,
  RMW_QOS_POLICY_DURABILITY_UNKNOWN,
  RMW_QOS_POLICY_DURABILITY_BEST_AVAILABLE
};
typedef enum rmw_qos_durability_policy_e rmw_qos_durability_policy_t;

enum rmw_qos_liveliness_policy_e {
  RMW_QOS_POLICY_LIVELINESS_SYSTEM_DEFAULT = 0,
  RMW_QOS_POLICY_LIVELINESS_AUTOMATIC = 1,
  RMW_QOS_POLICY_LIVELINESS_MANUAL_BY_TOPIC = 3,
  RMW_QOS_POLICY_LIVELINESS_UNKNOWN = 4,
  RMW_QOS_POLICY_LIVELINESS_BEST_AVAILABLE = 5
};
typedef enum rmw_qos_liveliness_policy_e rmw_qos_liveliness_policy_t;

#define RMW_QOS_POLICY_DEPTH_SYSTEM_DEFAULT 0

typedef struct rmw_qos_profile_s {
  enum rmw_qos_history_policy_e history;
  size_t depth;
  enum rmw_qos_reliability_policy_e reliability;
  enum rmw_qos_durability_policy_e durability;
  struct rmw_time_s deadline;
  struct rmw_time_s lifespan;
  enum rmw_qos_liveliness_policy_e liveliness;
  struct rmw_time_s liveliness_lease_duration;
  bool avoid_ros_namespace_conventions;
} rmw_qos_profile_t;

typedef struct rmw_gid_s {
  const char * implementation_identifier;
  uint8_t data[RMW_GID_STORAGE_SIZE];
} rmw_gid_t;

enum rmw_unique_network_flow_endpoints_requirement_e {
  RMW_UNIQUE_NETWORK_FLOW_ENDPOINTS_NOT_REQUIRED = 0,
  RMW_UNIQUE_NETWORK_FLOW_ENDPOINTS_STRICTLY_REQUIRED,
  RMW_UNIQUE_NETWORK_FLOW_ENDPOINTS_OPTIONALLY_REQUIRED,
  RMW_UNIQUE_NETWORK_FLOW_ENDPOINTS_SYSTEM_DEFAULT
};
typedef enum rmw_unique_network_flow_endpoints_requirement_e rmw_unique_network_flow_endpoints_requirement_t;

typedef int64_t rmw_time_point_value_t;

typedef struct rmw_message_info_s {
  rmw_time_point_value_t source_timestamp;    // ns since the epoch
  rmw_time_point_value_t received_timestamp;  // ns since the epoch
  uint64_t publication_sequence_number;
  uint64_t reception_sequence_number;  // not counted: UINT64_MAX
  rmw_gid_t publisher_gid;
  bool from_intra_process;
} rmw_message_info_t;

static inline rmw_message_info_t rmw_get_zero_initialized_message_info(void) {
  rmw_message_info_t info;
  memset(&info, 0, sizeof(info));
  return info;
}

typedef struct rmw_request_id_s {
  uint8_t writer_guid[RMW_GID_STORAGE_SIZE];  // of the client
  int64_t sequence_number;
} rmw_request_id_t;

typedef struct rmw_service_info_s {
  rmw_time_point_value_t source_timestamp;    // ns since the epoch
  rmw_time_point_value_t received_timestamp;  // ns since the epoch
  rmw_request_id_t request_id;
} rmw_service_info_t;

#ifdef __cplusplus
}
#endif

#endif  // RMW__TYPES_H_
