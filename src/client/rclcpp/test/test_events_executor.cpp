// The EventsExecutor: the order of events, timers, spinning, and what comes and goes meanwhile.
#include "support.hpp"

#include <atomic>
#include <future>
#include <mutex>
#include <stdexcept>

#include "example_interfaces/srv/add_two_ints.hpp"

using namespace std::chrono_literals;
using example_interfaces::srv::AddTwoInts;
using rclcpp::experimental::TimersManager;
using rclcpp::experimental::executors::EventsExecutor;
using rclcpp::experimental::executors::ExecutorEvent;
using rclcpp::experimental::executors::SimpleEventsQueue;
using test::Block;
using test::eventually;

namespace {

using Events = test::WithNodeIn<EventsExecutor>;

/// Spins in a thread until it goes out of scope.
class Spinning {
 public:
  explicit Spinning(rclcpp::Executor & executor) : executor_(executor), thread_([this] { executor_.spin(); }) {
    eventually([&] { return executor_.is_spinning(); });
  }
  ~Spinning() {
    executor_.cancel();
    thread_.join();
  }

 private:
  rclcpp::Executor & executor_;
  std::thread thread_;
};

class CountingQueue : public SimpleEventsQueue {
 public:
  explicit CountingQueue(std::atomic<int> & count) : count_(count) {}
  void enqueue(const ExecutorEvent & event) override {
    if (event.type == rclcpp::experimental::executors::SUBSCRIPTION_EVENT) ++count_;
    SimpleEventsQueue::enqueue(event);
  }

 private:
  std::atomic<int> & count_;
};

/// Is executed once for each trigger, by callbacks alone.
class Triggered : public rclcpp::Waitable {
 public:
  std::shared_ptr<void> take_data() override { return nullptr; }
  std::shared_ptr<void> take_data_by_entity_id(size_t id) override { return std::make_shared<size_t>(id); }
  void execute(const std::shared_ptr<void> & data) override {
    if (*std::static_pointer_cast<size_t>(data) == 7) ++executed;
  }
  void set_on_ready_callback(std::function<void(size_t, int)> callback) override {
    condition.set_on_trigger_callback([callback](size_t times) { callback(times, 7); });
  }
  void clear_on_ready_callback() override { condition.set_on_trigger_callback(nullptr); }
  rclcpp::GuardCondition condition;
  std::atomic<int> executed{0};
};

}  // namespace

TEST_F(Events, RunInTheOrderOfTheirArrival) {
  std::vector<int> order;
  std::vector<rclcpp::Publisher<Block>::SharedPtr> publishers;
  std::vector<rclcpp::SubscriptionBase::SharedPtr> subscriptions;
  for (int i = 0; i < 3; ++i) {
    const auto topic = "topic" + std::to_string(i);
    publishers.push_back(node_->create_publisher<Block>(topic, 10));
    subscriptions.push_back(node_->create_subscription<Block>(
        topic, 10, [&order, i](std::shared_ptr<const Block>) { order.push_back(i); }));
  }
  for (const auto & publisher : publishers) {
    ASSERT_TRUE(eventually([&] { return publisher->get_subscription_count() == 1; }));
  }
  executor_->spin_some();  // from here on it is told of messages
  const std::vector<int> sent{2, 0, 0, 1, 2, 1, 0};
  // What is published after another message has arrived stands behind it.
  const auto queue_has = [&](const rclcpp::SubscriptionBase::SharedPtr & subscription, size_t count) {
    return eventually([&] { return subscription->queued() >= count; });
  };
  std::vector<size_t> sent_to(3, 0);
  const auto block = std::make_unique<Block>();
  for (const int i : sent) {
    publishers[i]->publish(*block);
    ASSERT_TRUE(queue_has(subscriptions[i], ++sent_to[i]));
  }
  EXPECT_TRUE(spin_until([&] { return order.size() == sent.size(); }));
  EXPECT_EQ(order, sent);
}

TEST_F(Events, ServeEverything) {
  std::atomic<int> messages{0};
  std::atomic<int> ticks{0};
  const auto publisher = node_->create_publisher<Block>("topic", 10);
  const auto subscription =
      node_->create_subscription<Block>("topic", 10, [&](std::shared_ptr<const Block>) { ++messages; });
  const auto service = node_->create_service<AddTwoInts>(
      "add", [](const AddTwoInts::Request::SharedPtr request, const AddTwoInts::Response::SharedPtr response) {
        response->sum = request->a + request->b;
      });
  const auto client = node_->create_client<AddTwoInts>("add");
  const auto timer = node_->create_wall_timer(1ms, [&] { ++ticks; });
  const auto waitable = std::make_shared<Triggered>();
  node_->get_node_waitables_interface()->add_waitable(waitable, nullptr);
  ASSERT_TRUE(client->wait_for_service(test::kPatience));
  ASSERT_TRUE(eventually([&] { return publisher->get_subscription_count() == 1; }));

  const Spinning spinning(*executor_);
  const auto block = std::make_unique<Block>();
  for (int i = 1; i <= 5; ++i) {
    publisher->publish(*block);
    ASSERT_TRUE(eventually([&] { return messages == i; }));
  }
  const auto request = std::make_shared<AddTwoInts::Request>();
  request->a = 40;
  request->b = 2;
  auto future = client->async_send_request(request);
  ASSERT_EQ(future.wait_for(test::kPatience), std::future_status::ready);
  EXPECT_EQ(future.get()->sum, 42);
  waitable->condition.trigger();
  waitable->condition.trigger();
  EXPECT_TRUE(eventually([&] { return waitable->executed == 2; }));
  EXPECT_TRUE(eventually([&] { return ticks >= 3; }));
  EXPECT_THROW(executor_->spin(), std::runtime_error);
  EXPECT_THROW(executor_->spin_some(), std::runtime_error);
}

TEST_F(Events, SpinSomeRunsWhatIsReadyAndSpinAllUntilNothingIs) {
  int calls = 0;
  const auto timer = node_->create_wall_timer(0ms, [&] { ++calls; });
  executor_->spin_some();
  EXPECT_EQ(calls, 1);
  executor_->spin_all(10ms);
  EXPECT_GT(calls, 1);
  EXPECT_THROW(executor_->spin_all(0ms), std::invalid_argument);
}

TEST_F(Events, SpinOnceRunsOneAndWaitsForIt) {
  int calls = 0;
  executor_->spin_once(0ms);
  executor_->spin_once(1ms);
  const auto timer = node_->create_wall_timer(2ms, [&] { ++calls; });
  executor_->spin_once(test::kPatience);
  EXPECT_EQ(calls, 1);
  std::promise<void> promise;
  EXPECT_EQ(executor_->spin_until_future_complete(promise.get_future(), 5ms), rclcpp::FutureReturnCode::TIMEOUT);
}

TEST_F(Events, TimersStartStopAndAreReset) {
  std::atomic<int> calls{0};
  const auto timer = node_->create_wall_timer(1ms, [&] { ++calls; });
  const Spinning spinning(*executor_);
  ASSERT_TRUE(eventually([&] { return calls >= 2; }));
  timer->cancel();
  const auto later = node_->create_wall_timer(1ms, [&] { calls += 1000; });
  ASSERT_TRUE(eventually([&] { return calls >= 2000; }));
  later->cancel();
  timer->reset();
  const int before = calls;
  EXPECT_TRUE(eventually([&] { return calls > before; }));
}

TEST_F(Events, TimersMayHaveAThread) {
  executor_.emplace(std::make_unique<SimpleEventsQueue>(), true);
  executor_->add_node(node_);
  std::atomic<int> ticks{0};
  std::atomic<bool> blocks{false};
  std::promise<void> go_on;
  const auto publisher = node_->create_publisher<Block>("topic", 10);
  const auto subscription = node_->create_subscription<Block>("topic", 10, [&](std::shared_ptr<const Block>) {
    blocks = true;
    go_on.get_future().wait();
  });
  const auto timer = node_->create_wall_timer(1ms, [&] { ++ticks; });
  ASSERT_TRUE(eventually([&] { return publisher->get_subscription_count() == 1; }));
  const Spinning spinning(*executor_);
  publisher->publish(Block());
  EXPECT_TRUE(eventually([&] { return blocks.load(); }));
  const int before = ticks;
  EXPECT_TRUE(eventually([&] { return ticks > before + 2; }));  // while the other callback stands still
  go_on.set_value();
}

TEST_F(Events, NodesComeAndGoMeanwhile) {
  const Spinning spinning(*executor_);
  const auto publisher = node_->create_publisher<Block>("topic", 10);
  const auto matches = [&](size_t count) {
    return eventually([&] { return publisher->get_subscription_count() == count; });
  };
  for (int round = 0; round < 6; ++round) {
    std::atomic<int> messages{0};
    const auto other = std::make_shared<rclcpp::Node>("other", "/ns");
    auto subscription =
        other->create_subscription<Block>("topic", 10, [&](std::shared_ptr<const Block>) { ++messages; });
    executor_->add_node(other);
    ASSERT_TRUE(matches(1)) << publisher->get_subscription_count() << " in round " << round;
    publisher->publish(Block());
    ASSERT_TRUE(eventually([&] { return messages == 1; }));
    executor_->remove_node(other);
    if (round % 2 == 0) {  // another executor may have it then
      rclcpp::executors::SingleThreadedExecutor another;
      another.add_node(other);
      publisher->publish(Block());
      ASSERT_TRUE(test::spin_until(another, [&] { return messages == 2; }));
    }
    subscription.reset();
    ASSERT_TRUE(matches(0)) << publisher->get_subscription_count() << " in round " << round;
  }
}

TEST_F(Events, GoOnInAnotherExecutor) {
  const auto publisher = node_->create_publisher<Block>("topic", 10);
  std::atomic<int> messages{0};
  const auto subscription =
      node_->create_subscription<Block>("topic", 10, [&](std::shared_ptr<const Block>) { ++messages; });
  ASSERT_TRUE(eventually([&] { return publisher->get_subscription_count() == 1; }));
  executor_->spin_some();
  publisher->publish(Block());
  ASSERT_TRUE(eventually([&] { return subscription->queued() == 1; }));
  executor_->remove_node(node_);  // told of it, but has not run it
  EventsExecutor another;
  another.add_node(node_);
  EXPECT_TRUE(test::spin_until(another, [&] { return messages == 1; }));
}

TEST_F(Events, QueuesMayBeOnesOwn) {
  std::atomic<int> enqueued{0};
  executor_.emplace(std::make_unique<CountingQueue>(enqueued));
  executor_->add_node(node_);
  std::atomic<int> messages{0};
  const auto publisher = node_->create_publisher<Block>("topic", 10);
  const auto subscription =
      node_->create_subscription<Block>("topic", 10, [&](std::shared_ptr<const Block>) { ++messages; });
  ASSERT_TRUE(eventually([&] { return publisher->get_subscription_count() == 1; }));
  publisher->publish(Block());
  EXPECT_TRUE(spin_until([&] { return messages == 1; }));
  EXPECT_EQ(enqueued, 1);
  EXPECT_THROW(EventsExecutor(nullptr), std::invalid_argument);
}

TEST_F(Events, EndWithShutdown) {
  std::thread thread([this] { executor_->spin(); });
  ASSERT_TRUE(eventually([&] { return executor_->is_spinning(); }));
  rclcpp::shutdown();
  thread.join();
}

TEST_F(Events, OfTimeAreServed) {
  int missed = 0;
  rclcpp::SubscriptionOptions options;
  options.event_callbacks.deadline_callback = [&](rclcpp::QOSDeadlineRequestedInfo & info) {
    missed += info.total_count_change;
  };
  const auto qos = rclcpp::QoS(10).deadline(rclcpp::Duration(50ms));
  const auto subscription = node_->create_subscription<Block>(
      "timed", qos, [](const Block &) {}, options);
  const auto publisher = node_->create_publisher<Block>("timed", qos);
  ASSERT_TRUE(matched(publisher));
  publisher->publish(Block());
  EXPECT_TRUE(spin_until([&] { return missed > 0; }));
  std::promise<void> more;
  std::atomic<int> before{0};
  options.event_callbacks.deadline_callback = [&](rclcpp::QOSDeadlineRequestedInfo &) {
    if (before++ == 0) more.set_value();
  };
  const auto slept_for = node_->create_subscription<Block>(
      "timed", qos, [](const Block &) {}, options);
  ASSERT_TRUE(matched(publisher, 2));
  publisher->publish(Block());
  EXPECT_EQ(executor_->spin_until_future_complete(more.get_future(), test::kPatience),
            rclcpp::FutureReturnCode::SUCCESS);
}

TEST_F(Events, MayBeLookedForAfterShutdown) {
  rclcpp::shutdown();
  EXPECT_NO_THROW(executor_->spin_some());
}

TEST_F(Events, LeaveAnExceptionToTheSpin) {
  const auto timer = node_->create_wall_timer(0ms, [] { throw std::runtime_error("thrown on purpose"); });
  EXPECT_THROW(executor_->spin(), std::runtime_error);
  timer->cancel();
  EXPECT_NO_THROW(executor_->spin_some());
}

TEST_F(Events, TimersManagerCallsTheFirstThatIsDue) {
  TimersManager manager(rclcpp::contexts::get_global_default_context());
  EXPECT_EQ(manager.get_head_timeout(), std::chrono::nanoseconds::max());
  std::string order;
  const auto late = node_->create_wall_timer(1h, [&] { order += "late "; });
  const auto soon = node_->create_wall_timer(0ms, [&] { order += "soon "; });
  manager.add_timer(late);
  manager.add_timer(soon);
  manager.add_timer(soon);
  EXPECT_EQ(manager.get_number_ready_timers(), 1u);
  EXPECT_TRUE(manager.execute_head_timer());
  EXPECT_EQ(order, "soon ");
  soon->cancel();
  EXPECT_FALSE(manager.execute_head_timer());
  EXPECT_GT(*manager.get_head_timeout(), 59min);
  late->cancel();
  manager.look_again();
  EXPECT_EQ(manager.get_head_timeout(), std::nullopt);
  manager.execute_ready_timer(late.get(), nullptr);
  EXPECT_EQ(order, "soon late ");
  EXPECT_THROW(manager.add_timer(nullptr), std::invalid_argument);

  std::atomic<int> calls{0};
  const auto timer = node_->create_wall_timer(1ms, [&] { ++calls; });
  manager.start();
  EXPECT_THROW(manager.start(), std::runtime_error);
  EXPECT_THROW(manager.execute_head_timer(), std::runtime_error);
  manager.add_timer(timer);
  EXPECT_TRUE(eventually([&] { return calls >= 2; }));
  manager.remove_timer(timer);
  manager.stop();
}
