// QoS policies as text: "reliable", "keep_last", "transient_local", ...
#ifndef RMW__QOS_STRING_CONVERSIONS_H_
#define RMW__QOS_STRING_CONVERSIONS_H_

#include "rmw/qos_policy_kind.h"
#include "rmw/types.h"
#include "rmw/visibility_control.h"

#ifdef __cplusplus
extern "C" {
#endif

// Null for unknown. The text is static.
RMW_PUBLIC const char * rmw_qos_policy_kind_to_str(rmw_qos_policy_kind_t kind);
RMW_PUBLIC const char * rmw_qos_durability_policy_to_str(enum rmw_qos_durability_policy_e value);
RMW_PUBLIC const char * rmw_qos_history_policy_to_str(enum rmw_qos_history_policy_e value);
RMW_PUBLIC const char * rmw_qos_liveliness_policy_to_str(enum rmw_qos_liveliness_policy_e value);
RMW_PUBLIC const char * rmw_qos_reliability_policy_to_str(enum rmw_qos_reliability_policy_e value);

// Unknown (of kinds: invalid) for any other text, and for null.
RMW_PUBLIC rmw_qos_policy_kind_t rmw_qos_policy_kind_from_str(const char * str);
RMW_PUBLIC enum rmw_qos_durability_policy_e rmw_qos_durability_policy_from_str(const char * str);
RMW_PUBLIC enum rmw_qos_history_policy_e rmw_qos_history_policy_from_str(const char * str);
RMW_PUBLIC enum rmw_qos_liveliness_policy_e rmw_qos_liveliness_policy_from_str(const char * str);
RMW_PUBLIC enum rmw_qos_reliability_policy_e rmw_qos_reliability_policy_from_str(const char * str);

#ifdef __cplusplus
}
#endif

#endif  // RMW__QOS_STRING_CONVERSIONS_H_
