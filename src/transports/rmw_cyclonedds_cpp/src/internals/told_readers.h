// Tells apart the readers of one topic that get the one or the other form of a message. All of them are in the same
// partition, as they tell it; here, for us alone, each is put into that of the writer which serves it. So Cyclone
// matches it with that writer only. In C, as Cyclone's headers that tell of this are no C++.
#pragma once

#include <dds/dds.h>
#include <dds/ddsi/ddsi_sertype.h>

#ifdef __cplusplus
extern "C" {
#endif

// NOLINTBEGIN(readability-identifier-naming): as C has it
enum rmw_cyclonedds_moment {
  RMW_CYCLONEDDS_FOUND,        ///< it is found in the history of discovery
  RMW_CYCLONEDDS_CALLED_BACK,  ///< Cyclone tells of it: it is not matched yet, and locked
  RMW_CYCLONEDDS_LATER
};
// NOLINTEND(readability-identifier-naming)

/// Puts a reader of another process into this partition. When it is found, only if it is in none yet; then it is sent to by
/// unicast only, as multicast reaches readers of both forms. Later it is matched anew with our writers there.
/// `type`: of the topic, registered.
void rmw_cyclonedds_place_reader(const struct ddsi_sertype * type, const dds_guid_t * reader, const char * partition,
                                 enum rmw_cyclonedds_moment moment);

#ifdef __cplusplus
}
#endif
