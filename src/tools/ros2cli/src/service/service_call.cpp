// `ros2 service call`: sends a request given as YAML, and prints the response.
#include <fmt/format.h>

#include <chrono>
#include <optional>

#include "command/qos_options.hpp"
#include "command/verbs.hpp"
#include "graph/graph.hpp"
#include "installed/ament_index.hpp"
#include "messages/message_values.hpp"
#include "tandem/service.hpp"
#include "terminal/errors.hpp"
#include "terminal/interrupt.hpp"
#include "terminal/output.hpp"
#include "terminal/python_text.hpp"

namespace ros2cli {
namespace {

constexpr std::chrono::milliseconds kLook{20};
constexpr int kInterrupted = 130;

struct CallOptions {
  SessionOptions session;
  QosOptions qos;
  std::string service;
  std::string type;
  ValuesOptions values;
  double rate = 0;  ///< calls a second; 0: one call
};

std::vector<std::string> types_of(const std::vector<std::string> & before) {
  const auto services = services_of(Session().graph(), true);
  const auto service = services.find(service_name(before.at(0)));
  return service != services.end()
             ? std::vector<std::string>(service->second.types.begin(), service->second.types.end())
             : all_interfaces("srv");
}

void declare(Commands & commands, CLI::App & app, CallOptions & options) {
  declare_session(app, options.session);
  commands.complete(
      app.add_option("service_name", options.service, "Name of the service, such as /add_two_ints")->required(),
      service_names);
  commands.complete(app.add_option("service_type", options.type, "Its type, such as std_srvs/srv/SetBool")->required(),
                    types_of);
  declare_values(commands, app, options.values, "request");
  app.add_option("-r,--rate", options.rate, "Call again and again, so many times a second")->check(positive_number());
  declare_qos(commands, app, options.qos, "services_default");
}

/// False when interrupted.
bool wait_for_server(const transport::ServiceClient & client) {
  if (client.is_ready()) {
    return true;
  }
  print("waiting for service to become available...\n");
  while (!client.is_ready()) {
    if (!sleep_for(kLook)) {
      return false;
    }
  }
  return true;
}

/// The reply to this request; nothing when interrupted. What answers an earlier one is dropped.
transport::Sample wait_for_reply(transport::WaitSet & wait_set, transport::Subscription & replies,
                                 std::int64_t sequence) {
  while (!is_interrupted() && !is_output_closed()) {
    transport::Sample reply = replies.take();
    if (!reply) {
      wait_set.wait(std::chrono::seconds(1));
    } else if (reply.info.request.sequence == sequence) {
      return reply;
    }
  }
  return {};
}

/// Sends one request and prints it with its response. False when interrupted.
bool call_once(transport::ServiceClient & client, transport::WaitSet & wait_set, FilledMessage & request,
               const tandem::ServiceType & type) {
  const void * content = request.renewed();
  print(fmt::format("requester: making request: {}\n\n", request.text()));
  std::int64_t sequence = 0;
  if (const auto result = client.send(content, sequence); result != transport::PublishResult::kOk) {
    throw CommandError(fmt::format("cannot send the request: {}", transport::to_string(result)));
  }
  const transport::Sample reply = wait_for_reply(wait_set, *client.replies(), sequence);
  if (reply) {
    print(fmt::format("response:\n{}\n\n", python_text(tandem::value_of(*type.response, reply.message))));
  }
  return static_cast<bool>(reply);
}

/// One call or, with a rate, calls until Ctrl-C.
int call_all(transport::ServiceClient & client, transport::WaitSet & wait_set, const CallOptions & options,
             FilledMessage & request, const tandem::ServiceType & type) {
  using Clock = std::chrono::steady_clock;
  for (;;) {
    const auto begin = Clock::now();
    if (!call_once(client, wait_set, request, type)) {
      break;
    }
    if (options.rate == 0) {
      return 0;
    }
    const auto period = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(1 / options.rate));
    if (!sleep_for(begin + period - Clock::now())) {
      break;
    }
  }
  return options.rate == 0 && is_interrupted() ? kInterrupted : 0;
}

int call(CallOptions & options) {
  const tandem::ServiceType & type = service_type(options.type);
  FilledMessage request(*type.request, text_of(options.values));
  Session session(options.session);
  transport::ServiceOptions service;
  service.service = service_name(options.service);
  service.qos = to_qos(options.qos);
  const auto wait_set = session.context().create_wait_set();
  watch_for_interrupt(wait_set);
  service.node = session.announce();
  transport::ServiceClient client(session.context(), type, service);
  wait_set->attach(client.replies());
  if (!wait_for_server(client)) {
    return is_interrupted() ? kInterrupted : 0;
  }
  return call_all(client, *wait_set, options, request, type);
}

}  // namespace

void add_service_call(Commands & commands, CLI::App & service) {
  commands.verb<CallOptions>(service, "call", "Call a service", declare, call);
}

}  // namespace ros2cli
