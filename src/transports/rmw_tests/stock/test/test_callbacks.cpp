// Callbacks for new messages and events, and waiting beside them.
#include <atomic>
#include <numeric>
#include <set>

#include "rmw_fixture.hpp"

namespace {

using std_msgs::msg::UInt64;
using std_srvs::srv::SetBool;

using Count = std::atomic<std::size_t>;

/// A callback whose user data are a Count.
void add(const void * count, std::size_t number) { *static_cast<Count *>(const_cast<void *>(count)) += number; }

const rosidl_service_type_support_t * set_bool() {
  return rosidl_typesupport_introspection_cpp::get_service_type_support_handle<SetBool>();
}

class Callbacks : public Rmw {
 protected:
  void publish(const rmw_publisher_t * out, std::uint64_t data) {
    UInt64 message;
    message.data = data;
    EXPECT_OK(rmw_publish(out, &message, nullptr));
  }
  std::vector<std::uint64_t> take_all(const rmw_subscription_t * in) {
    std::vector<std::uint64_t> all;
    for (UInt64 message; take(in, message);) all.push_back(message.data);
    return all;
  }
  static std::vector<std::uint64_t> numbers(std::uint64_t end) {
    std::vector<std::uint64_t> all(end);
    std::iota(all.begin(), all.end(), std::uint64_t{0});
    return all;
  }
  /// Whether `wait`, which is given a timeout, ends with something that is ready, by what `act` does meanwhile.
  bool is_in_time(const std::function<void()> & act, const std::function<bool(const rmw_time_t &)> & wait) {
    std::atomic<bool> has_ended{false};
    bool is_woken = false;
    std::thread other([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));  // the wait has begun, as a rule
      act();
      is_woken = eventually([&] { return has_ended.load(); });
    });
    const bool is_ready = wait({120, 0});
    has_ended = true;
    other.join();
    return is_ready && is_woken;
  }
  bool is_woken(const rmw_subscription_t * in, const std::function<void()> & act) {
    return is_in_time(act, [&](const rmw_time_t & patience) { return wait_for(in, patience); });
  }
  static rmw_qos_profile_t with_deadline() {
    rmw_qos_profile_t qos = profile();
    qos.deadline = {100, 0};
    return qos;
  }
};

TEST_F(Callbacks, ServicesKeepWhatManyClientsAskAtOnce) {
  constexpr std::size_t kClients = 4;
  constexpr std::size_t kEach = 10;
  const rmw_qos_profile_t qos = profile();  // a depth of 10
  auto * const service = rmw_create_service(node_, set_bool(), "/busy", &qos);
  ASSERT_NE(service, nullptr) << last_error();
  Count asked{0};
  EXPECT_OK(rmw_service_set_on_new_request_callback(service, add, &asked));
  std::vector<rmw_client_t *> clients;
  std::vector<Count> answered(kClients);
  for (std::size_t i = 0; i < kClients; ++i) {
    clients.push_back(rmw_create_client(node_, set_bool(), "/busy", &qos));
    ASSERT_NE(clients[i], nullptr) << last_error();
    EXPECT_OK(rmw_client_set_on_new_response_callback(clients[i], add, &answered[i]));
    EXPECT_TRUE(eventually([&] {
      bool is_there = false;
      EXPECT_OK(rmw_service_server_is_available(node_, clients[i], &is_there));
      return is_there;
    }));
  }
  for (std::size_t i = 0; i < kClients * kEach; ++i) {
    const SetBool::Request request;
    std::int64_t sequence = 0;
    EXPECT_OK(rmw_send_request(clients[i % kClients], &request, &sequence));
  }
  EXPECT_TRUE(eventually([&] { return asked == kClients * kEach; }));
  bool is_taken = true;
  std::size_t taken = 0;
  std::vector<rmw_request_id_t> ids;
  for (;; ++taken) {
    rmw_service_info_t header{};
    SetBool::Request request;
    EXPECT_OK(rmw_take_request(service, &header, &request, &is_taken));
    if (!is_taken) break;
    ids.push_back(header.request_id);
  }
  EXPECT_EQ(taken, kClients * kEach);
  for (rmw_request_id_t & id : ids) {
    for (int twice = 0; twice < 2; ++twice) {  // more than the depth
      SetBool::Response response;
      EXPECT_OK(rmw_send_response(service, &id, &response));
    }
  }
  for (std::size_t i = 0; i < kClients; ++i) {
    EXPECT_TRUE(eventually([&] { return answered[i] == 2 * kEach; }));
    std::size_t replies = 0;
    for (;; ++replies) {
      rmw_service_info_t header{};
      SetBool::Response response;
      EXPECT_OK(rmw_take_response(clients[i], &header, &response, &is_taken));
      if (!is_taken) break;
    }
    EXPECT_EQ(replies, 2 * kEach);
    EXPECT_OK(rmw_destroy_client(node_, clients[i]));
  }
  EXPECT_OK(rmw_destroy_service(node_, service));
}

TEST_F(Callbacks, KeepAllLosesNothing) {
  constexpr std::uint64_t kAll = 20'000;  // more than are fetched at a time
  rmw_qos_profile_t all = profile();
  all.history = RMW_QOS_POLICY_HISTORY_KEEP_ALL;
  auto * const out = publisher<UInt64>("/all", all);
  auto * const in = subscription<UInt64>("/all", all);
  ASSERT_TRUE(are_matched(out, in));
  Count told{0};
  EXPECT_OK(rmw_subscription_set_on_new_message_callback(in, add, &told));
  for (std::uint64_t i = 0; i < kAll; ++i) publish(out, i);
  std::vector<std::uint64_t> taken;
  EXPECT_TRUE(eventually([&] {
    const std::vector<std::uint64_t> more = take_all(in);
    taken.insert(taken.end(), more.begin(), more.end());
    return taken.size() >= kAll;
  }));
  EXPECT_EQ(taken, numbers(kAll));
  // And it goes on. The first callback may yet be told of what is taken.
  Count later{0};
  EXPECT_OK(rmw_subscription_set_on_new_message_callback(in, add, &later));
  publish(out, 0);
  EXPECT_TRUE(eventually([&] { return later == 1; })) << later;
  EXPECT_OK(rmw_destroy_publisher(node_, out));
  EXPECT_OK(rmw_destroy_subscription(node_, in));
}

TEST_F(Callbacks, KeepAllIsToldOfAsMuchAsThereIs) {
  constexpr std::uint64_t kAll = 20'000;
  rmw_qos_profile_t all = profile();
  all.history = RMW_QOS_POLICY_HISTORY_KEEP_ALL;
  auto * const out = publisher<UInt64>("/all", all);
  auto * const in = subscription<UInt64>("/all", all);
  ASSERT_TRUE(are_matched(out, in));
  Count told{0};
  EXPECT_OK(rmw_subscription_set_on_new_message_callback(in, add, &told));
  for (std::uint64_t i = 0; i < kAll; ++i) publish(out, i);
  // One message is taken for each that was told of, as an executor does it.
  for (std::uint64_t i = 0; i < kAll; ++i) {
    ASSERT_TRUE(eventually([&] { return told > i; })) << i;
    UInt64 message;
    ASSERT_TRUE(take(in, message)) << i;
    ASSERT_EQ(message.data, i);
  }
  EXPECT_EQ(told, kAll);
  EXPECT_OK(rmw_destroy_publisher(node_, out));
  EXPECT_OK(rmw_destroy_subscription(node_, in));
}

TEST_F(Callbacks, OneThatTakesLongKeepsNobodyFromEndingAnother) {
  struct Slow {
    std::atomic<bool> is_called{false};
    std::atomic<bool> may_end{false};
    std::atomic<bool> has_given_up{false};
  } slow;
  const auto wait_long = [](const void * data, std::size_t) {
    auto & own = *static_cast<Slow *>(const_cast<void *>(data));
    own.is_called = true;
    const auto end = std::chrono::steady_clock::now() + kPatience;
    while (!own.may_end && !own.has_given_up) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      if (std::chrono::steady_clock::now() > end) own.has_given_up = true;
    }
  };
  auto * const out = publisher<UInt64>("/slow");
  auto * const in = subscription<UInt64>("/slow");
  auto * const other = subscription<UInt64>("/other");
  ASSERT_TRUE(are_matched(out, in));
  Count told{0};
  EXPECT_OK(rmw_subscription_set_on_new_message_callback(other, add, &told));
  EXPECT_OK(rmw_subscription_set_on_new_message_callback(in, wait_long, &slow));
  publish(out, 1);
  EXPECT_TRUE(eventually([&] { return slow.is_called.load(); }));
  EXPECT_OK(rmw_destroy_subscription(node_, other));
  std::size_t count = 1;
  EXPECT_OK(rmw_count_subscribers(node_, "/other", &count));
  EXPECT_EQ(count, 0u);
  slow.may_end = true;
  EXPECT_OK(rmw_destroy_subscription(node_, in));
  EXPECT_FALSE(slow.has_given_up);
  EXPECT_OK(rmw_destroy_publisher(node_, out));
}

TEST_F(Callbacks, MayEndTheirOwnSubscription) {
  struct Own {
    rmw_node_t * node;
    rmw_subscription_t * in;
    std::atomic<bool> is_done{false};
  } own{node_, subscription<UInt64>("/own"), {}};
  auto * const out = publisher<UInt64>("/own");
  ASSERT_TRUE(are_matched(out, own.in));
  const auto end = [](const void * data, std::size_t) {
    auto & mine = *static_cast<Own *>(const_cast<void *>(data));
    EXPECT_OK(rmw_destroy_subscription(mine.node, mine.in));
    mine.is_done = true;
  };
  EXPECT_OK(rmw_subscription_set_on_new_message_callback(own.in, end, &own));
  publish(out, 1);
  EXPECT_TRUE(eventually([&] { return own.is_done.load(); }));
  EXPECT_OK(rmw_destroy_publisher(node_, out));
}

TEST_F(Callbacks, OfEventsMayEndTheirOwnPublisher) {
  rmw_qos_profile_t best_effort = profile();
  best_effort.reliability = RMW_QOS_POLICY_RELIABILITY_BEST_EFFORT;
  struct Own {
    rmw_node_t * node;
    rmw_publisher_t * out;
    std::atomic<bool> is_done{false};
  } own{node_, publisher<UInt64>("/own", best_effort), {}};
  rmw_event_t event = rmw_get_zero_initialized_event();
  ASSERT_OK(rmw_publisher_event_init(&event, own.out, RMW_EVENT_OFFERED_QOS_INCOMPATIBLE));
  const auto end = [](const void * data, std::size_t) {
    auto & mine = *static_cast<Own *>(const_cast<void *>(data));
    EXPECT_OK(rmw_destroy_publisher(mine.node, mine.out));
    mine.is_done = true;
  };
  EXPECT_OK(rmw_event_set_callback(&event, end, &own));
  auto * const in = subscription<UInt64>("/own");
  EXPECT_TRUE(eventually([&] { return own.is_done.load(); }));
  EXPECT_OK(rmw_destroy_subscription(node_, in));
}

TEST_F(Callbacks, OfEventsMaySetThoseOfMessagesWhileTheseAreCalled) {
  rmw_qos_profile_t best_effort = profile();
  best_effort.reliability = RMW_QOS_POLICY_RELIABILITY_BEST_EFFORT;
  static std::atomic<bool> is_in_event{false};
  static std::atomic<bool> has_given_up{false};
  auto * const sender = publisher<UInt64>("/messages");
  auto * const in = subscription<UInt64>("/messages");
  auto * const other = subscription<UInt64>("/other");
  ASSERT_TRUE(are_matched(sender, in));
  rmw_event_t event = rmw_get_zero_initialized_event();
  auto * const unfit = publisher<UInt64>("/unfit", best_effort);
  ASSERT_OK(rmw_publisher_event_init(&event, unfit, RMW_EVENT_OFFERED_QOS_INCOMPATIBLE));
  const auto wait_for_event = [](const void *, std::size_t) {
    const auto end = std::chrono::steady_clock::now() + kPatience;
    while (!is_in_event) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      if (std::chrono::steady_clock::now() > end) {
        has_given_up = true;
        return;
      }
    }
  };
  const auto set_other = [](const void * data, std::size_t) {
    is_in_event = true;
    auto * const mine = static_cast<rmw_subscription_t *>(const_cast<void *>(data));
    static Count count{0};
    EXPECT_OK(rmw_subscription_set_on_new_message_callback(mine, add, &count));
  };
  EXPECT_OK(rmw_event_set_callback(&event, set_other, other));
  EXPECT_OK(rmw_subscription_set_on_new_message_callback(in, wait_for_event, nullptr));
  publish(sender, 1);
  auto * const reliable = subscription<UInt64>("/unfit");
  EXPECT_TRUE(eventually([&] { return is_in_event.load(); }));
  EXPECT_OK(rmw_subscription_set_on_new_message_callback(in, nullptr, nullptr));
  EXPECT_FALSE(has_given_up);
  for (auto * const one : {in, other, reliable}) EXPECT_OK(rmw_destroy_subscription(node_, one));
  for (auto * const one : {sender, unfit}) EXPECT_OK(rmw_destroy_publisher(node_, one));
}

// A status of a subscription with a deadline is known only when what has arrived was fetched.
TEST_F(Callbacks, AreToldOfWhatALookAtEventsHasFetched) {
  auto * const out = publisher<UInt64>("/looked_at", with_deadline());
  auto * const in = subscription<UInt64>("/looked_at", with_deadline());
  ASSERT_TRUE(are_matched(out, in));
  rmw_event_t event = rmw_get_zero_initialized_event();
  ASSERT_OK(rmw_subscription_event_init(&event, in, RMW_EVENT_REQUESTED_DEADLINE_MISSED));
  Count told{0};
  EXPECT_OK(rmw_subscription_set_on_new_message_callback(in, add, &told));
  for (std::size_t i = 1; i <= 300; ++i) {
    publish(out, i);
    rmw_requested_deadline_missed_status_t status{};
    bool is_taken = false;
    EXPECT_OK(rmw_take_event(&event, &status, &is_taken));
    ASSERT_TRUE(eventually([&] { return told == i; })) << i;
    EXPECT_EQ(take_all(in).size(), 1u);
  }
  EXPECT_OK(rmw_destroy_publisher(node_, out));
  EXPECT_OK(rmw_destroy_subscription(node_, in));
}

TEST_F(Callbacks, WhoWaitsIsWokenForWhatALookAtEventsHasFetched) {
  auto * const out = publisher<UInt64>("/looked_at", with_deadline());
  auto * const in = subscription<UInt64>("/looked_at", with_deadline());
  ASSERT_TRUE(are_matched(out, in));
  rmw_event_t event = rmw_get_zero_initialized_event();
  ASSERT_OK(rmw_subscription_event_init(&event, in, RMW_EVENT_REQUESTED_DEADLINE_MISSED));
  for (std::size_t i = 0; i < 50; ++i) {
    ASSERT_TRUE(is_woken(in, [&] {
      publish(out, i);
      rmw_requested_deadline_missed_status_t status{};
      bool is_taken = false;
      EXPECT_OK(rmw_take_event(&event, &status, &is_taken));
    })) << i;
    EXPECT_EQ(take_all(in).size(), 1u);
  }
  EXPECT_OK(rmw_destroy_publisher(node_, out));
  EXPECT_OK(rmw_destroy_subscription(node_, in));
}

TEST_F(Callbacks, LossesAreToldWhenATakeHasFoundThem) {
  auto * const out = publisher<UInt64>("/lossy", profile(2));
  auto * const in = subscription<UInt64>("/lossy", profile(2));
  ASSERT_TRUE(are_matched(out, in));
  rmw_event_t event = rmw_get_zero_initialized_event();
  ASSERT_OK(rmw_subscription_event_init(&event, in, RMW_EVENT_MESSAGE_LOST));
  const auto lose = [&] {
    for (std::uint64_t i = 0; i < 1000; ++i) publish(out, i);
    EXPECT_FALSE(take_all(in).empty());
  };
  void * data[] = {&event};
  rmw_events_t events{1, data};
  EXPECT_TRUE(is_in_time(lose, [&](const rmw_time_t & patience) {
    return rmw_wait(nullptr, nullptr, nullptr, nullptr, &events, wait_set_, &patience) == RMW_RET_OK;
  }));
  Count told{0};
  EXPECT_OK(rmw_event_set_callback(&event, add, &told));
  const std::size_t before = told;
  EXPECT_GT(before, 0u);
  lose();
  EXPECT_TRUE(eventually([&] { return told > before; }));
  EXPECT_OK(rmw_event_set_callback(&event, nullptr, nullptr));
  EXPECT_OK(rmw_destroy_publisher(node_, out));
  EXPECT_OK(rmw_destroy_subscription(node_, in));
}

TEST_F(Callbacks, WhoWaitsIsWokenAlsoAfterTheyAreRemoved) {
  auto * const out = publisher<UInt64>("/removed");
  auto * const in = subscription<UInt64>("/removed");
  ASSERT_TRUE(are_matched(out, in));
  Count told{0};
  EXPECT_OK(rmw_subscription_set_on_new_message_callback(in, add, &told));
  EXPECT_TRUE(is_woken(in, [&] {
    EXPECT_OK(rmw_subscription_set_on_new_message_callback(in, nullptr, nullptr));
    publish(out, 1);
  }));
  EXPECT_EQ(told, 0u);
  EXPECT_OK(rmw_destroy_publisher(node_, out));
  EXPECT_OK(rmw_destroy_subscription(node_, in));
}

TEST_F(Callbacks, AreToldWhileWaitSetsTakeTurns) {
  auto * const out = publisher<UInt64>("/turns");
  auto * const in = subscription<UInt64>("/turns");
  ASSERT_TRUE(are_matched(out, in));
  rmw_wait_set_t * const second = rmw_create_wait_set(&context_, 0);
  ASSERT_NE(second, nullptr) << last_error();
  std::atomic<bool> is_over{false};
  std::thread waiting([&] {
    for (int i = 0; !is_over; ++i) {
      void * data[] = {in->data};
      rmw_subscriptions_t subscriptions{1, data};
      const rmw_time_t at_once{0, 0};
      const rmw_ret_t code =
          rmw_wait(&subscriptions, nullptr, nullptr, nullptr, nullptr, i % 2 == 0 ? second : wait_set_, &at_once);
      EXPECT_TRUE(code == RMW_RET_OK || code == RMW_RET_TIMEOUT);
    }
  });
  for (int round = 0; round < 2'000; ++round) {
    Count told{0};
    EXPECT_OK(rmw_subscription_set_on_new_message_callback(in, add, &told));
    publish(out, 1);
    const bool is_told = eventually([&] { return told == 1; });
    EXPECT_OK(rmw_subscription_set_on_new_message_callback(in, nullptr, nullptr));
    EXPECT_TRUE(is_told) << round;
    if (!is_told) break;
    EXPECT_EQ(take_all(in).size(), 1u);
  }
  is_over = true;
  waiting.join();
  EXPECT_OK(rmw_destroy_wait_set(second));
  EXPECT_OK(rmw_destroy_publisher(node_, out));
  EXPECT_OK(rmw_destroy_subscription(node_, in));
}

TEST_F(Callbacks, AWaitWithoutEndEndsWithSomethingThatIsReady) {
  auto * const out = publisher<UInt64>("/taken_meanwhile");
  auto * const in = subscription<UInt64>("/taken_meanwhile");
  ASSERT_TRUE(are_matched(out, in));
  rmw_guard_condition_t * const guard = rmw_create_guard_condition(&context_);
  ASSERT_NE(guard, nullptr) << last_error();
  std::atomic<bool> is_over{false};
  std::thread waiting([&] {
    while (!is_over) {
      void * data[] = {in->data};
      rmw_subscriptions_t subscriptions{1, data};
      void * guard_data[] = {guard->data};
      rmw_guard_conditions_t guards{1, guard_data};
      EXPECT_OK(rmw_wait(&subscriptions, &guards, nullptr, nullptr, nullptr, wait_set_, nullptr));
      EXPECT_TRUE(data[0] != nullptr || guard_data[0] != nullptr);
    }
  });
  std::thread taking([&] {
    while (!is_over) take_all(in);
  });
  for (std::uint64_t i = 0; i < 500'000; ++i) publish(out, i);
  is_over = true;
  EXPECT_OK(rmw_trigger_guard_condition(guard));
  waiting.join();
  taking.join();
  EXPECT_OK(rmw_destroy_guard_condition(guard));
  EXPECT_OK(rmw_destroy_publisher(node_, out));
  EXPECT_OK(rmw_destroy_subscription(node_, in));
}

TEST_F(Callbacks, ANewFilterHoldsForWhatWasFetchedBefore) {
  auto * const out = publisher<UInt64>("/refiltered");
  auto * const in = subscription<UInt64>("/refiltered");
  ASSERT_TRUE(are_matched(out, in));
  Count told{0};
  EXPECT_OK(rmw_subscription_set_on_new_message_callback(in, add, &told));
  for (std::uint64_t i = 0; i < 5; ++i) publish(out, i);
  EXPECT_TRUE(eventually([&] { return told == 5; }));
  rmw_subscription_content_filter_options_t options{};
  ASSERT_OK(rmw_subscription_content_filter_options_init("data > 2", 0, nullptr, &allocator_, &options));
  ASSERT_OK(rmw_subscription_set_content_filter(in, &options));
  EXPECT_OK(rmw_subscription_content_filter_options_fini(&options, &allocator_));
  EXPECT_EQ(take_all(in), (std::vector<std::uint64_t>{3, 4}));
  EXPECT_OK(rmw_destroy_publisher(node_, out));
  EXPECT_OK(rmw_destroy_subscription(node_, in));
}

TEST_F(Callbacks, SequencesTellWhatTheyHoldWhenOneMessageFails) {
  auto * const out = publisher<UInt64>("/sequence");
  auto * const in = subscription<UInt64>("/sequence");
  ASSERT_TRUE(are_matched(out, in));
  publish(out, 1);
  publish(out, 2);
  UInt64 message;
  void * data[] = {&message, nullptr};
  rmw_message_info_t infos[2];
  rmw_message_sequence_t messages{data, 0, 2, &allocator_};
  rmw_message_info_sequence_t all_infos{infos, 0, 2, &allocator_};
  std::size_t taken = 0;
  EXPECT_FAILS(RMW_RET_INVALID_ARGUMENT, rmw_take_sequence(in, 2, &messages, &all_infos, &taken, nullptr));
  EXPECT_EQ(taken, 1u);
  EXPECT_EQ(messages.size, 1u);
  EXPECT_EQ(all_infos.size, 1u);
  EXPECT_OK(rmw_destroy_publisher(node_, out));
  EXPECT_OK(rmw_destroy_subscription(node_, in));
}

}  // namespace
