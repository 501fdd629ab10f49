#include "internals/receivers.h"

#include <dds/ddsi/ddsi_domaingv.h>
#include <dds/ddsi/ddsi_tran.h>
#include <fcntl.h>

size_t rmw_cyclonedds_copy_receivers(const struct ddsi_sertype * type, int * sockets, size_t room) {
  const struct ddsi_domaingv * const domain = ddsrt_atomic_ldvoidp(&type->gv);
  size_t count = 0;
  for (uint32_t i = 0; domain != NULL && i < domain->n_recv_threads && count < room; ++i) {
    const struct recv_thread_arg * const receiver = &domain->recv_threads[i].arg;
    if (domain->recv_threads[i].thrst != NULL && receiver->mode == RTM_SINGLE) {  // the others wait at a pipe as well
      sockets[count] = fcntl(ddsi_conn_handle(receiver->u.single.conn), F_DUPFD_CLOEXEC, 0);
      count += sockets[count] >= 0 ? 1 : 0;
    }
  }
  return count;
}
