#include "internals/revival.h"

#include <dds/ddsi/ddsi_domaingv.h>
#include <dds/ddsi/ddsi_entity.h>
#include <dds/ddsi/ddsi_entity_index.h>
#include <dds/ddsi/q_bswap.h>
#include <dds/ddsi/q_thread.h>
#include <string.h>

#include <dds/ddsi/ddsi_endpoint.h>  // needs ddsi_entity.h

/// Whether it had that state.
static bool change_state(struct ddsi_writer * writer, enum ddsi_writer_state from, enum ddsi_writer_state to) {
  ddsrt_mutex_lock(&writer->e.lock);
  const bool is_due = writer->state == from;
  if (is_due) {
    writer->state = to;
  }
  ddsrt_mutex_unlock(&writer->e.lock);
  return is_due;
}

static bool is_alive(struct ddsi_writer * writer) {
  ddsrt_mutex_lock(&writer->e.lock);
  const bool is_alive = writer->alive;
  ddsrt_mutex_unlock(&writer->e.lock);
  return is_alive;
}

/// A write to a writer that is interrupted does what a write does first, which is to note that the writer lives and to tell
/// the readers here; then it fails, before the message has a number.
void rmw_cyclonedds_revive(dds_entity_t writer, struct ddsi_serdata * nothing) {
  struct ddsi_domaingv * const domain = ddsrt_atomic_ldvoidp(&nothing->type->gv);
  dds_guid_t found;
  if (domain == NULL || dds_get_guid(writer, &found) != DDS_RETCODE_OK) {
    ddsi_serdata_unref(nothing);
    return;
  }
  ddsi_guid_t guid;
  memcpy(&guid, found.v, sizeof guid);
  guid = nn_ntoh_guid(guid);
  struct thread_state * const thread = lookup_thread_state();
  thread_state_awake(thread, domain);  // what is found meanwhile is not freed
  struct ddsi_writer * const own = entidx_lookup_writer_guid(domain->entity_index, &guid);
  if (own != NULL && !is_alive(own) && change_state(own, WRST_OPERATIONAL, WRST_INTERRUPT)) {
    (void)dds_writecdr(writer, nothing);
    (void)change_state(own, WRST_INTERRUPT, WRST_OPERATIONAL);
  } else {
    ddsi_serdata_unref(nothing);
  }
  thread_state_asleep(thread);
}
