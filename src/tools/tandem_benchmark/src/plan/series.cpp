// What each series measures, in words.
#include <fmt/format.h>

#include "plan/containers.hpp"
#include "plan/plan.hpp"
#include "plan/plan_tables.hpp"
#include "plan/transports.hpp"

namespace bench {
namespace {

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

void add_idle_infos(std::vector<SeriesInfo> & infos) {
  for (const auto & [name, what] : kIdle) {
    for (const std::size_t count : kIdleCounts) {
      infos.push_back({fmt::format("idle.{}.{}", name, count), fmt::format("beside {} {}", count, what)});
      infos.push_back(
          {fmt::format("idle.{}.{}.cpu", name, count), fmt::format("beside {} {}, processor time", count, what)});
    }
  }
}

void add_bag_infos(std::vector<SeriesInfo> & infos) {
  infos.insert(infos.end(), {{"bag.write", "recording a GB of 4 MiB messages"},
                             {"bag.dd", "dd of a GB"},
                             {"bag.write.synced", "recording a GB of 4 MiB messages, until it is on the disk"},
                             {"bag.dd.synced", "dd of a GB, until it is on the disk"}});
  for (const auto & [profile, what] : kBagProfiles) {
    for (const char * how : {"user", "system"}) {
      infos.push_back({fmt::format("bag.processor.{}.{}", profile, how),
                       fmt::format("recording a GB, {}: {} processor time", what, how)});
    }
  }
  for (const std::size_t size : kBagSizes) {
    for (const auto & [how, text] : {std::pair{"alone", "not recorded"}, std::pair{"recorded", "recorded"}}) {
      const std::string what = fmt::format("publish, {}, {}", size_text(size), text);
      infos.push_back({fmt::format("bag.publish.{}.{}", size, how), what});
      infos.push_back({fmt::format("bag.publish.{}.{}.cpu", size, how), what + ", processor time of a message"});
    }
  }
  for (const auto & [name, what] : {std::pair{"bag.pace", "playing at 1 kHz, error of a message's time"},
                                    std::pair{"bag.pace.floor", "sleeping at 1 kHz, error of a wake-up's time"}}) {
    infos.push_back({name, what});
    infos.push_back({std::string(name) + ".p99", std::string(what) + ", p99 of each second"});
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
  infos.insert(infos.end(), {{"service.topic.poll", "a message there and one back, polling, half of it"},
                             {"service.call.poll", "a service's call, polling, half of it"},
                             {"service.topic.block", "rclcpp, a message there and one back, blocking, half of it"},
                             {"service.call.block", "rclcpp, a service's call, blocking, half of it"}});
  infos.insert(infos.end(), {{"intra.floor", "one process: two virtual calls and a queue with a mutex"},
                             {"intra.publish", "one process: publish, intra-process delivery"},
                             {"intra.unique", "one process: publish and callback, intra-process, UniquePtr"},
                             {"intra.shared", "one process: publish and callback, intra-process, ConstSharedPtr"},
                             {"intra.four", "one process: publish and four callbacks, intra-process, ConstSharedPtr"},
                             {"intra.topic.unique", "one process: publish and callback, UniquePtr"},
                             {"intra.topic.shared", "one process: publish and callback, ConstSharedPtr"}});
  add_message_infos(infos);
  add_waking_infos(infos);
  add_idle_infos(infos);
  add_bag_infos(infos);
  append(infos, transport_infos());
  return infos;
}

}  // namespace

const std::vector<SeriesInfo> & series_infos() {
  static const std::vector<SeriesInfo> list = make_series_infos();
  return list;
}

}  // namespace bench
