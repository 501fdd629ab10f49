// What Cyclone DDS 0.10 gets wrong when a second reader of a process joins: its writer takes all that was written before for
// received, and tells the new reader that it does not get that. The reader's process believes so for its other readers too,
// and what was lost on the way to them is never sent again. In C, as told_readers.h.
#pragma once

#include <dds/dds.h>
#include <dds/ddsi/ddsi_sertype.h>

#ifdef __cplusplus
extern "C" {
#endif

/// New readers of the writer have received no more than the other ones of their participants. To be called when a reader has
/// been matched. `type`: the writer's.
void rmw_cyclonedds_align_siblings(dds_entity_t writer, const struct ddsi_sertype * type);

#ifdef __cplusplus
}
#endif
