// Mends what Cyclone 0.10 does between a reliable writer that stays on the network and a reader that also takes from
// iceoryx: it holds that reader for one that has acknowledged everything for ever, and sends what is meant for it alone
// (heartbeats, what was lost) to iceoryx, where that is dropped. In C, as Cyclone's headers that tell of this are no
// C++.
#pragma once

#include <dds/dds.h>
#include <dds/ddsi/ddsi_sertype.h>

#ifdef __cplusplus
extern "C" {
#endif

/// To be called when `writer`, of a topic of this registered type, is made or matched.
void rmw_cyclonedds_mend_mixed_readers(dds_entity_t writer, const struct ddsi_sertype * type);

#ifdef __cplusplus
}
#endif
