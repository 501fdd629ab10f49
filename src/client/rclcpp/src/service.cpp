// Taking requests and sending responses.
#include "rclcpp/service.hpp"

#include <algorithm>
#include <stdexcept>

#include "publish_failure.hpp"
#include "rclcpp/logging.hpp"

namespace rclcpp {

using tandem::transport::PublishResult;

ServiceBase::ServiceBase(detail::ServiceSetup && setup)
    : Receiver({setup.transport->requests(), setup.group, setup.context, setup.type->request,
                "service '" + setup.service + "'", std::max<size_t>(setup.qos.depth(), 1), false}),
      ends_(std::move(setup.transport)),
      service_(std::move(setup.service)),
      qos_(setup.qos) {}

bool ServiceBase::take_type_erased_request(void * request, rmw_request_id_t & request_header) {
  tandem::transport::MessageInfo info;
  if (!take_message(request, info)) return false;
  request_header = detail::to_rmw(info.request);
  return true;
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

void ServiceBase::set_on_new_request_callback(std::function<void(size_t)> callback) {
  if (!callback) {
    throw std::invalid_argument("service '" + service_ + "': the callback for new requests is null; " +
                                "clear_on_new_request_callback() takes it away");
  }
  set_on_new(std::move(callback));
}

void ServiceBase::clear_on_new_request_callback() { set_on_new(nullptr); }

}  // namespace rclcpp
