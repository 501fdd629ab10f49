// Taking requests and sending responses.
#include "rclcpp/service.hpp"

#include "publish_failure.hpp"
#include "rclcpp/callback_group.hpp"
#include "rclcpp/logging.hpp"

namespace rclcpp {

using tandem::transport::PublishResult;

ServiceBase::ServiceBase(detail::ServiceSetup && setup)
    : group_(setup.group),
      transport_(std::move(setup.transport)),
      service_(std::move(setup.service)),
      qos_(setup.qos) {}

ServiceBase::~ServiceBase() {
  if (const auto group = group_.lock()) group->notify_entities_changed();
}

bool ServiceBase::take_type_erased_request(void * request, rmw_request_id_t & request_header) {
  tandem::transport::MessageInfo info;
  if (!transport()->take_into(request, info)) return false;
  request_header = detail::to_rmw(info.request);
  return true;
}

bool ServiceBase::take_sample(tandem::transport::Sample & sample) {
  sample = transport()->take();
  return static_cast<bool>(sample);
}

void ServiceBase::respond(tandem::Loan && response, const rmw_request_id_t & request_header) {
  check(transport_->reply(std::move(response), detail::from_rmw(request_header)));
}

void ServiceBase::respond(const void * response, const rmw_request_id_t & request_header) {
  check(transport_->reply(response, detail::from_rmw(request_header)));
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
