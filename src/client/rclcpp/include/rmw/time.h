// Durations of QoS policies in nanoseconds, saturated at INT64_MAX.
#ifndef RMW__TIME_H_
#define RMW__TIME_H_

#include "rmw/types.h"
#include "rmw/visibility_control.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef int64_t rmw_duration_t;  // nanoseconds

RMW_PUBLIC bool rmw_time_equal(const rmw_time_t left, const rmw_time_t right);
RMW_PUBLIC rmw_duration_t rmw_time_total_nsec(const rmw_time_t time);
/// Negative ones become RMW_DURATION_INFINITE.
RMW_PUBLIC rmw_time_t rmw_time_from_nsec(const rmw_duration_t nanoseconds);
/// With less than a second in `nsec`.
RMW_PUBLIC rmw_time_t rmw_time_normalize(const rmw_time_t time);

#ifdef __cplusplus
}
#endif

#endif  // RMW__TIME_H_
