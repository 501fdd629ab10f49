// Who is there: nodes, topics, services, endpoints.
#include <rcutils/strdup.h>
#include <rcutils/types/string_array.h>
#include <rmw/get_node_info_and_types.h>
#include <rmw/get_service_names_and_types.h>
#include <rmw/get_topic_endpoint_info.h>
#include <rmw/get_topic_names_and_types.h>
#include <rmw/names_and_types.h>
#include <rmw/rmw.h>

#include <algorithm>
#include <map>
#include <set>

#include "context.hpp"
#include "endpoints.hpp"
#include "errors.hpp"
#include "graph.hpp"
#include "qos.hpp"
#include "tandem/type_hash.hpp"

namespace tandem_rmw {
namespace {

using transport::EndpointInfo;
using transport::EndpointKind;
using NamesAndTypes = std::map<std::string, std::set<std::string>>;

bool is_topic(const EndpointInfo & endpoint) {
  return transport::channel_of(endpoint.topic) == transport::Channel::kTopic;
}

/// A service's endpoint that takes requests, or a client's that takes replies.
bool is_service(const EndpointInfo & endpoint) {
  return endpoint.kind == EndpointKind::kSubscription &&
         transport::channel_of(endpoint.topic) == transport::Channel::kRequest;
}
bool is_client(const EndpointInfo & endpoint) {
  return endpoint.kind == EndpointKind::kSubscription &&
         transport::channel_of(endpoint.topic) == transport::Channel::kReply;
}

/// Of the endpoints of a service that `is_wanted`: its name and its type.
NamesAndTypes services_of(const transport::GraphSnapshot & graph, bool (*is_wanted)(const EndpointInfo &),
                          const transport::NodeName * node = nullptr) {
  NamesAndTypes found;
  for (const EndpointInfo & endpoint : graph.endpoints) {
    if (!is_wanted(endpoint) || (node != nullptr && !(endpoint.node == *node))) continue;
    const auto service = transport::service_of(endpoint.topic);
    const auto type = transport::service_type_of(endpoint.type_name);
    if (service && type) found[*service].insert(*type);
  }
  return found;
}

rmw_ret_t fill(const NamesAndTypes & found, rcutils_allocator_t * allocator, rmw_names_and_types_t * to) {
  if (found.empty()) return RMW_RET_OK;
  TANDEM_RMW_RETURN_IF(rmw_names_and_types_init(to, found.size(), allocator));
  const auto give_up = [&] {
    const rmw_ret_t ended = rmw_names_and_types_fini(to);
    static_cast<void>(ended);
    return fail(RMW_RET_BAD_ALLOC, "memory is short");
  };
  std::size_t i = 0;
  for (const auto & [name, types] : found) {
    to->names.data[i] = rcutils_strdup(name.c_str(), *allocator);
    if (to->names.data[i] == nullptr) return give_up();
    if (rcutils_string_array_init(&to->types[i], types.size(), allocator) != RCUTILS_RET_OK) return give_up();
    std::size_t j = 0;
    for (const std::string & type : types) {
      to->types[i].data[j] = rcutils_strdup(type.c_str(), *allocator);
      if (to->types[i].data[j++] == nullptr) return give_up();
    }
    ++i;
  }
  return RMW_RET_OK;
}

rmw_ret_t require_empty(rmw_names_and_types_t * names_and_types) {
  TANDEM_RMW_RETURN_IF(require(names_and_types, "names_and_types"));
  return rmw_names_and_types_check_zero(names_and_types) == RMW_RET_OK ? RMW_RET_OK : RMW_RET_INVALID_ARGUMENT;
}

/// A node's name that is asked for, and whether there is one. \return RMW_RET_NODE_NAME_NON_EXISTENT: there is none.
rmw_ret_t require_node(const transport::GraphSnapshot & graph, const transport::NodeName & name) {
  TANDEM_RMW_RETURN_IF(require_valid(name));
  if (std::find(graph.nodes.begin(), graph.nodes.end(), name) != graph.nodes.end()) return RMW_RET_OK;
  return fail(RMW_RET_NODE_NAME_NON_EXISTENT, "there is no node '" + name.name + "' in '" + name.name_space + "'");
}

/// What all questions about one node need, then `find` in its endpoints.
template <class Find>
rmw_ret_t of_node(const rmw_node_t * node, rcutils_allocator_t * allocator, const char * name, const char * name_space,
                  rmw_names_and_types_t * names_and_types, Find find) {
  TANDEM_RMW_RETURN_IF(require_ours(node, "node"));
  TANDEM_RMW_RETURN_IF(
      first_error(require_allocator(allocator), require(name, "node_name"), require(name_space, "node_namespace")));
  TANDEM_RMW_RETURN_IF(require_empty(names_and_types));
  return guarded(RMW_RET_ERROR, [&]() -> rmw_ret_t {
    const transport::GraphSnapshot graph = graph_of(node);
    const transport::NodeName wanted{name_space, name};
    TANDEM_RMW_RETURN_IF(require_node(graph, wanted));
    return fill(find(graph, wanted), allocator, names_and_types);
  });
}

NamesAndTypes topics_of_node(const transport::GraphSnapshot & graph, const transport::NodeName & node,
                             EndpointKind kind) {
  NamesAndTypes found;
  for (const EndpointInfo & endpoint : graph.endpoints) {
    if (is_topic(endpoint) && endpoint.kind == kind && endpoint.node == node) {
      found[endpoint.topic].insert(endpoint.type_name);
    }
  }
  return found;
}

rmw_ret_t count(const rmw_node_t * node, const char * topic_name, std::size_t * number, EndpointKind kind,
                transport::Channel channel, const char * what) {
  TANDEM_RMW_RETURN_IF(require_ours(node, "node"));
  TANDEM_RMW_RETURN_IF(require_topic_name(topic_name, what, {}));
  TANDEM_RMW_RETURN_IF(require(number, "count"));
  return guarded(RMW_RET_ERROR, [&]() -> rmw_ret_t {
    const std::string wanted = channel == transport::Channel::kRequest ? transport::request_channel(topic_name)
                               : channel == transport::Channel::kReply ? transport::reply_channel(topic_name)
                                                                       : topic_name;
    const auto all = graph_of(node).endpoints;
    *number = static_cast<std::size_t>(std::count_if(all.begin(), all.end(), [&](const EndpointInfo & endpoint) {
      return endpoint.kind == kind && endpoint.topic == wanted;
    }));
    return RMW_RET_OK;
  });
}

rmw_ret_t fill(const EndpointInfo & endpoint, rcutils_allocator_t * allocator, rmw_topic_endpoint_info_t & to) {
  TANDEM_RMW_RETURN_IF(rmw_topic_endpoint_info_set_node_name(&to, endpoint.node.name.c_str(), allocator));
  TANDEM_RMW_RETURN_IF(rmw_topic_endpoint_info_set_node_namespace(&to, endpoint.node.name_space.c_str(), allocator));
  TANDEM_RMW_RETURN_IF(rmw_topic_endpoint_info_set_topic_type(&to, endpoint.type_name.c_str(), allocator));
  TANDEM_RMW_RETURN_IF(rmw_topic_endpoint_info_set_endpoint_type(
      &to, endpoint.kind == EndpointKind::kPublisher ? RMW_ENDPOINT_PUBLISHER : RMW_ENDPOINT_SUBSCRIPTION));
  TANDEM_RMW_RETURN_IF(rmw_topic_endpoint_info_set_gid(&to, endpoint.gid.data(), endpoint.gid.size()));
#ifdef TANDEM_RMW_HAS_TYPE_HASH
  const rosidl_type_hash_t hash = to_rosidl(endpoint.type_hash);
  TANDEM_RMW_RETURN_IF(rmw_topic_endpoint_info_set_topic_type_hash(&to, &hash));
#endif
  const rmw_qos_profile_t qos = to_rmw(endpoint.qos);
  return rmw_topic_endpoint_info_set_qos_profile(&to, &qos);
}

rmw_ret_t endpoints_of(const rmw_node_t * node, rcutils_allocator_t * allocator, const char * topic_name,
                       EndpointKind kind, rmw_topic_endpoint_info_array_t * to) {
  TANDEM_RMW_RETURN_IF(require_ours(node, "node"));
  TANDEM_RMW_RETURN_IF(
      first_error(require_allocator(allocator), require(topic_name, "topic_name"), require(to, "the array")));
  if (rmw_topic_endpoint_info_array_check_zero(to) != RMW_RET_OK) return RMW_RET_INVALID_ARGUMENT;
  return guarded(RMW_RET_ERROR, [&]() -> rmw_ret_t {
    std::vector<EndpointInfo> found = graph_of(node).endpoints;
    found.erase(std::remove_if(found.begin(), found.end(),
                               [&](const EndpointInfo & endpoint) {
                                 return endpoint.kind != kind || endpoint.topic != topic_name;
                               }),
                found.end());
    if (found.empty()) return RMW_RET_OK;
    TANDEM_RMW_RETURN_IF(rmw_topic_endpoint_info_array_init_with_size(to, found.size(), allocator));
    for (std::size_t i = 0; i < found.size(); ++i) to->info_array[i] = rmw_get_zero_initialized_topic_endpoint_info();
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (const rmw_ret_t code = fill(found[i], allocator, to->info_array[i]); code != RMW_RET_OK) {
        const rmw_ret_t ended = rmw_topic_endpoint_info_array_fini(to, allocator);
        static_cast<void>(ended);
        return code;
      }
    }
    return RMW_RET_OK;
  });
}

/// Fills an empty array. `text` gives what stands for a node.
template <class Text>
rmw_ret_t fill(rcutils_string_array_t * to, const std::vector<transport::NodeName> & nodes, Text text) {
  rcutils_allocator_t allocator = rcutils_get_default_allocator();
  if (rcutils_string_array_init(to, nodes.size(), &allocator) != RCUTILS_RET_OK) {
    return fail(RMW_RET_BAD_ALLOC, "memory is short");
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    to->data[i] = rcutils_strdup(text(nodes[i]), allocator);
    if (to->data[i] == nullptr) return fail(RMW_RET_BAD_ALLOC, "memory is short");
  }
  return RMW_RET_OK;
}

rmw_ret_t require_empty(const rcutils_string_array_t * array, const char * name) {
  TANDEM_RMW_RETURN_IF(require(array, name));
  if (array->size == 0 && array->data == nullptr) return RMW_RET_OK;
  return fail(RMW_RET_INVALID_ARGUMENT, std::string(name) + " is not empty");
}

rmw_ret_t node_names(const rmw_node_t * node, rcutils_string_array_t * names, rcutils_string_array_t * name_spaces,
                     rcutils_string_array_t * enclaves) {
  TANDEM_RMW_RETURN_IF(require_ours(node, "node"));
  TANDEM_RMW_RETURN_IF(first_error(require_empty(names, "node_names"), require_empty(name_spaces, "node_namespaces")));
  return guarded(RMW_RET_ERROR, [&]() -> rmw_ret_t {
    const auto nodes = graph_of(node).nodes;
    rmw_ret_t code = fill(names, nodes, [](const auto & one) { return one.name.c_str(); });
    if (code == RMW_RET_OK) code = fill(name_spaces, nodes, [](const auto & one) { return one.name_space.c_str(); });
    if (code == RMW_RET_OK && enclaves != nullptr) {
      // Nobody tells others its enclave: without security it means nothing.
      Context & context = node_of(node).context;
      const std::lock_guard<std::mutex> lock(context.mutex);
      const auto & own = context.nodes;
      code = fill(enclaves, nodes, [&](const auto & one) {
        return std::find(own.begin(), own.end(), one) != own.end() ? context.enclave.c_str() : "/";
      });
    }
    if (code != RMW_RET_OK) {
      for (rcutils_string_array_t * const array : {names, name_spaces, enclaves}) {
        if (array != nullptr && rcutils_string_array_fini(array) != RCUTILS_RET_OK) rcutils_reset_error();
      }
    }
    return code;
  });
}

}  // namespace

transport::GraphSnapshot graph_of(const rmw_node_t * node) { return node_of(node).context.transport->graph(); }

rmw_ret_t require_allocator(rcutils_allocator_t * allocator) {
  if (rcutils_allocator_is_valid(allocator)) return RMW_RET_OK;
  return fail(RMW_RET_INVALID_ARGUMENT, "the allocator is null or invalid");
}

#ifdef TANDEM_RMW_HAS_TYPE_HASH
rosidl_type_hash_t to_rosidl(const std::string & type_hash) {
  rosidl_type_hash_t hash = rosidl_get_zero_initialized_type_hash();
  if (const auto parsed = tandem::parse_type_hash(type_hash)) {
    hash.version = 1;
    std::copy(parsed->begin(), parsed->end(), hash.value);
  }
  return hash;
}
#endif

}  // namespace tandem_rmw

using namespace tandem_rmw;

extern "C" {

rmw_ret_t rmw_get_node_names(const rmw_node_t * node, rcutils_string_array_t * node_names_,
                             rcutils_string_array_t * node_namespaces) {
  return node_names(node, node_names_, node_namespaces, nullptr);
}

rmw_ret_t rmw_get_node_names_with_enclaves(const rmw_node_t * node, rcutils_string_array_t * node_names_,
                                           rcutils_string_array_t * node_namespaces,
                                           rcutils_string_array_t * enclaves) {
  TANDEM_RMW_RETURN_IF(require_ours(node, "node"));
  TANDEM_RMW_RETURN_IF(require_empty(enclaves, "enclaves"));
  return node_names(node, node_names_, node_namespaces, enclaves);
}

rmw_ret_t rmw_get_topic_names_and_types(const rmw_node_t * node, rcutils_allocator_t * allocator, bool no_demangle,
                                        rmw_names_and_types_t * topic_names_and_types) {
  TANDEM_RMW_RETURN_IF(require_ours(node, "node"));
  TANDEM_RMW_RETURN_IF(require_allocator(allocator));
  TANDEM_RMW_RETURN_IF(require_empty(topic_names_and_types));
  return guarded(RMW_RET_ERROR, [&] {
    NamesAndTypes found;
    for (const EndpointInfo & endpoint : graph_of(node).endpoints) {
      if (no_demangle || is_topic(endpoint)) found[endpoint.topic].insert(endpoint.type_name);
    }
    return fill(found, allocator, topic_names_and_types);
  });
}

rmw_ret_t rmw_get_service_names_and_types(const rmw_node_t * node, rcutils_allocator_t * allocator,
                                          rmw_names_and_types_t * service_names_and_types) {
  TANDEM_RMW_RETURN_IF(require_ours(node, "node"));
  TANDEM_RMW_RETURN_IF(require_allocator(allocator));
  TANDEM_RMW_RETURN_IF(require_empty(service_names_and_types));
  return guarded(RMW_RET_ERROR,
                 [&] { return fill(services_of(graph_of(node), is_service), allocator, service_names_and_types); });
}

rmw_ret_t rmw_get_subscriber_names_and_types_by_node(const rmw_node_t * node, rcutils_allocator_t * allocator,
                                                     const char * node_name, const char * node_namespace, bool,
                                                     rmw_names_and_types_t * topic_names_and_types) {
  return of_node(
      node, allocator, node_name, node_namespace, topic_names_and_types,
      [](const auto & graph, const auto & name) { return topics_of_node(graph, name, EndpointKind::kSubscription); });
}

rmw_ret_t rmw_get_publisher_names_and_types_by_node(const rmw_node_t * node, rcutils_allocator_t * allocator,
                                                    const char * node_name, const char * node_namespace, bool,
                                                    rmw_names_and_types_t * topic_names_and_types) {
  return of_node(
      node, allocator, node_name, node_namespace, topic_names_and_types,
      [](const auto & graph, const auto & name) { return topics_of_node(graph, name, EndpointKind::kPublisher); });
}

rmw_ret_t rmw_get_service_names_and_types_by_node(const rmw_node_t * node, rcutils_allocator_t * allocator,
                                                  const char * node_name, const char * node_namespace,
                                                  rmw_names_and_types_t * service_names_and_types) {
  return of_node(node, allocator, node_name, node_namespace, service_names_and_types,
                 [](const auto & graph, const auto & name) { return services_of(graph, is_service, &name); });
}

rmw_ret_t rmw_get_client_names_and_types_by_node(const rmw_node_t * node, rcutils_allocator_t * allocator,
                                                 const char * node_name, const char * node_namespace,
                                                 rmw_names_and_types_t * service_names_and_types) {
  return of_node(node, allocator, node_name, node_namespace, service_names_and_types,
                 [](const auto & graph, const auto & name) { return services_of(graph, is_client, &name); });
}

rmw_ret_t rmw_count_publishers(const rmw_node_t * node, const char * topic_name, size_t * number) {
  return count(node, topic_name, number, EndpointKind::kPublisher, transport::Channel::kTopic, "topic_name");
}

rmw_ret_t rmw_count_subscribers(const rmw_node_t * node, const char * topic_name, size_t * number) {
  return count(node, topic_name, number, EndpointKind::kSubscription, transport::Channel::kTopic, "topic_name");
}

rmw_ret_t rmw_count_clients(const rmw_node_t * node, const char * service_name, size_t * number) {
  return count(node, service_name, number, EndpointKind::kSubscription, transport::Channel::kReply, "service_name");
}

rmw_ret_t rmw_count_services(const rmw_node_t * node, const char * service_name, size_t * number) {
  return count(node, service_name, number, EndpointKind::kSubscription, transport::Channel::kRequest, "service_name");
}

rmw_ret_t rmw_get_publishers_info_by_topic(const rmw_node_t * node, rcutils_allocator_t * allocator,
                                           const char * topic_name, bool,
                                           rmw_topic_endpoint_info_array_t * publishers_info) {
  return endpoints_of(node, allocator, topic_name, EndpointKind::kPublisher, publishers_info);
}

rmw_ret_t rmw_get_subscriptions_info_by_topic(const rmw_node_t * node, rcutils_allocator_t * allocator,
                                              const char * topic_name, bool,
                                              rmw_topic_endpoint_info_array_t * subscriptions_info) {
  return endpoints_of(node, allocator, topic_name, EndpointKind::kSubscription, subscriptions_info);
}

}  // extern "C"
