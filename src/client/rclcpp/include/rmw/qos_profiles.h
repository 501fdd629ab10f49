// The QoS profiles that ROS predefines.
#ifndef RMW__QOS_PROFILES_H_
#define RMW__QOS_PROFILES_H_

#include "rmw/types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RMW_DETAIL_QOS_PROFILE(HISTORY, DEPTH, RELIABILITY)                                     \
  {                                                                                             \
    RMW_QOS_POLICY_HISTORY_##HISTORY, DEPTH, RMW_QOS_POLICY_RELIABILITY_##RELIABILITY,          \
        RMW_QOS_POLICY_DURABILITY_VOLATILE, RMW_DURATION_UNSPECIFIED, RMW_DURATION_UNSPECIFIED, \
        RMW_QOS_POLICY_LIVELINESS_SYSTEM_DEFAULT, RMW_DURATION_UNSPECIFIED, false               \
  }

static const rmw_qos_profile_t rmw_qos_profile_sensor_data = RMW_DETAIL_QOS_PROFILE(KEEP_LAST, 5, BEST_EFFORT);
static const rmw_qos_profile_t rmw_qos_profile_parameters = RMW_DETAIL_QOS_PROFILE(KEEP_LAST, 1000, RELIABLE);
static const rmw_qos_profile_t rmw_qos_profile_default = RMW_DETAIL_QOS_PROFILE(KEEP_LAST, 10, RELIABLE);
static const rmw_qos_profile_t rmw_qos_profile_services_default = RMW_DETAIL_QOS_PROFILE(KEEP_LAST, 10, RELIABLE);
static const rmw_qos_profile_t rmw_qos_profile_parameter_events = RMW_DETAIL_QOS_PROFILE(KEEP_LAST, 1000, RELIABLE);

static const rmw_qos_profile_t rmw_qos_profile_system_default = {RMW_QOS_POLICY_HISTORY_SYSTEM_DEFAULT,
                                                                 RMW_QOS_POLICY_DEPTH_SYSTEM_DEFAULT,
                                                                 RMW_QOS_POLICY_RELIABILITY_SYSTEM_DEFAULT,
                                                                 RMW_QOS_POLICY_DURABILITY_SYSTEM_DEFAULT,
                                                                 RMW_DURATION_UNSPECIFIED,
                                                                 RMW_DURATION_UNSPECIFIED,
                                                                 RMW_QOS_POLICY_LIVELINESS_SYSTEM_DEFAULT,
                                                                 RMW_DURATION_UNSPECIFIED,
                                                                 false};

/// What matches most of the other side, at the highest level of service.
static const rmw_qos_profile_t rmw_qos_profile_best_available = {RMW_QOS_POLICY_HISTORY_KEEP_LAST,
                                                                 10,
                                                                 RMW_QOS_POLICY_RELIABILITY_BEST_AVAILABLE,
                                                                 RMW_QOS_POLICY_DURABILITY_BEST_AVAILABLE,
                                                                 RMW_QOS_DEADLINE_BEST_AVAILABLE,
                                                                 RMW_QOS_LIFESPAN_DEFAULT,
                                                                 RMW_QOS_POLICY_LIVELINESS_BEST_AVAILABLE,
                                                                 RMW_QOS_LIVELINESS_LEASE_DURATION_BEST_AVAILABLE,
                                                                 false};

static const rmw_qos_profile_t rmw_qos_profile_unknown = {RMW_QOS_POLICY_HISTORY_UNKNOWN,
                                                          RMW_QOS_POLICY_DEPTH_SYSTEM_DEFAULT,
                                                          RMW_QOS_POLICY_RELIABILITY_UNKNOWN,
                                                          RMW_QOS_POLICY_DURABILITY_UNKNOWN,
                                                          RMW_DURATION_UNSPECIFIED,
                                                          RMW_DURATION_UNSPECIFIED,
                                                          RMW_QOS_POLICY_LIVELINESS_UNKNOWN,
                                                          RMW_DURATION_UNSPECIFIED,
                                                          false};

#undef RMW_DETAIL_QOS_PROFILE

typedef enum rmw_qos_compatibility_type_e {
  RMW_QOS_COMPATIBILITY_OK = 0,
  RMW_QOS_COMPATIBILITY_WARNING,  ///< it depends on what a "system default" or "unknown" policy becomes
  RMW_QOS_COMPATIBILITY_ERROR
} rmw_qos_compatibility_type_t;

/// Whether a publisher and a subscription of these profiles can communicate.
/// \param reason null, or room for `reason_size` characters: what does not fit together, cut off at the end of the room.
/// \return RMW_RET_INVALID_ARGUMENT when `compatibility` is null, or `reason` is although it has a size. Thread-safe.
__attribute__((visibility("default"))) rmw_ret_t rmw_qos_profile_check_compatible(
    const rmw_qos_profile_t publisher_profile, const rmw_qos_profile_t subscription_profile,
    rmw_qos_compatibility_type_t * compatibility, char * reason, size_t reason_size);

#ifdef __cplusplus
}
#endif

#endif  // RMW__QOS_PROFILES_H_
