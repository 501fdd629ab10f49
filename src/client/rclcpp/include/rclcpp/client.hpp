// The calling end of a service.
#ifndef RCLCPP__CLIENT_HPP_
#define RCLCPP__CLIENT_HPP_

#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "rclcpp/detail/pending_requests.hpp"
#include "rclcpp/detail/receiver.hpp"
#include "rclcpp/detail/sample.hpp"
#include "rclcpp/detail/service_introspection.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/qos.hpp"
#include "rclcpp/visibility_control.hpp"
#include "rmw/types.h"
#include "tandem/service.hpp"

namespace rclcpp {

class CallbackGroup;
class Context;

namespace detail {

/// What a node hands to a client that it creates.
struct ClientSetup {
  std::shared_ptr<Context> context;
  std::shared_ptr<CallbackGroup> group;
  std::unique_ptr<tandem::transport::ServiceClient> transport;
  ServiceIntrospection::Setup introspection;
  QoS qos{10};
};

/// A future and the number of its request.
template <class FutureT>
struct FutureAndRequestId {
  FutureT future;
  int64_t request_id;

  FutureAndRequestId(FutureT impl, int64_t id) : future(std::move(impl)), request_id(id) {}
  operator FutureT &() { return future; }  // NOLINT: implicit, as in rclcpp

  auto get() { return future.get(); }
  bool valid() const noexcept { return future.valid(); }
  void wait() const { future.wait(); }
  template <class Rep, class Period>
  std::future_status wait_for(const std::chrono::duration<Rep, Period> & timeout) const {
    return future.wait_for(timeout);
  }
  template <class Clock, class Duration>
  std::future_status wait_until(const std::chrono::time_point<Clock, Duration> & time) const {
    return future.wait_until(time);
  }
};

}  // namespace detail

/// What clients of every type have in common. Thread-safe.
class RCLCPP_PUBLIC ClientBase : public detail::Receiver, public std::enable_shared_from_this<ClientBase> {
 public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(ClientBase)
  RCLCPP_DISABLE_COPY(ClientBase)

  explicit ClientBase(detail::ClientSetup && setup);

  /// After remapping and expansion: "/ns/service".
  const char * get_service_name() const { return service_.c_str(); }
  /// Whether a server is there, which a request reaches and whose response comes back.
  bool service_is_ready() const;
  /// Waits for that. A negative timeout waits without end. \return false when the time is over, or after shutdown.
  template <class RepT = int64_t, class RatioT = std::milli>
  bool wait_for_service(std::chrono::duration<RepT, RatioT> timeout = std::chrono::duration<RepT, RatioT>(-1)) {
    return wait_for_service_nanoseconds(std::chrono::duration_cast<std::chrono::nanoseconds>(timeout));
  }
  QoS get_request_publisher_actual_qos() const { return qos_; }
  QoS get_response_subscription_actual_qos() const { return qos_; }

  virtual std::shared_ptr<void> create_response() = 0;
  std::shared_ptr<rmw_request_id_t> create_request_header() const;
  /// Ends the request that the header names with this response.
  virtual void handle_response(std::shared_ptr<rmw_request_id_t> request_header, std::shared_ptr<void> response) = 0;
  /// Takes a response into one of the client's type. \return false when there is none.
  bool take_type_erased_response(void * response, rmw_request_id_t & request_header);

  /// As SubscriptionBase::set_on_new_message_callback(), of responses.
  void set_on_new_response_callback(std::function<void(size_t)> callback);
  void clear_on_new_response_callback();
  /// Publishes an event for each request that is sent and each response that is taken, from now on, on
  /// "<service>/_service_event", with the clock's time. \throws exceptions::RCLError, RCLInvalidArgument.
  void configure_introspection(Clock::SharedPtr clock, const QoS & qos_service_event_pub,
                               rcl_service_introspection_state_t introspection_state) {
    introspection_.configure(std::move(clock), qos_service_event_pub, introspection_state);
  }

  // For the library's own use.
  bool take_sample(tandem::transport::Sample & sample) final;

 protected:
  const tandem::ServiceType & type() const { return introspection_.type(); }
  /// \return the request's number. \throws exceptions::RCLError naming the service and the remedy.
  int64_t send(const void * request);
  bool wait_for_service_nanoseconds(std::chrono::nanoseconds timeout);

 private:
  const std::shared_ptr<Context> context_;
  const std::unique_ptr<tandem::transport::ServiceClient> ends_;
  const std::string service_;
  const QoS qos_;
  detail::ServiceIntrospection introspection_;
};

namespace detail {

/// What Client and GenericClient share: futures of responses, and the requests that wait for them. Thread-safe.
template <class ResponseT>  // void: known at run time only
class FutureClient : public ClientBase {
 public:
  using SharedResponse = std::shared_ptr<ResponseT>;
  using Promise = std::promise<SharedResponse>;
  using SharedPromise = std::shared_ptr<Promise>;
  using Future = std::future<SharedResponse>;
  using SharedFuture = std::shared_future<SharedResponse>;
  using CallbackType = std::function<void(SharedFuture)>;

  struct FutureAndRequestId : detail::FutureAndRequestId<Future> {
    using detail::FutureAndRequestId<Future>::FutureAndRequestId;
    SharedFuture share() noexcept { return this->future.share(); }
  };
  struct SharedFutureAndRequestId : detail::FutureAndRequestId<SharedFuture> {
    using detail::FutureAndRequestId<SharedFuture>::FutureAndRequestId;
  };

  using ClientBase::ClientBase;

  /// Forgets a request; a response that comes is dropped. \return false when it was not pending.
  bool remove_pending_request(int64_t request_id) { return pending_.take(request_id).has_value(); }
  template <class FutureT>
  bool remove_pending_request(const detail::FutureAndRequestId<FutureT> & future) {
    return remove_pending_request(future.request_id);
  }
  /// Forgets all. \return how many there were.
  size_t prune_pending_requests() { return pending_.prune(); }
  /// Forgets those that were sent before; their numbers are added to `pruned_requests`, unless it is null.
  template <class AllocatorT = std::allocator<int64_t>>
  size_t prune_requests_older_than(std::chrono::time_point<std::chrono::system_clock> time_point,
                                   std::vector<int64_t, AllocatorT> * pruned_requests = nullptr) {
    return pending_.prune_older_than(time_point, pruned_requests);
  }

  void handle_response(std::shared_ptr<rmw_request_id_t> request_header, std::shared_ptr<void> response) override {
    finish(request_header->sequence_number, std::static_pointer_cast<ResponseT>(std::move(response)));
  }

 protected:
  FutureAndRequestId call(const void * request) {
    Promise promise;
    auto future = promise.get_future();
    return {std::move(future), send_and_note(request, {std::move(promise), nullptr, {}})};
  }
  SharedFutureAndRequestId call(const void * request, CallbackType callback) {
    Promise promise;
    SharedFuture future(promise.get_future());
    return {future, send_and_note(request, {std::move(promise), std::move(callback), future})};
  }

  /// A response whose request was forgotten, or that has come twice, is dropped.
  void finish(int64_t id, SharedResponse response) {
    auto ending = pending_.take(id);
    if (!ending) return;
    ending->promise.set_value(std::move(response));
    if (ending->callback) ending->callback(std::move(ending->future));
  }

 private:
  struct Ending {
    Promise promise;
    CallbackType callback;  ///< none: nobody is told but by the promise
    SharedFuture future;    ///< for the callback
  };

  int64_t send_and_note(const void * request, Ending && ending) {
    return pending_.add([&] { return send(request); }, std::move(ending));
  }

  PendingRequests<Ending> pending_;
};

}  // namespace detail

template <class ServiceT>
class Client : public detail::FutureClient<typename ServiceT::Response> {
  using Base = detail::FutureClient<typename ServiceT::Response>;

 public:
  using Request = typename ServiceT::Request;
  using Response = typename ServiceT::Response;
  using SharedRequest = std::shared_ptr<Request>;
  using typename Base::CallbackType;
  using typename Base::FutureAndRequestId;
  using typename Base::SharedFuture;
  using typename Base::SharedFutureAndRequestId;
  using typename Base::SharedResponse;
  using PromiseWithRequest = std::promise<std::pair<SharedRequest, SharedResponse>>;
  using SharedPromiseWithRequest = std::shared_ptr<PromiseWithRequest>;
  using SharedFutureWithRequest = std::shared_future<std::pair<SharedRequest, SharedResponse>>;
  using CallbackWithRequestType = std::function<void(SharedFutureWithRequest)>;

  RCLCPP_SMART_PTR_DEFINITIONS(Client)

  struct SharedFutureWithRequestAndRequestId : detail::FutureAndRequestId<SharedFutureWithRequest> {
    using detail::FutureAndRequestId<SharedFutureWithRequest>::FutureAndRequestId;
  };

  using Base::Base;

  bool take_response(Response & response, rmw_request_id_t & request_header) {
    return this->take_type_erased_response(&response, request_header);
  }
  std::shared_ptr<void> create_response() override { return std::make_shared<Response>(); }

  /// The future is ready once an executor has served this client. A request that is not answered stays pending until it is
  /// removed or pruned. \throws exceptions::RCLError.
  FutureAndRequestId async_send_request(SharedRequest request) { return this->call(request.get()); }
  /// The same with a callback, which is called with the future by the executor.
  template <class CallbackT, std::enable_if_t<std::is_invocable_v<CallbackT, SharedFuture>> * = nullptr>
  SharedFutureAndRequestId async_send_request(SharedRequest request, CallbackT && callback) {
    return this->call(request.get(), std::forward<CallbackT>(callback));
  }
  template <class CallbackT, std::enable_if_t<!std::is_invocable_v<CallbackT, SharedFuture> &&
                                              std::is_invocable_v<CallbackT, SharedFutureWithRequest>> * = nullptr>
  SharedFutureWithRequestAndRequestId async_send_request(SharedRequest request, CallbackT && callback) {
    const auto promise = std::make_shared<PromiseWithRequest>();
    const SharedFutureWithRequest future = promise->get_future();
    const auto called =
        this->call(request.get(),
                   [promise, request, future, callback = CallbackWithRequestType(std::forward<CallbackT>(callback))](
                       const SharedFuture & response) {
                     promise->set_value({request, response.get()});
                     callback(future);
                   });
    return {future, called.request_id};
  }

  // For the library's own use.
  void execute(tandem::transport::Sample & sample) override {
    this->finish(sample.info.request.sequence, detail::own_shared<Response>(sample));
  }
};

}  // namespace rclcpp

#endif  // RCLCPP__CLIENT_HPP_
