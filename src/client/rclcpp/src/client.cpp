// Sending requests, and waiting for a server.
#include "rclcpp/client.hpp"

#include <algorithm>

#include "publish_failure.hpp"
#include "rclcpp/callback_group.hpp"
#include "rclcpp/context.hpp"
#include "rclcpp/detail/request_id.hpp"
#include "rclcpp/exceptions.hpp"

namespace rclcpp {

ClientBase::ClientBase(detail::ClientSetup && setup)
    : context_(std::move(setup.context)),
      group_(setup.group),
      transport_(std::move(setup.transport)),
      service_(std::move(setup.service)),
      qos_(setup.qos) {}

ClientBase::~ClientBase() {
  if (const auto group = group_.lock()) group->notify_entities_changed();
}

bool ClientBase::service_is_ready() const { return transport_->is_ready(); }

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
  const auto result = transport_->send(request, sequence);
  if (result != tandem::transport::PublishResult::kOk) {
    detail::throw_publish_failure("failed to send a request to service '" + service_ + "'", result);
  }
  return sequence;
}

bool ClientBase::take_type_erased_response(void * response, rmw_request_id_t & request_header) {
  tandem::transport::MessageInfo info;
  if (!transport()->take_into(response, info)) return false;
  request_header = detail::to_rmw(info.request);
  return true;
}

bool ClientBase::take_sample(tandem::transport::Sample & sample) {
  sample = transport()->take();
  return static_cast<bool>(sample);
}

}  // namespace rclcpp
