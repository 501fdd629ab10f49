// Sending requests, and waiting for a server.
#include "rclcpp/client.hpp"

#include "qos/qos_conversion.hpp"
#include "rclcpp/context.hpp"
#include "rclcpp/detail/request_id.hpp"
#include "rclcpp/detail/wait_until.hpp"
#include "rclcpp/exceptions.hpp"
#include "transport/publish_failure.hpp"

namespace rclcpp {

using Kind = detail::ServiceIntrospection::Kind;

ClientBase::ClientBase(detail::ClientSetup && setup)
    : Receiver({setup.transport->replies(), setup.group, setup.context, setup.introspection.type->response,
                "client of service '" + setup.introspection.service + "'", detail::history_depth(setup.qos), false}),
      context_(std::move(setup.context)),
      ends_(std::move(setup.transport)),
      service_(setup.introspection.service),
      qos_(setup.qos),
      introspection_(std::move(setup.introspection)) {}

bool ClientBase::service_is_ready() const { return ends_->is_ready(); }

bool ClientBase::wait_for_service_nanoseconds(std::chrono::nanoseconds timeout) {
  return detail::wait_until(*context_, timeout, [this] { return service_is_ready(); });
}

int64_t ClientBase::send(const void * request) {
  int64_t sequence = 0;
  const auto result = ends_->send(request, sequence);
  if (result != tandem::transport::PublishResult::kOk) {
    detail::throw_publish_failure("failed to send a request to service '" + service_ + "'", result);
  }
  introspection_.tell(Kind::kRequestSent, {transport()->gid(), sequence}, request);
  return sequence;
}

std::shared_ptr<rmw_request_id_t> ClientBase::create_request_header() const {
  return std::make_shared<rmw_request_id_t>();
}

bool ClientBase::take_sample(tandem::transport::Sample & sample) {
  if (!Receiver::take_sample(sample)) return false;
  introspection_.tell(Kind::kResponseReceived, {transport()->gid(), sample.info.request.sequence}, sample.message);
  return true;
}

bool ClientBase::take_type_erased_response(void * response, rmw_request_id_t & request_header) {
  tandem::transport::MessageInfo info;
  if (!take_message(response, info)) return false;
  request_header = detail::to_rmw(info.request);
  introspection_.tell(Kind::kResponseReceived, {transport()->gid(), request_header.sequence_number}, response);
  return true;
}

void ClientBase::set_on_new_response_callback(std::function<void(size_t)> callback) {
  set_on_new_or_refuse("response", std::move(callback));
}

void ClientBase::clear_on_new_response_callback() { set_on_new(nullptr); }

}  // namespace rclcpp
