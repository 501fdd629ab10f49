// What publishing costs: for each line on the input, publishes 1000 messages a second for as many seconds as it says, and prints
// {"p50": ns, "p99": ns, "processor": ns for each message} of them.
#include <sys/resource.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <iostream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "rclcpp/rclcpp.hpp"
#include "sensor_msgs/msg/image.hpp"
#include "tandem/measure/clock.hpp"

namespace {

using sensor_msgs::msg::Image;
using tandem::measure::Clock;
using tandem::measure::now_ns;

std::int64_t processor_ns() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec * tandem::measure::kSecond + time.tv_nsec;
}

void run(rclcpp::Publisher<Image> & publisher, double seconds) {
  const auto count = static_cast<std::size_t>(seconds * 1000);
  std::vector<std::int64_t> times;
  times.reserve(count);
  const std::int64_t processor = processor_ns();
  auto next = Clock::now();
  for (std::size_t i = 0; i < count; ++i) {
    next += std::chrono::milliseconds(1);
    std::this_thread::sleep_until(next);
    auto message = std::make_unique<Image>();
    message->width = 640;
    message->height = 480;
    message->step = 640 * 3;
    message->encoding = "rgb8";
    message->data.resize(std::size_t{640} * 480 * 3);
    const std::int64_t begin = now_ns();
    publisher.publish(std::move(message));
    times.push_back(now_ns() - begin);
  }
  const std::int64_t used = (processor_ns() - processor) / static_cast<std::int64_t>(count);
  std::sort(times.begin(), times.end());
  std::cout << R"({"p50": )" << times[count / 2] << R"(, "p99": )" << times[count * 99 / 100] << R"(, "processor": )"
            << used << "}" << std::endl;
}

}  // namespace

int main(int argc, char ** argv) {
  rclcpp::init(argc, argv);
  const auto node = std::make_shared<rclcpp::Node>("publish_cost");
  const auto publisher = node->create_publisher<Image>("/cost", 10);
  std::string line;
  while (std::getline(std::cin, line)) {
    run(*publisher, std::stod(line));
  }
  rclcpp::shutdown();
  return 0;
}
