// What clients and services tell of their calls.
#ifndef RCL__SERVICE_INTROSPECTION_H_
#define RCL__SERVICE_INTROSPECTION_H_

/// Behind a service's name: the topic of its events.
#define RCL_SERVICE_INTROSPECTION_TOPIC_POSTFIX "/_service_event"

typedef enum rcl_service_introspection_state_e {
  RCL_SERVICE_INTROSPECTION_OFF,
  RCL_SERVICE_INTROSPECTION_METADATA,  ///< who called, when, which call
  RCL_SERVICE_INTROSPECTION_CONTENTS,  ///< the request and the response too
} rcl_service_introspection_state_t;

#endif  // RCL__SERVICE_INTROSPECTION_H_
