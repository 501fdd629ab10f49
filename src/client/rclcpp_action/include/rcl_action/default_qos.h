// The QoS of status topics.
#ifndef RCL_ACTION__DEFAULT_QOS_H_
#define RCL_ACTION__DEFAULT_QOS_H_

#include "rmw/qos_profiles.h"

/// The last one, reliable, also for those who come late.
static const rmw_qos_profile_t rcl_action_qos_profile_status_default = {RMW_QOS_POLICY_HISTORY_KEEP_LAST,
                                                                        1,
                                                                        RMW_QOS_POLICY_RELIABILITY_RELIABLE,
                                                                        RMW_QOS_POLICY_DURABILITY_TRANSIENT_LOCAL,
                                                                        RMW_DURATION_UNSPECIFIED,
                                                                        RMW_DURATION_UNSPECIFIED,
                                                                        RMW_QOS_POLICY_LIVELINESS_SYSTEM_DEFAULT,
                                                                        RMW_DURATION_UNSPECIFIED,
                                                                        false};

#endif  // RCL_ACTION__DEFAULT_QOS_H_
