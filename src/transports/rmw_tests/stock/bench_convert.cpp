// What it costs to write a message of ROS 2 into Tandem's layout, as a publisher does, and to fill one from there, as a take does.
// Beside each stands the copy that it is measured by: memcpy of the bytes, or for strings in nested sequences the assignment of the
// C++ struct.
//
//   build/rmw_tests/stock/bench_convert --benchmark_enable_random_interleaving=true --benchmark_repetitions=20
//       --benchmark_report_aggregates_only=true
#include <benchmark/benchmark.h>

#include <array>
#include <cstring>
#include <diagnostic_msgs/msg/diagnostic_array.hpp>
#include <geometry_msgs/msg/pose_array.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "diagnostic_msgs/msg/detail/diagnostic_array__rosidl_typesupport_introspection_c.h"
#include "geometry_msgs/msg/detail/pose_array__rosidl_typesupport_introspection_c.h"
#include "ros_type.hpp"
#include "sensor_msgs/msg/detail/image__rosidl_typesupport_introspection_c.h"
#include "sensor_msgs/msg/detail/point_cloud2__rosidl_typesupport_introspection_c.h"
#include "tandem/message_memory.hpp"
#include "tandem/owned_message.hpp"
#include "test/ros_types.hpp"

#define INTROSPECTION_OF_C(PACKAGE, NAME) \
  ROSIDL_TYPESUPPORT_INTERFACE__MESSAGE_SYMBOL_NAME(rosidl_typesupport_introspection_c, PACKAGE, msg, NAME)()

namespace {

using tandem_rmw::RosType;

/// A publisher's blocks, which it uses in turn.
constexpr std::size_t kBlocks = 4;

void use(const void * memory) { benchmark::DoNotOptimize(memory); }

// ---- messages ------------------------------------------------------------------------------------------------------

struct Image {
  using Message = sensor_msgs::msg::Image;
  static const rosidl_message_type_support_t * c() { return INTROSPECTION_OF_C(sensor_msgs, Image); }
  static Message make() {
    Message made;
    made.header.frame_id = "camera_link";
    made.encoding = "rgb8";
    made.data.resize(1920 * 1080 * 3, 7);  // 6.2 MB
    return made;
  }
  static std::pair<const void *, std::size_t> bytes(const Message & of) { return {of.data.data(), of.data.size()}; }
};

struct Cloud {
  using Message = sensor_msgs::msg::PointCloud2;
  static const rosidl_message_type_support_t * c() { return INTROSPECTION_OF_C(sensor_msgs, PointCloud2); }
  static Message make() {
    Message made;
    made.header.frame_id = "lidar";
    for (const char * const name : {"x", "y", "z", "intensity"}) made.fields.emplace_back().name = name;
    made.data.resize(100'000 * 16, 7);  // 1.6 MB
    return made;
  }
  static std::pair<const void *, std::size_t> bytes(const Message & of) { return {of.data.data(), of.data.size()}; }
};

struct Poses {
  using Message = geometry_msgs::msg::PoseArray;
  static const rosidl_message_type_support_t * c() { return INTROSPECTION_OF_C(geometry_msgs, PoseArray); }
  static Message make() {
    Message made;
    made.header.frame_id = "map";
    made.poses.resize(5'000);  // 280 kB: structs of plain numbers
    return made;
  }
  static std::pair<const void *, std::size_t> bytes(const Message & of) {
    return {of.poses.data(), of.poses.size() * sizeof(of.poses[0])};
  }
};

/// Ten nested sequences with strings.
struct Diagnostics {
  using Message = diagnostic_msgs::msg::DiagnosticArray;
  static const rosidl_message_type_support_t * c() { return INTROSPECTION_OF_C(diagnostic_msgs, DiagnosticArray); }
  static Message make() {
    Message made;
    made.header.frame_id = "base_link";
    made.status.resize(10);
    for (std::size_t i = 0; i < made.status.size(); ++i) {
      auto & status = made.status[i];
      status.name = "controller_manager: joint " + std::to_string(i);
      status.message = "temperature within its limits";
      status.hardware_id = "arm";
      for (const char * const key : {"temperature", "current", "velocity", "position error", "state"}) {
        auto & value = status.values.emplace_back();
        value.key = key;
        value.value = "12.3456";
      }
    }
    return made;
  }
};

template <class Kind>
constexpr bool kIsFlat = requires {
  Kind::bytes(Kind::make());
};

/// A message in the struct of one of the two languages.
class RosMessage {
 public:
  explicit RosMessage(const RosType & type)
      : type_(&type), memory_(static_cast<char *>(::operator new(type.size)), [&type](char * memory) {
          type.finalize(memory);
          ::operator delete(memory);
        }) {
    std::memset(memory_.get(), 0, type.size);
    type.initialize(memory_.get());
  }
  void * get() const { return memory_.get(); }

 private:
  const RosType * type_;
  std::shared_ptr<char> memory_;
};

template <class Kind>
const RosType & cpp_type() {
  return *tandem_rmw::find_type(type_support<typename Kind::Message>());
}

template <class Kind>
tandem::OwnedMessage native_message() {
  auto message = tandem::make_message(cpp_type<Kind>().native);
  const auto from = Kind::make();
  tandem_rmw::to_native(cpp_type<Kind>(), &from, message.get());
  return message;
}

template <class Kind>
RosMessage ros_message(const RosType & type) {
  RosMessage made(type);
  tandem_rmw::to_ros(type, native_message<Kind>().get(), made.get());
  return made;
}

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

// ---- conversions ---------------------------------------------------------------------------------------------------

template <class Kind>
void publish_writes(benchmark::State & state, const RosType & type) {
  const RosMessage from = ros_message<Kind>(type);
  Turns<tandem::OwnedMessage> blocks(native_message<Kind>);
  for (auto _ : state) {
    void * const to = blocks.next().get();
    tandem_rmw::to_native(type, from.get(), to);
    use(to);
  }
}

/// Into a message that is used again.
template <class Kind>
void take_fills(benchmark::State & state, const RosType & type) {
  Turns<tandem::OwnedMessage> blocks(native_message<Kind>);
  const RosMessage to(type);
  for (auto _ : state) {
    tandem_rmw::to_ros(type, blocks.next().get(), to.get());
    use(to.get());
  }
}

/// Into a message that was just made, as rclcpp and rclpy make one for each callback.
template <class Kind>
void take_fills_new(benchmark::State & state, const RosType & type) {
  Turns<tandem::OwnedMessage> blocks(native_message<Kind>);
  for (auto _ : state) {
    const RosMessage to(type);
    tandem_rmw::to_ros(type, blocks.next().get(), to.get());
    use(to.get());
  }
}

// ---- copies --------------------------------------------------------------------------------------------------------

template <class Kind>
void copy_into_blocks(benchmark::State & state) {
  const auto from = Kind::make();
  if constexpr (kIsFlat<Kind>) {
    const auto [bytes, size] = Kind::bytes(from);
    const auto free = [](void * block) { tandem::detail::free_message(block, 64); };
    Turns<std::shared_ptr<void>> blocks([size = size, free] {
      std::shared_ptr<void> block(tandem::detail::allocate_message(size, 64), free);
      std::memset(block.get(), 1, size);
      return block;
    });
    for (auto _ : state) {
      void * const to = blocks.next().get();
      std::memcpy(to, bytes, size);
      use(to);
    }
  } else {
    Turns<typename Kind::Message> blocks(Kind::make);
    for (auto _ : state) {
      auto & to = blocks.next();
      to = from;
      use(&to);
    }
  }
}

template <class Kind>
void copy_from_blocks(benchmark::State & state) {
  Turns<typename Kind::Message> blocks(Kind::make);
  auto to = Kind::make();
  for (auto _ : state) {
    if constexpr (kIsFlat<Kind>) {
      const auto [bytes, size] = Kind::bytes(blocks.next());
      std::memcpy(const_cast<void *>(Kind::bytes(to).first), bytes, size);
    } else {
      to = blocks.next();
    }
    use(&to);
  }
}

template <class Kind>
void copy_from_blocks_new(benchmark::State & state) {
  Turns<typename Kind::Message> blocks(Kind::make);
  for (auto _ : state) {
    if constexpr (kIsFlat<Kind>) {
      const auto [bytes, size] = Kind::bytes(blocks.next());
      const std::unique_ptr<char[]> to(new char[size]);
      std::memcpy(to.get(), bytes, size);
      use(to.get());
    } else {
      const typename Kind::Message to = blocks.next();
      use(&to);
    }
  }
}

template <class Kind>
void add(const std::string & name) {
  benchmark::RegisterBenchmark((name + "/publish/copy").c_str(), copy_into_blocks<Kind>);
  benchmark::RegisterBenchmark((name + "/take/copy").c_str(), copy_from_blocks<Kind>);
  benchmark::RegisterBenchmark((name + "/take_new/copy").c_str(), copy_from_blocks_new<Kind>);
  const std::array<std::pair<const char *, const RosType *>, 2> languages{
      {{"C++", &cpp_type<Kind>()}, {"C", tandem_rmw::find_type(Kind::c())}}};
  for (const auto & [language, type] : languages) {
    const auto suffix = std::string("/") + language;
    benchmark::RegisterBenchmark((name + "/publish" + suffix).c_str(), publish_writes<Kind>, std::ref(*type));
    benchmark::RegisterBenchmark((name + "/take" + suffix).c_str(), take_fills<Kind>, std::ref(*type));
    benchmark::RegisterBenchmark((name + "/take_new" + suffix).c_str(), take_fills_new<Kind>, std::ref(*type));
  }
}

}  // namespace

int main(int argc, char ** argv) {
  add<Image>("image");
  add<Cloud>("cloud");
  add<Poses>("poses");
  add<Diagnostics>("diagnostics");
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
