#include "rclcpp/parameter_client.hpp"

#include "rclcpp/detail/names.hpp"
#include "rclcpp/exceptions.hpp"

namespace rclcpp {
namespace {

using namespace rcl_interfaces::srv;  // NOLINT: the six of them
using rcl_interfaces::msg::ListParametersResult;
using rcl_interfaces::msg::SetParametersResult;

/// Sends a request. The future gets what `convert` makes of the response, then the callback is called with it.
template <class Result, class ServiceT, class Convert>
std::shared_future<Result> ask(Client<ServiceT> & client, std::shared_ptr<typename ServiceT::Request> request,
                               const std::function<void(std::shared_future<Result>)> & callback, Convert convert) {
  auto promise = std::make_shared<std::promise<Result>>();
  std::shared_future<Result> future(promise->get_future());
  client.async_send_request(std::move(request),
                            [promise, future, callback, convert](typename Client<ServiceT>::SharedFuture response) {
                              promise->set_value(convert(*response.get()));
                              if (callback) callback(future);
                            });
  return future;
}

template <class Names>
void assign(Names & to, const std::vector<std::string> & from) {
  to.assign(from.begin(), from.end());
}

template <class Request>
std::shared_ptr<Request> set_request(const std::vector<Parameter> & parameters) {
  auto request = std::make_shared<Request>();
  for (const Parameter & parameter : parameters) request->parameters.push_back(parameter.to_parameter_msg());
  return request;
}

std::string full_name(const node_interfaces::NodeBaseInterface & node, const std::string & remote) {
  if (remote.empty()) return node.get_fully_qualified_name();
  return detail::expand_name(remote, detail::NodePath{node.get_namespace(), node.get_name()}, true);
}

}  // namespace

/// Of the six services.
struct AsyncParametersClient::Clients {
  template <class ServiceT>
  using Ptr = typename Client<ServiceT>::SharedPtr;

  Ptr<GetParameters> get;
  Ptr<GetParameterTypes> get_types;
  Ptr<SetParameters> set;
  Ptr<SetParametersAtomically> set_atomically;
  Ptr<ListParameters> list;
  Ptr<DescribeParameters> describe;
};

AsyncParametersClient::AsyncParametersClient(const NodeBase::SharedPtr & node_base,  // NOLINT: the parameters of rclcpp
                                             const node_interfaces::NodeTopicsInterface::SharedPtr & node_topics,
                                             const node_interfaces::NodeGraphInterface::SharedPtr &,
                                             const node_interfaces::NodeServicesInterface::SharedPtr & node_services,
                                             const std::string & remote_node_name, const QoS & qos,
                                             CallbackGroup::SharedPtr group)
    : remote_node_name_(full_name(*node_base, remote_node_name)),
      topics_(node_topics),
      clients_(std::make_shared<Clients>(Clients{
          create_client<GetParameters>(node_services, remote_node_name_ + "/get_parameters", qos, group),
          create_client<GetParameterTypes>(node_services, remote_node_name_ + "/get_parameter_types", qos, group),
          create_client<SetParameters>(node_services, remote_node_name_ + "/set_parameters", qos, group),
          create_client<SetParametersAtomically>(node_services, remote_node_name_ + "/set_parameters_atomically", qos,
                                                 group),
          create_client<ListParameters>(node_services, remote_node_name_ + "/list_parameters", qos, group),
          create_client<DescribeParameters>(node_services, remote_node_name_ + "/describe_parameters", qos, group)})) {}

std::shared_future<std::vector<Parameter>> AsyncParametersClient::get_parameters(
    const std::vector<std::string> & names, Callback<std::vector<Parameter>> callback) {
  auto request = std::make_shared<GetParameters::Request>();
  assign(request->names, names);
  return ask(*clients_->get, std::move(request), callback, [names](const GetParameters::Response & response) {
    std::vector<Parameter> parameters;
    for (size_t i = 0; i < std::min(names.size(), response.values.size()); ++i) {
      parameters.emplace_back(names[i], ParameterValue(response.values[i]));
    }
    return parameters;
  });
}

std::shared_future<AsyncParametersClient::Descriptors> AsyncParametersClient::describe_parameters(
    const std::vector<std::string> & names, Callback<Descriptors> callback) {
  auto request = std::make_shared<DescribeParameters::Request>();
  assign(request->names, names);
  return ask(*clients_->describe, std::move(request), callback, [](const DescribeParameters::Response & response) {
    return Descriptors(response.descriptors.begin(), response.descriptors.end());
  });
}

std::shared_future<std::vector<ParameterType>> AsyncParametersClient::get_parameter_types(
    const std::vector<std::string> & names, Callback<std::vector<ParameterType>> callback) {
  auto request = std::make_shared<GetParameterTypes::Request>();
  assign(request->names, names);
  return ask(*clients_->get_types, std::move(request), callback, [](const GetParameterTypes::Response & response) {
    std::vector<ParameterType> types;
    for (const auto type : response.types) types.push_back(static_cast<ParameterType>(type));
    return types;
  });
}

std::shared_future<AsyncParametersClient::Results> AsyncParametersClient::set_parameters(
    const std::vector<Parameter> & parameters, Callback<Results> callback) {
  return ask(*clients_->set, set_request<SetParameters::Request>(parameters), callback,
             [](const SetParameters::Response & response) {
               return Results(response.results.begin(), response.results.end());
             });
}

std::shared_future<SetParametersResult> AsyncParametersClient::set_parameters_atomically(
    const std::vector<Parameter> & parameters, Callback<SetParametersResult> callback) {
  return ask(*clients_->set_atomically, set_request<SetParametersAtomically::Request>(parameters), callback,
             [](const SetParametersAtomically::Response & response) { return response.result; });
}

std::shared_future<AsyncParametersClient::Results> AsyncParametersClient::delete_parameters(
    const std::vector<std::string> & parameters_names) {
  std::vector<Parameter> parameters;
  for (const std::string & name : parameters_names) parameters.emplace_back(name);
  return set_parameters(parameters);
}

std::shared_future<AsyncParametersClient::Results> AsyncParametersClient::load_parameters(
    const std::string & yaml_filename) {
  return load_parameters(parameter_map_from_yaml_file(yaml_filename, remote_node_name_.c_str()));
}

std::shared_future<AsyncParametersClient::Results> AsyncParametersClient::load_parameters(
    const ParameterMap & parameter_map) {
  const auto parameters = parameters_from_map(parameter_map, remote_node_name_.c_str());
  if (parameters.empty()) {
    throw exceptions::InvalidParametersException("none of the parameters to load is for the node '" +
                                                 remote_node_name_ + "'");
  }
  return set_parameters(parameters);
}

std::shared_future<ListParametersResult> AsyncParametersClient::list_parameters(
    const std::vector<std::string> & prefixes, uint64_t depth, Callback<ListParametersResult> callback) {
  auto request = std::make_shared<ListParameters::Request>();
  assign(request->prefixes, prefixes);
  request->depth = depth;
  return ask(*clients_->list, std::move(request), callback,
             [](const ListParameters::Response & response) { return response.result; });
}

bool AsyncParametersClient::service_is_ready() const {
  return clients_->get->service_is_ready() && clients_->get_types->service_is_ready() &&
         clients_->set->service_is_ready() && clients_->set_atomically->service_is_ready() &&
         clients_->list->service_is_ready() && clients_->describe->service_is_ready();
}

bool AsyncParametersClient::wait_for_service_nanoseconds(std::chrono::nanoseconds timeout) {
  using Steady = std::chrono::steady_clock;
  const auto begin = Steady::now();
  for (ClientBase * client : std::initializer_list<ClientBase *>{clients_->get.get(), clients_->get_types.get(),
                                                                 clients_->set.get(), clients_->set_atomically.get(),
                                                                 clients_->list.get(), clients_->describe.get()}) {
    const auto left = timeout.count() < 0 ? timeout : std::max(timeout - (Steady::now() - begin), timeout * 0);
    if (!client->wait_for_service(left)) return false;
  }
  return true;
}

SyncParametersClient::SyncParametersClient(const Executor::SharedPtr & executor,  // NOLINT: the parameters of rclcpp
                                           const NodeBase::SharedPtr & node_base,
                                           const node_interfaces::NodeTopicsInterface::SharedPtr & node_topics,
                                           const node_interfaces::NodeGraphInterface::SharedPtr & node_graph,
                                           const node_interfaces::NodeServicesInterface::SharedPtr & node_services,
                                           const std::string & remote_node_name, const QoS & qos)
    : executor_(executor),
      node_(node_base),
      client_(node_base, node_topics, node_graph, node_services, remote_node_name, qos) {}

/// Empty when the time is over.
template <class T>
T SyncParametersClient::answer(std::shared_future<T> future, Nanoseconds timeout) {
  const auto code = executors::spin_node_until_future_complete(*executor_, node_, future, timeout);
  return code == FutureReturnCode::SUCCESS ? future.get() : T();
}

std::vector<Parameter> SyncParametersClient::get_parameters(const std::vector<std::string> & names,
                                                            Nanoseconds timeout) {
  return answer(client_.get_parameters(names), timeout);
}

bool SyncParametersClient::has_parameter(const std::string & parameter_name) {
  const auto listed = list_parameters({parameter_name}, 1);
  return std::find(listed.names.begin(), listed.names.end(), parameter_name.c_str()) != listed.names.end();
}

AsyncParametersClient::Descriptors SyncParametersClient::describe_parameters(
    const std::vector<std::string> & parameter_names, Nanoseconds timeout) {
  return answer(client_.describe_parameters(parameter_names), timeout);
}

std::vector<ParameterType> SyncParametersClient::get_parameter_types(const std::vector<std::string> & parameter_names,
                                                                     Nanoseconds timeout) {
  return answer(client_.get_parameter_types(parameter_names), timeout);
}

SyncParametersClient::Results SyncParametersClient::set_parameters(const std::vector<Parameter> & parameters,
                                                                   Nanoseconds timeout) {
  return answer(client_.set_parameters(parameters), timeout);
}

SetParametersResult SyncParametersClient::set_parameters_atomically(const std::vector<Parameter> & parameters,
                                                                    Nanoseconds timeout) {
  return answer(client_.set_parameters_atomically(parameters), timeout);
}

SyncParametersClient::Results SyncParametersClient::delete_parameters(const std::vector<std::string> & parameters_names,
                                                                      Nanoseconds timeout) {
  return answer(client_.delete_parameters(parameters_names), timeout);
}

SyncParametersClient::Results SyncParametersClient::load_parameters(const std::string & yaml_filename,
                                                                    Nanoseconds timeout) {
  return answer(client_.load_parameters(yaml_filename), timeout);
}

ListParametersResult SyncParametersClient::list_parameters(const std::vector<std::string> & parameter_prefixes,
                                                           uint64_t depth, Nanoseconds timeout) {
  return answer(client_.list_parameters(parameter_prefixes, depth), timeout);
}

}  // namespace rclcpp
