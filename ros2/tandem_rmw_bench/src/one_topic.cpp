// one_topic talk|listen 64B|image|cloud|buffer [RATE [SECONDS]]
//
// Messages of one type from one process to another at a rate. The listener prints a line of JSON: how many came, how long each was on
// its way (from before publish() to the callback, us), and the processor time of its process; the talker prints its own. `buffer` is
// an image whose bytes are in a rosidl::Buffer in shared memory, where ROS 2 has those and tandem_buffer_backend is installed.
#include <sys/resource.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "rclcpp/rclcpp.hpp"
#include "sensor_msgs/msg/image.hpp"
#include "sensor_msgs/msg/point_cloud2.hpp"
#include "std_msgs/msg/u_int8_multi_array.hpp"
#ifdef HAS_TANDEM_BUFFER
#include "tandem_buffer_backend/tandem_buffer.hpp"
#endif

namespace {

std::int64_t now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1'000'000'000LL + time.tv_nsec;
}

double processor_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval & time) { return static_cast<double>(time.tv_sec) + time.tv_usec * 1e-6; };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

struct Run {
  bool is_talker;
  double rate;
  double seconds;
  std::size_t bytes;
};

/// Where a message's data is, and how it is reached. Written anew in one message.
struct InVector {
  template <class Message>
  static void prepare(Message & message, std::size_t bytes) {
    message.data.resize(bytes);
  }
  template <class Message>
  static std::uint8_t * write(Message & message) {
    return message.data.data();
  }
  template <class Message>
  static const std::uint8_t * read(const Message & message) {
    return message.data.data();
  }
  static void accept(rclcpp::SubscriptionOptions &) {}
};

#ifdef HAS_TANDEM_BUFFER
/// New for each message.
struct InSharedMemory {
  template <class Message>
  static void prepare(Message & message, std::size_t bytes) {
    message.data = tandem_buffer_backend::allocate_buffer(bytes);
  }
  template <class Message>
  static std::uint8_t * write(Message & message) {
    return tandem_buffer_backend::write(message.data);
  }
  template <class Message>
  static const std::uint8_t * read(const Message & message) {
    return tandem_buffer_backend::read(message.data);
  }
  static void accept(rclcpp::SubscriptionOptions & options) { options.acceptable_buffer_backends = "tandem"; }
};
#endif

/// The first eight bytes of a message's data say when it was sent.
template <class Message, class Place>
int talk(const rclcpp::Node::SharedPtr & node, const Run & run) {
  const auto publisher = node->create_publisher<Message>("one_topic", rclcpp::QoS(10));
  while (rclcpp::ok() && publisher->get_subscription_count() == 0)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  Message message;
  Place::prepare(message, run.bytes);
  const auto period = std::chrono::nanoseconds(static_cast<std::int64_t>(1e9 / run.rate));
  const auto count = static_cast<std::size_t>(run.rate * run.seconds);
  const double before = processor_seconds();
  auto next = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < count && rclcpp::ok(); ++i) {
    std::this_thread::sleep_until(next += period);
    const std::int64_t stamp = now();
    Place::prepare(message, run.bytes);
    std::memcpy(Place::write(message), &stamp, sizeof stamp);
    publisher->publish(message);
  }
  std::printf("{\"sent\": %zu, \"processor_us\": %.2f}\n", count, (processor_seconds() - before) / count * 1e6);
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  return 0;
}

template <class Message, class Place>
int listen(const rclcpp::Node::SharedPtr & node, const Run & run) {
  std::vector<double> delays;
  delays.reserve(1'000'000);
  double before = 0;
  rclcpp::SubscriptionOptions options;
  Place::accept(options);
  const auto subscription = node->create_subscription<Message>(
      "one_topic", rclcpp::QoS(10),
      [&](std::shared_ptr<const Message> message) {
        const std::int64_t arrived = now();
        std::int64_t stamp = 0;
        std::memcpy(&stamp, Place::read(*message), sizeof stamp);
        if (delays.empty()) before = processor_seconds();
        delays.push_back(static_cast<double>(arrived - stamp) * 1e-3);
      },
      options);
  rclcpp::executors::SingleThreadedExecutor executor;
  executor.add_node(node);
  std::size_t seen = 0;
  auto last = std::chrono::steady_clock::now();
  const auto patience = std::chrono::seconds(2);
  double after = 0;
  while (rclcpp::ok() && (delays.empty() || std::chrono::steady_clock::now() - last < patience)) {
    executor.spin_once(std::chrono::milliseconds(200));
    if (delays.size() != seen) {
      seen = delays.size();
      last = std::chrono::steady_clock::now();
      after = processor_seconds();
    }
  }
  static_cast<void>(run);
  std::sort(delays.begin(), delays.end());
  const auto at = [&](double part) {
    return delays.empty() ? 0 : delays[static_cast<std::size_t>(part * (delays.size() - 1))];
  };
  std::printf("{\"received\": %zu, \"p50_us\": %.1f, \"p99_us\": %.1f, \"processor_us\": %.2f}\n", delays.size(),
              at(0.5), at(0.99), (after - before) / std::max<std::size_t>(delays.size(), 1) * 1e6);
  return 0;
}

template <class Message, class Place = InVector>
int run_with(const Run & run) {
  const auto node = std::make_shared<rclcpp::Node>(run.is_talker ? "one_topic_talker" : "one_topic_listener");
  return run.is_talker ? talk<Message, Place>(node, run) : listen<Message, Place>(node, run);
}

}  // namespace

int main(int argc, char ** argv) {
  rclcpp::init(argc, argv);
  const std::string role = argc > 1 ? argv[1] : "";
  const std::string what = argc > 2 ? argv[2] : "";
  Run run{role == "talk", argc > 3 ? std::atof(argv[3]) : 100, argc > 4 ? std::atof(argv[4]) : 5, 0};
  int result = 2;
  if ((role != "talk" && role != "listen") || run.rate <= 0 || run.seconds <= 0) {
    std::fprintf(stderr, "usage: one_topic talk|listen 64B|image|cloud|buffer [RATE [SECONDS]]\n");
  } else if (what == "64B") {
    run.bytes = 64;
    result = run_with<std_msgs::msg::UInt8MultiArray>(run);
  } else if (what == "image") {
    run.bytes = 1920 * 1080 * 3;
    result = run_with<sensor_msgs::msg::Image>(run);
  } else if (what == "cloud") {
    run.bytes = 16'000'000;
    result = run_with<sensor_msgs::msg::PointCloud2>(run);
#ifdef HAS_TANDEM_BUFFER
  } else if (what == "buffer") {
    run.bytes = 1920 * 1080 * 3;
    result = run_with<sensor_msgs::msg::Image, InSharedMemory>(run);
#endif
  } else {
    std::fprintf(stderr,
                 "one_topic: there is no message '%s'; there are 64B, image, cloud and, with "
                 "tandem_buffer_backend, buffer\n",
                 what.c_str());
  }
  rclcpp::shutdown();
  return result;
}
