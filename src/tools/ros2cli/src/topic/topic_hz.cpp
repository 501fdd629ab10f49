// `ros2 topic hz`: how often messages come.
//
// Counting must not cost the publishers anything. The subscription is therefore not waited on (a publisher would have to
// wake this process for each message) but looked at 100 times a second; the intervals are those between the times that
// the messages themselves carry.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>

#include "command/verbs.hpp"
#include "graph/watch.hpp"
#include "messages/message_types.hpp"
#include "terminal/errors.hpp"
#include "terminal/interrupt.hpp"
#include "terminal/json.hpp"
#include "terminal/output.hpp"
#include "topic/figures.hpp"
#include "topic/times.hpp"

namespace ros2cli {
namespace {

struct HzOptions {
  SessionOptions session;
  std::vector<std::string> topics;
  std::size_t window = 10000;
  std::string filter;
  bool wall_time = false;
  bool json = false;
};

struct Counter {
  std::string topic;
  std::shared_ptr<transport::Subscription> subscription;
  Times times;
  std::uint64_t messages = 0;
  std::int64_t last_printed = 0;
  std::uint64_t lost_told = 0;
};

void declare(Commands & commands, CLI::App & app, HzOptions & options) {
  declare_session(app, options.session);
  commands.complete(app.add_option("topic_name", options.topics, "Names of topics, such as /chatter")->required(),
                    topic_names);
  app.add_option("-w,--window", options.window, "Intervals over which the figures are taken")
      ->capture_default_str()
      ->check(positive_number());
  app.add_option("--filter", options.filter, "Not supported: a Python expression");
  app.add_flag("--wall-time", options.wall_time, "Accepted for compatibility: it is always wall time");
  app.add_flag("--json", options.json, "Print JSON: one object a second and topic, with all messages so far");
}

void count(Counter & counter, const transport::Sample & sample) {
  ++counter.messages;
  if (!counter.times.add(time_of(sample.info))) {
    fmt::print(stderr, "time has reset, resetting counters\n");
  }
}

/// One row of figures for a topic that has new messages.
struct Row {
  const Counter * counter;
  tandem::measure::Statistics intervals;
  double rate() const { return intervals.mean > 0 ? 1 / intervals.mean : 0; }
};

std::vector<Row> rows_of(std::vector<Counter> & counters) {
  std::vector<Row> rows;
  for (Counter & counter : counters) {
    const tandem::measure::Statistics intervals = counter.times.intervals();
    if (intervals.n != 0 && counter.times.last() != counter.last_printed) {
      counter.last_printed = counter.times.last();
      rows.push_back({&counter, intervals});
    }
    if (const std::uint64_t lost = counter.subscription->lost(); lost != counter.lost_told) {
      fmt::print(stderr, "WARNING: {} messages of [{}] were overwritten before they could be counted\n",
                 lost - counter.lost_told, counter.topic);
      counter.lost_told = lost;
    }
  }
  return rows;
}

void print_table(const std::vector<Row> & rows) {
  std::vector<std::vector<std::string>> columns = {{"topic"},     {"rate"},    {"min_delta"},
                                                   {"max_delta"}, {"std_dev"}, {"window"}};
  for (const Row & row : rows) {
    columns[0].push_back(row.counter->topic);
    columns[1].push_back(fmt::format("{:.3f}", row.rate()));
    columns[2].push_back(fmt::format("{:.3f}", row.intervals.min));
    columns[3].push_back(fmt::format("{:.3f}", row.intervals.max));
    columns[4].push_back(fmt::format("{:.5f}", row.intervals.deviation()));
    columns[5].push_back(fmt::format("{}", row.intervals.n));
  }
  std::vector<std::string> lines(rows.size() + 1);
  for (const auto & column : columns) {
    std::size_t width = 0;
    for (const std::string & cell : column) {
      width = std::max(width, cell.size());
    }
    for (std::size_t i = 0; i < column.size(); ++i) {
      const std::string gap = &column == &columns.front() ? "" : "   ";
      lines[i] += gap + (i == 0 ? fmt::format("{:^{}}", column[i], width) : fmt::format("{:<{}}", column[i], width));
    }
  }
  lines.insert(lines.begin() + 1, std::string(lines[0].size(), '='));
  print(fmt::format("{}\n\n", fmt::join(lines, "\n")));
}

void print_rows(const std::vector<Row> & rows, const HzOptions & options) {
  if (options.json) {
    for (const Row & row : rows) {
      print_json({{"topic", row.counter->topic},
                  {"rate", row.rate()},
                  {"min", row.intervals.min},
                  {"max", row.intervals.max},
                  {"std_dev", row.intervals.deviation()},
                  {"window", row.intervals.n},
                  {"messages", row.counter->messages},
                  {"lost", row.counter->subscription->lost()}});
    }
  } else if (options.topics.size() > 1 && !rows.empty()) {
    print_table(rows);
  } else if (!rows.empty()) {
    const tandem::measure::Statistics & figures = rows[0].intervals;
    print(fmt::format("average rate: {:.3f}\n\tmin: {:.3f}s max: {:.3f}s std dev: {:.5f}s window: {}\n", rows[0].rate(),
                      figures.min, figures.max, figures.deviation(), figures.n));
  }
}

/// Fewer than the topics when interrupted.
std::vector<Counter> subscribe(Session & session, const HzOptions & options) {
  const transport::NodeName node = session.announce();
  std::vector<Counter> counters;
  for (const std::string & typed : options.topics) {
    const std::string topic = topic_name(typed);
    const auto endpoint = await_endpoint(session, topic);
    if (!endpoint) {
      break;
    }
    const tandem::MessageType & type =
        session.is_shared_memory() ? countable_type(*endpoint) : installed_type(*endpoint);
    counters.push_back({topic, watch(session, type, {node, topic, watching_qos(type)}), Times(options.window)});
    if (options.topics.size() > 1 && !options.json) {
      print(fmt::format("Subscribed to [{}]\n", topic));
    }
  }
  return counters;
}

int hz(HzOptions & options) {
  if (!options.filter.empty()) {
    throw CommandError("--filter is a Python expression, and this command has no Python: leave it out");
  }
  watch_for_interrupt();
  Session session(options.session);
  std::vector<Counter> counters = subscribe(session, options);
  EverySecond every_second;
  while (sleep_for(kFigureLook)) {
    for (Counter & counter : counters) {
      take_all(*counter.subscription, [&](const auto & sample) { count(counter, sample); });
    }
    if (every_second.is_due()) {
      print_rows(rows_of(counters), options);
    }
  }
  return 0;
}

}  // namespace

void add_topic_hz(Commands & commands, CLI::App & topic) {
  commands.verb<HzOptions>(topic, "hz", "Show how often messages come", declare, hz);
}

}  // namespace ros2cli
