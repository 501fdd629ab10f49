// Cyclone's threads that receive. Cyclone ends them by sending a datagram to each, which does not get there when the
// interface or its address has gone; so the end of a domain would wait without end. In C, as told_readers.h.
#pragma once

#include <dds/ddsi/ddsi_sertype.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Copies of the sockets that the domain's threads wait at, to be closed by the caller. `type`: registered in the domain.
/// \return how many; at most `room`.
size_t rmw_cyclonedds_copy_receivers(const struct ddsi_sertype * type, int * sockets, size_t room);

#ifdef __cplusplus
}
#endif
