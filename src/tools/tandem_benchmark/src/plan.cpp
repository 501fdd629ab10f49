#include "plan.hpp"

#include <fmt/format.h>

namespace bench {
namespace {

const std::vector<std::size_t> kSizes = {64, 8192, std::size_t{1} << 20, std::size_t{4} << 20};
const std::vector<std::size_t> kReaders = {1, 2, 4, 8, 16, 64};

std::string size_text(std::size_t size) {
  if (size >= std::size_t{1} << 20) {
    return fmt::format("{} MiB", size >> 20);
  }
  return size >= 1024 ? fmt::format("{} KiB", size >> 10) : fmt::format("{} B", size);
}

std::vector<SeriesInfo> make_series_infos() {
  std::vector<SeriesInfo> infos = {{"floor.cache_line", "floor: two processes bounce a cache line"},
                                   {"floor.futex", "floor: two processes wake each other by a futex"}};
  for (const std::size_t size : kSizes) {
    infos.push_back({fmt::format("floor.memcpy.{}", size), "floor: memcpy of " + size_text(size)});
  }
  for (const std::size_t size : kSizes) {
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
                             {"micro.release", "one process: release"}});
  return infos;
}

std::vector<Target> make_targets() {
  std::vector<Target> list;
  for (const std::size_t size : kSizes) {
    list.push_back({fmt::format("core, polling, {} / cache line", size_text(size)), fmt::format("core.poll.{}", size),
                    "floor.cache_line", 1.7});
  }
  list.push_back({"core, polling, 4 MiB / 64 B", fmt::format("core.poll.{}", kSizes.back()), "core.poll.64", 1.1});
  for (const std::size_t size : kSizes) {
    list.push_back({fmt::format("core, blocking, {} / futex", size_text(size)), fmt::format("core.block.{}", size),
                    "floor.futex", 1.3});
  }
  for (const std::size_t size : kSizes) {
    list.push_back({fmt::format("rclcpp, blocking, {} / futex", size_text(size)), fmt::format("rclcpp.{}", size),
                    "floor.futex", 1.5});
  }
  return list;
}

}  // namespace

const std::vector<Group> & groups() {
  static const std::vector<Group> list = {{"floor", 1, make_floor},
                                          {"core", 1, make_core},
                                          {"rclcpp", 1, make_rclcpp},
                                          {"fan_out", kFanOutProcesses, make_fan_out},
                                          {"micro", 0, make_micro}};
  return list;
}

std::vector<Contest> contests(bool quick) {
  const auto burst = [quick](std::size_t samples) {
    const std::size_t count = quick ? std::max<std::size_t>(samples / 20, 20) : samples;
    return Burst{count / 10, count, 1, std::chrono::milliseconds(quick ? 200 : 2000)};
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
  for (const std::size_t size : kSizes) {
    list.push_back({fmt::format("core.poll.{}", size), "core", polling()});
    list.push_back({fmt::format("core.block.{}", size), "core", burst(1000)});
    list.push_back({fmt::format("rclcpp.{}", size), "rclcpp", burst(1000)});
  }
  for (const std::size_t readers : kReaders) {
    list.push_back({fmt::format("fan_out.{}", readers), "fan_out", burst(2000)});
  }
  list.push_back({"micro", "micro", burst(2000)});
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

const std::vector<SlopeTarget> & slope_targets() {
  static const std::vector<SlopeTarget> list = {
      {"publish, ns for each further subscription", "fan_out.", kReaders, 10.0},
      {"borrow, ns for each further subscription", "fan_out.borrow.", kReaders, 0.0}};
  return list;
}

}  // namespace bench
