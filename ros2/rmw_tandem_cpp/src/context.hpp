// A context of rmw.h: a presence in one domain, with what its nodes and endpoints share.
#pragma once

#include <rmw/init.h>
#include <rmw/types.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "listener.hpp"
#include "tandem/participant.hpp"
#include "tandem/transport.hpp"

namespace tandem_rmw {

namespace transport = tandem::transport;

class BufferBackends;  // buffer_backends.hpp

/// The native transport of this library; one per process.
transport::Transport & native_transport();

}  // namespace tandem_rmw

/// Named by rmw.h.
struct rmw_context_impl_s {
  rmw_context_impl_s(std::uint32_t domain, const std::string & its_enclave);

  const std::string enclave;

  const tandem::Participant participant;  ///< the same presence as that of `transport`
  tandem_rmw::GraphWatch graph;
  const std::shared_ptr<tandem::transport::Context> transport;
  tandem_rmw::Listener listener;
  std::mutex mutex;
  std::vector<tandem::NodeName> nodes;  ///< guarded by mutex; a name may repeat
  std::shared_ptr<const tandem_rmw::BufferBackends>
      buffer_backends;  ///< guarded by mutex; null until they are asked for,
                        ///< and when the context is shut down
  std::atomic<bool> is_shut_down{false};
};

namespace tandem_rmw {

using Context = rmw_context_impl_s;

/// Whether a node may have this name; else RMW_RET_INVALID_ARGUMENT.
rmw_ret_t require_valid(const transport::NodeName & node);

/// A node of rmw.h.
struct Node {
  Node(Context & its_context, const transport::NodeName & its_name);
  ~Node();

  Context & context;
  const transport::NodeName name;
  const std::unique_ptr<transport::Node> presence;
  GuardCondition graph_guard;
  rmw_guard_condition_t graph_guard_condition{};  ///< its handle
};

inline Node & node_of(const rmw_node_t * node) { return *static_cast<Node *>(node->data); }

}  // namespace tandem_rmw
