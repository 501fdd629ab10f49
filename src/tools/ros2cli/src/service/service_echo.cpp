// `ros2 service echo`: the calls of a service, as its ends tell of them.
#include <fmt/format.h>

#include <array>

#include "command/text_options.hpp"
#include "command/verbs.hpp"
#include "graph/graph.hpp"
#include "graph/watch.hpp"
#include "installed/ament_index.hpp"
#include "messages/message_types.hpp"
#include "tandem/introspection.hpp"
#include "terminal/errors.hpp"
#include "terminal/interrupt.hpp"
#include "terminal/output.hpp"

namespace ros2cli {
namespace {

struct EchoOptions {
  SessionOptions session;
  std::string service;
  std::string type;
  TextOptions text;
};

void declare(Commands & commands, CLI::App & app, EchoOptions & options) {
  declare_session(app, options.session);
  commands.complete(
      app.add_option("service_name", options.service, "Name of the service, such as /add_two_ints")->required(),
      service_names);
  commands.complete(app.add_option("service_type", options.type, "Its type, for a service that nobody has yet"),
                    [](const std::vector<std::string> &) { return all_interfaces("srv"); });
  declare_text(app, options.text, "event");
}

const tandem::MessageType & event_type(const Session & session, const std::string & service,
                                       const EchoOptions & options) {
  std::string name = options.type;
  if (name.empty()) {
    const auto services = services_of(session.graph(), true);
    const auto found = services.find(service);
    if (found == services.end() || found->second.types.empty()) {
      throw unknown("service", service, names_of(services));
    }
    name = *found->second.types.begin();
  }
  const tandem::ServiceType & type = service_type(name);
  if (type.event == nullptr) {
    throw CommandError(std::string("the service type ") + type.name + " has no events: build its package anew");
  }
  return *type.event;
}

/// The event as text; of its kind the name.
std::string text_of(const EchoOptions & options, const tandem::MessageType & type, const void * event) {
  std::string text = to_text(options.text, tandem::value_of(type, event));
  if (options.text.csv) {
    return text;
  }
  constexpr std::array kKinds = {"REQUEST_SENT", "REQUEST_RECEIVED", "RESPONSE_SENT", "RESPONSE_RECEIVED"};
  const auto kind = tandem::find_value(type, event, "info.event_type");
  const std::uint64_t number = kind ? tandem::as_uint64(*kind) : kKinds.size();
  const std::string field = fmt::format("event_type: {}", number);
  if (const std::size_t at = text.find(field); number < kKinds.size() && at != std::string::npos) {
    text.replace(at, field.size(), std::string("event_type: ") + kKinds[number]);
  }
  return text;
}

int echo(EchoOptions & options) {
  Session session(options.session);
  const std::string service = service_name(options.service);
  const tandem::MessageType & type = event_type(session, service, options);
  const auto wait_set = session.context().create_wait_set();
  watch_for_interrupt(wait_set);
  const std::string topic = service + "/_service_event";
  const auto subscription = watch(session, type, {session.announce(""), topic, watching_qos(type)});
  wait_set->attach(subscription);
  if (topics_of(session.graph(), true)[topic].publishers.empty()) {
    print(
        fmt::format("No publishers on topic '{}'; is service introspection on the client or server enabled?\n", topic));
  }
  while (!is_interrupted() && !is_output_closed()) {
    take_all(*subscription, [&](const transport::Sample & sample) { print(text_of(options, type, sample.message)); });
    wait_set->wait(std::chrono::seconds(1));
  }
  return 0;
}

}  // namespace

void add_service_echo(Commands & commands, CLI::App & service) {
  commands.verb<EchoOptions>(service, "echo", "Print the calls of a service whose ends tell of them", declare, echo);
}

}  // namespace ros2cli
