// Tells apart the readers of one topic that get the one or the other form of a message. All of them are in the same
// partition, as they tell it; here, for us alone, each is put into that of the writer which serves it. So Cyclone
// matches it with that writer only. In C, as Cyclone's headers that tell of this are no C++.
#pragma once

#include <dds/dds.h>
#include <dds/ddsi/ddsi_sertype.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// To be called while discovery tells of a reader of another process, before Cyclone has matched it: a reader that is in
/// no partition yet is put into this one, and is sent to by unicast only, as multicast reaches readers of both forms.
/// `type`: of the topic, registered. `is_locked`: Cyclone is calling back, and so holds the reader's lock.
void rmw_cyclonedds_place_found_reader(const struct ddsi_sertype * type, const dds_guid_t * reader,
                                       const char * partition, bool is_locked);

/// At any other time: puts it into this one and matches it with our writers there.
void rmw_cyclonedds_move_reader(const struct ddsi_sertype * type, const dds_guid_t * reader, const char * partition);

#ifdef __cplusplus
}
#endif
