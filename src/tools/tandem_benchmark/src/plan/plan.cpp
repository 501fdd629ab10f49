#include "plan/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "plan/bag.hpp"
#include "plan/containers.hpp"
#include "plan/plan_tables.hpp"
#include "plan/transports.hpp"

namespace bench {
namespace {

std::vector<Group> make_groups() {
  std::vector<Group> list = {{"floor", 1, make_floor},       {"core", 1, make_core},
                             {"rclcpp", 1, make_rclcpp},     {"fan_out", kFanOutProcesses, make_fan_out},
                             {"micro", 0, make_micro},       {"stream", 1, make_stream},
                             {"copy", 0, make_copy},         {"match", 1, make_matching},
                             {"messages", 1, make_messages}, {"grow", 0, make_grow},
                             {"heap", 0, make_heap},         {"containers", 0, make_containers},
                             {"waking", 1, make_waking},     {"idle", 1, make_idle},
                             {"service", 1, make_service},   {"callback", 0, make_callback},
                             {"intra", 0, make_intra},       {"bag", 2, make_bag, true, true}};
  append(list, transport_groups());
  return list;
}

std::vector<Contest> idle_contests(const Burst & burst) {
  std::vector<Contest> list;
  for (const auto & [name, what] : kIdle) {
    for (const std::size_t count : kIdleCounts) {
      list.push_back({fmt::format("idle.{}.{}", name, count), "idle", burst});
    }
  }
  return list;
}

std::vector<Contest> service_contests(const Burst & polling, const Burst & blocking) {
  std::vector<Contest> list;
  for (const char * what : {"topic", "call"}) {
    list.push_back({fmt::format("service.{}.poll", what), "service", polling});
    list.push_back({fmt::format("service.{}.block", what), "service", blocking});
  }
  return list;
}

/// \param burst makes a burst of so many samples.
template <class MakeBurst>
std::vector<Contest> bag_contests(MakeBurst burst) {
  constexpr std::size_t kFilled = 100;  // messages until the publisher has memory for all that its readers keep

  std::vector<Contest> list;
  for (const auto & [profile, what] : kBagProfiles) {
    list.push_back({fmt::format("bag.write.{}", profile), "bag", burst(profile == kUncompressed ? 128 : 64)});
  }
  for (const std::size_t size : kBagSizes) {
    list.push_back({fmt::format("bag.publish.{}", size), "bag", burst(size > 100'000 ? 100 : 1000)});
    list.back().burst.warm_up = kFilled;
  }
  list.push_back({"bag.pace", "bag", burst(1000)});
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
  list.push_back({"callback", "callback", repetitions(8)});
  list.push_back({"intra", "intra", repetitions(25)});
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
  append(list, idle_contests(burst(250)));
  append(list, service_contests(polling(), burst(1000)));
  append(list, bag_contests(burst));
  append(list, transport_contests(quick));
  return list;
}

}  // namespace bench
