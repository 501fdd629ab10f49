// All of rcl that there is here.
#ifndef RCL__RCL_H_
#define RCL__RCL_H_

#include "rcl/allocator.h"
#include "rcl/error_handling.h"
#include "rcl/time.h"
#include "rcl/types.h"
#include "rmw/rmw.h"

#endif  // RCL__RCL_H_
