// `ros2 topic delay`: the age of messages on arrival, from the time stamp in their header.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <deque>

#include "command/verbs.hpp"
#include "graph/watch.hpp"
#include "messages/message_types.hpp"
#include "tandem/introspection.hpp"
#include "tandem/measure/statistics.hpp"
#include "terminal/errors.hpp"
#include "terminal/interrupt.hpp"
#include "terminal/json.hpp"
#include "terminal/output.hpp"
#include "topic/figures.hpp"

namespace ros2cli {
namespace {

void declare_delay(Commands & commands, CLI::App & app, FigureOptions & options) {
  declare_figures(commands, app, options, 10000);
}

void require_header(const tandem::MessageType & type) {
  const bool has_header = std::any_of(type.fields, type.fields + type.field_count, [](const tandem::Field & field) {
    return std::strcmp(field.name, "header") == 0 && field.kind == tandem::FieldKind::kMessage &&
           field.shape == tandem::FieldShape::kSingle && std::strcmp(field.message().name, "std_msgs/msg/Header") == 0;
  });
  if (!has_header) {
    throw CommandError(std::string("msg does not have header: ") + type.name +
                       " has no field 'header' of type std_msgs/msg/Header");
  }
}

/// Seconds from the stamp to now.
double delay_of(const tandem::MessageType & type, const void * message) {
  const std::int64_t arrived = tandem::measure::wall_ns();
  const auto seconds = tandem::find_value(type, message, "header.stamp.sec");
  const auto nanoseconds = tandem::find_value(type, message, "header.stamp.nanosec");
  if (!seconds || !nanoseconds) {
    throw CommandError(seconds ? nanoseconds.error() : seconds.error());
  }
  const std::int64_t stamp = tandem::as_int64(*seconds) * 1'000'000'000 + tandem::as_int64(*nanoseconds);
  return static_cast<double>(arrived - stamp) * 1e-9;
}

void print_delays(const std::deque<double> & delays, const FigureOptions & options, bool is_new) {
  if (!is_new) {
    print(options.json || delays.empty() ? "" : "no new messages\n");
    return;
  }
  const tandem::measure::Statistics figures = tandem::measure::statistics_of(delays);
  if (options.json) {
    print_json({{"topic", topic_name(options.topic)},
                {"delay", figures.mean},
                {"min", figures.min},
                {"max", figures.max},
                {"std_dev", figures.deviation()},
                {"window", figures.n}});
    return;
  }
  print(fmt::format("average delay: {:.3f}\n\tmin: {:.3f}s max: {:.3f}s std dev: {:.5f}s window: {}\n", figures.mean,
                    figures.min, figures.max, figures.deviation(), figures.n));
}

int delay(FigureOptions & options) {
  watch_for_interrupt();
  Session session(options.session);
  const std::string topic = topic_name(options.topic);
  const auto endpoint = await_endpoint(session, topic);
  if (!endpoint) {
    return 0;
  }
  const tandem::MessageType & type = installed_type(*endpoint);
  require_header(type);
  const auto subscription = watch(session, type, {session.announce(), topic, watching_qos(type)});
  const auto wait_set = session.context().create_wait_set();
  wait_set->attach(subscription);
  watch_for_interrupt(wait_set);
  std::deque<double> delays;
  bool is_new = false;
  EverySecond every_second;
  while (!is_interrupted() && !is_output_closed()) {
    wait_set->wait(every_second.left());
    take_all(*subscription, [&](const transport::Sample & sample) {
      is_new = true;
      delays.push_back(delay_of(type, sample.message));
      if (delays.size() > options.window) {
        delays.pop_front();
      }
    });
    if (every_second.is_due()) {
      print_delays(delays, options, std::exchange(is_new, false));
    }
  }
  return 0;
}

}  // namespace

void add_topic_delay(Commands & commands, CLI::App & topic) {
  commands.verb<FigureOptions>(topic, "delay", "Show how old messages are on arrival, by the stamp in their header",
                               declare_delay, delay);
}

}  // namespace ros2cli
