// What the figures should be.
#include <fmt/format.h>

#include <algorithm>

#include "plan/containers.hpp"
#include "plan/plan.hpp"
#include "plan/plan_tables.hpp"
#include "plan/transports.hpp"

namespace bench {
namespace {

/// A wait that sleeps takes longer than this, in ns.
constexpr double kAwakeLimit = 1500;
constexpr double kIdleLimit = 1.3;
constexpr double kRecordingLimit = 1.25;  ///< 0.8 of dd's MB/s
constexpr double kRecordedLimit = 1.05;
constexpr double kPaceLimit = 200e3;  ///< ns

void add_message_targets(std::vector<Target> & list) {
  for (const auto & [way, way_text] : kWays) {
    for (const std::size_t i : {1U, 3U}) {
      const auto & [message, message_text] = kMessages[i];
      const std::string name = fmt::format("messages.{}.{}", way, message);
      list.push_back({fmt::format("rclcpp, {}, {} / 64 B", way_text, message_text), name, name + "_64", 1.2});
    }
  }
  for (const char * way : {"resize", "push_back"}) {
    const std::string name = fmt::format("grow.{}", way);
    list.push_back({fmt::format("{}, fill, publish / with a std::vector", way), name + ".ours", name + ".std", 1.0});
    list.push_back(
        {fmt::format("{}, fill, publish / std::vector, unpublished", way), name + ".ours", name + ".unpublished", 0});
  }
  for (const std::size_t piece : kPieces) {
    const std::string what = fmt::format("heap: allocate and free {} B", piece);
    list.push_back({what, fmt::format("heap.pair.{}", piece), "", 15});
    list.push_back({what + " / malloc", fmt::format("heap.pair.{}", piece), fmt::format("heap.malloc.{}", piece), 0});
  }
  list.push_back({"heap: memory / live bytes, short pieces", "heap.short.memory", "heap.short.live", 1.3});
  list.push_back({"heap: memory / live bytes, all sizes", "heap.any.memory", "heap.any.live", 1.3});
  for (const ContainerCase & container : container_cases()) {
    const std::string name = "containers." + container.name;
    list.push_back({container.what + ", ours / std", name + ".ours", name + ".std", container.limit});
  }
}

void add_waking_targets(std::vector<Target> & list) {
  for (const auto & [name, what] : kAwake) {
    list.push_back({"waiting by default: " + what + ", the slowest start", name + ".worst", "", kAwakeLimit});
  }
  list.push_back(
      {"processor time at 100 Hz, default / sleeping", "waking.100hz.default", "waking.100hz.sleeping", 1.01});
}

void add_idle_targets(std::vector<Target> & list) {
  for (const auto & [name, what] : kIdle) {
    for (const char * figure : {"", ".cpu"}) {
      list.push_back({fmt::format("beside 1,000 {} / none{}", what, *figure == '\0' ? "" : ", processor time"),
                      fmt::format("idle.{}.1000{}", name, figure), fmt::format("idle.{}.0{}", name, figure),
                      kIdleLimit});
    }
  }
}

void add_bag_targets(std::vector<Target> & list) {
  list.push_back({"recording / dd", "bag.write", "bag.dd", kRecordingLimit});
  list.push_back({"recording / dd, until it is on the disk", "bag.write.synced", "bag.dd.synced", kRecordingLimit});
  for (const std::size_t size : kBagSizes) {
    for (const auto & [figure, what] : {std::pair{"", "publish"}, std::pair{".cpu", "processor time of publishing"}}) {
      list.push_back({fmt::format("{}, {}, recorded / not", what, size_text(size)),
                      fmt::format("bag.publish.{}.recorded{}", size, figure),
                      fmt::format("bag.publish.{}.alone{}", size, figure), kRecordedLimit});
    }
  }
  list.push_back({"playing at 1 kHz, p99 of the error", "bag.pace.p99", "", kPaceLimit});
}

std::vector<Target> make_targets() {
  std::vector<Target> list;
  for (const std::size_t size : kPolledSizes) {
    list.push_back({fmt::format("core, polling, {} / cache line", size_text(size)), fmt::format("core.poll.{}", size),
                    "floor.cache_line", 1.7});
  }
  list.push_back({"core, polling, 4 MiB / 64 B", fmt::format("core.poll.{}", kSizes.back()), "core.poll.64", 1.02});
  for (const std::size_t size : kSizes) {
    list.push_back({fmt::format("core, blocking, {} / futex", size_text(size)), fmt::format("core.block.{}", size),
                    "floor.futex", 1.3});
  }
  for (const std::size_t size : kSizes) {
    list.push_back({fmt::format("rclcpp, blocking, {} / futex", size_text(size)), fmt::format("rclcpp.{}", size),
                    "floor.futex", 1.5});
  }
  list.push_back({"stream of 64 B, each message", "stream.64", "", 100});  // ten million a second
  list.push_back({"publish, 64 subscriptions / 1", "fan_out.64", "fan_out.1", 1.3});
  list.push_back({"publish(const T &), 4 MiB / memcpy", "copy.publish", "copy.memcpy", 1.1});
  list.push_back({"publish(const Image &), 4 MiB / memcpy", "copy.image", "copy.memcpy", 1.1});
  list.push_back({"publish(const T &), 4 MiB / memcpy to buffers in turn", "copy.publish", "copy.turns", 0});
  list.push_back(
      {"callback, 4 MiB, SharedPtr / ConstSharedPtr, unread", "callback.shared.none", "callback.const.none", 0});
  list.push_back({"callback, 4 MiB, SharedPtr / ConstSharedPtr", "callback.shared.read", "callback.const.read", 1.05});
  list.push_back({"callback, 4 MiB, UniquePtr / ConstSharedPtr", "callback.unique.read", "callback.const.read", 1.05});
  list.push_back({"callback, 4 MiB, one page written / in a copy", "callback.shared.some", "callback.copy.some", 0.5});
  list.push_back({"callback, 4 MiB, all written / in a copy", "callback.shared.all", "callback.copy.all", 1.1});
  list.push_back({"intra-process publish / two virtual calls and a queue", "intra.publish", "intra.floor", 0});
  list.push_back({"intra-process, UniquePtr / two virtual calls and a queue", "intra.unique", "intra.floor", 0});
  list.push_back({"intra-process, UniquePtr / without", "intra.unique", "intra.topic.unique", 1});
  list.push_back({"intra-process, ConstSharedPtr / without", "intra.shared", "intra.topic.shared", 1});
  list.push_back({"matching: 1,000 topics between two processes", "match.topics.1000", "", 0.3e9});
  list.push_back({"matching: 200 processes on one topic", "match.processes.200", "", 0.5e9});
  list.push_back({"service's call / messages there and back, polling", "service.call.poll", "service.topic.poll", 1.2});
  list.push_back(
      {"service's call / messages there and back, blocking", "service.call.block", "service.topic.block", 1.2});
  add_message_targets(list);
  add_waking_targets(list);
  add_idle_targets(list);
  add_bag_targets(list);
  append(list, transport_targets());
  return list;
}

}  // namespace

const std::vector<Target> & targets() {
  static const std::vector<Target> list = make_targets();
  return list;
}

double excess_limit(double floor) {
  constexpr double kNear = 60;
  constexpr double kFar = 150;
  constexpr double kAtNear = 50;
  constexpr double kOfFar = 0.7;
  if (floor >= kFar) {
    return kOfFar * floor;
  }
  const double way = std::max(0.0, (floor - kNear) / (kFar - kNear));
  return kAtNear + way * (kOfFar * kFar - kAtNear);
}

const std::vector<ExcessTarget> & excess_targets() {
  static const std::vector<ExcessTarget> list = [] {
    std::vector<ExcessTarget> made;
    for (const std::size_t size : kPolledSizes) {
      made.push_back({fmt::format("core, polling, {} - cache line", size_text(size)), fmt::format("core.poll.{}", size),
                      "floor.cache_line"});
    }
    return made;
  }();
  return list;
}

const std::vector<SlopeTarget> & slope_targets() {
  static const std::vector<SlopeTarget> list = {
      {"publish, ns for each further subscription", "fan_out.", kReaders, 10.0},
      {"borrow, ns for each further subscription", "fan_out.borrow.", kReaders, 0.0}};
  return list;
}

}  // namespace bench
