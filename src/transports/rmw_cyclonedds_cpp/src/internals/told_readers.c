#include "internals/told_readers.h"

#include <dds/ddsi/ddsi_domaingv.h>
#include <dds/ddsi/ddsi_entity.h>
#include <dds/ddsi/ddsi_entity_index.h>
#include <dds/ddsi/ddsi_entity_match.h>
#include <dds/ddsi/ddsi_proxy_endpoint.h>
#include <dds/ddsi/ddsi_tran.h>
#include <dds/ddsi/q_addrset.h>
#include <dds/ddsi/q_bswap.h>
#include <dds/ddsi/q_thread.h>
#include <string.h>

static bool is_in(const dds_qos_t * qos, const char * partition) {
  return qos->partition.n == 1 && strcmp(qos->partition.strs[0], partition) == 0;
}

static bool place(struct ddsi_proxy_reader * reader, const char * partition, bool is_found) {
  ddsrt_mutex_lock(&reader->e.qos_lock);
  dds_qos_t * const qos = reader->c.xqos;
  const bool has_one = (qos->present & QP_PARTITION) != 0 && qos->partition.n != 0;
  const bool is_due = is_found ? !has_one : !has_one || !is_in(qos, partition);
  if (is_due) {
    dds_qset_partition1(qos, partition);
  }
  ddsrt_mutex_unlock(&reader->e.qos_lock);
  return is_due;
}

struct unicast_addresses {
  const struct ddsi_domaingv * domain;
  struct addrset * set;
  bool is_empty;
};

static void add_unicast(const ddsi_xlocator_t * address, void * to) {
  struct unicast_addresses * const addresses = to;
  const struct ddsi_tran_factory * const factory = address->conn != NULL ? address->conn->m_factory : NULL;
  if (factory == NULL || !factory->m_is_mcaddr_fn(factory, &address->c)) {
    add_xlocator_to_addrset(addresses->domain, addresses->set, address);
    addresses->is_empty = false;
  }
}

/// Its own set: the one that it has may be that of all readers of its participant. With the reader locked.
static void use_unicast(const struct ddsi_domaingv * domain, struct ddsi_proxy_reader * reader) {
  struct unicast_addresses unicast = {.domain = domain, .set = new_addrset(), .is_empty = true};
  addrset_forall(reader->c.as, add_unicast, &unicast);
  struct addrset * const old = reader->c.as;
  if (!unicast.is_empty) {
    reader->c.as = unicast.set;
  }
  unref_addrset(unicast.is_empty ? unicast.set : old);
}

void rmw_cyclonedds_place_reader(const struct ddsi_sertype * type, const dds_guid_t * found, const char * partition,
                                 enum rmw_cyclonedds_moment moment) {
  struct ddsi_domaingv * const domain = ddsrt_atomic_ldvoidp(&type->gv);
  if (domain == NULL) {
    return;
  }
  ddsi_guid_t guid;
  memcpy(&guid, found->v, sizeof guid);
  guid = nn_ntoh_guid(guid);
  struct thread_state * const thread = lookup_thread_state();
  thread_state_awake(thread, domain);  // what is found meanwhile is not freed
  struct ddsi_proxy_reader * const reader = entidx_lookup_proxy_reader_guid(domain->entity_index, &guid);
  if (reader == NULL || !place(reader, partition, moment != RMW_CYCLONEDDS_LATER)) {
    // gone, or there already
  } else if (moment == RMW_CYCLONEDDS_LATER) {
    ddsi_update_proxy_endpoint_matching(domain, (struct ddsi_generic_proxy_endpoint *)reader);
  } else if (moment == RMW_CYCLONEDDS_CALLED_BACK) {
    use_unicast(domain, reader);
  } else if (ddsrt_mutex_trylock(&reader->e.lock)) {
    use_unicast(domain, reader);
    ddsrt_mutex_unlock(&reader->e.lock);
  }
  thread_state_asleep(thread);
}
