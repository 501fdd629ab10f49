// Timers, executors, callback groups, and how everything ends.
#include "support.hpp"

#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <future>
#include <set>

using namespace std::chrono_literals;
using rclcpp::CallbackGroupType;
using test::Block;

namespace {

/// How many threads are in the middle of deserializing a Meeting, and whether there were two at once.
std::atomic<int> deserializing{0};
std::atomic<bool> met{false};

/// A message whose deserialization lasts until there is another.
struct Meeting {
  TANDEM_MESSAGE_MEMORY
  tandem::Vector<std::uint8_t> data;
};

void resize_when_met(const tandem::Field &, void * sequence, std::size_t elements) {
  ++deserializing;
  test::eventually([] {
    if (deserializing == 2) met = true;
    return met.load();
  });
  --deserializing;
  static_cast<decltype(Meeting::data) *>(sequence)->resize(elements);
}

constexpr tandem::Field kMeetingFields[] = {{"data", tandem::FieldKind::kUint8, tandem::FieldShape::kSequence, 0,
                                             tandem::kUnbounded, tandem::kUnbounded, nullptr, resize_when_met}};

}  // namespace

template <>
const tandem::MessageType & tandem::message_type<Meeting>() {
  static const MessageType type = [] {
    MessageType description = test::describe<Meeting>("test_msgs/msg/Meeting", 3, kMeetingFields);
    description.is_fixed_size = false;
    return description;
  }();
  return type;
}

namespace {

class Executors : public test::Rclcpp {
 protected:
  std::shared_ptr<rclcpp::Node> make_node(const char * name = "node") { return std::make_shared<rclcpp::Node>(name); }
};

/// Spins in a thread of its own until it is cancelled.
class Spinner {
 public:
  explicit Spinner(rclcpp::Executor & executor) : executor_(executor), thread_([this] { executor_.spin(); }) {
    test::eventually([this] { return executor_.is_spinning(); });
  }
  ~Spinner() {
    executor_.cancel();
    thread_.join();
  }

 private:
  rclcpp::Executor & executor_;
  std::thread thread_;
};

}  // namespace

TEST_F(Executors, ATimersPeriodMayBeTheLongestThereIs) {
  const auto node = std::make_shared<rclcpp::Node>("timers");
  const auto timer = node->create_wall_timer(std::chrono::nanoseconds::max(), [] {});
  EXPECT_GT(timer->time_until_trigger(), std::chrono::hours(24));
  EXPECT_THROW(node->create_wall_timer(std::chrono::hours::max(), [] {}), std::invalid_argument);
}

TEST_F(Executors, TimersFireUntilCancelled) {
  auto node = make_node();
  rclcpp::executors::SingleThreadedExecutor executor;
  executor.add_node(node);
  int wall = 0, ros = 0;
  rclcpp::TimerBase::SharedPtr timer = node->create_wall_timer(1ms, [&] {
    if (++wall == 3) timer->cancel();
  });
  auto other = node->create_timer(1ms, [&](rclcpp::TimerBase & self) {
    if (++ros == 3) self.cancel();
  });
  ASSERT_TRUE(test::spin_until(executor, [&] { return wall == 3 && ros == 3; }));
  EXPECT_TRUE(timer->is_canceled());
  EXPECT_FALSE(timer->is_ready());
  EXPECT_EQ(timer->time_until_trigger(), std::chrono::nanoseconds::max());
  executor.spin_once(5ms);
  EXPECT_EQ(wall, 3);
  timer->reset();
  ASSERT_TRUE(test::spin_until(executor, [&] { return wall == 4; }));
  EXPECT_THROW(node->create_wall_timer(-1ms, [] {}), std::invalid_argument);
}

TEST_F(Executors, ATimersCallbackLearnsWhenItWasDue) {
  auto node = make_node();
  rclcpp::executors::SingleThreadedExecutor executor;
  executor.add_node(node);
  std::vector<rclcpp::TimerInfo> calls;
  const auto keep = [&](const rclcpp::TimerInfo & info) { calls.push_back(info); };
  auto timer = node->create_wall_timer(1ms, keep);
  ASSERT_TRUE(test::spin_until(executor, [&] { return calls.size() == 3; }));
  for (const auto & info : calls) {
    EXPECT_EQ(info.expected_call_time.get_clock_type(), RCL_STEADY_TIME);
    EXPECT_LE(info.expected_call_time, info.actual_call_time);
  }
  EXPECT_GE(calls[1].expected_call_time - calls[0].expected_call_time, rclcpp::Duration(1ms));
  timer->execute_callback();  // by hand
  EXPECT_EQ(calls.size(), 4u);
}

TEST_F(Executors, ATimerStartsWhenTold) {
  auto node = make_node();
  rclcpp::executors::SingleThreadedExecutor executor;
  executor.add_node(node);
  std::atomic<int> fired{0};
  auto timer = node->create_wall_timer(
      1ms, [&] { ++fired; }, nullptr, false);
  const Spinner spinner(executor);
  EXPECT_TRUE(timer->is_canceled());
  EXPECT_EQ(fired, 0);
  timer->reset();  // wakes an executor that sleeps without end
  EXPECT_TRUE(test::eventually([&] { return fired > 2; }));
}

TEST_F(Executors, SpinWakesForMessagesTimersAndNewcomers) {
  auto node = make_node();
  rclcpp::executors::SingleThreadedExecutor executor;
  executor.add_node(node);
  const Spinner spinner(executor);
  std::atomic<int> received{0};
  auto subscription = node->create_subscription<Block>("topic", 10, [&](const Block &) { ++received; });
  auto publisher = node->create_publisher<Block>("topic", 10);
  ASSERT_TRUE(test::eventually([&] { return publisher->get_subscription_count() == 1; }));
  publisher->publish(Block());
  ASSERT_TRUE(test::eventually([&] { return received == 1; }));
  std::atomic<int> fired{0};
  auto timer = node->create_wall_timer(1ms, [&] { ++fired; });
  ASSERT_TRUE(test::eventually([&] { return fired > 2; }));
  auto late = make_node("late");
  auto late_timer = late->create_wall_timer(1ms, [&] { received = 100; });
  executor.add_node(late);
  ASSERT_TRUE(test::eventually([&] { return received >= 100; }));
}

TEST_F(Executors, SpinSomeRunsEverythingReadyOnce) {
  auto node = make_node();
  rclcpp::executors::SingleThreadedExecutor executor;
  executor.add_node(node);
  int received = 0, fired = 0;
  auto subscription = node->create_subscription<Block>("topic", 10, [&](const Block &) { ++received; });
  auto publisher = node->create_publisher<Block>("topic", 10);
  ASSERT_TRUE(test::eventually([&] { return publisher->get_subscription_count() == 1; }));
  auto timer = node->create_wall_timer(0ns, [&] { ++fired; });
  for (int i = 0; i < 3; ++i) publisher->publish(Block());
  ASSERT_TRUE(test::eventually([&] {
    const int before = received;
    executor.spin_some();
    EXPECT_LE(received - before, 1);
    return received == 3;
  }));
  const int before = fired;
  executor.spin_some();
  EXPECT_EQ(fired, before + 1);
  timer->cancel();
  for (int i = 0; i < 3; ++i) publisher->publish(Block());
  ASSERT_TRUE(test::eventually([&] { return executor.spin_all(0ns), received == 6; }));
  EXPECT_THROW(executor.spin_all(-1ns), std::invalid_argument);
}

TEST_F(Executors, AFastTimerStarvesNoSubscription) {
  auto node = make_node();
  rclcpp::executors::SingleThreadedExecutor executor;
  executor.add_node(node);
  std::atomic<int> received{0};
  auto subscription = node->create_subscription<Block>("topic", 10, [&](const Block &) { ++received; });
  auto publisher = node->create_publisher<Block>("topic", 10);
  auto timer = node->create_wall_timer(0ns, [] {});
  const Spinner spinner(executor);
  ASSERT_TRUE(test::eventually([&] { return publisher->get_subscription_count() == 1; }));
  for (int i = 1; i <= 5; ++i) {
    publisher->publish(Block());
    ASSERT_TRUE(test::eventually([&] { return received == i; }));
  }
}

TEST_F(Executors, FuturesEndTheSpin) {
  auto node = make_node();
  std::promise<int> promise;
  auto timer = node->create_wall_timer(1ms, [&, done = false]() mutable {
    if (!std::exchange(done, true)) promise.set_value(1);
  });
  auto future = promise.get_future().share();
  EXPECT_EQ(rclcpp::spin_until_future_complete(node, future, test::kPatience), rclcpp::FutureReturnCode::SUCCESS);
  std::promise<int> never;
  auto pending = never.get_future();
  EXPECT_EQ(rclcpp::spin_until_future_complete(node, pending, 3ms), rclcpp::FutureReturnCode::TIMEOUT);
  // A thread that knows no executor.
  auto elsewhere = std::async(std::launch::async, [] { return 1; });
  EXPECT_EQ(rclcpp::spin_until_future_complete(node, elsewhere), rclcpp::FutureReturnCode::SUCCESS);
  auto ending = node->create_wall_timer(1ms, [] { rclcpp::shutdown(); });
  EXPECT_EQ(rclcpp::spin_until_future_complete(node, pending), rclcpp::FutureReturnCode::INTERRUPTED);
}

TEST_F(Executors, NodesBelongToOneExecutor) {
  auto node = make_node();
  rclcpp::executors::SingleThreadedExecutor first, second;
  first.add_node(node);
  EXPECT_THROW(second.add_node(node), std::runtime_error);
  EXPECT_THROW(first.add_node(node), std::runtime_error);
  EXPECT_THROW(second.remove_node(node), std::runtime_error);
  EXPECT_EQ(first.get_all_callback_groups().size(), 1u);
  first.remove_node(node);
  second.add_node(node);
  int received = 0;
  auto subscription = node->create_subscription<Block>("topic", 10, [&](const Block &) { ++received; });
  auto publisher = node->create_publisher<Block>("topic", 10);
  ASSERT_TRUE(test::eventually([&] { return publisher->get_subscription_count() == 1; }));
  publisher->publish(Block());
  while (received == 0) second.spin_once();
  EXPECT_EQ(received, 1);
}

TEST_F(Executors, SpinningTwiceIsRefused) {
  auto node = make_node();
  rclcpp::executors::SingleThreadedExecutor executor;
  executor.add_node(node);
  int refused = 0;
  auto timer = node->create_wall_timer(1ms, [&] {
    try {
      executor.spin_some();
    } catch (const std::runtime_error &) {
      ++refused;
      executor.cancel();
    }
  });
  executor.spin();
  EXPECT_EQ(refused, 1);
  EXPECT_TRUE(rclcpp::ok());
}

TEST_F(Executors, ExceptionsLeaveTheSpin) {
  auto node = make_node();
  auto timer = node->create_wall_timer(1ms, [] { throw std::logic_error("from a callback"); });
  rclcpp::executors::MultiThreadedExecutor several(rclcpp::ExecutorOptions(), 1);
  several.add_node(node);
  EXPECT_THROW(several.spin(), std::logic_error);
  EXPECT_FALSE(several.is_spinning());
  several.remove_node(node);
  EXPECT_THROW(rclcpp::spin(node), std::logic_error);
}

TEST_F(Executors, ExclusiveGroupsExcludeAndReentrantOnesDoNot) {
  auto node = make_node();
  rclcpp::executors::MultiThreadedExecutor executor(rclcpp::ExecutorOptions(), 4);
  EXPECT_EQ(executor.get_number_of_threads(), 4u);
  executor.add_node(node);
  std::atomic<int> inside{0}, collisions{0}, exclusive_runs{0}, reentrant_inside{0}, together{0}, received{0};
  const auto exclusive = [&] {
    if (++inside > 1) ++collisions;
    std::this_thread::sleep_for(1ms);
    --inside;
    ++exclusive_runs;
  };
  rclcpp::SubscriptionOptions options;
  options.callback_group = node->create_callback_group(CallbackGroupType::MutuallyExclusive);
  auto a = node->create_wall_timer(1ms, exclusive, options.callback_group);
  auto b = node->create_wall_timer(1ms, exclusive, options.callback_group);
  auto subscription = node->create_subscription<Block>(
      "topic", 100, [&](const Block &) { exclusive(), ++received; }, options);
  auto group = node->create_callback_group(CallbackGroupType::Reentrant);
  auto meet = [&] {  // returns when two were here at once
    if (++reentrant_inside >= 2) together = 1;
    test::eventually([&] { return together == 1 || !rclcpp::ok(); });
    --reentrant_inside;
  };
  auto c = node->create_wall_timer(1ms, meet, group);
  auto d = node->create_wall_timer(1ms, meet, group);
  auto publisher = node->create_publisher<Block>("topic", 100);
  const Spinner spinner(executor);
  ASSERT_TRUE(test::eventually([&] { return publisher->get_subscription_count() == 1; }));
  for (int i = 0; i < 20; ++i) publisher->publish(Block());
  EXPECT_TRUE(test::eventually([&] { return received == 20 && exclusive_runs > 40 && together == 1; }));
  EXPECT_EQ(collisions, 0);
}

TEST_F(Executors, GroupsMayBeServedByAnotherExecutor) {
  auto node = make_node();
  auto group = node->create_callback_group(CallbackGroupType::MutuallyExclusive, false);
  std::atomic<bool> separate{false}, usual{false};
  auto a = node->create_wall_timer(
      1ms, [&] { separate = true; }, group);
  auto b = node->create_wall_timer(1ms, [&] { usual = true; });
  rclcpp::executors::SingleThreadedExecutor first, second;
  first.add_node(node);
  ASSERT_TRUE(test::spin_until(first, [&] { return usual.load(); }));
  EXPECT_FALSE(separate);
  second.add_callback_group(group, node->get_node_base_interface());
  EXPECT_THROW(first.add_callback_group(group, node->get_node_base_interface()), std::runtime_error);
  ASSERT_TRUE(test::spin_until(second, [&] { return separate.load(); }));
  second.remove_callback_group(group);
  EXPECT_THROW(second.remove_callback_group(group), std::runtime_error);
}

TEST_F(Executors, ABusyGroupMayMoveToAnotherExecutor) {
  auto node = make_node();
  auto other_node = make_node("other");
  rclcpp::SubscriptionOptions options;
  options.callback_group = node->create_callback_group(CallbackGroupType::MutuallyExclusive, false);
  std::promise<void> entered, leave;
  std::atomic<int> fired{0}, received{0}, others{0};
  auto timer = node->create_wall_timer(
      1ms,
      [&] {
        if (++fired != 1) return;
        entered.set_value();
        leave.get_future().wait();
      },
      options.callback_group);
  auto subscription = node->create_subscription<Block>(
      "topic", 10, [&](const Block &) { ++received; }, options);
  auto publisher = node->create_publisher<Block>("topic", 10);
  auto other_timer = other_node->create_wall_timer(1ms, [&] { ++others; });
  ASSERT_TRUE(test::eventually([&] { return publisher->get_subscription_count() == 1; }));

  rclcpp::executors::SingleThreadedExecutor first, second;
  first.add_callback_group(options.callback_group, node->get_node_base_interface());
  second.add_node(other_node);
  const Spinner first_spinner(first);
  const Spinner second_spinner(second);
  entered.get_future().wait();
  publisher->publish(Block());
  first.remove_callback_group(options.callback_group);
  second.add_callback_group(options.callback_group, node->get_node_base_interface());
  const int before = others;
  ASSERT_TRUE(test::eventually([&] { return others > before + 3; }));  // so it has found the group busy
  EXPECT_EQ(fired + received, 1);
  other_timer->cancel();  // nothing else is to wake it
  leave.set_value();
  EXPECT_TRUE(test::eventually([&] { return fired > 2 && received == 1; }));
}

TEST_F(Executors, EntitiesMayDieWhileItSpins) {
  struct Guest {  // shared with the callbacks, which may still run when the loop goes on
    rclcpp::Subscription<Block>::SharedPtr subscription;
    rclcpp::Publisher<Block>::SharedPtr publisher;
    std::atomic<int> calls{0};
    std::promise<void> gone;
  };
  auto node = make_node();
  rclcpp::executors::MultiThreadedExecutor executor(rclcpp::ExecutorOptions(), 3);
  executor.add_node(node);
  const Spinner spinner(executor);
  for (int i = 0; i < 20; ++i) {
    auto guest_node = make_node("guest");
    executor.add_node(guest_node);
    auto guest = std::make_shared<Guest>();
    guest->publisher = guest_node->create_publisher<Block>("topic", 10);
    guest->subscription = guest_node->create_subscription<Block>("topic", 10, [guest](std::shared_ptr<const Block>) {
      if (++guest->calls != 1) return;
      guest->subscription.reset();  // inside its own callback
      guest->gone.set_value();
    });
    auto timer = guest_node->create_wall_timer(1ms, [guest] {
      if (guest->calls == 0 && guest->publisher->get_subscription_count() == 1) guest->publisher->publish(Block());
    });
    ASSERT_EQ(guest->gone.get_future().wait_for(test::kPatience), std::future_status::ready);
    if (i % 2 == 0) executor.remove_node(guest_node);
  }
  std::promise<void> still_works;
  auto last = node->create_wall_timer(1ms, [&, done = false]() mutable {
    if (!std::exchange(done, true)) still_works.set_value();
  });
  EXPECT_EQ(still_works.get_future().wait_for(test::kPatience), std::future_status::ready);
}

TEST_F(Executors, HoldNothingWhileTheyAreIdle) {
  auto node = make_node();
  rclcpp::executors::MultiThreadedExecutor executor(rclcpp::ExecutorOptions(), 3);
  executor.add_node(node);
  const Spinner spinner(executor);
  for (int i = 0; i < 30; ++i) {
    std::promise<rclcpp::Subscription<Block>::SharedPtr> made;
    auto timer = node->create_wall_timer(1ms, [&, done = false]() mutable {
      if (std::exchange(done, true)) return;
      auto subscription = node->create_subscription<Block>("topic", 1, [](const Block &) {});
      made.set_value(std::move(subscription));
    });
    const auto subscription = std::weak_ptr(made.get_future().get());
    timer->cancel();  // from here on nothing wakes a thread
    ASSERT_TRUE(test::eventually([&] { return subscription.expired(); })) << i;
  }
}

TEST_F(Executors, ShutdownEndsEverySpin) {
  auto node = make_node();
  std::vector<std::shared_ptr<rclcpp::Node>> nodes{make_node("a"), make_node("b"), make_node("c")};
  int told = 0;
  const auto context = rclcpp::contexts::get_global_default_context();
  const auto handle = context->add_on_shutdown_callback([&] { ++told; });
  rclcpp::executors::SingleThreadedExecutor single;
  rclcpp::executors::MultiThreadedExecutor several(rclcpp::ExecutorOptions(), 4);
  rclcpp::executors::StaticSingleThreadedExecutor fixed;
  single.add_node(nodes[0]);
  several.add_node(nodes[1]);
  fixed.add_node(nodes[2]);
  std::vector<std::thread> threads;
  for (rclcpp::Executor * executor :
       {static_cast<rclcpp::Executor *>(&single), static_cast<rclcpp::Executor *>(&several),
        static_cast<rclcpp::Executor *>(&fixed)}) {
    threads.emplace_back([executor] { executor->spin(); });
    test::eventually([executor] { return executor->is_spinning(); });
  }
  threads.emplace_back([] { EXPECT_FALSE(rclcpp::sleep_for(1h)); });
  std::this_thread::sleep_for(5ms);
  while (rclcpp::ok()) rclcpp::shutdown(nullptr, "enough");
  for (auto & thread : threads) thread.join();
  EXPECT_EQ(told, 1);
  EXPECT_FALSE(rclcpp::shutdown());
  EXPECT_EQ(context->shutdown_reason(), "enough");
  EXPECT_TRUE(context->remove_on_shutdown_callback(handle));
  EXPECT_FALSE(context->remove_on_shutdown_callback(handle));
}

TEST_F(Executors, DeserializeSideBySide) {
  auto node = make_node();
  rclcpp::SubscriptionOptions options;
  options.callback_group = node->create_callback_group(CallbackGroupType::Reentrant);
  std::atomic<int> taken{0};
  const auto count = [&](const Meeting &) { ++taken; };
  auto left = node->create_subscription<Meeting>("left", 10, count, options);
  auto right = node->create_subscription<Meeting>("right", 10, count, options);
  auto to_left = node->create_publisher<Meeting>("left", 10);
  auto to_right = node->create_publisher<Meeting>("right", 10);
  ASSERT_TRUE(test::eventually(
      [&] { return to_left->get_subscription_count() == 1 && to_right->get_subscription_count() == 1; }));
  rclcpp::executors::MultiThreadedExecutor executor(rclcpp::ExecutorOptions(), 2);
  executor.add_node(node);
  const Spinner spinner(executor);
  Meeting message;
  message.data.resize(100);
  to_left->publish(message);
  to_right->publish(message);
  ASSERT_TRUE(test::eventually([&] { return taken == 2; }));
  const char * transport = std::getenv("RMW_IMPLEMENTATION");  // shared memory if unset: nothing is deserialized
  EXPECT_EQ(met, transport != nullptr);
}

TEST_F(Executors, SignalsEndTheSpin) {
  for (const int number : {SIGINT, SIGTERM}) {
    if (!rclcpp::ok()) rclcpp::init(0, nullptr);
    EXPECT_TRUE(rclcpp::signal_handlers_installed());
    auto node = make_node();
    auto timer = node->create_wall_timer(1ms, [number, done = false]() mutable {
      if (!std::exchange(done, true)) kill(getpid(), number);
    });
    rclcpp::spin(node);
    EXPECT_FALSE(rclcpp::ok());
    rclcpp::shutdown();  // restores the handlers
    EXPECT_FALSE(rclcpp::signal_handlers_installed());
  }
}

TEST_F(Executors, InitialisingAgainWorksOnlyAfterShutdown) {
  EXPECT_THROW(rclcpp::init(0, nullptr), rclcpp::ContextAlreadyInitialized);
  EXPECT_TRUE(rclcpp::shutdown());
  EXPECT_FALSE(rclcpp::shutdown());
  const char * arguments[] = {"p", "--ros-args", "-r", "__node:=global", "-r", "a:=b", "--log-level", "quiet:=error"};
  rclcpp::init(8, arguments);
  EXPECT_STREQ(make_node()->get_name(), "global");
  EXPECT_STREQ(rclcpp::Node("own", rclcpp::NodeOptions().use_global_arguments(false)).get_name(), "own");
  EXPECT_STREQ(make_node()->create_publisher<Block>("a", 1)->get_topic_name(), "/b");
  EXPECT_EQ(rclcpp::get_logger("quiet").get_effective_level(), rclcpp::Logger::Level::Error);
}

TEST_F(Executors, ContextsEndByThemselves) {
  auto context = std::make_shared<rclcpp::Context>();
  context->init(0, nullptr);
  auto node = std::make_shared<rclcpp::Node>("node", rclcpp::NodeOptions().context(context));
  rclcpp::executors::SingleThreadedExecutor executor(rclcpp::ExecutorOptions{context, 0});
  executor.add_node(node);
  auto timer = node->create_wall_timer(1ms, [&] { context->shutdown("from a callback"); });
  executor.spin();
  EXPECT_FALSE(context->is_valid());
  EXPECT_TRUE(rclcpp::ok());
}
