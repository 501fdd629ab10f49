// Nodes, groups, timers, services, clients and subscriptions are made and destroyed while four threads of an executor run
// their callbacks. TANDEM_TEST_SEED repeats the choices of a run, which prints its seed.
#include "support.hpp"

#include <atomic>
#include <cstdlib>
#include <iostream>
#include <random>

#include "example_interfaces/srv/add_two_ints.hpp"

using namespace std::chrono_literals;
using example_interfaces::srv::AddTwoInts;
using rclcpp::CallbackGroupType;
using test::Block;
using test::eventually;
using Churn = test::Rclcpp;

namespace {

constexpr int kSteps = 1500;  // of each thread
constexpr size_t kThreads = 4;
constexpr size_t kMostNodes = 4;
constexpr size_t kMostMembers = 12;

std::uint64_t seed_of_this_run() {
  const char * const given = std::getenv("TANDEM_TEST_SEED");
  const std::uint64_t seed = given != nullptr ? std::strtoull(given, nullptr, 0) : std::random_device()();
  std::cout << "TANDEM_TEST_SEED=" << seed << '\n';
  return seed;
}

/// One thread's nodes and what is in them.
class Churner {
 public:
  Churner(rclcpp::Executor & executor, std::uint64_t seed, size_t number)
      : executor_(executor), random_(seed + number), number_(number) {}

  void run() {
    for (int i = 0; i < kSteps; ++i) step();
    while (!nodes_.empty()) remove_node();
  }
  int called() const { return called_; }

 private:
  struct OneNode {
    rclcpp::Node::SharedPtr node;
    std::vector<rclcpp::CallbackGroup::SharedPtr> groups;
    std::vector<rclcpp::Publisher<Block>::SharedPtr> publishers;
    std::vector<rclcpp::Client<AddTwoInts>::SharedPtr> clients;
    std::vector<rclcpp::TimerBase::SharedPtr> timers;
    std::vector<std::shared_ptr<void>> others;
  };

  size_t any(size_t count) { return static_cast<size_t>(random_() % count); }

  void step() {
    if (nodes_.empty() || (nodes_.size() < kMostNodes && any(40) == 0)) return add_node();
    if (any(60) == 0) return remove_node();
    auto & one = nodes_[any(nodes_.size())];
    switch (any(12)) {
      case 0: return add_group(one);
      case 1: return drop(one.groups);
      case 2: return add_timer(one);
      case 3: return change_timer(one);
      case 4: return add_subscription(one);
      case 5: return add_service(one);
      case 6: return add_publisher(one);
      case 7: return add_client(one);
      case 8: return drop(one.others);
      case 9: return drop(one.clients);
      case 10: return drop(one.publishers);
      default: return use(one);
    }
  }

  void add_node() {
    OneNode one;
    // Some hand messages over within the process, to each other.
    one.node = std::make_shared<rclcpp::Node>("node" + std::to_string(number_) + "_" + std::to_string(made_++),
                                              rclcpp::NodeOptions().use_intra_process_comms(any(2) == 0));
    executor_.add_node(one.node);
    nodes_.push_back(std::move(one));
  }

  void remove_node() {
    const auto at = nodes_.begin() + static_cast<std::ptrdiff_t>(any(nodes_.size()));
    if (any(2) == 0) executor_.remove_node(at->node);  // else it goes while the executor has it
    nodes_.erase(at);
  }

  template <class T>
  void drop(std::vector<T> & members) {
    if (!members.empty()) members.erase(members.begin() + static_cast<std::ptrdiff_t>(any(members.size())));
  }

  template <class T, class Member>
  void keep(std::vector<T> & members, Member && member) {
    if (members.size() >= kMostMembers) drop(members);
    members.push_back(std::forward<Member>(member));
  }

  rclcpp::CallbackGroup::SharedPtr group(OneNode & one) {
    return one.groups.empty() || any(3) == 0 ? nullptr : one.groups[any(one.groups.size())];
  }

  void add_group(OneNode & one) {
    keep(one.groups, one.node->create_callback_group(any(2) == 0 ? CallbackGroupType::MutuallyExclusive
                                                                 : CallbackGroupType::Reentrant));
  }

  void add_timer(OneNode & one) {
    keep(one.timers, one.node->create_wall_timer(
                         std::chrono::microseconds(any(3000)), [this] { ++called_; }, group(one)));
  }

  void change_timer(OneNode & one) {
    if (one.timers.empty()) return;
    auto & timer = one.timers[any(one.timers.size())];
    switch (any(3)) {
      case 0: return timer->cancel();
      case 1: return timer->reset();
      default: return drop(one.timers);
    }
  }

  void add_subscription(OneNode & one) {
    rclcpp::SubscriptionOptions options;
    options.callback_group = group(one);
    if (any(4) == 0) options.content_filter_options.filter_expression = "index > 3";
    const size_t depth = 1 + any(5);
    auto subscription = any(2) == 0 ? one.node->create_subscription<Block>(
                                          topic(), depth, [this](std::shared_ptr<const Block>) { ++called_; }, options)
                                    : one.node->create_subscription<Block>(
                                          topic(), depth, [this](std::unique_ptr<Block>) { ++called_; }, options);
    if (any(4) == 0) subscription->set_on_new_message_callback([this](size_t count) { told_ += count; });
    if (any(4) == 0) subscription->set_on_new_intra_process_message_callback([this](size_t count) { told_ += count; });
    if (any(4) == 0) subscription->clear_on_new_message_callback();
    keep(one.others, std::move(subscription));
  }

  void add_service(OneNode & one) {
    const auto answer = [this](const AddTwoInts::Request::SharedPtr request,
                               const AddTwoInts::Response::SharedPtr response) {
      response->sum = request->a + request->b;
      ++called_;
    };
    keep(one.others, one.node->create_service<AddTwoInts>(service(), answer, rclcpp::ServicesQoS(), group(one)));
  }

  void add_publisher(OneNode & one) { keep(one.publishers, one.node->create_publisher<Block>(topic(), 1 + any(5))); }
  void add_client(OneNode & one) {
    keep(one.clients, one.node->create_client<AddTwoInts>(service(), rclcpp::ServicesQoS(), group(one)));
  }

  void use(OneNode & one) {
    if (!one.publishers.empty()) {
      Block & block = *block_;
      block.index = static_cast<int>(any(8));
      auto & publisher = one.publishers[any(one.publishers.size())];
      if (any(2) == 0) {
        publisher->publish(block);
      } else {
        publisher->publish(std::make_unique<Block>(block));
      }
    }
    if (one.clients.empty()) return;
    auto & client = one.clients[any(one.clients.size())];
    const auto request = std::make_shared<AddTwoInts::Request>();
    request->a = 1;
    client->async_send_request(request, [this](rclcpp::Client<AddTwoInts>::SharedFuture) { ++called_; });
    if (any(4) == 0) client->prune_pending_requests();
  }

  std::string topic() { return "/topic" + std::to_string(any(3)); }
  std::string service() { return "/service" + std::to_string(any(2)); }

  rclcpp::Executor & executor_;
  std::mt19937_64 random_;
  const size_t number_;
  int made_ = 0;
  const std::unique_ptr<Block> block_ = std::make_unique<Block>();
  std::atomic<int> called_{0};
  std::atomic<size_t> told_{0};
  std::vector<OneNode> nodes_;
};

void churn(rclcpp::Executor & executor) {
  const std::uint64_t seed = seed_of_this_run();
  std::thread spinning([&] { executor.spin(); });
  std::vector<std::unique_ptr<Churner>> churners;
  for (size_t i = 0; i < 2; ++i) churners.push_back(std::make_unique<Churner>(executor, seed, i));
  std::vector<std::thread> threads;
  for (auto & churner : churners) threads.emplace_back([&churner] { churner->run(); });
  for (auto & thread : threads) thread.join();

  // It still serves.
  const auto node = std::make_shared<rclcpp::Node>("last");
  std::atomic<bool> is_called{false};
  const auto timer = node->create_wall_timer(1ms, [&] { is_called = true; });
  executor.add_node(node);
  EXPECT_TRUE(eventually([&] { return is_called.load(); }));
  executor.cancel();
  spinning.join();
  executor.remove_node(node);
  int called = 0;
  for (const auto & churner : churners) called += churner->called();
  EXPECT_GT(called, 0);
}

}  // namespace

TEST_F(Churn, UnderFourThreads) {
  rclcpp::executors::MultiThreadedExecutor executor(rclcpp::ExecutorOptions(), kThreads);
  churn(executor);
}

TEST_F(Churn, UnderOneThread) {
  rclcpp::executors::SingleThreadedExecutor executor;
  churn(executor);
}

TEST_F(Churn, UnderEvents) {
  rclcpp::experimental::executors::EventsExecutor executor;
  churn(executor);
}

TEST_F(Churn, UnderEventsWithATimersThread) {
  rclcpp::experimental::executors::EventsExecutor executor(
      std::make_unique<rclcpp::experimental::executors::SimpleEventsQueue>(), true);
  churn(executor);
}
