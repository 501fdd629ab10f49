#include "parameters/parameter_services.hpp"

#include <string>
#include <utility>

#include "rcl_interfaces/srv/describe_parameters.hpp"
#include "rcl_interfaces/srv/get_parameter_types.hpp"
#include "rcl_interfaces/srv/get_parameters.hpp"
#include "rcl_interfaces/srv/list_parameters.hpp"
#include "rcl_interfaces/srv/set_parameters.hpp"
#include "rcl_interfaces/srv/set_parameters_atomically.hpp"
#include "rclcpp/create_service.hpp"
#include "rclcpp/exceptions.hpp"
#include "rclcpp/logging.hpp"
#include "rclcpp/parameter_service.hpp"

namespace rclcpp::detail {
namespace {

using node_interfaces::NodeParametersInterface;
using node_interfaces::NodeServicesInterface;
using rcl_interfaces::srv::DescribeParameters;
using rcl_interfaces::srv::GetParameters;
using rcl_interfaces::srv::GetParameterTypes;
using rcl_interfaces::srv::ListParameters;
using rcl_interfaces::srv::SetParameters;
using rcl_interfaces::srv::SetParametersAtomically;

std::vector<std::string> strings(const decltype(GetParameters::Request::names) & names) {
  return {names.begin(), names.end()};
}

template <class Sequence, class Elements>
void assign(Sequence & sequence, const Elements & elements) {
  sequence.assign(elements.begin(), elements.end());
}

/// What is asked of parameters that are not there leaves the response empty.
template <class Function>
void unless_missing(const char * what, Function && function) {
  try {
    function();
  } catch (const exceptions::ParameterNotDeclaredException & error) {
    RCLCPP_DEBUG(get_logger("rclcpp"), "Failed to %s: %s", what, error.what());
  } catch (const exceptions::ParameterUninitializedException & error) {
    RCLCPP_DEBUG(get_logger("rclcpp"), "Failed to %s: %s", what, error.what());
  }
}

void get(NodeParametersInterface & parameters, const GetParameters::Request & request,
         GetParameters::Response & response) {
  unless_missing("get parameters", [&] {
    for (const Parameter & parameter : parameters.get_parameters(strings(request.names))) {
      response.values.push_back(parameter.get_value_message());
    }
  });
}

void get_types(NodeParametersInterface & parameters, const GetParameterTypes::Request & request,
               GetParameterTypes::Response & response) {
  unless_missing("get parameter types",
                 [&] { assign(response.types, parameters.get_parameter_types(strings(request.names))); });
}

rcl_interfaces::msg::SetParametersResult set(NodeParametersInterface & parameters,
                                             const std::vector<Parameter> & wanted) {
  try {
    return parameters.set_parameters_atomically(wanted);
  } catch (const exceptions::ParameterNotDeclaredException & error) {
    rcl_interfaces::msg::SetParametersResult result;
    result.successful = false;
    result.reason = error.what();
    return result;
  }
}

/// Each by itself: some may be refused.
void set_each(NodeParametersInterface & parameters, const SetParameters::Request & request,
              SetParameters::Response & response) {
  for (const auto & parameter : request.parameters) {
    response.results.push_back(set(parameters, {Parameter::from_parameter_msg(parameter)}));
  }
}

void set_all(NodeParametersInterface & parameters, const SetParametersAtomically::Request & request,
             SetParametersAtomically::Response & response) {
  std::vector<Parameter> wanted;
  for (const auto & parameter : request.parameters) wanted.push_back(Parameter::from_parameter_msg(parameter));
  response.result = set(parameters, wanted);
}

void describe(NodeParametersInterface & parameters, const DescribeParameters::Request & request,
              DescribeParameters::Response & response) {
  unless_missing("describe parameters",
                 [&] { assign(response.descriptors, parameters.describe_parameters(strings(request.names))); });
}

void list(NodeParametersInterface & parameters, const ListParameters::Request & request,
          ListParameters::Response & response) {
  response.result = parameters.list_parameters({request.prefixes.begin(), request.prefixes.end()}, request.depth);
}

/// Makes services of a node; their callbacks do nothing once the node has gone.
class Maker {
 public:
  Maker(const NodeServicesInterface::SharedPtr & services, const NodeParametersInterface::SharedPtr & parameters,
        const QoS & qos)
      : services_(services), parameters_(parameters), qos_(qos) {}

  template <class ServiceT>
  ServiceBase::SharedPtr make(const char * name,
                              void (*answer)(NodeParametersInterface &, const typename ServiceT::Request &,
                                             typename ServiceT::Response &)) const {
    return create_service<ServiceT>(
        services_, std::string("~/") + name,
        [answer, weak = std::weak_ptr<NodeParametersInterface>(parameters_)](
            const std::shared_ptr<typename ServiceT::Request> request,
            std::shared_ptr<typename ServiceT::Response> response) {
          if (const auto parameters = weak.lock()) answer(*parameters, *request, *response);
        },
        qos_);
  }

 private:
  const NodeServicesInterface::SharedPtr & services_;
  const NodeParametersInterface::SharedPtr & parameters_;
  const QoS & qos_;
};

}  // namespace

std::vector<ServiceBase::SharedPtr> make_parameter_services(const NodeServicesInterface::SharedPtr & services,
                                                            const NodeParametersInterface::SharedPtr & parameters,
                                                            const QoS & qos) {
  const Maker maker(services, parameters, qos);
  return {maker.make<GetParameters>("get_parameters", get),
          maker.make<GetParameterTypes>("get_parameter_types", get_types),
          maker.make<SetParameters>("set_parameters", set_each),
          maker.make<SetParametersAtomically>("set_parameters_atomically", set_all),
          maker.make<DescribeParameters>("describe_parameters", describe),
          maker.make<ListParameters>("list_parameters", list)};
}

}  // namespace rclcpp::detail

namespace rclcpp {

ParameterService::ParameterService(std::shared_ptr<node_interfaces::NodeBaseInterface> /*base*/,
                                   std::shared_ptr<node_interfaces::NodeServicesInterface> services,
                                   node_interfaces::NodeParametersInterface * parameters, const QoS & qos)
    : parameters_(parameters, [](node_interfaces::NodeParametersInterface *) {}),
      services_(detail::make_parameter_services(services, parameters_, qos)) {}

ParameterService::ParameterService(std::shared_ptr<node_interfaces::NodeBaseInterface> base,
                                   std::shared_ptr<node_interfaces::NodeServicesInterface> services,
                                   node_interfaces::NodeParametersInterface * parameters, const rmw_qos_profile_t & qos)
    : ParameterService(std::move(base), std::move(services), parameters, QoS(QoSInitialization::from_rmw(qos), qos)) {}

}  // namespace rclcpp
