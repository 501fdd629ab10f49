// A service whose type is known at run time only.
#ifndef RCLCPP__GENERIC_SERVICE_HPP_
#define RCLCPP__GENERIC_SERVICE_HPP_

#include <memory>
#include <utility>

#include "rclcpp/any_service_callback.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/service.hpp"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp {

class GenericService;

namespace detail {

/// In place of a service's type: messages without one.
struct AnyServiceType {
  using Request = void;
  using Response = void;
};

}  // namespace detail

using GenericServiceCallback = AnyServiceCallback<detail::AnyServiceType, GenericService>;

/// Requests and responses are messages of the service's types, by pointers without a type. Thread-safe.
class RCLCPP_PUBLIC GenericService : public ServiceBase {
 public:
  using Request = void *;
  using Response = void *;
  using SharedRequest = std::shared_ptr<void>;
  using SharedResponse = std::shared_ptr<void>;

  RCLCPP_SMART_PTR_DEFINITIONS(GenericService)

  GenericService(detail::ServiceSetup && setup, GenericServiceCallback callback);
  ~GenericService() override;

  bool take_request(SharedRequest request_out, rmw_request_id_t & request_id_out);
  /// Answers the request of this header, from any thread. \throws exceptions::RCLError.
  void send_response(rmw_request_id_t & request_header, SharedResponse & response);

  std::shared_ptr<void> create_request() override;
  std::shared_ptr<void> create_response();
  void handle_request(std::shared_ptr<rmw_request_id_t> request_header, std::shared_ptr<void> request) override;

  // For the library's own use.
  void execute(tandem::transport::Sample & sample) override;

 private:
  GenericServiceCallback callback_;
};

}  // namespace rclcpp

#endif  // RCLCPP__GENERIC_SERVICE_HPP_
