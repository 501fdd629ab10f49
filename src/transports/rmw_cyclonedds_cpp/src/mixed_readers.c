#include "mixed_readers.h"

#include <dds/ddsi/ddsi_domaingv.h>
#include <dds/ddsi/ddsi_entity.h>
#include <dds/ddsi/ddsi_entity_index.h>
#include <dds/ddsi/ddsi_entity_match.h>
#include <dds/ddsi/ddsi_proxy_endpoint.h>
#include <dds/ddsi/q_addrset.h>
#include <dds/ddsi/q_bswap.h>
#include <dds/ddsi/q_hbcontrol.h>
#include <dds/ddsi/q_thread.h>
// Needs what the others declare.
#include <dds/ddsi/ddsi_endpoint.h>
#include <string.h>

static ddsi_guid_t guid_of(dds_entity_t entity) {
  dds_guid_t outside;
  ddsi_guid_t guid;
  memset(&outside, 0, sizeof outside);
  dds_get_guid(entity, &outside);
  memcpy(&guid, outside.v, sizeof guid);
  return nn_ntoh_guid(guid);
}

struct chunk_address {
  bool is_found;
  ddsi_xlocator_t address;
};

static void look_for_chunks(const ddsi_xlocator_t * address, void * found) {
  if (address->c.kind == NN_LOCATOR_KIND_SHEM) {
    *(struct chunk_address *)found = (struct chunk_address){.is_found = true, .address = *address};
  }
}

/// What is meant for this reader alone must not be sent to iceoryx, where Cyclone drops it.
static void keep_to_network(const struct ddsi_domaingv * domain, struct ddsi_proxy_reader * reader) {
  struct chunk_address found = {.is_found = false};
  ddsrt_mutex_lock(&reader->e.lock);
  addrset_forall(reader->c.as, look_for_chunks, &found);
  if (found.is_found) {
    remove_from_addrset(domain, reader->c.as, &found.address);
  }
  ddsrt_mutex_unlock(&reader->e.lock);
}

/// The next reader that is held for one that needs nothing; it is no more.
static struct ddsi_proxy_reader * begin_as_others(const struct ddsi_domaingv * domain, struct ddsi_writer * writer) {
  struct ddsi_proxy_reader * mended = NULL;
  ddsrt_mutex_lock(&writer->e.lock);
  for (struct ddsi_wr_prd_match * match = ddsrt_avl_find_min(&ddsi_wr_readers_treedef, &writer->readers);
       match != NULL && mended == NULL;
       match = ddsrt_avl_find_succ(&ddsi_wr_readers_treedef, &writer->readers, match)) {
    struct ddsi_proxy_reader * const reader = entidx_lookup_proxy_reader_guid(domain->entity_index, &match->prd_guid);
    if (reader != NULL && reader->is_iceoryx && match->is_reliable && match->seq == MAX_SEQ_NUMBER) {
      match->seq = writer->seq;
      match->last_seq = writer->seq;
      ddsrt_avl_augment_update(&ddsi_wr_readers_treedef, match);
      mended = reader;
    }
  }
  ddsrt_mutex_unlock(&writer->e.lock);
  return mended;
}

void rmw_cyclonedds_mend_mixed_readers(dds_entity_t entity, const struct ddsi_sertype * type) {
  struct ddsi_domaingv * const domain = ddsrt_atomic_ldvoidp(&type->gv);
  const ddsi_guid_t guid = guid_of(entity);
  if (domain == NULL) {
    return;
  }
  struct thread_state * const thread = lookup_thread_state();
  thread_state_awake(thread, domain);  // what is found meanwhile is not freed
  struct ddsi_writer * const writer = entidx_lookup_writer_guid(domain->entity_index, &guid);
  if (writer != NULL && !writer->has_iceoryx) {
    // Two passes: a writer and a reader are never locked at once.
    for (struct ddsi_proxy_reader * reader; (reader = begin_as_others(domain, writer)) != NULL;) {
      keep_to_network(domain, reader);
    }
  }
  thread_state_asleep(thread);
}
