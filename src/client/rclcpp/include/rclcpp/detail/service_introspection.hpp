// The events of a client or a service: what it tells of its calls on "<service>/_service_event".
#ifndef RCLCPP__DETAIL__SERVICE_INTROSPECTION_HPP_
#define RCLCPP__DETAIL__SERVICE_INTROSPECTION_HPP_

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "rcl/service_introspection.h"
#include "rclcpp/clock.hpp"
#include "rclcpp/qos.hpp"
#include "rclcpp/visibility_control.hpp"
#include "tandem/transport.hpp"

namespace rclcpp::detail {

/// Off until configure(). Thread-safe.
class RCLCPP_PUBLIC ServiceIntrospection {
 public:
  /// The constants of service_msgs/msg/ServiceEventInfo.
  enum class Kind : std::uint8_t { kRequestSent, kRequestReceived, kResponseSent, kResponseReceived };

  /// What a client or a service is made with. `type` lives for ever.
  struct Setup {
    std::shared_ptr<tandem::transport::Context> transport;
    tandem::transport::NodeName node;
    const tandem::ServiceType * type = nullptr;
    std::string service;
  };

  explicit ServiceIntrospection(Setup setup) : setup_(std::move(setup)) {}

  const tandem::ServiceType & type() const { return *setup_.type; }

  /// \throws exceptions::RCLInvalidArgument without a clock, or for a QoS that is not supported; RCLError.
  void configure(Clock::SharedPtr clock, const QoS & qos, rcl_service_introspection_state_t state);

  /// While it is off, this is all that calls cost: one load.
  bool is_on() const { return state_.load(std::memory_order_relaxed) != RCL_SERVICE_INTROSPECTION_OFF; }

  /// An event, not yet published; empty when it is off, or when there is no memory. `message` is the request or the response.
  tandem::OwnedMessage make(Kind kind, const tandem::transport::RequestId & id, const void * message) const;
  /// One that cannot be published costs a line in the log.
  void publish(tandem::OwnedMessage event) const;
  void tell(Kind kind, const tandem::transport::RequestId & id, const void * message) const {
    if (is_on()) publish(make(kind, id, message));
  }

 private:
  const Setup setup_;
  std::atomic<rcl_service_introspection_state_t> state_{RCL_SERVICE_INTROSPECTION_OFF};
  mutable std::mutex mutex_;
  Clock::SharedPtr clock_;                                   ///< guarded by mutex_
  std::shared_ptr<tandem::transport::Publisher> publisher_;  ///< guarded by mutex_
};

}  // namespace rclcpp::detail

#endif  // RCLCPP__DETAIL__SERVICE_INTROSPECTION_HPP_
