// `ros2 topic pub`: publishes a message given as YAML.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "command/qos_options.hpp"
#include "command/verbs.hpp"
#include "graph/watch.hpp"
#include "installed/ament_index.hpp"
#include "messages/message_values.hpp"
#include "terminal/errors.hpp"
#include "terminal/interrupt.hpp"
#include "terminal/output.hpp"

namespace ros2cli {
namespace {

constexpr std::chrono::milliseconds kLookForSubscriptions{100};

struct PubOptions {
  SessionOptions session;
  QosOptions qos;
  std::string topic;
  std::string type;
  ValuesOptions values;
  double rate = 1;
  std::int64_t print_every = 1;
  bool once = false;
  std::uint64_t times = 0;
  std::int64_t wait = -1;
  double max_wait = 0;
  double keep_alive = 0.1;
  std::string node_name;
};

std::vector<std::string> types_of(const std::vector<std::string> & before) {
  const auto topics = topics_of(Session().graph(), true);
  const auto topic = topics.find(topic_name(before.at(0)));
  return topic != topics.end() ? std::vector<std::string>(topic->second.types.begin(), topic->second.types.end())
                               : all_interfaces("msg");
}

void declare_message(Commands & commands, CLI::App & app, PubOptions & options) {
  commands.complete(app.add_option("topic_name", options.topic, "Name of the topic, such as /chatter")->required(),
                    topic_names);
  commands.complete(app.add_option("message_type", options.type, "Its type, such as std_msgs/msg/String")->required(),
                    types_of);
  declare_values(commands, app, options.values, "message");
}

void declare(Commands & commands, CLI::App & app, PubOptions & options) {
  declare_session(app, options.session);
  declare_message(commands, app, options);
  app.add_option("-r,--rate", options.rate, "Messages a second")->capture_default_str()->check(positive_number());
  app.add_option("-p,--print", options.print_every, "Print every N-th message only; 0: none")
      ->capture_default_str()
      ->type_name("N");
  CLI::Option * once = app.add_flag("-1,--once", options.once, "Publish one message and end");
  app.add_option("-t,--times", options.times, "Publish this many messages and end")->excludes(once);
  app.add_option("-w,--wait-matching-subscriptions", options.wait,
                 "Wait for this many subscriptions first. Default: 1 with --once or --times, else 0")
      ->check(non_negative_number());
  app.add_option("--max-wait-time-secs", options.max_wait, "Give up after so many seconds of waiting for them")
      ->check(positive_number());
  app.add_option("--keep-alive", options.keep_alive, "Seconds to stay after the last message")
      ->capture_default_str()
      ->check(non_negative_number());
  app.add_option("-n,--node-name", options.node_name, "Name of the node that publishes");
  declare_qos(commands, app, options.qos, "default");
}

/// False when interrupted. \throws CommandError when it took too long.
bool wait_for_subscriptions(const transport::Publisher & publisher, const PubOptions & options, std::uint64_t wanted) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  auto next_line = begin;
  while (publisher.subscription_count() < wanted) {
    const auto now = Clock::now();
    if (options.max_wait > 0 && std::chrono::duration<double>(now - begin).count() >= options.max_wait) {
      throw CommandError(fmt::format("Timed out waiting for subscribers: Expected {} subscribers but only got {}",
                                     wanted, publisher.subscription_count()));
    }
    if (now >= next_line) {
      print(fmt::format("Waiting for at least {} matching subscription(s)...\n", wanted));
      next_line += std::chrono::seconds(1);
    }
    if (!sleep_for(kLookForSubscriptions)) {
      return false;
    }
  }
  return true;
}

void publish(transport::Publisher & publisher, const void * message, const std::string & topic) {
  const transport::PublishResult result = publisher.publish(message);
  // A reader that does not keep up is no reason to end: the next message may find room.
  if (result == transport::PublishResult::kTimeout || result == transport::PublishResult::kPoolExhausted) {
    fmt::print(stderr, "WARNING: a message to {} was not published: {}\n", topic, transport::to_string(result));
  } else if (result != transport::PublishResult::kOk) {
    throw CommandError(fmt::format("cannot publish to {}: {}", topic, transport::to_string(result)));
  }
}

int publish_all(transport::Publisher & publisher, FilledMessage & message, const PubOptions & options,
                std::uint64_t times) {
  using Clock = std::chrono::steady_clock;
  const auto period = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(1 / options.rate));
  print("publisher: beginning loop\n");
  auto next = Clock::now();
  for (std::uint64_t count = 1;; ++count) {
    const void * content = message.renewed();
    if (options.print_every > 0 && count % static_cast<std::uint64_t>(options.print_every) == 0) {
      print(fmt::format("publishing #{}: {}\n\n", count, message.text()));
    }
    publish(publisher, content, options.topic);
    if (count == times) {
      sleep_for(
          std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(options.keep_alive)));
      return 0;
    }
    next = std::max(next + period, Clock::now() - std::chrono::seconds(1));  // what was missed longer ago stays so
    if (!sleep_for(next - Clock::now())) {
      return times == 0 ? 0 : 130;
    }
  }
}

int pub(PubOptions & options) {
  const std::string values = text_of(options.values);
  const std::uint64_t times = options.once ? 1 : options.times;
  const std::uint64_t wanted = options.wait >= 0 ? static_cast<std::uint64_t>(options.wait) : times != 0 ? 1 : 0;
  if (wanted == 0 && options.max_wait > 0) {
    throw CommandError(
        "--max-wait-time-secs option is only effective with --wait-matching-subscriptions, --once or --times");
  }
  FilledMessage message(sent_type(options.type), values);
  watch_for_interrupt();
  Session session(options.session);
  transport::TopicOptions topic;
  topic.node = session.announce(options.node_name);
  topic.topic = options.topic = topic_name(options.topic);
  topic.qos = to_qos(options.qos);
  const auto publisher = session.context().create_publisher(sent_type(options.type), topic);
  if (!wait_for_subscriptions(*publisher, options, wanted)) {
    return times == 0 ? 0 : 130;
  }
  return publish_all(*publisher, message, options, times);
}

}  // namespace

void add_topic_pub(Commands & commands, CLI::App & topic) {
  commands.verb<PubOptions>(topic, "pub", "Publish messages", declare, pub);
}

}  // namespace ros2cli
