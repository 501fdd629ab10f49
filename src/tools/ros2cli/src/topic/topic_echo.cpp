// `ros2 topic echo`: messages as text.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "command/qos_options.hpp"
#include "command/text_options.hpp"
#include "command/verbs.hpp"
#include "graph/watch.hpp"
#include "installed/ament_index.hpp"
#include "messages/message_types.hpp"
#include "tandem/cdr.hpp"
#include "tandem/introspection.hpp"
#include "tandem/measure/clock.hpp"
#include "terminal/errors.hpp"
#include "terminal/interrupt.hpp"
#include "terminal/output.hpp"
#include "terminal/python_text.hpp"

namespace ros2cli {
namespace {

struct EchoOptions {
  SessionOptions session;
  QosOptions qos;
  std::string topic;
  std::string type;
  std::string field;
  std::string filter;
  std::string node_name;
  TextOptions text;
  double timeout = 0;
  bool raw = false;
  bool once = false;
  bool no_lost_messages = false;
  bool message_info = false;
  bool clear = false;
};

void declare(Commands & commands, CLI::App & app, EchoOptions & options) {
  declare_session(app, options.session);
  commands.complete(app.add_option("topic_name", options.topic, "Name of the topic, such as /chatter")->required(),
                    topic_names);
  commands.complete(app.add_option("message_type", options.type, "Its type, for a topic that nobody has yet"),
                    [](const std::vector<std::string> &) { return all_interfaces("msg"); });
  declare_text(app, options.text, "message");
  app.add_option("--field", options.field, "Print this field only, such as pose.position or points[0].x");
  app.add_flag("--raw", options.raw, "Print the message's bytes as they would be on the wire");
  app.add_flag("-i,--include-message-info", options.message_info, "Print times and sequence numbers too");
  app.add_flag("-c,--clear", options.clear, "Clear the screen before each message");
  app.add_flag("--no-lost-messages", options.no_lost_messages, "Do not report messages that were lost");
  app.add_flag("--once", options.once, "Print one message and end");
  app.add_option("--timeout", options.timeout, "End after N seconds")->type_name("N")->check(positive_number());
  app.add_option("--filter", options.filter, "Not supported: a Python expression");
  app.add_option("-n,--node-name", options.node_name, "Name of the node that listens");
  declare_qos(commands, app, options.qos, "sensor_data");
}

/// What all publishers offer, so that it reaches every one of them.
transport::Qos adapted(const std::vector<transport::EndpointInfo> & publishers, transport::Qos qos) {
  if (publishers.empty()) {
    return qos;
  }
  const auto count = static_cast<std::ptrdiff_t>(publishers.size());
  const auto reliable = std::count_if(publishers.begin(), publishers.end(), [](const auto & publisher) {
    return publisher.qos.reliability == transport::Reliability::kReliable;
  });
  const auto lasting = std::count_if(publishers.begin(), publishers.end(), [](const auto & publisher) {
    return publisher.qos.durability == transport::Durability::kTransientLocal;
  });
  if (reliable != 0 && reliable != count) {
    print(
        "Some, but not all, publishers are offering QoSReliabilityPolicy.RELIABLE. Falling back to "
        "QoSReliabilityPolicy.BEST_EFFORT as it will connect to all publishers\n");
  }
  if (lasting != 0 && lasting != count) {
    print(
        "Some, but not all, publishers are offering QoSDurabilityPolicy.TRANSIENT_LOCAL. Falling back to "
        "QoSDurabilityPolicy.VOLATILE as it will connect to all publishers\n");
  }
  qos.reliability = reliable == count ? transport::Reliability::kReliable : transport::Reliability::kBestEffort;
  qos.durability = lasting == count ? transport::Durability::kTransientLocal : transport::Durability::kVolatile;
  // Late, but complete: the whole history is wanted.
  for (const transport::EndpointInfo & publisher : publishers) {
    if (lasting == count) {
      const bool keeps_all = publisher.qos.history == transport::History::kKeepAll;
      qos.depth = std::max<std::uint32_t>(qos.depth, keeps_all ? 1000 : publisher.qos.depth);
    }
  }
  return qos;
}

transport::Qos choose_qos(const Session & session, const std::string & topic, const EchoOptions & options,
                          const tandem::MessageType & type) {
  transport::Qos qos = to_qos(options.qos);
  if (options.qos.has_overrides()) {
    return qos;
  }
  qos.depth = std::max(qos.depth, watching_depth(type));
  return adapted(topics_of(session.graph(), true)[topic].publishers, qos);
}

const tandem::MessageType & choose_type(const Session & session, const std::string & topic,
                                        const EchoOptions & options) {
  const auto endpoint = find_endpoint(session, topic);
  if (endpoint && (options.type.empty() || options.type == endpoint->type_name)) {
    return installed_type(*endpoint);
  }
  if (!options.type.empty()) {
    return sent_type(options.type);
  }
  fmt::print(stderr, "WARNING: topic [{}] does not appear to be published yet\n", topic);
  const auto names = names_of(topics_of(session.graph(), false));
  throw CommandError(
      "Could not determine the type for the passed topic: name the type behind it, as in 'ros2 topic echo " + topic +
      " std_msgs/msg/String', to wait for it" + (names.empty() ? "" : "\nThese topics exist: " + listing(names)));
}

/// The message as it is to be printed, with what separates it from the next.
std::string text_of(const EchoOptions & options, const tandem::MessageType & type, const void * message) {
  const auto value = tandem::find_value(type, message, options.field);
  if (!value) {
    throw CommandError("Invalid field '" + options.field + "': " + value.error());
  }
  if (options.raw) {
    return python_bytes(tandem::serialize(type, message)) + "\n---\n";
  }
  return to_text(options.text, *value);
}

std::string info_text(const EchoOptions & options, const transport::MessageInfo & info, std::uint64_t received) {
  const std::int64_t arrived = info.received_timestamp != 0 ? info.received_timestamp : tandem::measure::wall_ns();
  if (options.text.csv) {
    return fmt::format("{},{},{},{},", info.source_timestamp, arrived, info.sequence, received);
  }
  return fmt::format(
      "publication_sequence_number: {}\nreceived_timestamp: {}\nreception_sequence_number: {}\nsource_timestamp: "
      "{}\n---\n",
      info.sequence, arrived, received, info.source_timestamp);
}

class Echo {
 public:
  Echo(const EchoOptions & options, const tandem::MessageType & type, transport::Subscription & subscription)
      : options_(options), type_(type), subscription_(subscription) {}

  /// Prints one message if there is one.
  bool next() {
    report_lost();
    const transport::Sample sample = subscription_.take();
    if (!sample) {
      return false;
    }
    std::string text = options_.clear ? "\x1b[H\x1b[2J\n" : "";
    if (options_.message_info) {
      text += info_text(options_, sample.info, received_);
    }
    ++received_;
    print(text + text_of(options_, type_, sample.message));
    return true;
  }

  std::uint64_t received() const { return received_; }

 private:
  void report_lost() {
    const std::uint64_t lost = subscription_.lost();
    if (lost != lost_ && !options_.no_lost_messages) {
      print(fmt::format("A message was lost!!!\n\ttotal count change:{}\n\ttotal count: {}---\n", lost - lost_, lost));
    }
    lost_ = lost;
  }

  const EchoOptions & options_;
  const tandem::MessageType & type_;
  transport::Subscription & subscription_;
  std::uint64_t received_ = 0;
  std::uint64_t lost_ = 0;
};

int spin(const EchoOptions & options, Echo & echo, transport::WaitSet & wait_set) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::nanoseconds kLookAtOutput = std::chrono::seconds(1);
  const auto end = options.timeout > 0
                       ? Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                            std::chrono::duration<double>(std::min(options.timeout, 1e9)))
                       : Clock::time_point::max();
  while (!is_interrupted() && !is_output_closed() && Clock::now() < end) {
    if (!echo.next()) {
      wait_set.wait(std::clamp<std::chrono::nanoseconds>(end - Clock::now(), {}, kLookAtOutput));
    } else if (options.once) {
      return 0;
    }
  }
  if (options.once && !is_interrupted() && !is_output_closed()) {
    fmt::print(stderr, "ros2: no message came within {} s\n", options.timeout);
    return 1;
  }
  return options.once && is_interrupted() ? 130 : 0;
}

int echo(EchoOptions & options) {
  if (!options.filter.empty()) {
    throw CommandError("--filter is a Python expression, and this command has no Python: leave it out");
  }
  Session session(options.session);
  const std::string topic = topic_name(options.topic);
  const tandem::MessageType & type = choose_type(session, topic, options);
  if (!options.field.empty()) {
    Message example(type);  // a wrong name is told at once, an index only when a message has come
    const std::string beginning = options.field.substr(0, options.field.find('['));
    if (const auto value = tandem::find_value(type, example.get(), beginning); !value) {
      throw CommandError("Invalid field '" + options.field + "': " + value.error());
    }
  }
  const transport::Qos qos = choose_qos(session, topic, options, type);
  const auto wait_set = session.context().create_wait_set();
  watch_for_interrupt(wait_set);
  const auto subscription = watch(session, type, {session.announce(options.node_name), topic, qos});
  wait_set->attach(subscription);
  Echo printer(options, type, *subscription);
  return spin(options, printer, *wait_set);
}

}  // namespace

void add_topic_echo(Commands & commands, CLI::App & topic) {
  commands.verb<EchoOptions>(topic, "echo", "Print the messages of a topic", declare, echo);
}

}  // namespace ros2cli
