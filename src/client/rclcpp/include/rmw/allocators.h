// Memory of C, by rcutils's default allocator.
#ifndef RMW__ALLOCATORS_H_
#define RMW__ALLOCATORS_H_

#include "rmw/types.h"
#include "rmw/visibility_control.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Null when there is none. Given back by rmw_free().
RMW_PUBLIC void * rmw_allocate(size_t size);
RMW_PUBLIC void rmw_free(void * pointer);

#ifdef __cplusplus
}
#endif

#endif  // RMW__ALLOCATORS_H_
