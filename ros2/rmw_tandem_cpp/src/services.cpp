// Services and clients.
#include <rmw/rmw.h>

#include <cstring>

#include "endpoints.hpp"
#include "errors.hpp"
#include "qos.hpp"

namespace tandem_rmw {
namespace {

transport::ServiceOptions options_for(const rmw_node_t * node, const char * service,
                                      const rmw_qos_profile_t & profile) {
  transport::ServiceOptions options;
  options.node = node_of(node).name;
  // A channel's name has the slash, by which it is known as one.
  options.service = *service == '/' ? service : std::string("/") + service;
  options.qos = to_native(settle(profile, false, {tandem::Qos{}}));  // best is what services have as a rule
  return options;
}

static_assert(sizeof(rmw_request_id_t::writer_guid) == sizeof(transport::Gid));

rmw_service_info_t header_of(const transport::MessageInfo & info) {
  rmw_service_info_t told{};
  told.source_timestamp = info.source_timestamp;
  told.received_timestamp = received_time(info);
  std::memcpy(told.request_id.writer_guid, info.request.client.data(), info.request.client.size());
  told.request_id.sequence_number = info.request.sequence;
  return told;
}

transport::RequestId to_native(const rmw_request_id_t & id) {
  transport::RequestId native;
  std::memcpy(native.client.data(), id.writer_guid, native.client.size());
  native.sequence = id.sequence_number;
  return native;
}

Service & own_of(const rmw_service_t * handle) {
  return *static_cast<Service *>(static_cast<HasInbox *>(handle->data));
}
Client & own_of(const rmw_client_t * handle) { return *static_cast<Client *>(static_cast<HasInbox *>(handle->data)); }

/// What creating either needs.
rmw_ret_t require_arguments(const rmw_node_t * node, const void * type_support, const char * service_name,
                            const rmw_qos_profile_t * profile) {
  TANDEM_RMW_RETURN_IF(require_ours(node, "node"));
  TANDEM_RMW_RETURN_IF(first_error(require(type_support, "type_support"), require(service_name, "service_name"),
                                   require(profile, "the QoS profile")));
  return require_topic_name(service_name, "service_name", *profile);
}

template <class Handle, class Own>
Handle * make(const rmw_node_t * node, const rosidl_service_type_support_t * type_support, const char * service_name,
              const rmw_qos_profile_t * profile) {
  TANDEM_RMW_NULL_IF(require_arguments(node, type_support, service_name, profile));
  return guarded(static_cast<Handle *>(nullptr), [&]() -> Handle * {
    const RosServiceType * const type = find_type(type_support);
    if (type == nullptr) return nullptr;
    auto own =
        std::make_unique<Own>(node_of(node).context, *type, service_name, options_for(node, service_name, *profile));
    auto * const made = new Handle{};
    made->implementation_identifier = kIdentifier;
    made->service_name = own->name.c_str();
    made->data = static_cast<HasInbox *>(own.release());
    return made;
  });
}

template <class Handle>
rmw_ret_t destroy(const rmw_node_t * node, Handle * handle, const char * what) {
  TANDEM_RMW_RETURN_IF(first_error(require_ours(node, "node"), require_ours(handle, what)));
  destroy(own_of(handle));
  delete handle;
  return RMW_RET_OK;
}

/// Takes the next request or reply. \param type  the message's
rmw_ret_t take(HasInbox & own, const RosType & type, rmw_service_info_t * header, void * message, bool * taken) {
  *taken = false;
  return guarded(RMW_RET_ERROR, [&]() -> rmw_ret_t {
    transport::MessageInfo info;
    *taken = take_converted(*own.inbox, type, message, info);
    if (*taken) *header = header_of(info);
    return RMW_RET_OK;
  });
}

/// Of both channels.
template <class Handle>
rmw_ret_t get_actual_qos(const Handle * handle, const char * what, rmw_qos_profile_t * qos) {
  TANDEM_RMW_RETURN_IF(first_error(require_ours(handle, what), require(qos, "qos")));
  *qos = to_rmw(own_of(handle).qos);
  return RMW_RET_OK;
}

template <class Handle>
rmw_ret_t set_callback(const Handle * handle, const char * what, rmw_event_callback_t callback,
                       const void * user_data) {
  TANDEM_RMW_RETURN_IF(require_ours(handle, what));
  return set_callback(own_of(handle), callback, user_data);
}

}  // namespace
}  // namespace tandem_rmw

using namespace tandem_rmw;

extern "C" {

// ---- clients -------------------------------------------------------------------------------------------------------

rmw_client_t * rmw_create_client(const rmw_node_t * node, const rosidl_service_type_support_t * type_support,
                                 const char * service_name, const rmw_qos_profile_t * qos_policies) {
  return make<rmw_client_t, Client>(node, type_support, service_name, qos_policies);
}

rmw_ret_t rmw_destroy_client(rmw_node_t * node, rmw_client_t * client) { return destroy(node, client, "client"); }

rmw_ret_t rmw_send_request(const rmw_client_t * client, const void * ros_request, int64_t * sequence_id) {
  TANDEM_RMW_RETURN_IF(require_ours(client, "client"));
  TANDEM_RMW_RETURN_IF(first_error(require(ros_request, "ros_request"), require(sequence_id, "sequence_id")));
  return guarded(RMW_RET_ERROR, [&] {
    Client & own = own_of(client);
    return to_ret(send_converted(own.native.requests(), *own.type.request, ros_request,
                                 [&](auto && request) {
                                   return own.native.send(std::forward<decltype(request)>(request), *sequence_id);
                                 }),
                  own.name);
  });
}

rmw_ret_t rmw_take_response(const rmw_client_t * client, rmw_service_info_t * request_header, void * ros_response,
                            bool * taken) {
  TANDEM_RMW_RETURN_IF(require_ours(client, "client"));
  TANDEM_RMW_RETURN_IF(first_error(require(request_header, "request_header"), require(ros_response, "ros_response"),
                                   require(taken, "taken")));
  return take(own_of(client), *own_of(client).type.response, request_header, ros_response, taken);
}

rmw_ret_t rmw_client_request_publisher_get_actual_qos(const rmw_client_t * client, rmw_qos_profile_t * qos) {
  return get_actual_qos(client, "client", qos);
}

rmw_ret_t rmw_client_response_subscription_get_actual_qos(const rmw_client_t * client, rmw_qos_profile_t * qos) {
  return get_actual_qos(client, "client", qos);
}

rmw_ret_t rmw_service_server_is_available(const rmw_node_t * node, const rmw_client_t * client, bool * is_available) {
  const rmw_ret_t code =
      first_error(require_ours(node, "node"), require_ours(client, "client"), require(is_available, "is_available"));
  if (code != RMW_RET_OK) return code == RMW_RET_INVALID_ARGUMENT ? kAnswerToNull : code;
  *is_available = own_of(client).native.is_ready();
  return RMW_RET_OK;
}

rmw_ret_t rmw_get_gid_for_client(const rmw_client_t * client, rmw_gid_t * gid) {
  TANDEM_RMW_RETURN_IF(first_error(require_ours(client, "client"), require(gid, "gid")));
  *gid = to_gid(own_of(client).native.replies()->gid());
  return RMW_RET_OK;
}

rmw_ret_t rmw_client_set_on_new_response_callback(rmw_client_t * client, rmw_event_callback_t callback,
                                                  const void * user_data) {
  return set_callback(client, "client", callback, user_data);
}

// ---- services ------------------------------------------------------------------------------------------------------

rmw_service_t * rmw_create_service(const rmw_node_t * node, const rosidl_service_type_support_t * type_support,
                                   const char * service_name, const rmw_qos_profile_t * qos_profile) {
  return make<rmw_service_t, Service>(node, type_support, service_name, qos_profile);
}

rmw_ret_t rmw_destroy_service(rmw_node_t * node, rmw_service_t * service) { return destroy(node, service, "service"); }

rmw_ret_t rmw_take_request(const rmw_service_t * service, rmw_service_info_t * request_header, void * ros_request,
                           bool * taken) {
  TANDEM_RMW_RETURN_IF(require_ours(service, "service"));
  TANDEM_RMW_RETURN_IF(first_error(require(request_header, "request_header"), require(ros_request, "ros_request"),
                                   require(taken, "taken")));
  return take(own_of(service), *own_of(service).type.request, request_header, ros_request, taken);
}

rmw_ret_t rmw_send_response(const rmw_service_t * service, rmw_request_id_t * request_header, void * ros_response) {
  TANDEM_RMW_RETURN_IF(require_ours(service, "service"));
  TANDEM_RMW_RETURN_IF(first_error(require(request_header, "request_header"), require(ros_response, "ros_response")));
  return guarded(RMW_RET_ERROR, [&] {
    Service & own = own_of(service);
    const transport::RequestId id = to_native(*request_header);
    return to_ret(
        send_converted(own.native.replies(), *own.type.response, ros_response,
                       [&](auto && reply) { return own.native.reply(std::forward<decltype(reply)>(reply), id); }),
        own.name);
  });
}

rmw_ret_t rmw_service_request_subscription_get_actual_qos(const rmw_service_t * service, rmw_qos_profile_t * qos) {
  return get_actual_qos(service, "service", qos);
}

rmw_ret_t rmw_service_response_publisher_get_actual_qos(const rmw_service_t * service, rmw_qos_profile_t * qos) {
  return get_actual_qos(service, "service", qos);
}

rmw_ret_t rmw_service_set_on_new_request_callback(rmw_service_t * service, rmw_event_callback_t callback,
                                                  const void * user_data) {
  return set_callback(service, "service", callback, user_data);
}

}  // extern "C"
