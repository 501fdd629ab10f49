// What Cyclone DDS 0.10 forgets: dds_assert_liveliness() of a writer whose lease is over tells other processes that it lives
// again, but neither the writer itself nor the readers of this process. Only a write does so. In C, as told_readers.h.
#pragma once

#include <dds/dds.h>
#include <dds/ddsi/ddsi_serdata.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The writer lives for another lease, for the readers of this process too. Nothing is done if it lives. No other thread
/// writes meanwhile; one in dds_wait_for_acks() may see that time out early.
/// \param nothing of the writer's type, of no content; takes the reference. No reader gets it.
void rmw_cyclonedds_revive(dds_entity_t writer, struct ddsi_serdata * nothing);

#ifdef __cplusplus
}
#endif
