// Which middleware this process really uses.
#ifndef RMW__RMW_H_
#define RMW__RMW_H_

#include "rmw/error_handling.h"
#include "rmw/qos_profiles.h"
#include "rmw/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Name of the transport in use ("rmw_tandem_cpp"), loading it when need be; "" when none can be loaded.
__attribute__((visibility("default"))) const char * rmw_get_implementation_identifier(void);

#ifdef __cplusplus
}
#endif

#endif  // RMW__RMW_H_
