// A client of a service whose type is known at run time only.
#ifndef RCLCPP__GENERIC_CLIENT_HPP_
#define RCLCPP__GENERIC_CLIENT_HPP_

#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "rclcpp/client.hpp"
#include "rclcpp/detail/pending_requests.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp {

/// Requests and responses are messages of the service's types, by pointers without a type. Thread-safe.
class RCLCPP_PUBLIC GenericClient : public ClientBase {
 public:
  using Request = void *;
  using Response = void *;
  using SharedResponse = std::shared_ptr<void>;
  using Promise = std::promise<SharedResponse>;
  using SharedPromise = std::shared_ptr<Promise>;
  using Future = std::future<SharedResponse>;
  using SharedFuture = std::shared_future<SharedResponse>;
  using CallbackType = std::function<void(SharedFuture)>;

  RCLCPP_SMART_PTR_DEFINITIONS(GenericClient)

  struct FutureAndRequestId : detail::FutureAndRequestId<Future> {
    using detail::FutureAndRequestId<Future>::FutureAndRequestId;
    SharedFuture share() noexcept { return this->future.share(); }
  };
  struct SharedFutureAndRequestId : detail::FutureAndRequestId<SharedFuture> {
    using detail::FutureAndRequestId<SharedFuture>::FutureAndRequestId;
  };

  using ClientBase::ClientBase;

  std::shared_ptr<void> create_response() override;
  void handle_response(std::shared_ptr<rmw_request_id_t> request_header, std::shared_ptr<void> response) override;
  bool take_response(Response response_out, rmw_request_id_t & request_header_out) {
    return take_type_erased_response(response_out, request_header_out);
  }

  /// Sends a copy of the request. As Client::async_send_request(). \throws exceptions::RCLError.
  FutureAndRequestId async_send_request(const Request request);
  template <class CallbackT, std::enable_if_t<std::is_invocable_v<CallbackT, SharedFuture>> * = nullptr>
  SharedFutureAndRequestId async_send_request(const Request request, CallbackT && callback) {
    return send_with_callback(request, std::forward<CallbackT>(callback));
  }

  // As those of Client.
  bool remove_pending_request(int64_t request_id) { return pending_.take(request_id).has_value(); }
  bool remove_pending_request(const FutureAndRequestId & future) { return remove_pending_request(future.request_id); }
  bool remove_pending_request(const SharedFutureAndRequestId & future) {
    return remove_pending_request(future.request_id);
  }
  size_t prune_pending_requests() { return pending_.prune(); }
  template <class AllocatorT = std::allocator<int64_t>>
  size_t prune_requests_older_than(std::chrono::time_point<std::chrono::system_clock> time_point,
                                   std::vector<int64_t, AllocatorT> * pruned_requests = nullptr) {
    return pending_.prune_older_than(time_point, pruned_requests);
  }

  // For the library's own use.
  void execute(tandem::transport::Sample & sample) override;

 private:
  struct Called {
    CallbackType callback;
    SharedFuture future;
    Promise promise;
  };
  using Ending = std::variant<Promise, Called>;

  SharedFutureAndRequestId send_with_callback(const void * request, CallbackType callback);
  void finish(int64_t id, SharedResponse response);

  detail::PendingRequests<Ending> pending_;
};

}  // namespace rclcpp

#endif  // RCLCPP__GENERIC_CLIENT_HPP_
