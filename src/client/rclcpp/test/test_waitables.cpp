// Guard conditions and waitables, in executors and in wait-sets.
#include "support.hpp"

#include <atomic>
#include <set>

#include "rclcpp/detail/add_guard_condition_to_rcl_wait_set.hpp"

using namespace std::chrono_literals;
using rclcpp::CallbackGroupType;
using rclcpp::GuardCondition;
using rclcpp::WaitResultKind;
using test::Block;
using Waitables = test::WithNode;
using Subscriptions = std::vector<rclcpp::WaitSet::SubscriptionEntry>;
using Entries = std::vector<rclcpp::WaitSet::WaitableEntry>;

namespace {

bool has(const rcl_wait_set_t & wait_set, const GuardCondition & guard_condition) {
  for (size_t i = 0; i < wait_set.size_of_guard_conditions; ++i) {
    if (wait_set.guard_conditions[i] == &guard_condition.get_rcl_guard_condition()) return true;
  }
  return false;
}

/// Is executed once for each trigger.
class Counter : public rclcpp::Waitable {
 public:
  size_t get_number_of_ready_guard_conditions() override { return 1; }
  void add_to_wait_set(rcl_wait_set_t & wait_set) override {
    if (pending_ > 0) guard_condition_.trigger();
    guard_condition_.add_to_wait_set(wait_set);
  }
  bool is_ready(const rcl_wait_set_t & wait_set) override { return has(wait_set, guard_condition_); }
  std::shared_ptr<void> take_data() override {
    --pending_;
    return std::make_shared<int>(42);
  }
  void execute(const std::shared_ptr<void> & data) override {
    if (*std::static_pointer_cast<int>(data) == 42) ++executed_;
    if (then) then();
  }
  void set_on_ready_callback(std::function<void(size_t, int)> callback) override {
    guard_condition_.set_on_trigger_callback([callback](size_t times) { callback(times, 0); });
  }
  void clear_on_ready_callback() override { guard_condition_.set_on_trigger_callback(nullptr); }

  void trigger() {
    ++pending_;
    guard_condition_.trigger();
  }
  int executed() const { return executed_; }
  std::function<void()> then;

 private:
  GuardCondition guard_condition_;
  std::atomic<int> pending_{0};
  std::atomic<int> executed_{0};
};

/// As written for ROS 2 Humble.
class OldCounter : public rclcpp::Waitable {
 public:
  void add_to_wait_set(rcl_wait_set_t * wait_set) override {
    rclcpp::detail::add_guard_condition_to_rcl_wait_set(*wait_set, guard_condition);
  }
  bool is_ready(rcl_wait_set_t * wait_set) override { return has(*wait_set, guard_condition); }
  std::shared_ptr<void> take_data() override { return nullptr; }
  void execute(std::shared_ptr<void> & data) override { executed += data == nullptr ? 1 : 0; }
  GuardCondition guard_condition;
  int executed = 0;
};

/// Overrides nothing that it need not.
class Lazy : public rclcpp::Waitable {
 public:
  std::shared_ptr<void> take_data() override { return nullptr; }
};

}  // namespace

TEST_F(Waitables, AreExecutedByTheirExecutor) {
  auto waitable = std::make_shared<Counter>();
  auto old = std::make_shared<OldCounter>();
  auto waitables = node_->get_node_waitables_interface();
  const auto group = node_->get_node_base_interface()->get_default_callback_group();
  const size_t others = group->size();  // the parameter services
  waitables->add_waitable(waitable, nullptr);
  waitables->add_waitable(old, nullptr);
  EXPECT_EQ(group->size(), others + 2);
  executor_->spin_some();
  EXPECT_EQ(waitable->executed(), 0);
  waitable->trigger();
  waitable->trigger();
  old->guard_condition.trigger();
  EXPECT_TRUE(spin_until([&] { return waitable->executed() == 2 && old->executed == 1; }));
  executor_->spin_all(1s);
  EXPECT_EQ(waitable->executed(), 2);
  EXPECT_EQ(old->executed, 1);

  waitables->remove_waitable(waitable, nullptr);
  waitables->remove_waitable(waitable, nullptr);
  waitable->trigger();
  executor_->spin_some();
  EXPECT_EQ(waitable->executed(), 2);
  waitables->add_waitable(waitable, nullptr);
  EXPECT_TRUE(spin_until([&] { return waitable->executed() == 3; }));
  old.reset();  // may die while it is there
  executor_->spin_some();
  const auto foreign = rclcpp::Node("other").create_callback_group(CallbackGroupType::Reentrant);
  EXPECT_THROW(waitables->add_waitable(waitable, foreign), rclcpp::exceptions::MissingGroupNodeException);
}

TEST_F(Waitables, WakeTheExecutorThatSleeps) {
  auto waitable = std::make_shared<Counter>();
  node_->get_node_waitables_interface()->add_waitable(waitable, nullptr);
  waitable->then = [&] { executor_->cancel(); };
  for (int i = 0; i < 100; ++i) {
    std::thread other([&] { waitable->trigger(); });
    executor_->spin();
    other.join();
  }
  EXPECT_EQ(waitable->executed(), 100);
}

TEST_F(Waitables, OfOneGroupAreNotExecutedAtTheSameTime) {
  executor_->remove_node(node_);
  rclcpp::executors::MultiThreadedExecutor executor({}, 3);
  executor.add_node(node_);
  std::atomic<int> inside{0}, most{0}, executed{0};
  std::vector<std::shared_ptr<Counter>> all;
  for (int i = 0; i < 3; ++i) {
    all.push_back(std::make_shared<Counter>());
    all.back()->then = [&] {
      most = std::max<int>(most, ++inside);
      std::this_thread::yield();
      --inside;
      if (++executed == 300) executor.cancel();
    };
    node_->get_node_waitables_interface()->add_waitable(all.back(), nullptr);
  }
  std::thread other([&] {
    for (int i = 0; i < 300; ++i) all[i % 3]->trigger();
  });
  executor.spin();
  other.join();
  EXPECT_EQ(executed, 300);
  EXPECT_EQ(most, 1);
}

TEST_F(Waitables, TakeTurnsWithTimersAndSubscriptions) {
  auto busy = std::make_shared<Counter>();
  busy->then = [&] { busy->trigger(); };
  auto other = std::make_shared<Counter>();
  node_->get_node_waitables_interface()->add_waitable(busy, nullptr);
  node_->get_node_waitables_interface()->add_waitable(other, nullptr);
  int received = 0, fired = 0;
  auto timer = node_->create_wall_timer(0ns, [&] { ++fired; });
  auto subscription = node_->create_subscription<Block>("topic", 10, [&](const Block &) { ++received; });
  auto publisher = node_->create_publisher<Block>("topic", 10);
  ASSERT_TRUE(matched(publisher));
  publisher->publish(Block());
  busy->trigger();
  other->trigger();
  EXPECT_TRUE(spin_until([&] { return received == 1 && fired > 0 && other->executed() == 1 && busy->executed() > 1; }));
}

TEST_F(Waitables, ThatOverrideNothingSaySo) {
  Lazy lazy;
  rcl_wait_set_t wait_set;
  using rclcpp::exceptions::UnimplementedError;
  EXPECT_THROW(lazy.add_to_wait_set(wait_set), UnimplementedError);
  EXPECT_THROW(lazy.is_ready(wait_set), UnimplementedError);
  EXPECT_THROW(lazy.execute(lazy.take_data()), UnimplementedError);
  EXPECT_THROW(lazy.take_data_by_entity_id(0), UnimplementedError);
  EXPECT_THROW(lazy.set_on_ready_callback({}), UnimplementedError);
  EXPECT_THROW(lazy.clear_on_ready_callback(), UnimplementedError);
  EXPECT_EQ(lazy.get_number_of_ready_timers() + lazy.get_number_of_ready_guard_conditions(), 0u);
  EXPECT_EQ(rcl_wait_set_add_guard_condition(nullptr, nullptr, nullptr), RCL_RET_INVALID_ARGUMENT);
}

TEST_F(Waitables, TellWhenTheyBecomeReady) {
  Counter waitable;
  waitable.trigger();
  waitable.trigger();
  size_t times = 0;
  waitable.set_on_ready_callback([&](size_t count, int) { times += count; });
  EXPECT_EQ(times, 2u);  // those before
  waitable.trigger();
  EXPECT_EQ(times, 3u);
  waitable.clear_on_ready_callback();
  waitable.trigger();
  EXPECT_EQ(times, 3u);
}

TEST_F(Waitables, GuardConditionsNeedAContext) {
  EXPECT_THROW(GuardCondition(nullptr), std::invalid_argument);
  EXPECT_THROW(GuardCondition(std::make_shared<rclcpp::Context>()), rclcpp::exceptions::RCLInvalidArgument);
  GuardCondition guard_condition;
  EXPECT_FALSE(guard_condition.exchange_in_use_by_wait_set_state(true));
  EXPECT_TRUE(guard_condition.exchange_in_use_by_wait_set_state(false));
  int called = 0;
  guard_condition.set_on_trigger_callback([&](size_t) {
    if (++called == 1) guard_condition.set_on_trigger_callback(nullptr);  // it may replace itself
  });
  guard_condition.trigger();
  guard_condition.trigger();
  EXPECT_EQ(called, 1);
  guard_condition.set_on_trigger_callback([&](size_t) {
    if (++called < 5) guard_condition.trigger();
  });
  EXPECT_EQ(called, 5);
}

TEST_F(Waitables, AreServedByWaitSets) {
  auto guard_condition = std::make_shared<GuardCondition>();
  auto waitable = std::make_shared<Counter>();
  auto timer = node_->create_wall_timer(1h, [] {});
  auto subscription = node_->create_subscription<Block>("topic", 10, [](const Block &) {});
  auto entity = std::make_shared<int>();
  rclcpp::WaitSet wait_set(Subscriptions{{subscription}}, {guard_condition}, {timer}, {}, {},
                           Entries{{waitable, entity}});
  {
    const auto nothing = wait_set.wait(0s);
    EXPECT_EQ(nothing.kind(), WaitResultKind::Timeout);
    EXPECT_THROW(nothing.get_wait_set(), std::runtime_error);
  }

  std::thread other([&] { guard_condition->trigger(); });
  auto result = wait_set.wait(test::kPatience);
  other.join();
  ASSERT_EQ(result.kind(), WaitResultKind::Ready);
  const auto & ready = result.get_wait_set().get_rcl_wait_set();
  ASSERT_EQ(ready.size_of_guard_conditions, 2u);
  EXPECT_EQ(ready.guard_conditions[0], &guard_condition->get_rcl_guard_condition());
  EXPECT_EQ(ready.guard_conditions[1], nullptr);
  EXPECT_EQ(result.next_ready_waitable(), nullptr);
  EXPECT_EQ(wait_set.wait(0s).kind(), WaitResultKind::Timeout);  // a trigger is seen once

  std::thread another([&] { waitable->trigger(); });
  result = wait_set.wait(test::kPatience);
  another.join();
  ASSERT_EQ(result.kind(), WaitResultKind::Ready);
  EXPECT_EQ(result.next_ready_subscription(), nullptr);
  EXPECT_EQ(result.next_ready_timer(), nullptr);
  EXPECT_EQ(result.next_ready_waitable(), waitable);
  EXPECT_EQ(result.next_ready_waitable(), nullptr);
  waitable->execute(waitable->take_data());
  EXPECT_EQ(waitable->executed(), 1);
  wait_set.remove_waitable(waitable);
  result = wait_set.wait(0s);
  EXPECT_EQ(entity.use_count(), 1);
  EXPECT_THROW(wait_set.remove_waitable(waitable), std::runtime_error);
}

TEST_F(Waitables, OfAWaitSetAreHandedOutOnceEach) {
  auto first = node_->create_wall_timer(0ns, [] {});
  auto second = node_->create_wall_timer(0ns, [] {});
  auto subscription = node_->create_subscription<Block>("topic", 10, [](const Block &) {});
  auto publisher = node_->create_publisher<Block>("topic", 10);
  rclcpp::StaticWaitSet<1, 1, 2, 0, 0, 0> wait_set({{{subscription}}}, {{std::make_shared<GuardCondition>()}},
                                                   {{first, second}});
  ASSERT_TRUE(matched(publisher));
  publisher->publish(Block());
  ASSERT_TRUE(test::eventually([&] { return wait_set.wait(0s).next_ready_subscription() == subscription; }));
  auto result = wait_set.wait(0s);
  EXPECT_EQ(result.next_ready_subscription(), subscription);
  EXPECT_EQ(result.next_ready_subscription(), nullptr);
  EXPECT_EQ(result.peek_next_ready_timer().first, first);
  EXPECT_EQ(result.peek_next_ready_timer(1).first, second);
  EXPECT_EQ(result.peek_next_ready_timer(1).second, 1u);
  result.clear_timer_with_index(0);
  EXPECT_THROW(result.clear_timer_with_index(2), std::out_of_range);
  EXPECT_EQ(result.next_ready_timer(), second);
  EXPECT_EQ(result.next_ready_timer(), nullptr);
}

TEST_F(Waitables, AreInOneWaitSetAtATime) {
  auto guard_condition = std::make_shared<GuardCondition>();
  auto waitable = std::make_shared<Counter>();
  auto subscription = node_->create_subscription<Block>("topic", 10, [](const Block &) {});
  rclcpp::WaitSet other;
  {
    rclcpp::WaitSet wait_set(Subscriptions{{subscription}}, {guard_condition}, {}, {}, {}, Entries{{waitable}});
    EXPECT_THROW(wait_set.add_guard_condition(guard_condition), std::runtime_error);
    EXPECT_THROW(other.add_guard_condition(guard_condition), std::runtime_error);
    EXPECT_THROW(other.add_waitable(waitable), std::runtime_error);
    EXPECT_THROW(other.add_subscription(subscription), std::runtime_error);
  }
  other.add_guard_condition(guard_condition);
  other.add_waitable(waitable);
  other.add_subscription(subscription);
  EXPECT_THROW(other.add_guard_condition(nullptr), std::invalid_argument);
  EXPECT_THROW(other.add_waitable(nullptr), std::invalid_argument);
  EXPECT_THROW(other.remove_guard_condition(nullptr), std::invalid_argument);
  other.remove_guard_condition(guard_condition);
  EXPECT_THROW(other.remove_guard_condition(guard_condition), std::runtime_error);
  const auto context = std::make_shared<rclcpp::Context>();
  EXPECT_THROW(rclcpp::WaitSet({}, {}, {}, {}, {}, {}, context), rclcpp::exceptions::RCLInvalidArgument);
}

TEST_F(Waitables, ThatAreGoneLeaveTheirWaitSet) {
  rclcpp::WaitSet wait_set;
  auto subscription = node_->create_subscription<Block>("topic", 10, [](const Block &) {});
  auto timer = node_->create_wall_timer(0ns, [] {});
  auto guard_condition = std::make_shared<GuardCondition>();
  auto waitable = std::make_shared<Counter>();
  auto orphan = std::make_shared<Counter>();
  auto parent = std::make_shared<int>();
  wait_set.add_subscription(subscription);
  wait_set.add_timer(timer);
  wait_set.add_guard_condition(guard_condition);
  wait_set.add_waitable(waitable);
  wait_set.add_waitable(orphan, parent);
  parent.reset();
  {
    const auto result = wait_set.wait();
    EXPECT_EQ(result.kind(), WaitResultKind::Ready);
    EXPECT_GT(timer.use_count(), 1) << "a result keeps what it is about";
  }
  const std::weak_ptr<void> all[] = {subscription, timer, guard_condition, waitable};
  subscription.reset();
  timer.reset();
  guard_condition.reset();
  waitable.reset();
  for (const auto & one : all) EXPECT_TRUE(one.expired());
  EXPECT_EQ(wait_set.wait().kind(), WaitResultKind::Empty);
  EXPECT_EQ(node_->count_subscribers("topic"), 0u);
}

TEST_F(Waitables, ThatWaitForNothingMakeNoWaitSetWait) {
  struct Idle : rclcpp::Waitable {
    void add_to_wait_set(rcl_wait_set_t &) override {}
    bool is_ready(const rcl_wait_set_t &) override { return ready; }
    std::shared_ptr<void> take_data() override { return nullptr; }
    void execute(const std::shared_ptr<void> &) override {}
    bool ready = false;
  };
  auto idle = std::make_shared<Idle>();
  rclcpp::WaitSet wait_set;
  wait_set.add_waitable(idle);
  EXPECT_EQ(wait_set.wait().kind(), WaitResultKind::Empty);
  idle->ready = true;
  EXPECT_EQ(wait_set.wait().kind(), WaitResultKind::Ready);
}

TEST_F(Waitables, MayBeAddedWhileAnotherThreadWaits) {
  EXPECT_EQ(rclcpp::WaitSet().wait().kind(), WaitResultKind::Empty);
  rclcpp::ThreadSafeWaitSet wait_set;
  EXPECT_EQ(wait_set.wait(1ms).kind(), WaitResultKind::Timeout);
  auto idle = std::make_shared<GuardCondition>();
  wait_set.add_guard_condition(idle);
  for (int i = 0; i < 20; ++i) {
    auto guard_condition = std::make_shared<GuardCondition>();
    std::thread other([&] {
      wait_set.add_guard_condition(guard_condition);
      guard_condition->trigger();
    });
    const auto result = wait_set.wait(test::kPatience);
    other.join();
    ASSERT_EQ(result.kind(), WaitResultKind::Ready);
    EXPECT_TRUE(has(wait_set.get_rcl_wait_set(), *guard_condition));
    wait_set.remove_guard_condition(guard_condition);
  }
  std::thread other([] { rclcpp::shutdown(); });
  EXPECT_EQ(wait_set.wait().kind(), WaitResultKind::Timeout);
  other.join();
}
