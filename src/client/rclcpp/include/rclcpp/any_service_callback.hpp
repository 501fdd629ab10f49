// From a user's callback of a service, in any of its forms, to a function of a received request.
//
// The form is found by asking what the callback can be called with, in this order: (request, response) · (header, request,
// response) · (header, request) · (service, header, request). The last two respond later, by Service::send_response().
#ifndef RCLCPP__ANY_SERVICE_CALLBACK_HPP_
#define RCLCPP__ANY_SERVICE_CALLBACK_HPP_

#include <functional>
#include <memory>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "rmw/types.h"

namespace rclcpp {

template <class ServiceT>
class Service;

/// \tparam HandleT what answers later.
template <class ServiceT, class HandleT = Service<ServiceT>>
class AnyServiceCallback {
 public:
  using SharedRequest = std::shared_ptr<typename ServiceT::Request>;
  using SharedResponse = std::shared_ptr<typename ServiceT::Response>;
  using SharedHeader = std::shared_ptr<rmw_request_id_t>;
  using SharedService = std::shared_ptr<HandleT>;

  /// \throws std::invalid_argument for a null function.
  template <class CallbackT>
  void set(CallbackT && callback) {
    using C = std::decay_t<CallbackT> &;
    if constexpr (std::is_constructible_v<bool, C>) {
      if (!static_cast<bool>(callback))
        throw std::invalid_argument("AnyServiceCallback::set(): callback cannot be nullptr");
    }
    if constexpr (std::is_invocable_v<C, SharedRequest, SharedResponse>) {
      at_once_ = [call = std::decay_t<CallbackT>(std::forward<CallbackT>(callback))](
                     const SharedHeader &, SharedRequest request, SharedResponse response) mutable {
        call(std::move(request), std::move(response));
      };
    } else if constexpr (std::is_invocable_v<C, SharedHeader, SharedRequest, SharedResponse>) {
      at_once_ = std::forward<CallbackT>(callback);
    } else if constexpr (std::is_invocable_v<C, SharedHeader, SharedRequest>) {
      later_ = [call = std::decay_t<CallbackT>(std::forward<CallbackT>(callback))](
                   const SharedService &, SharedHeader header, SharedRequest request) mutable {
        call(std::move(header), std::move(request));
      };
    } else {
      static_assert(
          std::is_invocable_v<C, SharedService, SharedHeader, SharedRequest>,
          "a service's callback takes shared pointers: (request, response), (header, request, response), (header, "
          "request) or (service, header, request)");
      later_ = std::forward<CallbackT>(callback);
    }
  }

  /// Whether the response is sent when the callback has returned.
  bool responds_at_once() const { return static_cast<bool>(at_once_); }
  void dispatch(const SharedHeader & header, SharedRequest request, SharedResponse response) {
    at_once_(header, std::move(request), std::move(response));
  }
  void dispatch(const SharedService & service, SharedHeader header, SharedRequest request) {
    later_(service, std::move(header), std::move(request));
  }

 private:
  std::function<void(const SharedHeader &, SharedRequest, SharedResponse)> at_once_;
  std::function<void(const SharedService &, SharedHeader, SharedRequest)> later_;
};

}  // namespace rclcpp

#endif  // RCLCPP__ANY_SERVICE_CALLBACK_HPP_
