#include "context.hpp"

#include <rcutils/strdup.h>
#include <rmw/init_options.h>
#include <rmw/rmw.h>
#include <rmw/validate_namespace.h>
#include <rmw/validate_node_name.h>

#include <algorithm>
#include <string>

#include "errors.hpp"
#include "log.hpp"

extern "C" tandem::transport::Transport * tandem_transport();  // rmw_tandem_cpp's plug-in, which is linked in

namespace tandem_rmw {

transport::Transport & native_transport() {
  transport::Transport & native = *tandem_transport();
  log_to_ros();  // instead of where the plug-in has it
  return native;
}

namespace {

std::uint32_t checked_domain(std::size_t domain) {
  if (domain > tandem::kMaxDomain) {
    throw std::invalid_argument("the domain " + std::to_string(domain) + " is beyond " +
                                std::to_string(tandem::kMaxDomain));
  }
  return static_cast<std::uint32_t>(domain);
}

tandem::Participant join(std::uint32_t domain) {
  auto joined = tandem::Participant::join(domain);
  if (!joined) throw std::runtime_error(joined.error().message);
  return *std::move(joined);
}

}  // namespace

rmw_ret_t require_valid(const transport::NodeName & node) {
  int verdict = RMW_NODE_NAME_VALID;
  TANDEM_RMW_RETURN_IF(rmw_validate_node_name(node.name.c_str(), &verdict, nullptr));
  if (verdict != RMW_NODE_NAME_VALID) {
    return fail(RMW_RET_INVALID_ARGUMENT,
                "the node name '" + node.name + "' is invalid: " + rmw_node_name_validation_result_string(verdict));
  }
  verdict = RMW_NAMESPACE_VALID;
  TANDEM_RMW_RETURN_IF(rmw_validate_namespace(node.name_space.c_str(), &verdict, nullptr));
  if (verdict != RMW_NAMESPACE_VALID) {
    return fail(RMW_RET_INVALID_ARGUMENT, "the namespace '" + node.name_space +
                                              "' is invalid: " + rmw_namespace_validation_result_string(verdict));
  }
  return RMW_RET_OK;
}

Node::Node(Context & its_context, const transport::NodeName & its_name)
    : context(its_context),
      name(its_name),
      presence(context.transport->create_node(name)),
      graph_guard(&context.graph) {
  graph_guard_condition.implementation_identifier = kIdentifier;
  graph_guard_condition.data = &graph_guard;
  const std::lock_guard<std::mutex> lock(context.mutex);
  context.nodes.push_back(name);
}

Node::~Node() {
  const std::lock_guard<std::mutex> lock(context.mutex);
  context.nodes.erase(std::find(context.nodes.begin(), context.nodes.end(), name));
}

}  // namespace tandem_rmw

rmw_context_impl_s::rmw_context_impl_s(std::uint32_t domain, const std::string & its_enclave)
    : enclave(its_enclave),
      participant(tandem_rmw::join(domain)),
      graph(participant),
      transport(tandem_rmw::native_transport().create_context(domain)),
      listener(*transport) {}

using namespace tandem_rmw;

extern "C" {

const char * rmw_get_implementation_identifier(void) { return kIdentifier; }
const char * rmw_get_serialization_format(void) { return kSerializationFormat; }

// ---- options -------------------------------------------------------------------------------------------------------

rmw_ret_t rmw_init_options_init(rmw_init_options_t * init_options, rcutils_allocator_t allocator) {
  TANDEM_RMW_RETURN_IF(require(init_options, "init_options"));
  if (!rcutils_allocator_is_valid(&allocator)) return fail(RMW_RET_INVALID_ARGUMENT, "the allocator is invalid");
  if (init_options->implementation_identifier != nullptr) {
    return fail(RMW_RET_INVALID_ARGUMENT, "init_options were initialized before");
  }
  *init_options = rmw_get_zero_initialized_init_options();
  init_options->implementation_identifier = kIdentifier;
  init_options->allocator = allocator;
  init_options->domain_id = RMW_DEFAULT_DOMAIN_ID;
  init_options->enclave = nullptr;
  init_options->security_options = rmw_get_default_security_options();
#ifdef TANDEM_RMW_HAS_DISCOVERY_OPTIONS
  init_options->discovery_options = rmw_get_zero_initialized_discovery_options();
  return rmw_discovery_options_init(&init_options->discovery_options, 0, &allocator);
#else
  return RMW_RET_OK;
#endif
}

rmw_ret_t rmw_init_options_fini(rmw_init_options_t * init_options) {
  TANDEM_RMW_RETURN_IF(require(init_options, "init_options"));
  if (init_options->implementation_identifier == nullptr) {
    return fail(RMW_RET_INVALID_ARGUMENT, "init_options are not initialized");
  }
  TANDEM_RMW_RETURN_IF(require_ours(init_options, "init_options"));
  const rcutils_allocator_t allocator = init_options->allocator;
  if (!rcutils_allocator_is_valid(&allocator)) return fail(RMW_RET_INVALID_ARGUMENT, "the allocator is invalid");
  allocator.deallocate(init_options->enclave, allocator.state);
  rmw_ret_t result = rmw_security_options_fini(&init_options->security_options, &allocator);
#ifdef TANDEM_RMW_HAS_DISCOVERY_OPTIONS
  if (result == RMW_RET_OK) result = rmw_discovery_options_fini(&init_options->discovery_options);
#endif
  *init_options = rmw_get_zero_initialized_init_options();
  return result;
}

rmw_ret_t rmw_init_options_copy(const rmw_init_options_t * src, rmw_init_options_t * dst) {
  TANDEM_RMW_RETURN_IF(first_error(require(src, "src"), require(dst, "dst")));
  if (src->implementation_identifier == nullptr) return fail(RMW_RET_INVALID_ARGUMENT, "src is not initialized");
  TANDEM_RMW_RETURN_IF(require_ours(src, "src"));
  if (dst->implementation_identifier != nullptr) return fail(RMW_RET_INVALID_ARGUMENT, "dst was initialized before");
  rcutils_allocator_t allocator = src->allocator;
  rmw_init_options_t copy = *src;
  copy.enclave = nullptr;
  copy.security_options = rmw_get_zero_initialized_security_options();
  if (src->enclave != nullptr) {
    copy.enclave = rcutils_strdup(src->enclave, allocator);
    if (copy.enclave == nullptr) return fail(RMW_RET_BAD_ALLOC, "memory is short");
  }
  rmw_ret_t result = rmw_security_options_copy(&src->security_options, &allocator, &copy.security_options);
#ifdef TANDEM_RMW_HAS_DISCOVERY_OPTIONS
  copy.discovery_options = rmw_get_zero_initialized_discovery_options();
  if (result == RMW_RET_OK) {
    result = rmw_discovery_options_copy(&src->discovery_options, &allocator, &copy.discovery_options);
  }
#endif
  if (result != RMW_RET_OK) {
    const rmw_ret_t ended = rmw_init_options_fini(&copy);
    static_cast<void>(ended);
    return result;
  }
  *dst = copy;
  return RMW_RET_OK;
}

// ---- contexts ------------------------------------------------------------------------------------------------------

rmw_ret_t rmw_init(const rmw_init_options_t * options, rmw_context_t * context) {
  TANDEM_RMW_RETURN_IF(first_error(require(options, "options"), require(context, "context")));
  if (options->implementation_identifier == nullptr) {
    return fail(RMW_RET_INVALID_ARGUMENT, "options are not initialized");
  }
  TANDEM_RMW_RETURN_IF(require(options->enclave, "the enclave of the options"));
  TANDEM_RMW_RETURN_IF(require_ours(options, "options"));
  if (context->implementation_identifier != nullptr) {
    return fail(RMW_RET_INVALID_ARGUMENT, "the context was initialized before");
  }
  if (options->security_options.enforce_security == RMW_SECURITY_ENFORCEMENT_ENFORCE) {
    return fail(RMW_RET_UNSUPPORTED,
                "ROS_SECURITY_STRATEGY=Enforce: shared memory is protected by file permissions, not by enclaves; unset "
                "ROS_SECURITY_ENABLE, or choose another RMW_IMPLEMENTATION");
  }
  return guarded(RMW_RET_ERROR, [&]() -> rmw_ret_t {
    const std::size_t domain = options->domain_id == RMW_DEFAULT_DOMAIN_ID ? 0 : options->domain_id;
    auto impl = std::make_unique<Context>(checked_domain(domain), options->enclave);
    rmw_context_t made = rmw_get_zero_initialized_context();
    TANDEM_RMW_RETURN_IF(rmw_init_options_copy(options, &made.options));
    made.instance_id = options->instance_id;
    made.implementation_identifier = kIdentifier;
    made.actual_domain_id = domain;
    made.impl = impl.release();
    *context = made;
    return RMW_RET_OK;
  });
}

rmw_ret_t rmw_shutdown(rmw_context_t * context) {
  TANDEM_RMW_RETURN_IF(require(context, "context"));
  TANDEM_RMW_RETURN_IF(require(context->impl, "the context's impl"));
  TANDEM_RMW_RETURN_IF(require_ours(context, "context"));
  context->impl->is_shut_down = true;
  // Plug-ins have to go before the program ends: class_loader's own objects do, and contexts often stay.
  std::shared_ptr<const BufferBackends> ended;
  const std::lock_guard<std::mutex> lock(context->impl->mutex);
  ended.swap(context->impl->buffer_backends);
  return RMW_RET_OK;
}

rmw_ret_t rmw_context_fini(rmw_context_t * context) {
  TANDEM_RMW_RETURN_IF(require(context, "context"));
  TANDEM_RMW_RETURN_IF(require(context->impl, "the context's impl"));
  TANDEM_RMW_RETURN_IF(require_ours(context, "context"));
  if (!context->impl->is_shut_down) return fail(RMW_RET_INVALID_ARGUMENT, "the context was not shut down");
  if (!context->impl->nodes.empty()) return fail(RMW_RET_ERROR, "the context has nodes: destroy them first");
  const rmw_ret_t result = rmw_init_options_fini(&context->options);
  delete context->impl;
  *context = rmw_get_zero_initialized_context();
  return result;
}

// ---- nodes ---------------------------------------------------------------------------------------------------------

rmw_node_t * rmw_create_node(rmw_context_t * context, const char * name, const char * namespace_) {
  TANDEM_RMW_NULL_IF(require(context, "context"));
  TANDEM_RMW_NULL_IF(require_ours(context, "context"));
  TANDEM_RMW_NULL_IF(require(context->impl, "the context's impl"));
  if (context->impl->is_shut_down) {
    set_error("the context was shut down");
    return nullptr;
  }
  TANDEM_RMW_NULL_IF(first_error(require(name, "name"), require(namespace_, "namespace_")));
  return guarded(static_cast<rmw_node_t *>(nullptr), [&]() -> rmw_node_t * {
    const transport::NodeName full_name{namespace_, name};
    TANDEM_RMW_NULL_IF(require_valid(full_name));
    auto node = std::make_unique<Node>(*context->impl, full_name);
    node->graph_guard_condition.context = context;
    auto * const made = new rmw_node_t{};
    made->implementation_identifier = kIdentifier;
    made->name = node->name.name.c_str();
    made->namespace_ = node->name.name_space.c_str();
    made->context = context;
    made->data = node.release();
    return made;
  });
}

rmw_ret_t rmw_destroy_node(rmw_node_t * node) {
  TANDEM_RMW_RETURN_IF(require_ours(node, "node"));
  delete &node_of(node);
  delete node;
  return RMW_RET_OK;
}

rmw_ret_t rmw_node_assert_liveliness(const rmw_node_t * node) { return require_ours(node, "node"); }

const rmw_guard_condition_t * rmw_node_get_graph_guard_condition(const rmw_node_t * node) {
  TANDEM_RMW_NULL_IF(require_ours(node, "node"));
  return &node_of(node).graph_guard_condition;
}

}  // extern "C"
