// What it costs to write a message of ROS 2 into Tandem's layout and to fill one from there, beside memcpy of its pixels:
//
//   build/rmw_tests/bench_convert --benchmark_enable_random_interleaving=true --benchmark_repetitions=20
//       --benchmark_report_aggregates_only=true
#include <benchmark/benchmark.h>

#include <cstring>
#include <memory>
#include <vector>

#include "../test/ros_types.hpp"
#include "ros_type.hpp"
#include "tandem/message_memory.hpp"
#include "tandem/owned_message.hpp"

namespace {

using sensor_msgs::msg::Image;
using tandem_rmw::RosType;

constexpr std::size_t kPixels = 1920 * 1080 * 3;  // 6.2 MB

const RosType & image_type() { return *tandem_rmw::find_type(type_support<Image>()); }

Image image() {
  Image made;
  made.header.frame_id = "camera_link";
  made.encoding = "rgb8";
  made.data.resize(kPixels, 7);
  return made;
}

void use(const void * memory) { benchmark::DoNotOptimize(memory); }

/// Into memory of the message heap that was written before, as publishers use blocks again.
void memcpy_into_shared_memory(benchmark::State & state) {
  const Image from = image();
  void * const to = tandem::detail::allocate_message(kPixels, 64);
  for (auto _ : state) {
    std::memcpy(to, from.data.data(), kPixels);
    use(to);
  }
  tandem::detail::free_message(to, 64);
}
BENCHMARK(memcpy_into_shared_memory);

void publish_writes(benchmark::State & state) {
  const Image from = image();
  const tandem::OwnedMessage to = tandem::make_message(image_type().native);
  for (auto _ : state) {
    tandem_rmw::to_native(image_type(), &from, to.get());
    use(to.get());
  }
}
BENCHMARK(publish_writes);

void memcpy_into_a_vector(benchmark::State & state) {
  const Image from = image();
  std::vector<std::uint8_t> to(kPixels);
  for (auto _ : state) {
    std::memcpy(to.data(), from.data.data(), kPixels);
    use(to.data());
  }
}
BENCHMARK(memcpy_into_a_vector);

/// Into a message that rclcpp uses again, as it does with a memory strategy that keeps them.
void take_fills(benchmark::State & state) {
  const Image from = image();
  const tandem::OwnedMessage native = tandem::make_message(image_type().native);
  tandem_rmw::to_native(image_type(), &from, native.get());
  Image to;
  for (auto _ : state) {
    tandem_rmw::to_ros(image_type(), native.get(), &to);
    use(&to);
  }
}
BENCHMARK(take_fills);

void memcpy_into_a_new_vector(benchmark::State & state) {
  const Image from = image();
  for (auto _ : state) {
    const std::unique_ptr<std::uint8_t[]> to(new std::uint8_t[kPixels]);
    std::memcpy(to.get(), from.data.data(), kPixels);
    use(to.get());
  }
}
BENCHMARK(memcpy_into_a_new_vector);

/// Into a message that was just made, as rclcpp makes one for each callback.
void take_fills_a_new_message(benchmark::State & state) {
  const Image from = image();
  const tandem::OwnedMessage native = tandem::make_message(image_type().native);
  tandem_rmw::to_native(image_type(), &from, native.get());
  for (auto _ : state) {
    Image to;
    tandem_rmw::to_ros(image_type(), native.get(), &to);
    use(&to);
  }
}
BENCHMARK(take_fills_a_new_message);

}  // namespace

BENCHMARK_MAIN();
