// Sending requests, and waiting for a server.
#include "rclcpp/client.hpp"

#include <algorithm>

#include "publish_failure.hpp"
#include "rclcpp/context.hpp"
#include "rclcpp/detail/request_id.hpp"
#include "rclcpp/exceptions.hpp"

namespace rclcpp {

ClientBase::ClientBase(detail::ClientSetup && setup)
    : Receiver(setup.transport->replies(), std::move(setup.group)),
      context_(std::move(setup.context)),
      ends_(std::move(setup.transport)),
      service_(std::move(setup.service)),
      qos_(setup.qos) {}

bool ClientBase::service_is_ready() const { return ends_->is_ready(); }

bool ClientBase::wait_for_service_nanoseconds(std::chrono::nanoseconds timeout) {
  using Steady = std::chrono::steady_clock;
  const auto begin = Steady::now();
  std::chrono::nanoseconds pause = std::chrono::microseconds(100);
  while (context_->is_valid()) {
    if (service_is_ready()) return true;
    const std::chrono::nanoseconds waited = Steady::now() - begin;
    if (timeout.count() >= 0 && waited >= timeout) return false;
    pause = std::min<std::chrono::nanoseconds>(2 * pause, std::chrono::milliseconds(10));
    context_->sleep_for(timeout.count() < 0 ? pause : std::min(pause, timeout - waited));
  }
  return false;
}

int64_t ClientBase::send(const void * request) {
  int64_t sequence = 0;
  const auto result = ends_->send(request, sequence);
  if (result != tandem::transport::PublishResult::kOk) {
    detail::throw_publish_failure("failed to send a request to service '" + service_ + "'", result);
  }
  return sequence;
}

bool ClientBase::take_type_erased_response(void * response, rmw_request_id_t & request_header) {
  return detail::take_into(*transport(), response, request_header);
}

}  // namespace rclcpp
