// Taking requests and sending responses.
#include "rclcpp/service.hpp"

#include "publish_failure.hpp"
#include "rclcpp/logging.hpp"

namespace rclcpp {

using tandem::transport::PublishResult;

ServiceBase::ServiceBase(detail::ServiceSetup && setup)
    : Receiver(setup.transport->requests(), std::move(setup.group)),
      ends_(std::move(setup.transport)),
      service_(std::move(setup.service)),
      qos_(setup.qos) {}

bool ServiceBase::take_type_erased_request(void * request, rmw_request_id_t & request_header) {
  return detail::take_into(*transport(), request, request_header);
}

void ServiceBase::respond(tandem::Loan && response, const rmw_request_id_t & request_header) {
  check(ends_->reply(std::move(response), detail::from_rmw(request_header)));
}

void ServiceBase::respond(const void * response, const rmw_request_id_t & request_header) {
  check(ends_->reply(response, detail::from_rmw(request_header)));
}

void ServiceBase::check(PublishResult result) const {
  if (result == PublishResult::kTimeout) {
    RCLCPP_WARN(get_logger("rclcpp"), "service '%s': a response could not be sent in time and is dropped",
                get_service_name());
  } else if (result != PublishResult::kOk) {
    detail::throw_publish_failure("failed to send a response of service '" + service_ + "'", result);
  }
}

}  // namespace rclcpp
