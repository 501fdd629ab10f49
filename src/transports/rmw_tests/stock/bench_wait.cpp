// What a message costs a stock executor in rmw.h: publish, rmw_wait() and rmw_take() within a process, while the wait set lists so many
// entities besides. An rclcpp node lists two for each subscription and one for each publisher: itself, and its events.
//
//   build/rmw_tests/stock/bench_wait --benchmark_repetitions=10 --benchmark_report_aggregates_only=true
#include <benchmark/benchmark.h>
#include <rmw/rmw.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "rcutils/strdup.h"
#include "rmw/error_handling.h"
#include "rmw/event.h"
#include "test/ros_types.hpp"

namespace {

using Message = std_msgs::msg::String;

/// Ends the program when something has failed.
void check(bool is_good) {
  if (is_good) return;
  std::fprintf(stderr, "bench_wait: %s\n", rmw_get_error_string().str);
  std::exit(1);
}
void check(rmw_ret_t code) { check(code == RMW_RET_OK); }

/// A node with idle subscriptions and one that gets messages, each with an event, and a guard condition.
class Node {
 public:
  explicit Node(std::size_t idle) {
    const std::string folder = "/dev/shm/bench_wait." + std::to_string(getpid());
    setenv("TANDEM_SHM_DIR", folder.c_str(), 1);
    const auto allocator = rcutils_get_default_allocator();
    options_ = rmw_get_zero_initialized_init_options();
    check(rmw_init_options_init(&options_, allocator));
    options_.enclave = rcutils_strdup("/", allocator);
    check(rmw_init(&options_, &context_));
    node_ = rmw_create_node(&context_, "node", "/");
    wait_set_ = rmw_create_wait_set(&context_, 0);
    guard_ = rmw_create_guard_condition(&context_);
    check(node_ != nullptr && wait_set_ != nullptr && guard_ != nullptr);
    guards_ = {guard_->data};
    events_.resize(idle + 1);
    for (std::size_t i = 0; i <= idle; ++i) add_subscription(i);
    const rmw_publisher_options_t options{};
    publisher_ = rmw_create_publisher(node_, type_support<Message>(), "/topic0", &qos(), &options);
    check(publisher_ != nullptr);
    message_.data = "hello";
    for (std::size_t matched = 0; matched == 0;) {
      check(rmw_publisher_count_matched_subscriptions(publisher_, &matched));
    }
    while (!exchange()) {
    }
  }
  ~Node() {
    check(rmw_destroy_publisher(node_, publisher_));
    for (rmw_event_t & event : events_) check(rmw_event_fini(&event));
    for (rmw_subscription_t * one : subscriptions_) check(rmw_destroy_subscription(node_, one));
    check(rmw_destroy_guard_condition(guard_));
    check(rmw_destroy_wait_set(wait_set_));
    check(rmw_destroy_node(node_));
    check(rmw_shutdown(&context_));
    check(rmw_context_fini(&context_));
    check(rmw_init_options_fini(&options_));
    std::filesystem::remove_all("/dev/shm/bench_wait." + std::to_string(getpid()));
  }

  /// \return whether a message came.
  bool exchange() {
    check(rmw_publish(publisher_, &message_, nullptr));
    // As an executor, it lists everything anew each time.
    std::vector<void *> subscriptions = listed_, guards = guards_, events = listed_events_;
    rmw_subscriptions_t s{subscriptions.size(), subscriptions.data()};
    rmw_guard_conditions_t g{guards.size(), guards.data()};
    rmw_events_t e{events.size(), events.data()};
    const rmw_time_t timeout{1, 0};
    if (rmw_wait(&s, &g, nullptr, nullptr, &e, wait_set_, &timeout) != RMW_RET_OK || subscriptions[0] == nullptr)
      return false;
    bool is_taken = false;
    check(rmw_take(subscriptions_[0], &taken_, &is_taken, nullptr));
    return is_taken;
  }

 private:
  static const rmw_qos_profile_t & qos() {
    static const rmw_qos_profile_t profile = [] {
      rmw_qos_profile_t made{};
      made.history = RMW_QOS_POLICY_HISTORY_KEEP_LAST;
      made.depth = 10;
      made.reliability = RMW_QOS_POLICY_RELIABILITY_RELIABLE;
      made.durability = RMW_QOS_POLICY_DURABILITY_VOLATILE;
      return made;
    }();
    return profile;
  }

  void add_subscription(std::size_t number) {
    const rmw_subscription_options_t options{};
    const std::string topic = "/topic" + std::to_string(number);
    rmw_subscription_t * const made =
        rmw_create_subscription(node_, type_support<Message>(), topic.c_str(), &qos(), &options);
    check(made != nullptr);
    subscriptions_.push_back(made);
    listed_.push_back(made->data);
    events_[number] = rmw_get_zero_initialized_event();
    check(rmw_subscription_event_init(&events_[number], made, RMW_EVENT_REQUESTED_QOS_INCOMPATIBLE));
    listed_events_.push_back(&events_[number]);
  }

  rmw_init_options_t options_;
  rmw_context_t context_ = rmw_get_zero_initialized_context();
  rmw_node_t * node_ = nullptr;
  rmw_wait_set_t * wait_set_ = nullptr;
  rmw_guard_condition_t * guard_ = nullptr;
  rmw_publisher_t * publisher_ = nullptr;
  std::vector<rmw_subscription_t *> subscriptions_;
  std::vector<rmw_event_t> events_;
  std::vector<void *> listed_;
  std::vector<void *> guards_;
  std::vector<void *> listed_events_;
  Message message_;
  Message taken_;
};

void exchange(benchmark::State & state) {
  Node node(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) {
    if (!node.exchange()) state.SkipWithError("a message did not come");
  }
}
BENCHMARK(exchange)->Arg(0)->Arg(10)->Arg(100)->Arg(1000);

}  // namespace

BENCHMARK_MAIN();
