// What this implementation can, its log, and what others have that it lacks.
#include <rmw/features.h>
#include <rmw/get_network_flow_endpoints.h>
#include <rmw/rmw.h>

#include "errors.hpp"
#include "log.hpp"

#ifdef TANDEM_RMW_HAS_DYNAMIC_TYPES
#include <rmw/dynamic_message_type_support.h>
#endif

namespace tandem_rmw {
namespace {

rmw_ret_t refuse_allocations() {
  return fail(RMW_RET_UNSUPPORTED, "allocations made in advance are not supported: no message needs one");
}

/// Of a publisher or a subscription.
template <class Handle>
rmw_ret_t refuse_flow_endpoints(const Handle * handle, const char * what, const rcutils_allocator_t * allocator,
                                const rmw_network_flow_endpoint_array_t * endpoints) {
  TANDEM_RMW_RETURN_IF(first_error(require_ours(handle, what), require(allocator, "allocator"),
                                   require(endpoints, "network_flow_endpoint_array")));
  return fail(RMW_RET_UNSUPPORTED, "there are no network flow endpoints: messages are in shared memory");
}

}  // namespace
}  // namespace tandem_rmw

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

// ---- what is not supported -----------------------------------------------------------------------------------------

rmw_ret_t rmw_init_publisher_allocation(const rosidl_message_type_support_t *,
                                        const rosidl_runtime_c__Sequence__bound *, rmw_publisher_allocation_t *) {
  return refuse_allocations();
}

rmw_ret_t rmw_fini_publisher_allocation(rmw_publisher_allocation_t *) { return refuse_allocations(); }

rmw_ret_t rmw_init_subscription_allocation(const rosidl_message_type_support_t *,
                                           const rosidl_runtime_c__Sequence__bound *, rmw_subscription_allocation_t *) {
  return refuse_allocations();
}

rmw_ret_t rmw_fini_subscription_allocation(rmw_subscription_allocation_t *) { return refuse_allocations(); }

rmw_ret_t rmw_publisher_get_network_flow_endpoints(const rmw_publisher_t * publisher, rcutils_allocator_t * allocator,
                                                   rmw_network_flow_endpoint_array_t * network_flow_endpoint_array) {
  return refuse_flow_endpoints(publisher, "publisher", allocator, network_flow_endpoint_array);
}

rmw_ret_t rmw_subscription_get_network_flow_endpoints(const rmw_subscription_t * subscription,
                                                      rcutils_allocator_t * allocator,
                                                      rmw_network_flow_endpoint_array_t * network_flow_endpoint_array) {
  return refuse_flow_endpoints(subscription, "subscription", allocator, network_flow_endpoint_array);
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
