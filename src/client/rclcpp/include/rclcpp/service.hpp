// The answering end of a service.
#ifndef RCLCPP__SERVICE_HPP_
#define RCLCPP__SERVICE_HPP_

#include <functional>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include "rclcpp/any_service_callback.hpp"
#include "rclcpp/detail/receiver.hpp"
#include "rclcpp/detail/request_id.hpp"
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

/// What a node hands to a service that it creates.
struct ServiceSetup {
  std::shared_ptr<Context> context;
  std::shared_ptr<CallbackGroup> group;
  std::unique_ptr<tandem::transport::ServiceServer> transport;
  ServiceIntrospection::Setup introspection;
  QoS qos{10};
};

/// A response that a callback fills: a loan where there is one, so that it is sent as it lies.
template <class ResponseT>
struct LoanedResponse {
  tandem::Loan loan;
  ResponseT * message() const { return static_cast<ResponseT *>(loan.data()); }
};

}  // namespace detail

/// What services of every type have in common. Thread-safe.
class RCLCPP_PUBLIC ServiceBase : public detail::Receiver, public std::enable_shared_from_this<ServiceBase> {
 public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(ServiceBase)
  RCLCPP_DISABLE_COPY(ServiceBase)

  explicit ServiceBase(detail::ServiceSetup && setup);

  /// After remapping and expansion: "/ns/service".
  const char * get_service_name() const { return service_.c_str(); }
  QoS get_response_publisher_actual_qos() const { return qos_; }
  QoS get_request_subscription_actual_qos() const { return qos_; }

  virtual std::shared_ptr<void> create_request() = 0;
  std::shared_ptr<rmw_request_id_t> create_request_header();
  /// Calls the callback with a request of the service's type.
  virtual void handle_request(std::shared_ptr<rmw_request_id_t> request_header, std::shared_ptr<void> request) = 0;
  /// Takes a request into one of the service's type. \return false when there is none.
  bool take_type_erased_request(void * request, rmw_request_id_t & request_header);

  /// As SubscriptionBase::set_on_new_message_callback(), of requests.
  void set_on_new_request_callback(std::function<void(size_t)> callback);
  void clear_on_new_request_callback();
  /// Publishes an event for each request that is taken and each response that is sent, from now on, on
  /// "<service>/_service_event", with the clock's time. \throws exceptions::RCLError, RCLInvalidArgument.
  void configure_introspection(Clock::SharedPtr clock, const QoS & qos_service_event_pub,
                               rcl_service_introspection_state_t introspection_state) {
    introspection_.configure(std::move(clock), qos_service_event_pub, introspection_state);
  }

  // For the library's own use.
  bool take_sample(tandem::transport::Sample & sample) final;

 protected:
  const tandem::ServiceType & type() const { return introspection_.type(); }
  /// Empty when there is none.
  tandem::Loan borrow_response() const { return ends_->replies().borrow(); }
  // One that cannot be sent in time costs a line in the log. \throws exceptions::RCLError for any other failure.
  void respond(tandem::Loan && response, const rmw_request_id_t & request_header);
  void respond(const void * response, const rmw_request_id_t & request_header);

 private:
  bool is_sent(tandem::transport::PublishResult result) const;

  const std::unique_ptr<tandem::transport::ServiceServer> ends_;
  const std::string service_;
  const QoS qos_;
  detail::ServiceIntrospection introspection_;
};

template <class ServiceT>
class Service : public ServiceBase {
 public:
  using Request = typename ServiceT::Request;
  using Response = typename ServiceT::Response;
  using CallbackType = std::function<void(std::shared_ptr<Request>, std::shared_ptr<Response>)>;
  using CallbackWithHeaderType =
      std::function<void(std::shared_ptr<rmw_request_id_t>, std::shared_ptr<Request>, std::shared_ptr<Response>)>;

  RCLCPP_SMART_PTR_DEFINITIONS(Service)

  /// The callback's forms: any_service_callback.hpp.
  template <class CallbackT>
  Service(detail::ServiceSetup && setup, CallbackT && callback) : ServiceBase(std::move(setup)) {
    callback_.set(std::forward<CallbackT>(callback));
  }

  bool take_request(Request & request, rmw_request_id_t & request_header) {
    return take_type_erased_request(&request, request_header);
  }
  /// Answers the request of this header, from any thread. \throws exceptions::RCLError.
  void send_response(rmw_request_id_t & request_header, Response & response) { respond(&response, request_header); }

  std::shared_ptr<void> create_request() override { return std::make_shared<Request>(); }
  void handle_request(std::shared_ptr<rmw_request_id_t> request_header, std::shared_ptr<void> request) override {
    answer(std::move(request_header), std::static_pointer_cast<Request>(std::move(request)));
  }

  // For the library's own use.
  void execute(tandem::transport::Sample & sample) override {
    answer(std::make_shared<rmw_request_id_t>(detail::to_rmw(sample.info.request)),
           detail::own_shared<Request>(sample));
  }

 private:
  using Loaned = detail::LoanedResponse<Response>;

  void answer(std::shared_ptr<rmw_request_id_t> header, std::shared_ptr<Request> request) {
    if (!callback_.responds_at_once()) {
      callback_.dispatch(std::static_pointer_cast<Service>(this->shared_from_this()), std::move(header),
                         std::move(request));
      return;
    }
    const rmw_request_id_t id = *header;
    const auto loaned = std::make_shared<Loaned>(Loaned{borrow_response()});
    const auto response =
        loaned->loan ? std::shared_ptr<Response>(loaned, loaned->message()) : std::make_shared<Response>();
    if (loaned->loan && tandem::message_type<Response>().is_fixed_size) {  // it is what an earlier message left there
      std::destroy_at(response.get());
      ::new (static_cast<void *>(response.get())) Response();
    }
    callback_.dispatch(header, std::move(request), response);
    if (loaned->loan && loaned.use_count() == 2) {  // the callback has kept no pointer to it
      respond(std::move(loaned->loan), id);
    } else {
      respond(response.get(), id);
    }
  }

  AnyServiceCallback<ServiceT> callback_;
};

}  // namespace rclcpp

#endif  // RCLCPP__SERVICE_HPP_
