// `ros2 topic bw`: how many bytes a second a topic carries.
//
// A message's size is what it would be on the wire, as for ROS 2; none is serialized for it. As `hz`, it never makes a
// publisher wake this process.
#include <fmt/format.h>

#include <chrono>
#include <deque>

#include "command/verbs.hpp"
#include "graph/watch.hpp"
#include "messages/message_types.hpp"
#include "tandem/cdr.hpp"
#include "tandem/measure/clock.hpp"
#include "tandem/measure/statistics.hpp"
#include "terminal/interrupt.hpp"
#include "terminal/json.hpp"
#include "terminal/output.hpp"
#include "topic/figures.hpp"

namespace ros2cli {
namespace {

void declare_bw(Commands & commands, CLI::App & app, FigureOptions & options) {
  declare_figures(commands, app, options, 100);
}

struct Flow {
  std::deque<std::int64_t> times;
  std::deque<double> sizes;
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
};

void add(Flow & flow, std::size_t size, std::int64_t time, std::size_t window) {
  ++flow.messages;
  flow.bytes += size;
  flow.times.push_back(time);
  flow.sizes.push_back(static_cast<double>(size));
  if (flow.times.size() > window) {
    flow.times.pop_front();
    flow.sizes.pop_front();
  }
}

std::string readable(double bytes, double unit_of) {
  if (unit_of < 1e3) {
    return fmt::format("{:.0f} B", bytes);
  }
  return unit_of < 1e6 ? fmt::format("{:.2f} KB", bytes / 1e3) : fmt::format("{:.2f} MB", bytes / 1e6);
}

void print_flow(const Flow & flow, const FigureOptions & options) {
  const std::int64_t time = flow.times.size() < 2 ? 0 : tandem::measure::wall_ns() - flow.times.front();
  if (time <= 0) {
    return;
  }
  const tandem::measure::Statistics sizes = tandem::measure::statistics_of(flow.sizes);
  const double rate = sizes.mean * static_cast<double>(sizes.n) / (static_cast<double>(time) * 1e-9);
  if (options.json) {
    print_json({{"topic", topic_name(options.topic)},
                {"bytes_per_second", rate},
                {"window", sizes.n},
                {"mean", sizes.mean},
                {"min", sizes.min},
                {"max", sizes.max},
                {"messages", flow.messages},
                {"bytes", flow.bytes}});
    return;
  }
  print(fmt::format("{}/s from {} messages\n\tMessage size mean: {} min: {} max: {}\n", readable(rate, rate), sizes.n,
                    readable(sizes.mean, rate), readable(sizes.min, rate), readable(sizes.max, rate)));
}

int bw(FigureOptions & options) {
  watch_for_interrupt();
  Session session(options.session);
  const std::string topic = topic_name(options.topic);
  const auto endpoint = await_endpoint(session, topic);
  if (!endpoint) {
    return 0;
  }
  const tandem::MessageType & type = session.is_shared_memory() ? countable_type(*endpoint) : installed_type(*endpoint);
  if (is_opaque(type)) {
    fmt::print(
        stderr,
        "WARNING: {} is not installed here: counted is the size of the message itself, without what its sequences "
        "and strings hold\n",
        type.name);
  }
  const auto subscription = watch(session, type, {session.announce(), topic, watching_qos(type)});
  if (!options.json) {
    print(fmt::format("Subscribed to [{}]\n", topic));
  }
  Flow flow;
  EverySecond every_second;
  while (sleep_for(kFigureLook)) {
    take_all(*subscription, [&](const transport::Sample & sample) {
      const std::size_t size = is_opaque(type) ? sample.size : tandem::serialized_size(type, sample.message);
      add(flow, size, time_of(sample.info), options.window);
    });
    if (every_second.is_due()) {
      print_flow(flow, options);
    }
  }
  return 0;
}

}  // namespace

void add_topic_bw(Commands & commands, CLI::App & topic) {
  commands.verb<FigureOptions>(topic, "bw", "Show how many bytes a second a topic carries", declare_bw, bw);
}

}  // namespace ros2cli
