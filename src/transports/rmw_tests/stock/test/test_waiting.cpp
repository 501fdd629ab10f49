// Wait sets, which remember what they were given: whatever changes between two waits is noticed.
#include <future>

#include "rmw_fixture.hpp"

namespace {

using std_msgs::msg::String;

constexpr rmw_time_t kNow{0, 0};
constexpr rmw_time_t kSoon{0, 20'000'000};
constexpr rmw_time_t kLong{30, 0};

class Waiting : public Rmw {
 protected:
  struct Topic {
    rmw_publisher_t * publisher;
    rmw_subscription_t * subscription;
  };

  Topic make(const std::string & name) {
    const Topic topic{publisher<String>(name.c_str()), subscription<String>(name.c_str())};
    EXPECT_TRUE(are_matched(topic.publisher, topic.subscription));
    return topic;
  }
  void end(const Topic & topic) {
    EXPECT_OK(rmw_destroy_publisher(node_, topic.publisher));
    EXPECT_OK(rmw_destroy_subscription(node_, topic.subscription));
  }
  void say(const Topic & topic) {
    String message;
    EXPECT_OK(rmw_publish(topic.publisher, &message, nullptr));
  }
  bool hear(const Topic & topic) {
    String message;
    return take(topic.subscription, message);
  }
  /// Which are ready.
  std::vector<bool> wait(const std::vector<Topic> & topics, rmw_time_t timeout, rmw_wait_set_t * wait_set = nullptr) {
    std::vector<void *> data;
    for (const Topic & topic : topics) data.push_back(topic.subscription->data);
    rmw_subscriptions_t subscriptions{data.size(), data.data()};
    const rmw_ret_t code = rmw_wait(&subscriptions, nullptr, nullptr, nullptr, nullptr,
                                    wait_set != nullptr ? wait_set : wait_set_, &timeout);
    std::vector<bool> ready;
    bool is_any = false;
    for (void * const one : data) {
      ready.push_back(one != nullptr);
      is_any = is_any || one != nullptr;
    }
    EXPECT_EQ(code, is_any ? RMW_RET_OK : RMW_RET_TIMEOUT) << last_error();
    return ready;
  }
};

using Ready = std::vector<bool>;

TEST_F(Waiting, AllThatAreReadyAreTold) {
  std::vector<Topic> topics;
  for (int i = 0; i < 20; ++i) topics.push_back(make("/all" + std::to_string(i)));
  EXPECT_EQ(wait(topics, kNow), Ready(20, false));
  for (const Topic & topic : topics) say(topic);
  EXPECT_EQ(wait(topics, kLong), Ready(20, true));
  for (std::size_t i = 0; i < 20; i += 2) EXPECT_TRUE(hear(topics[i]));
  Ready others(20, true);
  for (std::size_t i = 0; i < 20; i += 2) others[i] = false;
  EXPECT_EQ(wait(topics, kLong), others);
  for (const Topic & topic : topics) end(topic);
}

TEST_F(Waiting, WhatIsNotTakenEndsTheNextWaitToo) {
  const Topic topic = make("/kept");
  say(topic);
  say(topic);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(wait({topic}, kLong), Ready{true});
  EXPECT_TRUE(hear(topic));
  EXPECT_EQ(wait({topic}, kLong), Ready{true});
  EXPECT_TRUE(hear(topic));
  EXPECT_EQ(wait({topic}, kSoon), Ready{false});
  end(topic);
}

TEST_F(Waiting, ListsMayChange) {
  const Topic a = make("/a");
  const Topic b = make("/b");
  EXPECT_EQ(wait({a, b}, kNow), Ready({false, false}));
  say(a);
  EXPECT_EQ(wait({b}, kSoon), Ready{false});  // it is not listed
  say(b);
  EXPECT_EQ(wait({b}, kLong), Ready{true});
  EXPECT_EQ(wait({b, a}, kLong), Ready({true, true}));  // in another order
  EXPECT_TRUE(hear(b));
  EXPECT_EQ(wait({a, b}, kLong), Ready({true, false}));
  EXPECT_TRUE(hear(a));
  EXPECT_EQ(wait({a}, kSoon), Ready{false});
  end(a);
  end(b);
}

TEST_F(Waiting, OneThatIsListedTwiceIsReadyTwice) {
  const Topic topic = make("/twice");
  say(topic);
  EXPECT_EQ(wait({topic, topic}, kLong), Ready({true, true}));
  EXPECT_TRUE(hear(topic));
  EXPECT_EQ(wait({topic, topic}, kSoon), Ready({false, false}));
  end(topic);
}

TEST_F(Waiting, NullIsNoEntity) {
  const Topic topic = make("/null");
  say(topic);
  void * data[] = {nullptr, topic.subscription->data, nullptr};
  rmw_subscriptions_t subscriptions{3, data};
  EXPECT_OK(rmw_wait(&subscriptions, nullptr, nullptr, nullptr, nullptr, wait_set_, &kLong));
  EXPECT_EQ(data[0], nullptr);
  EXPECT_NE(data[1], nullptr);
  EXPECT_EQ(data[2], nullptr);
  end(topic);
}

TEST_F(Waiting, OthersMayComeInThePlaceOfThoseThatEnd) {
  for (int i = 0; i < 50; ++i) {  // mostly at the same address
    const Topic topic = make("/next" + std::to_string(i));
    EXPECT_EQ(wait({topic}, kNow), Ready{false}) << i;
    say(topic);
    EXPECT_EQ(wait({topic}, kLong), Ready{true}) << i;
    end(topic);
  }
}

TEST_F(Waiting, TwoWaitSetsMayTakeTurns) {
  rmw_wait_set_t * const other = rmw_create_wait_set(&context_, 0);
  const Topic topic = make("/turns");
  for (int i = 0; i < 10; ++i) {
    rmw_wait_set_t * const wait_set = i % 2 == 0 ? other : wait_set_;
    EXPECT_EQ(wait({topic}, kNow, wait_set), Ready{false}) << i;
    say(topic);
    EXPECT_EQ(wait({topic}, kLong, wait_set), Ready{true}) << i;
    EXPECT_TRUE(hear(topic));
  }
  EXPECT_OK(rmw_destroy_wait_set(other));
  end(topic);
}

TEST_F(Waiting, AWaitSetIsOfOneThreadAtATime) {
  const Topic topic = make("/shared");
  const auto wait_until = [&](rmw_time_t timeout) {
    void * data[] = {topic.subscription->data};
    rmw_subscriptions_t subscriptions{1, data};
    return rmw_wait(&subscriptions, nullptr, nullptr, nullptr, nullptr, wait_set_, &timeout);
  };
  auto waiting = std::async(std::launch::async, [&] {
    rmw_ret_t code = wait_until(kLong);
    for (; code == RMW_RET_ERROR; code = wait_until(kLong)) last_error();  // the other one was there just then
    return code;
  });
  EXPECT_TRUE(eventually(
      [&] { return wait_until(kNow) == RMW_RET_ERROR && last_error().find("one of its own") != std::string::npos; }));
  say(topic);
  EXPECT_EQ(waiting.get(), RMW_RET_OK);
  end(topic);
}

TEST_F(Waiting, GuardConditionsAreToldOnce) {
  rmw_guard_condition_t * const guard = rmw_create_guard_condition(&context_);
  const auto is_told = [&](rmw_time_t timeout) {
    void * data[] = {guard->data};
    rmw_guard_conditions_t guards{1, data};
    const rmw_ret_t code = rmw_wait(nullptr, &guards, nullptr, nullptr, nullptr, wait_set_, &timeout);
    EXPECT_EQ(code, data[0] != nullptr ? RMW_RET_OK : RMW_RET_TIMEOUT) << last_error();
    return data[0] != nullptr;
  };
  EXPECT_OK(rmw_trigger_guard_condition(guard));  // before anybody knows of it
  EXPECT_TRUE(is_told(kLong));
  EXPECT_FALSE(is_told(kSoon));
  EXPECT_OK(rmw_trigger_guard_condition(guard));
  EXPECT_TRUE(is_told(kLong));
  EXPECT_FALSE(is_told(kNow));
  auto later = std::async(std::launch::async, [&] { return is_told(kLong); });
  EXPECT_OK(rmw_trigger_guard_condition(guard));
  EXPECT_TRUE(later.get());
  EXPECT_OK(rmw_destroy_guard_condition(guard));
}

TEST_F(Waiting, EventsAreReadyUntilTheyAreTaken) {
  rmw_subscription_t * const subscriber = subscription<String>("/event");
  rmw_event_t event = rmw_get_zero_initialized_event();
  ASSERT_OK(rmw_subscription_event_init(&event, subscriber, RMW_EVENT_SUBSCRIPTION_MATCHED));
  const auto is_ready = [&](rmw_time_t timeout) {
    void * data[] = {&event};
    rmw_events_t events{1, data};
    const rmw_ret_t code = rmw_wait(nullptr, nullptr, nullptr, nullptr, &events, wait_set_, &timeout);
    EXPECT_EQ(code, data[0] != nullptr ? RMW_RET_OK : RMW_RET_TIMEOUT) << last_error();
    return data[0] != nullptr;
  };
  EXPECT_FALSE(is_ready(kSoon));
  rmw_publisher_t * const publisher_of_it = publisher<String>("/event");
  EXPECT_TRUE(is_ready(kLong));
  EXPECT_TRUE(is_ready(kNow));
  rmw_matched_status_t status{};
  bool taken = false;
  EXPECT_OK(rmw_take_event(&event, &status, &taken));
  EXPECT_EQ(status.current_count, 1U);
  EXPECT_FALSE(is_ready(kSoon));
  EXPECT_OK(rmw_destroy_publisher(node_, publisher_of_it));
  EXPECT_TRUE(is_ready(kLong));
  EXPECT_OK(rmw_event_fini(&event));
  EXPECT_OK(rmw_destroy_subscription(node_, subscriber));
}

}  // namespace
