// Taking requests and sending responses.
#include "rclcpp/service.hpp"

#include <stdexcept>

#include "qos/qos_conversion.hpp"
#include "rclcpp/logging.hpp"
#include "transport/publish_failure.hpp"

namespace rclcpp {

using tandem::transport::PublishResult;
using Kind = detail::ServiceIntrospection::Kind;

ServiceBase::ServiceBase(detail::ServiceSetup && setup)
    : Receiver({setup.transport->requests(), setup.group, setup.context, setup.introspection.type->request,
                "service '" + setup.introspection.service + "'", detail::history_depth(setup.qos), false}),
      ends_(std::move(setup.transport)),
      service_(setup.introspection.service),
      qos_(setup.qos),
      introspection_(std::move(setup.introspection)) {}

std::shared_ptr<rmw_request_id_t> ServiceBase::create_request_header() { return std::make_shared<rmw_request_id_t>(); }

bool ServiceBase::take_sample(tandem::transport::Sample & sample) {
  if (!Receiver::take_sample(sample)) return false;
  introspection_.tell(Kind::kRequestReceived, sample.info.request, sample.message);
  return true;
}

bool ServiceBase::take_type_erased_request(void * request, rmw_request_id_t & request_header) {
  tandem::transport::MessageInfo info;
  if (!take_message(request, info)) return false;
  request_header = detail::to_rmw(info.request);
  introspection_.tell(Kind::kRequestReceived, detail::from_rmw(request_header), request);
  return true;
}

void ServiceBase::respond(tandem::Loan && response, const rmw_request_id_t & request_header) {
  const auto id = detail::from_rmw(request_header);
  tandem::OwnedMessage event;
  if (introspection_.is_on()) event = introspection_.make(Kind::kResponseSent, id, response.data());
  if (is_sent(ends_->reply(std::move(response), id))) introspection_.publish(std::move(event));
}

void ServiceBase::respond(const void * response, const rmw_request_id_t & request_header) {
  const auto id = detail::from_rmw(request_header);
  if (is_sent(ends_->reply(response, id))) introspection_.tell(Kind::kResponseSent, id, response);
}

bool ServiceBase::is_sent(PublishResult result) const {
  if (result == PublishResult::kTimeout) {
    RCLCPP_WARN(get_logger("rclcpp"), "service '%s': a response could not be sent in time and is dropped",
                get_service_name());
  } else if (result != PublishResult::kOk) {
    detail::throw_publish_failure("failed to send a response of service '" + service_ + "'", result);
  }
  return result == PublishResult::kOk;
}

void ServiceBase::set_on_new_request_callback(std::function<void(size_t)> callback) {
  set_on_new_or_refuse("request", std::move(callback));
}

void ServiceBase::clear_on_new_request_callback() { set_on_new(nullptr); }

}  // namespace rclcpp
