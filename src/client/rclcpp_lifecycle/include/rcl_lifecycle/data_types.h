// States and transitions as rcl_lifecycle has them, of which State and Transition of rclcpp_lifecycle can be made.
#ifndef RCL_LIFECYCLE__DATA_TYPES_H_
#define RCL_LIFECYCLE__DATA_TYPES_H_

#include <stdint.h>

typedef struct rcl_lifecycle_transition_s rcl_lifecycle_transition_t;

typedef struct rcl_lifecycle_state_s {
  const char * label;
  uint8_t id;  // of lifecycle_msgs/msg/State
  rcl_lifecycle_transition_t * valid_transitions;
  unsigned int valid_transition_size;
} rcl_lifecycle_state_t;

struct rcl_lifecycle_transition_s {
  const char * label;
  unsigned int id;  // of lifecycle_msgs/msg/Transition
  rcl_lifecycle_state_t * start;
  rcl_lifecycle_state_t * goal;
};

#endif  // RCL_LIFECYCLE__DATA_TYPES_H_
