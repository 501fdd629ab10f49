#ifndef RMW__VISIBILITY_CONTROL_H_
#define RMW__VISIBILITY_CONTROL_H_

#define RMW_PUBLIC __attribute__((visibility("default")))
#define RMW_LOCAL __attribute__((visibility("hidden")))

#endif  // RMW__VISIBILITY_CONTROL_H_
