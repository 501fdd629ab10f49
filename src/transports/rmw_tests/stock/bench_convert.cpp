// What it costs to write a message of ROS 2 into Tandem's layout and to fill one from there, beside memcpy of its pixels:
//
//   build/rmw_tests/bench_convert --benchmark_enable_random_interleaving=true --benchmark_repetitions=20
//       --benchmark_report_aggregates_only=true
#include <benchmark/benchmark.h>

#include <cstring>
#include <memory>
#include <vector>

#include "ros_type.hpp"
#include "tandem/message_memory.hpp"
#include "tandem/owned_message.hpp"
#include "test/ros_types.hpp"

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

/// Blocks that a publisher uses in turn while subscriptions still hold the last ones: more than caches hold.
constexpr std::size_t kBlocks = 10;

template <class T>
class Turns {
 public:
  template <class Make>
  explicit Turns(Make make) {
    for (std::size_t i = 0; i < kBlocks; ++i) all_.push_back(make());
  }
  T & next() { return all_[turn_++ % kBlocks]; }

 private:
  std::vector<T> all_;
  std::size_t turn_ = 0;
};

Turns<tandem::OwnedMessage> native_images(const Image & from) {
  return Turns<tandem::OwnedMessage>([&from] {
    auto message = tandem::make_message(image_type().native);
    tandem_rmw::to_native(image_type(), &from, message.get());
    return message;
  });
}

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

void memcpy_into_blocks_in_turn(benchmark::State & state) {
  const Image from = image();
  const auto free = [](void * block) { tandem::detail::free_message(block, 64); };
  Turns<std::shared_ptr<void>> blocks([&] {
    std::shared_ptr<void> block(tandem::detail::allocate_message(kPixels, 64), free);
    std::memset(block.get(), 1, kPixels);
    return block;
  });
  for (auto _ : state) {
    void * const to = blocks.next().get();
    std::memcpy(to, from.data.data(), kPixels);
    use(to);
  }
}
BENCHMARK(memcpy_into_blocks_in_turn);

void publish_writes_blocks_in_turn(benchmark::State & state) {
  const Image from = image();
  auto messages = native_images(from);
  for (auto _ : state) {
    void * const to = messages.next().get();
    tandem_rmw::to_native(image_type(), &from, to);
    use(to);
  }
}
BENCHMARK(publish_writes_blocks_in_turn);

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

void memcpy_from_blocks_in_turn(benchmark::State & state) {
  Turns<std::vector<std::uint8_t>> blocks([] { return std::vector<std::uint8_t>(kPixels, 7); });
  std::vector<std::uint8_t> to(kPixels);
  for (auto _ : state) {
    std::memcpy(to.data(), blocks.next().data(), kPixels);
    use(to.data());
  }
}
BENCHMARK(memcpy_from_blocks_in_turn);

void take_fills_from_blocks_in_turn(benchmark::State & state) {
  const Image from = image();
  auto messages = native_images(from);
  Image to;
  for (auto _ : state) {
    tandem_rmw::to_ros(image_type(), messages.next().get(), &to);
    use(&to);
  }
}
BENCHMARK(take_fills_from_blocks_in_turn);

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
