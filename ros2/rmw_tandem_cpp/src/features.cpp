// What this implementation can, its log, and what others have that it lacks.
#include <rmw/features.h>
#include <rmw/rmw.h>

#include "errors.hpp"
#include "log.hpp"

#ifdef TANDEM_RMW_HAS_DYNAMIC_TYPES
#include <rmw/dynamic_message_type_support.h>
#endif

using namespace tandem_rmw;

extern "C" {

bool rmw_feature_supported(rmw_feature_t feature) {
  return feature == RMW_FEATURE_MESSAGE_INFO_PUBLICATION_SEQUENCE_NUMBER;
}

rmw_ret_t rmw_set_log_severity(rmw_log_severity_t severity) {
  switch (severity) {
    case RMW_LOG_SEVERITY_DEBUG:
    case RMW_LOG_SEVERITY_INFO:
    case RMW_LOG_SEVERITY_WARN:
    case RMW_LOG_SEVERITY_ERROR:
    case RMW_LOG_SEVERITY_FATAL: set_log_severity(severity); return RMW_RET_OK;
  }
  return fail(RMW_RET_INVALID_ARGUMENT, "the log severity " + std::to_string(severity) + " is unknown");
}

#ifdef TANDEM_RMW_HAS_DYNAMIC_TYPES
rmw_ret_t rmw_take_dynamic_message(const rmw_subscription_t *, rosidl_dynamic_typesupport_dynamic_data_t *, bool *,
                                   rmw_subscription_allocation_t *) {
  return fail(RMW_RET_UNSUPPORTED, "dynamic messages are not supported");
}

rmw_ret_t rmw_take_dynamic_message_with_info(const rmw_subscription_t *, rosidl_dynamic_typesupport_dynamic_data_t *,
                                             bool *, rmw_message_info_t *, rmw_subscription_allocation_t *) {
  return fail(RMW_RET_UNSUPPORTED, "dynamic messages are not supported");
}

rmw_ret_t rmw_serialization_support_init(const char *, rcutils_allocator_t *,
                                         rosidl_dynamic_typesupport_serialization_support_t *) {
  return fail(RMW_RET_UNSUPPORTED, "dynamic types are not supported");
}
#endif

}  // extern "C"
