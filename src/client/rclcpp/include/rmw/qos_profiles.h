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

#undef RMW_DETAIL_QOS_PROFILE

#ifdef __cplusplus
}
#endif

#endif  // RMW__QOS_PROFILES_H_
