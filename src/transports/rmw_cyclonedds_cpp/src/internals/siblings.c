#include "internals/siblings.h"

#include <dds/ddsi/ddsi_domaingv.h>
#include <dds/ddsi/ddsi_entity.h>
#include <dds/ddsi/ddsi_entity_index.h>
#include <dds/ddsi/ddsi_entity_match.h>
#include <dds/ddsi/q_bswap.h>
#include <dds/ddsi/q_thread.h>
#include <string.h>

#include <dds/ddsi/ddsi_endpoint.h>  // needs ddsi_entity.h

/// Whether it has told what it has received.
static bool has_told(const struct ddsi_wr_prd_match * reader) {
  return reader->is_reliable && reader->has_replied_to_hb;
}

static bool are_siblings(const struct ddsi_wr_prd_match * one, const struct ddsi_wr_prd_match * other) {
  return memcmp(&one->prd_guid.prefix, &other->prd_guid.prefix, sizeof one->prd_guid.prefix) == 0;
}

static void align(struct ddsi_writer * writer, struct ddsi_wr_prd_match * newcomer) {
  seqno_t received = newcomer->seq;
  ddsrt_avl_iter_t at;
  for (const struct ddsi_wr_prd_match * other = ddsrt_avl_iter_first(&ddsi_wr_readers_treedef, &writer->readers, &at);
       other != NULL; other = ddsrt_avl_iter_next(&at)) {
    if (has_told(other) && are_siblings(other, newcomer) && other->seq < received) {
      received = other->seq;
    }
  }
  if (received < newcomer->seq) {
    newcomer->seq = received;
    ddsrt_avl_augment_update(&ddsi_wr_readers_treedef, newcomer);
  }
}

void rmw_cyclonedds_align_siblings(dds_entity_t writer, const struct ddsi_sertype * type) {
  struct ddsi_domaingv * const domain = ddsrt_atomic_ldvoidp(&type->gv);
  dds_guid_t found;
  if (domain == NULL || dds_get_guid(writer, &found) != DDS_RETCODE_OK) {
    return;
  }
  ddsi_guid_t guid;
  memcpy(&guid, found.v, sizeof guid);
  guid = nn_ntoh_guid(guid);
  struct thread_state * const thread = lookup_thread_state();
  thread_state_awake(thread, domain);  // what is found meanwhile is not freed
  struct ddsi_writer * const own = entidx_lookup_writer_guid(domain->entity_index, &guid);
  if (own != NULL) {
    ddsrt_mutex_lock(&own->e.lock);
    ddsrt_avl_iter_t at;
    for (struct ddsi_wr_prd_match * one = ddsrt_avl_iter_first(&ddsi_wr_readers_treedef, &own->readers, &at);
         one != NULL; one = ddsrt_avl_iter_next(&at)) {
      if (one->is_reliable && !one->has_replied_to_hb) {
        align(own, one);
      }
    }
    ddsrt_mutex_unlock(&own->e.lock);
  }
  thread_state_asleep(thread);
}
