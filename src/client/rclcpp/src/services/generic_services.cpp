// Clients and services of types that are known at run time only.
#include "rclcpp/create_generic_client.hpp"
#include "rclcpp/generic_client.hpp"
#include "rclcpp/generic_service.hpp"
#include "rclcpp/typesupport_helpers.hpp"

namespace rclcpp {
namespace {

std::shared_ptr<void> copy_of(const tandem::MessageType & type, const void * message) {
  std::shared_ptr<void> copy = tandem::make_message(type);
  type.assign(copy.get(), message);
  return copy;
}

}  // namespace

GenericClient::GenericClient(detail::ClientSetup && setup) : FutureClient(std::move(setup)) {}
GenericClient::~GenericClient() = default;

bool GenericClient::take_response(Response response_out, rmw_request_id_t & request_header_out) {
  return take_type_erased_response(response_out, request_header_out);
}

GenericClient::FutureAndRequestId GenericClient::async_send_request(const Request request) { return call(request); }

std::shared_ptr<void> GenericClient::create_response() { return tandem::make_message(*type().response); }

void GenericClient::execute(tandem::transport::Sample & sample) {
  finish(sample.info.request.sequence, copy_of(*type().response, sample.message));
}

GenericService::GenericService(detail::ServiceSetup && setup, GenericServiceCallback callback)
    : ServiceBase(std::move(setup)), callback_(std::move(callback)) {}
GenericService::~GenericService() = default;

bool GenericService::take_request(SharedRequest request_out, rmw_request_id_t & request_id_out) {
  return take_type_erased_request(request_out.get(), request_id_out);
}

void GenericService::send_response(rmw_request_id_t & request_header, SharedResponse & response) {
  respond(response.get(), request_header);
}

std::shared_ptr<void> GenericService::create_request() { return tandem::make_message(*type().request); }
std::shared_ptr<void> GenericService::create_response() { return tandem::make_message(*type().response); }

void GenericService::handle_request(std::shared_ptr<rmw_request_id_t> request_header, std::shared_ptr<void> request) {
  if (!callback_.responds_at_once()) {
    callback_.dispatch(std::static_pointer_cast<GenericService>(shared_from_this()), std::move(request_header),
                       std::move(request));
    return;
  }
  const rmw_request_id_t id = *request_header;
  const auto response = create_response();
  callback_.dispatch(request_header, std::move(request), response);
  respond(response.get(), id);
}

void GenericService::execute(tandem::transport::Sample & sample) {
  handle_request(std::make_shared<rmw_request_id_t>(detail::to_rmw(sample.info.request)),
                 copy_of(*type().request, sample.message));
}

GenericClient::SharedPtr create_generic_client(const node_interfaces::NodeServicesInterface::SharedPtr & services,
                                               const std::string & service_name, const std::string & service_type,
                                               const QoS & qos, CallbackGroup::SharedPtr group) {
  auto client = std::make_shared<GenericClient>(
      services->open_client(detail::service_type_by_name(service_type), service_name, qos, group));
  services->add_client(client, std::move(group));
  return client;
}

}  // namespace rclcpp
