#include "plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "containers.hpp"
#include "transports.hpp"

namespace bench {
namespace {

const std::vector<std::size_t> kReaders = {1, 2, 4, 8, 16, 64};

/// What messages.HOW.WHAT and heap.pair.N are made of.
const std::vector<std::pair<std::string, std::string>> kWays = {{"unique", "unique_ptr"}, {"loan", "loan"}};
const std::vector<std::pair<std::string, std::string>> kMessages = {{"64", "64 B"},
                                                                    {"image", "Image 6.2 MB"},
                                                                    {"image_64", "64 B after writing 6.2 MB"},
                                                                    {"cloud", "PointCloud2 16 MB"},
                                                                    {"cloud_64", "64 B after writing 16 MB"}};

/// What is waited for by default, and should never take a sleep.
const std::vector<std::pair<std::string, std::string>> kAwake = {{"waking.ping_pong.0", "round trips"},
                                                                 {"waking.flow.20000", "20,000 messages a second"},
                                                                 {"waking.flow.200000", "200,000 messages a second"}};
constexpr double kAwakeLimit = 1500;

/// Beside what stays idle a wait should cost what it costs beside nothing.
const std::vector<std::pair<std::string, std::string>> kIdle = {{"core", "idle subscriptions of a wait-set"},
                                                                {"publishers", "idle publishers of the topic"},
                                                                {"rclcpp", "idle subscriptions of an executor"}};
const std::vector<std::size_t> kIdleCounts = {0, 1000};
constexpr double kIdleLimit = 1.3;

template <class T>
void append(std::vector<T> & list, const std::vector<T> & more) {
  list.insert(list.end(), more.begin(), more.end());
}

void add_message_infos(std::vector<SeriesInfo> & infos) {
  for (const auto & [way, way_text] : kWays) {
    for (const auto & [message, message_text] : kMessages) {
      infos.push_back(
          {fmt::format("messages.{}.{}", way, message), fmt::format("rclcpp, {}, {}", way_text, message_text)});
    }
  }
  infos.insert(infos.end(), {{"grow.resize.ours", "image: make, resize, fill, publish"},
                             {"grow.resize.std", "the same with a std::vector, assigned to the message"},
                             {"grow.resize.unpublished", "std::vector: make, resize, fill, free"},
                             {"grow.push_back.ours", "16,000 points: make, push_back, publish"},
                             {"grow.push_back.std", "the same with a std::vector, assigned to the message"},
                             {"grow.push_back.unpublished", "std::vector: make, push_back, free"},
                             {"copy.publish", "publish(const T &), 4 MiB"},
                             {"copy.image", "publish(const Image &), 4 MiB"},
                             {"copy.memcpy", "memcpy of 4 MiB, the same two buffers"},
                             {"copy.turns", "memcpy of 4 MiB to four buffers in turn"}});
  for (const std::size_t piece : kPieces) {
    infos.push_back({fmt::format("heap.pair.{}", piece), fmt::format("heap: allocate and free {} B", piece)});
    infos.push_back({fmt::format("heap.malloc.{}", piece), fmt::format("malloc and free {} B", piece)});
  }
  for (const ContainerCase & container : container_cases()) {
    infos.push_back({"containers." + container.name + ".ours", "Vector, String: " + container.what});
    infos.push_back({"containers." + container.name + ".std", "std: " + container.what});
  }
}

void add_waking_infos(std::vector<SeriesInfo> & infos) {
  for (const auto & [name, what] : kAwake) {
    infos.push_back({name, "waiting by default: " + what + ", p50 of each start"});
    infos.push_back({name + ".worst", "waiting by default: " + what + ", the slowest start"});
  }
  infos.insert(infos.end(),
               {{"waking.ping_pong.5", "waiting by default: round trips with 5 us of work, p50 of each start"},
                {"waking.ping_pong.5.worst", "waiting by default: round trips with 5 us of work, the slowest start"},
                {"waking.100hz.default", "processor time for a message at 100 Hz, by default"},
                {"waking.100hz.sleeping", "processor time for a message at 100 Hz, sleeping"}});
}

void add_waking_targets(std::vector<Target> & list) {
  for (const auto & [name, what] : kAwake) {
    list.push_back({"waiting by default: " + what + ", the slowest start", name + ".worst", "", kAwakeLimit});
  }
  list.push_back(
      {"processor time at 100 Hz, default / sleeping", "waking.100hz.default", "waking.100hz.sleeping", 1.01});
}

void add_idle_infos(std::vector<SeriesInfo> & infos) {
  for (const auto & [name, what] : kIdle) {
    for (const std::size_t count : kIdleCounts) {
      infos.push_back({fmt::format("idle.{}.{}", name, count), fmt::format("beside {} {}", count, what)});
      infos.push_back(
          {fmt::format("idle.{}.{}.cpu", name, count), fmt::format("beside {} {}, processor time", count, what)});
    }
  }
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

std::vector<SeriesInfo> make_series_infos() {
  std::vector<SeriesInfo> infos = {{"floor.cache_line", "floor: two processes bounce a cache line"},
                                   {"floor.futex", "floor: two processes wake each other by a futex"}};
  for (const std::size_t size : kSizes) {
    infos.push_back({fmt::format("floor.memcpy.{}", size), "floor: memcpy of " + size_text(size)});
  }
  for (const std::size_t size : kPolledSizes) {
    infos.push_back({fmt::format("core.poll.{}", size), "core, polling, " + size_text(size)});
  }
  for (const std::size_t size : kSizes) {
    infos.push_back({fmt::format("core.block.{}", size), "core, blocking, " + size_text(size)});
  }
  for (const std::size_t size : kSizes) {
    infos.push_back({fmt::format("rclcpp.{}", size), "rclcpp callbacks, blocking, " + size_text(size)});
  }
  for (const std::size_t readers : kReaders) {
    infos.push_back({fmt::format("fan_out.{}", readers), fmt::format("publish, {} subscriptions", readers)});
  }
  for (const std::size_t readers : kReaders) {
    infos.push_back({fmt::format("fan_out.borrow.{}", readers), fmt::format("borrow, {} subscriptions", readers)});
  }
  infos.insert(infos.end(), {{"micro.clock", "one process: reading the clock"},
                             {"micro.borrow", "one process: borrow"},
                             {"micro.publish_alone", "one process: publish, no reader"},
                             {"micro.publish_read", "one process: publish, one reader"},
                             {"micro.take", "one process: take"},
                             {"micro.take_nothing", "one process: take, nothing there"},
                             {"micro.release", "one process: release"},
                             {"stream.64", "stream of 64 B, for each message sent and taken"},
                             {"match.topics.1000", "matching: 1,000 topics between two processes"},
                             {"match.processes.200", "matching: 200 processes join and subscribe to one topic"}});
  add_message_infos(infos);
  add_waking_infos(infos);
  add_idle_infos(infos);
  append(infos, transport_infos());
  return infos;
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
  list.push_back({"matching: 1,000 topics between two processes", "match.topics.1000", "", 0.3e9});
  list.push_back({"matching: 200 processes on one topic", "match.processes.200", "", 0.5e9});
  add_message_targets(list);
  add_waking_targets(list);
  add_idle_targets(list);
  append(list, transport_targets());
  return list;
}

std::vector<Group> make_groups() {
  std::vector<Group> list = {{"floor", 1, make_floor},       {"core", 1, make_core},
                             {"rclcpp", 1, make_rclcpp},     {"fan_out", kFanOutProcesses, make_fan_out},
                             {"micro", 0, make_micro},       {"stream", 1, make_stream},
                             {"copy", 0, make_copy},         {"match", 1, make_matching},
                             {"messages", 1, make_messages}, {"grow", 0, make_grow},
                             {"heap", 0, make_heap},         {"containers", 0, make_containers},
                             {"waking", 1, make_waking},     {"idle", 1, make_idle}};
  append(list, transport_groups());
  return list;
}

}  // namespace

std::string size_text(std::size_t size) {
  if (size >= std::size_t{1} << 20) {
    return fmt::format("{} MiB", size >> 20);
  }
  return size >= 1024 ? fmt::format("{} KiB", size >> 10) : fmt::format("{} B", size);
}

const std::vector<Group> & groups() {
  static const std::vector<Group> list = make_groups();
  return list;
}

std::vector<Contest> contests(bool quick) {
  const auto burst = [quick](std::size_t samples) {
    const std::size_t count = quick ? std::max<std::size_t>(samples / 20, 20) : samples;
    return Burst{count / 10, count, 1, std::chrono::milliseconds(quick ? 200 : 2000)};
  };
  const auto repetitions = [quick](std::size_t count) {
    return Burst{0, quick ? 2 : count, 1, std::chrono::milliseconds(0)};
  };
  const auto polling = [&burst] {
    Burst answer = burst(3000);
    answer.batch = 10;  // a processor's clock may tick as seldom as every 10 ns
    return answer;
  };
  std::vector<Contest> list = {{"floor.cache_line", "floor", polling()}, {"floor.futex", "floor", burst(1000)}};
  for (const std::size_t size : kSizes) {
    const std::size_t samples = size > 100'000 ? (std::size_t{200} << 20) / size : 2000;
    list.push_back({fmt::format("floor.memcpy.{}", size), "floor", burst(samples)});
  }
  for (const std::size_t size : kPolledSizes) {
    list.push_back({fmt::format("core.poll.{}", size), "core", polling()});
  }
  for (const std::size_t size : kSizes) {
    list.push_back({fmt::format("core.block.{}", size), "core", burst(1000)});
    list.push_back({fmt::format("rclcpp.{}", size), "rclcpp", burst(1000)});
  }
  for (const std::size_t readers : kReaders) {
    list.push_back({fmt::format("fan_out.{}", readers), "fan_out", burst(2000)});
  }
  list.push_back({"micro", "micro", repetitions(25)});
  list.push_back({"stream.64", "stream", burst(1'000'000)});
  list.push_back({"copy", "copy", repetitions(8)});
  for (const char * name : {"match.topics.1000", "match.processes.200"}) {
    list.push_back({name, "match", Burst{0, 1, 1, std::chrono::milliseconds(2000)}});
  }
  for (const auto & [way, way_text] : kWays) {
    for (const auto & [message, message_text] : kMessages) {
      list.push_back({fmt::format("messages.{}.{}", way, message), "messages", burst(20)});
    }
  }
  list.push_back({"grow", "grow", repetitions(20)});
  list.push_back({"heap.pairs", "heap", repetitions(25)});
  list.push_back({"heap.random", "heap", burst(10'000'000)});
  list.push_back({"containers", "containers", repetitions(100)});
  for (const char * name : {"ping_pong.0", "ping_pong.5", "flow.20000", "flow.200000"}) {
    list.push_back({std::string("waking.") + name, "waking", burst(3000)});
  }
  for (const char * how : {"default", "sleeping"}) {
    list.push_back({std::string("waking.100hz.") + how, "waking", burst(40)});
  }
  for (const auto & [name, what] : kIdle) {
    for (const std::size_t count : kIdleCounts) {
      list.push_back({fmt::format("idle.{}.{}", name, count), "idle", burst(250)});
    }
  }
  append(list, transport_contests(quick));
  return list;
}

const std::vector<SeriesInfo> & series_infos() {
  static const std::vector<SeriesInfo> list = make_series_infos();
  return list;
}

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
