// What questions about the graph share.
#pragma once

#include <rcutils/allocator.h>
#include <rmw/types.h>

#include <string>

#include "tandem/transport.hpp"

#ifdef TANDEM_RMW_HAS_TYPE_HASH
#include <rosidl_runtime_c/type_hash.h>
#endif

namespace tandem_rmw {

/// \pre it is ours
transport::GraphSnapshot graph_of(const rmw_node_t * node);

rmw_ret_t require_allocator(rcutils_allocator_t * allocator);

#ifdef TANDEM_RMW_HAS_TYPE_HASH
/// Of "RIHS01_…"; zeros where the text is none.
rosidl_type_hash_t to_rosidl(const std::string & type_hash);
#endif

}  // namespace tandem_rmw
