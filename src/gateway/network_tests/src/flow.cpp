// What the network tests start on their hosts. Each prints one line of JSON at its end.
//
//   flow pub TOPIC [QoS] [--count N] [--rate HZ] [--size BYTES] [--readers N]
//       waits for so many subscriptions, publishes images numbered 1..N, and stays until SIGINT, since the history of
//       transient-local topics ends with it. With --count 0 it goes on until SIGUSR1, and marks its last image.
//   flow sub TOPIC [QoS] --from NODE:N ... [--linger SECONDS]
//       listens until each of these nodes' last number has come (0: the image that is marked), and for a moment more. A
//       line says that the first has come; one for each node tells what came, what was missing, what came twice or out
//       of order.
//   flow rate TOPIC [QoS] [--size BYTES] [--seconds S]
//       counts what comes for so long, from a second after the first message on.
//   flow crowd [--topics N]
//       publishes nothing on N topics, until SIGINT.
//   flow watch [--topics N]
//       waits until it knows of N topics of crowds.
//
//   QoS: --best-effort --depth N --keep-all --transient-local.  The node's name comes by --ros-args -r __node:=NAME.
#include <CLI/CLI.hpp>
#include <chrono>
#include <csignal>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <rclcpp/rclcpp.hpp>
#include <sensor_msgs/msg/image.hpp>
#include <string>
#include <thread>

namespace {

using namespace std::chrono_literals;
using nlohmann::json;
using sensor_msgs::msg::Image;
using Clock = std::chrono::steady_clock;

struct Options {
  std::string topic;
  bool best_effort = false;
  bool keep_all = false;
  bool transient_local = false;
  std::size_t depth = 10;
  std::uint32_t count = 100;
  double rate = 100;
  std::size_t size = 0;
  std::size_t readers = 1;
  std::vector<std::string> from;
  double linger = 0.5;
  double seconds = 5;
  std::size_t topics = 10;
};

rclcpp::QoS qos_of(const Options & options) {
  rclcpp::QoS qos(options.depth);
  options.best_effort ? qos.best_effort() : qos.reliable();
  if (options.keep_all) {
    qos.keep_all();
  }
  if (options.transient_local) {
    qos.transient_local();
  }
  return qos;
}

void print(const json & line) { std::cout << line.dump() << std::endl; }

volatile std::sig_atomic_t is_told_to_end = 0;

/// Until SIGINT.
void stay(const rclcpp::Node::SharedPtr & node) { rclcpp::spin(node); }

int publish(const Options & options) {
  auto node = std::make_shared<rclcpp::Node>("flow");
  auto publisher = node->create_publisher<Image>(options.topic, qos_of(options));
  print({{"event", "there"}});
  while (rclcpp::ok() && publisher->get_subscription_count() < options.readers) {
    std::this_thread::sleep_for(5ms);
  }
  std::uint32_t failed = 0;
  auto next = Clock::now();
  std::uint32_t number = 0;
  for (bool is_last = false; rclcpp::ok() && !is_last;) {
    ++number;
    is_last = options.count == 0 ? is_told_to_end != 0 : number == options.count;
    auto image = std::make_unique<Image>();
    image->header.frame_id = node->get_name();
    image->height = number;
    image->width = is_last ? 1 : 0;
    image->data.resize(options.size, static_cast<std::uint8_t>(number));
    try {
      publisher->publish(std::move(image));
    } catch (const std::exception & error) {
      std::cerr << "message " << number << ": " << error.what() << std::endl;
      ++failed;
    }
    next += std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(1 / options.rate));
    std::this_thread::sleep_until(next);
  }
  print({{"event", "published"}, {"count", number}, {"failed", failed}});
  stay(node);
  print({{"event", "end"}, {"copied", publisher->get_copied_count()}});
  return 0;
}

/// What came from one publisher.
struct Heard {
  std::uint32_t last_wanted = 0;  ///< 0: the one that is marked
  bool has_marked = false;
  std::map<std::uint32_t, std::uint32_t> times;
  std::uint32_t last = 0;
  std::uint32_t disordered = 0;
  std::uint32_t damaged = 0;

  void hear(const Image & image, std::size_t size) {
    ++times[image.height];
    has_marked |= image.width != 0;
    disordered += image.height < last ? 1 : 0;
    last = image.height;
    const auto expected = static_cast<std::uint8_t>(image.height);
    const bool is_whole =
        image.data.size() == size && (size == 0 || (image.data.front() == expected && image.data.back() == expected));
    damaged += is_whole ? 0 : 1;
  }
  bool is_over() const { return last_wanted == 0 ? has_marked : times.count(last_wanted) != 0; }
  json report(const std::string & node) const {
    std::uint32_t twice = 0;
    for (const auto & [number, count] : times) {
      twice += count - 1;
    }
    const std::uint32_t first = times.empty() ? 0 : times.begin()->first;
    std::vector<std::uint32_t> absent;  // the first few
    for (std::uint32_t number = first; number < last && absent.size() < 5; ++number) {
      if (times.count(number) == 0) {
        absent.push_back(number);
      }
    }
    return {{"event", "heard"},
            {"node", node},
            {"messages", times.size()},
            {"first", first},
            {"last", last},
            {"missing", times.empty() ? last_wanted : times.rbegin()->first + 1 - first - times.size()},
            {"absent", absent},
            {"twice", twice},
            {"disordered", disordered},
            {"damaged", damaged}};
  }
};

int subscribe(const Options & options) {
  auto node = std::make_shared<rclcpp::Node>("flow");
  std::map<std::string, Heard> heard;
  for (const std::string & from : options.from) {
    const std::size_t colon = from.find(':');
    heard[from.substr(0, colon)].last_wanted = static_cast<std::uint32_t>(std::stoul(from.substr(colon + 1)));
  }
  auto subscription =
      node->create_subscription<Image>(options.topic, qos_of(options), [&](const std::shared_ptr<const Image> image) {
        Heard & from = heard[std::string(image->header.frame_id.c_str())];
        if (from.times.empty()) {
          print({{"event", "first"}});
        }
        from.hear(*image, options.size);
      });
  print({{"event", "there"}});
  rclcpp::executors::SingleThreadedExecutor executor;
  executor.add_node(node);
  const auto is_over = [&heard] {
    return std::all_of(heard.begin(), heard.end(), [](const auto & one) { return one.second.is_over(); });
  };
  while (rclcpp::ok() && !is_over()) {
    executor.spin_once(100ms);
  }
  const auto end =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(options.linger));
  while (rclcpp::ok() && Clock::now() < end) {
    executor.spin_once(10ms);
  }
  for (const auto & [from, what] : heard) {
    print(what.report(from));
  }
  print({{"event", "end"}, {"copied", subscription->get_copied_count()}});
  return 0;
}

int measure_rate(const Options & options) {
  auto node = std::make_shared<rclcpp::Node>("rate");
  std::uint64_t count = 0;
  auto subscription = node->create_subscription<Image>(
      options.topic, qos_of(options),
      [&](const std::shared_ptr<const Image> & image) { count += image->data.size() == options.size ? 1 : 0; });
  print({{"event", "there"}});
  rclcpp::executors::SingleThreadedExecutor executor;
  executor.add_node(node);
  const auto spin_for = [&executor](double seconds) {
    const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    while (rclcpp::ok() && Clock::now() < end) {
      executor.spin_once(10ms);
    }
  };
  while (rclcpp::ok() && count == 0) {
    executor.spin_once(100ms);
  }
  spin_for(1);
  print({{"event", "begun"}});
  const std::uint64_t before = count;
  const auto begin = Clock::now();
  spin_for(options.seconds);
  const double rate = static_cast<double>(count - before) / std::chrono::duration<double>(Clock::now() - begin).count();
  print({{"event", "end"}, {"messages_per_second", rate}, {"copied", subscription->get_copied_count()}});
  return 0;
}

int crowd(const Options & options) {
  auto node = std::make_shared<rclcpp::Node>("crowd");
  std::vector<rclcpp::Publisher<Image>::SharedPtr> publishers;
  for (std::size_t i = 0; i < options.topics; ++i) {
    publishers.push_back(node->create_publisher<Image>("~/topic" + std::to_string(i), 10));
  }
  print({{"event", "there"}});
  stay(node);
  return 0;
}

int watch(const Options & options) {
  auto node = std::make_shared<rclcpp::Node>("watch");
  print({{"event", "there"}});
  std::size_t known = 0;
  while (rclcpp::ok() && known < options.topics) {
    std::this_thread::sleep_for(200ms);
    const auto topics = node->get_topic_names_and_types();
    known = std::count_if(topics.begin(), topics.end(),
                          [](const auto & topic) { return topic.first.find("/topic") != std::string::npos; });
  }
  print({{"event", "end"}, {"topics", known}});
  return 0;
}

void add_qos(CLI::App & app, Options & options) {
  app.add_option("topic", options.topic)->required();
  app.add_flag("--best-effort", options.best_effort);
  app.add_flag("--keep-all", options.keep_all);
  app.add_flag("--transient-local", options.transient_local);
  app.add_option("--depth", options.depth);
  app.add_option("--size", options.size);
}

}  // namespace

int main(int argc, char ** argv) {
  std::signal(SIGUSR1, [](int) { is_told_to_end = 1; });
  std::vector<std::string> words = rclcpp::init_and_remove_ros_arguments(argc, argv);
  CLI::App app("Numbered messages for the network tests", "flow");
  app.require_subcommand(1);
  Options options;
  CLI::App & pub = *app.add_subcommand("pub");
  add_qos(pub, options);
  pub.add_option("--count", options.count);
  pub.add_option("--rate", options.rate);
  pub.add_option("--readers", options.readers);
  CLI::App & sub = *app.add_subcommand("sub");
  add_qos(sub, options);
  sub.add_option("--from", options.from)->required();
  sub.add_option("--linger", options.linger);
  CLI::App & rating = *app.add_subcommand("rate");
  add_qos(rating, options);
  rating.add_option("--seconds", options.seconds);
  app.add_subcommand("crowd")->add_option("--topics", options.topics);
  CLI::App & watching = *app.add_subcommand("watch");
  watching.add_option("--topics", options.topics);
  words.erase(words.begin());
  std::reverse(words.begin(), words.end());
  try {
    app.parse(words);
  } catch (const CLI::ParseError & error) {
    return app.exit(error);
  }
  if (watching.parsed()) {
    return watch(options);
  }
  if (rating.parsed()) {
    return measure_rate(options);
  }
  return pub.parsed() ? publish(options) : sub.parsed() ? subscribe(options) : crowd(options);
}
