// Clients and services.
#include <memory>
#include <string>
#include <utility>

#include "base/parts.hpp"
#include "base/qos.hpp"
#include "entities/clock.hpp"
#include "entities/endpoints.hpp"
#include "rclcpp/client.hpp"
#include "rclcpp/detail/request_id.hpp"
#include "rclcpp/exceptions.hpp"
#include "rclcpp/service.hpp"
#include "rclcpp/typesupport_helpers.hpp"
#include "tandem_py/memory.hpp"

namespace tandem_py {
namespace {

using tandem::transport::Sample;

struct ServiceInfo {
  std::int64_t source_timestamp;
  std::int64_t received_timestamp;
  rmw_request_id_t request_id;
};

ServiceInfo info_of(const Sample & sample) {
  const auto info = rclcpp::detail::message_info(sample.info).get_rmw_message_info();
  return {info.source_timestamp, info.received_timestamp, rclcpp::detail::to_rmw(sample.info.request)};
}

/// A message of a sample, which is kept.
py::object message_of(const Sample & sample, const py::object & type) {
  return make_message(message_class_of(type), sample.message, make_keeper(sample.keeper));
}

/// A message of Python in memory.
tandem::OwnedMessage native_message(const py::object & message, const py::object & type) {
  MessageClass & message_class = message_class_of(type);
  tandem::OwnedMessage native = tandem::make_message(*message_class.type);
  write_message(message, message_class, native.get());
  return native;
}

const tandem::ServiceType & service_type(const py::object & type) {
  return rclcpp::detail::service_type_by_name(py::str(type.attr("_type_name")));
}

/// A service's classes of messages.
struct Types {
  explicit Types(const py::object & type) : request(type.attr("Request")), response(type.attr("Response")) {}
  py::object request;
  py::object response;
};

/// Opens an end of a service. Errors of its name: those of Python.
template <class Open>
auto opened(const char * what, const std::string & name, Open open) {
  try {
    const WithoutGil without_gil;
    return open();
  } catch (const rclcpp::exceptions::NameValidationError & error) {
    throw py::value_error("failed to create " + std::string(what) + " due to invalid service name '" + name +
                          "': " + error.what());
  }
}

// ---- clients -------------------------------------------------------------------------------------------------------

class Client : public rclcpp::ClientBase, public HasSlot {
 public:
  Client(rclcpp::detail::ClientSetup && setup, std::shared_ptr<Slot> slot)
      : ClientBase(std::move(setup)), HasSlot(std::move(slot)) {}

  using ClientBase::send;
  std::shared_ptr<void> create_response() override { return tandem::make_message(*type().response); }
  void handle_response(std::shared_ptr<rmw_request_id_t>, std::shared_ptr<void>) override {}
  void execute(Sample &) override {}
};

class ClientHandle : public ServedHandle {
 public:
  ClientHandle(std::shared_ptr<NodeHandle> node, const py::object & type, const std::string & name,
               const py::object & qos)
      : node_(std::move(node)), types_(type) {
    const auto wanted = qos_of(qos, rmw_qos_profile_services_default);
    const auto & known = service_type(type);
    client_ = opened("client", name, [&] {
      return std::make_shared<Client>(node_->services().open_client(known, name, wanted, nullptr), slot());
    });
  }

  void serve(NodeHandle &, const std::shared_ptr<rclcpp::CallbackGroup> & group) override {
    group->add_receiver(required(client_).shared_from_this());
  }
  py::object take(const std::shared_ptr<void> &) override {
    Sample sample;
    if (!required(client_).take_sample(sample)) return {};
    return py::make_tuple(info_of(sample), message_of(sample, types_.response));
  }
  void watch(const std::function<void()> & wake) override {
    required(client_).set_on_new([wake](std::size_t) { wake(); });
  }
  bool is_ready() override { return required(client_).has_data(); }

  std::int64_t send_request(const py::object & request) {
    const auto client = client_;
    required(client);
    const auto native = native_message(request, types_.request);
    const WithoutGil without_gil;
    return client->send(native.get());
  }
  py::object take_response(const py::object &) {
    const py::object taken = take(nullptr);
    return taken ? taken : py::make_tuple(py::none(), py::none());
  }
  Client & client() const { return required(client_); }
  const std::shared_ptr<NodeHandle> & node() const { return node_; }

 private:
  void destroy() override { drop(client_); }

  const std::shared_ptr<NodeHandle> node_;
  const Types types_;
  std::shared_ptr<Client> client_;
};

// ---- services ------------------------------------------------------------------------------------------------------

class Service : public rclcpp::ServiceBase, public HasSlot {
 public:
  Service(rclcpp::detail::ServiceSetup && setup, std::shared_ptr<Slot> slot)
      : ServiceBase(std::move(setup)), HasSlot(std::move(slot)) {}

  using ServiceBase::respond;
  std::shared_ptr<void> create_request() override { return tandem::make_message(*type().request); }
  void handle_request(std::shared_ptr<rmw_request_id_t>, std::shared_ptr<void>) override {}
  void execute(Sample &) override {}
};

class ServiceHandle : public ServedHandle {
 public:
  ServiceHandle(std::shared_ptr<NodeHandle> node, const py::object & type, const std::string & name,
                const py::object & qos)
      : node_(std::move(node)), types_(type) {
    const auto wanted = qos_of(qos, rmw_qos_profile_services_default);
    const auto & known = service_type(type);
    service_ = opened("service", name, [&] {
      return std::make_shared<Service>(node_->services().open_service(known, name, wanted, nullptr), slot());
    });
  }

  void serve(NodeHandle &, const std::shared_ptr<rclcpp::CallbackGroup> & group) override {
    group->add_receiver(required(service_).shared_from_this());
  }
  py::object take(const std::shared_ptr<void> &) override {
    Sample sample;
    if (!required(service_).take_sample(sample)) return {};
    return py::make_tuple(message_of(sample, types_.request), info_of(sample));
  }
  void watch(const std::function<void()> & wake) override {
    required(service_).set_on_new([wake](std::size_t) { wake(); });
  }
  bool is_ready() override { return required(service_).has_data(); }

  void send_response(const py::object & response, const py::object & header) {
    const auto service = service_;
    required(service);
    const auto native = native_message(response, types_.response);
    const rmw_request_id_t id = py::isinstance<ServiceInfo>(header) ? header.cast<const ServiceInfo &>().request_id
                                                                    : header.cast<const rmw_request_id_t &>();
    const WithoutGil without_gil;
    service->respond(native.get(), id);
  }
  py::object take_request(const py::object &) {
    const py::object taken = take(nullptr);
    return taken ? taken : py::make_tuple(py::none(), py::none());
  }
  Service & service() const { return required(service_); }
  const std::shared_ptr<NodeHandle> & node() const { return node_; }

 private:
  void destroy() override { drop(service_); }

  const std::shared_ptr<NodeHandle> node_;
  const Types types_;
  std::shared_ptr<Service> service_;
};

template <class Base>
void configure(Base & end, const ClockHandle & clock, const py::object & qos, int state) {
  const auto wanted = qos_of(qos);
  const WithoutGil without_gil;
  end.configure_introspection(clock.clock(), wanted, static_cast<rcl_service_introspection_state_t>(state));
}

}  // namespace

void add_services(py::module_ & module) {
  py::class_<rmw_request_id_t>(module, "rmw_request_id_t")
      .def_readonly("sequence_number", &rmw_request_id_t::sequence_number);
  py::class_<ServiceInfo>(module, "rmw_service_info_t")
      .def_readonly("source_timestamp", &ServiceInfo::source_timestamp)
      .def_readonly("received_timestamp", &ServiceInfo::received_timestamp)
      .def_readonly("request_id", &ServiceInfo::request_id);

  py::class_<ClientHandle, ServedHandle, std::shared_ptr<ClientHandle>>(module, "Client")
      .def(py::init<std::shared_ptr<NodeHandle>, const py::object &, const std::string &, const py::object &>())
      .def("send_request", &ClientHandle::send_request)
      .def("service_server_is_available",
           [](const ClientHandle & self) {
             const WithoutGil without_gil;
             return self.client().service_is_ready();
           })
      .def("take_response", &ClientHandle::take_response)
      .def("configure_introspection", [](const ClientHandle & self, const ClockHandle & clock, const py::object & qos,
                                         int state) { configure(self.client(), clock, qos, state); })
      .def_property_readonly("service_name", [](const ClientHandle & self) { return self.client().get_service_name(); })
      .def("get_logger_name", [](const ClientHandle & self) { return self.node()->logger_name(); });

  py::class_<ServiceHandle, ServedHandle, std::shared_ptr<ServiceHandle>>(module, "Service")
      .def(py::init<std::shared_ptr<NodeHandle>, const py::object &, const std::string &, const py::object &>())
      .def("service_send_response", &ServiceHandle::send_response)
      .def("service_take_request", &ServiceHandle::take_request)
      .def("configure_introspection", [](const ServiceHandle & self, const ClockHandle & clock, const py::object & qos,
                                         int state) { configure(self.service(), clock, qos, state); })
      .def_property_readonly("name", [](const ServiceHandle & self) { return self.service().get_service_name(); })
      .def_property_readonly(
          "qos",
          [](const ServiceHandle & self) {
            return to_dict(self.service().get_request_subscription_actual_qos().get_rmw_qos_profile());
          })
      .def("get_logger_name", [](const ServiceHandle & self) { return self.node()->logger_name(); });
}

}  // namespace tandem_py
