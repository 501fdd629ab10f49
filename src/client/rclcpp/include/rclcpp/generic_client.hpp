// A client of a service whose type is known at run time only.
#ifndef RCLCPP__GENERIC_CLIENT_HPP_
#define RCLCPP__GENERIC_CLIENT_HPP_

#include <memory>
#include <type_traits>
#include <utility>

#include "rclcpp/client.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp {

/// Requests and responses are messages of the service's types, by pointers without a type. Thread-safe.
class RCLCPP_PUBLIC GenericClient : public detail::FutureClient<void> {
 public:
  using Request = void *;
  using Response = void *;

  RCLCPP_SMART_PTR_DEFINITIONS(GenericClient)

  explicit GenericClient(detail::ClientSetup && setup);
  ~GenericClient() override;

  std::shared_ptr<void> create_response() override;
  bool take_response(Response response_out, rmw_request_id_t & request_header_out);

  /// Sends a copy of the request. As Client::async_send_request(). \throws exceptions::RCLError.
  FutureAndRequestId async_send_request(const Request request);
  template <class CallbackT, std::enable_if_t<std::is_invocable_v<CallbackT, SharedFuture>> * = nullptr>
  SharedFutureAndRequestId async_send_request(const Request request, CallbackT && callback) {
    return call(request, std::forward<CallbackT>(callback));
  }

  // For the library's own use.
  void execute(tandem::transport::Sample & sample) override;
};

}  // namespace rclcpp

#endif  // RCLCPP__GENERIC_CLIENT_HPP_
