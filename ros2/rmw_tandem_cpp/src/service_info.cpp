// The endpoints of services and clients, which ROS 2 asks for since Lyrical.
#if __has_include(<rmw/get_service_endpoint_info.h>)

#include <rmw/get_service_endpoint_info.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "endpoints.hpp"
#include "errors.hpp"
#include "graph.hpp"
#include "qos.hpp"

namespace tandem_rmw {
namespace {

using transport::EndpointInfo;
using transport::EndpointKind;

/// What a server or a client is made of.
struct Pair {
  const EndpointInfo * reader;
  const EndpointInfo * writer;
};

/// Which reader belongs to which writer nobody tells: those of one node have the same order.
std::vector<Pair> pairs_of(const transport::GraphSnapshot & graph, const std::string & read,
                           const std::string & written) {
  std::vector<const EndpointInfo *> writers;
  for (const EndpointInfo & endpoint : graph.endpoints) {
    if (endpoint.kind == EndpointKind::kPublisher && endpoint.topic == written) writers.push_back(&endpoint);
  }
  std::vector<Pair> pairs;
  for (const EndpointInfo & reader : graph.endpoints) {
    if (reader.kind != EndpointKind::kSubscription || reader.topic != read) continue;
    const auto writer = std::find_if(writers.begin(), writers.end(),
                                     [&](const EndpointInfo * one) { return one->node == reader.node; });
    if (writer == writers.end()) continue;  // one that is just coming, or going
    pairs.push_back({&reader, *writer});
    writers.erase(writer);
  }
  return pairs;
}

rmw_ret_t fill(const Pair & pair, rmw_endpoint_type_t kind, rcutils_allocator_t * allocator,
               rmw_service_endpoint_info_t & to) {
  const EndpointInfo & reader = *pair.reader;
  const std::string type = transport::service_type_of(reader.type_name).value_or(reader.type_name);
  const rosidl_type_hash_t hash = to_rosidl(reader.type_hash);
  std::array<std::array<std::uint8_t, RMW_GID_STORAGE_SIZE>, 2> gids{};
  std::copy(reader.gid.begin(), reader.gid.end(), gids[0].begin());
  std::copy(pair.writer->gid.begin(), pair.writer->gid.end(), gids[1].begin());
  const rmw_qos_profile_t qos[] = {to_rmw(reader.qos), to_rmw(pair.writer->qos)};
  TANDEM_RMW_RETURN_IF(rmw_service_endpoint_info_set_node_name(&to, reader.node.name.c_str(), allocator));
  TANDEM_RMW_RETURN_IF(rmw_service_endpoint_info_set_node_namespace(&to, reader.node.name_space.c_str(), allocator));
  TANDEM_RMW_RETURN_IF(rmw_service_endpoint_info_set_service_type(&to, type.c_str(), allocator));
  TANDEM_RMW_RETURN_IF(rmw_service_endpoint_info_set_service_type_hash(&to, &hash));
  TANDEM_RMW_RETURN_IF(rmw_service_endpoint_info_set_endpoint_type(&to, kind));
  TANDEM_RMW_RETURN_IF(rmw_service_endpoint_info_set_endpoint_count(&to, gids.size()));
  TANDEM_RMW_RETURN_IF(
      rmw_service_endpoint_info_set_gids(&to, gids[0].data(), gids.size(), RMW_GID_STORAGE_SIZE, allocator));
  return rmw_service_endpoint_info_set_qos_profiles(&to, qos, gids.size(), allocator);
}

rmw_ret_t endpoints_of(const rmw_node_t * node, rcutils_allocator_t * allocator, const char * service_name,
                       rmw_endpoint_type_t kind, rmw_service_endpoint_info_array_t * to) {
  TANDEM_RMW_RETURN_IF(require_ours(node, "node"));
  TANDEM_RMW_RETURN_IF(
      first_error(require_allocator(allocator), require(service_name, "service_name"), require(to, "the array")));
  if (rmw_service_endpoint_info_array_check_zero(to) != RMW_RET_OK) return RMW_RET_INVALID_ARGUMENT;
  return guarded(RMW_RET_ERROR, [&]() -> rmw_ret_t {
    const transport::GraphSnapshot graph = graph_of(node);
    const std::string requests = transport::request_channel(service_name);
    const std::string replies = transport::reply_channel(service_name);
    const std::vector<Pair> found =
        kind == RMW_ENDPOINT_SERVER ? pairs_of(graph, requests, replies) : pairs_of(graph, replies, requests);
    if (found.empty()) return RMW_RET_OK;
    TANDEM_RMW_RETURN_IF(rmw_service_endpoint_info_array_init_with_size(to, found.size(), allocator));
    for (std::size_t i = 0; i < found.size(); ++i) to->info_array[i] = rmw_get_zero_initialized_service_endpoint_info();
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (const rmw_ret_t code = fill(found[i], kind, allocator, to->info_array[i]); code != RMW_RET_OK) {
        const rmw_ret_t ended = rmw_service_endpoint_info_array_fini(to, allocator);
        static_cast<void>(ended);
        return code;
      }
    }
    return RMW_RET_OK;
  });
}

}  // namespace
}  // namespace tandem_rmw

using namespace tandem_rmw;

extern "C" {

rmw_ret_t rmw_get_clients_info_by_service(const rmw_node_t * node, rcutils_allocator_t * allocator,
                                          const char * service_name, bool,
                                          rmw_service_endpoint_info_array_t * clients_info) {
  return endpoints_of(node, allocator, service_name, RMW_ENDPOINT_CLIENT, clients_info);
}

rmw_ret_t rmw_get_servers_info_by_service(const rmw_node_t * node, rcutils_allocator_t * allocator,
                                          const char * service_name, bool,
                                          rmw_service_endpoint_info_array_t * servers_info) {
  return endpoints_of(node, allocator, service_name, RMW_ENDPOINT_SERVER, servers_info);
}

}  // extern "C"

#endif
