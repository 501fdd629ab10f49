// intra: what a message of 64 B needs from publish() to the return of its callback within a process, polled by an executor.
//
//   intra.floor          a virtual call that puts a unique_ptr into a queue under a mutex, and one that takes it out
//   intra.unique         intra-process delivery to a callback that takes a UniquePtr
//   intra.shared         the same, ConstSharedPtr
//   intra.four           the same, four ConstSharedPtr, one executor
//   intra.topic.unique, intra.topic.shared       without intra-process delivery
//   intra.publish        publish() alone, to a reader with intra-process delivery
//
// Messages come in batches of eight, so that neither the clock nor what an executor needs once counts. Each is made by new.
#include <algorithm>
#include <array>
#include <deque>
#include <memory>
#include <mutex>

#include "common/microbenchmarks.hpp"
#include "common/ros.hpp"
#include "common/suites.hpp"
#include "tandem_benchmark/msg/message64b.hpp"

namespace bench {
namespace {

using tandem_benchmark::msg::Message64b;

constexpr std::size_t kBatch = 8;

class Queue {
 public:
  virtual ~Queue() = default;
  virtual void put(std::unique_ptr<Message64b> message) = 0;
  virtual std::unique_ptr<Message64b> take() = 0;
};

class LockedQueue final : public Queue {
 public:
  void put(std::unique_ptr<Message64b> message) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    messages_.push_back(std::move(message));
  }
  std::unique_ptr<Message64b> take() override {
    const std::lock_guard<std::mutex> lock(mutex_);
    auto message = std::move(messages_.front());
    messages_.pop_front();
    return message;
  }

 private:
  std::mutex mutex_;
  std::deque<std::unique_ptr<Message64b>> messages_;
};

/// A publisher and its readers, in an executor of their own.
class Topic {
 public:
  template <class Callback>
  Topic(const std::string & name, bool intra_process, std::size_t readers, Callback callback)
      : node_(std::make_shared<rclcpp::Node>("bench_" + name,
                                             rclcpp::NodeOptions().use_intra_process_comms(intra_process))),
        publisher_(node_->create_publisher<Message64b>("/bench/intra/" + name, 2 * kBatch)) {
    for (std::size_t i = 0; i < readers; ++i) {
      subscriptions_.push_back(node_->create_subscription<Message64b>("/bench/intra/" + name, 2 * kBatch, callback));
    }
    executor_.add_node(node_);
  }
  bool is_connected() const { return publisher_->get_subscription_count() == subscriptions_.size(); }
  void publish() {
    for (std::size_t i = 0; i < kBatch; ++i) {
      publisher_->publish(std::make_unique<Message64b>());
    }
  }
  void spin() { executor_.spin_all(std::chrono::seconds(1)); }

 private:
  std::shared_ptr<rclcpp::Node> node_;
  std::shared_ptr<rclcpp::Publisher<Message64b>> publisher_;
  std::vector<std::shared_ptr<rclcpp::Subscription<Message64b>>> subscriptions_;
  rclcpp::executors::SingleThreadedExecutor executor_;
};

/// Everything in one process.
class Intra : public Microbenchmarks {
 public:
  Intra() {
    const auto unique = [](Message64b::UniquePtr message) { benchmark::DoNotOptimize(message->sequence); };
    const auto shared = [](Message64b::ConstSharedPtr message) { benchmark::DoNotOptimize(message->sequence); };
    add_floor();
    add_topic("unique", true, 1, unique);
    add_topic("shared", true, 1, shared);
    add_topic("four", true, 4, shared);
    add_topic("topic_unique", false, 1, unique);
    add_topic("topic_shared", false, 1, shared);
    topics_.push_back(std::make_unique<Topic>("publish", true, 1, shared));
    add("intra.publish", kAsManyAsNeeded, [&topic = *topics_.back()](benchmark::State & state) {
      while (state.KeepRunningBatch(kBatch)) {
        time_call(state, [&] { topic.publish(); });
        topic.spin();
      }
    });
  }

  bool is_connected() const override {
    return std::all_of(topics_.begin(), topics_.end(), [](const auto & topic) { return topic->is_connected(); });
  }

 private:
  void add_floor() {
    add("intra.floor", kAsManyAsNeeded, [this](benchmark::State & state) {
      Queue * queue = &queue_;
      benchmark::DoNotOptimize(queue);  // the calls stay virtual
      while (state.KeepRunningBatch(kBatch)) {
        time_call(state, [&] {
          for (std::size_t i = 0; i < kBatch; ++i) {
            queue->put(std::make_unique<Message64b>());
          }
          for (std::size_t i = 0; i < kBatch; ++i) {
            benchmark::DoNotOptimize(queue->take()->sequence);
          }
        });
      }
    });
  }

  template <class CallbackT>
  void add_topic(const std::string & name, bool intra_process, std::size_t readers, CallbackT callback) {
    topics_.push_back(std::make_unique<Topic>(name, intra_process, readers, callback));
    std::string series = "intra." + name;
    std::replace(series.begin(), series.end(), '_', '.');
    add(series, kAsManyAsNeeded, [&topic = *topics_.back()](benchmark::State & state) {
      while (state.KeepRunningBatch(kBatch)) {
        time_call(state, [&] {
          topic.publish();
          topic.spin();
        });
      }
    });
  }

  LockedQueue queue_;
  std::vector<std::unique_ptr<Topic>> topics_;
};

std::unique_ptr<Contestant> make(const std::string &, const Role &) {
  ros();
  return std::make_unique<Intra>();
}

}  // namespace

Suite intra_suite(const Length & length) {
  Suite suite{"intra", 0, make};
  suite.contests = {{"intra", length.repetitions(25)}};
  suite.figures = {{"intra.floor", "one process: two virtual calls and a queue with a mutex"},
                   {"intra.publish", "one process: publish, intra-process delivery"},
                   {"intra.unique", "one process: publish and callback, intra-process, UniquePtr"},
                   {"intra.shared", "one process: publish and callback, intra-process, ConstSharedPtr"},
                   {"intra.four", "one process: publish and four callbacks, intra-process, ConstSharedPtr"},
                   {"intra.topic.unique", "one process: publish and callback, UniquePtr"},
                   {"intra.topic.shared", "one process: publish and callback, ConstSharedPtr"}};
  suite.targets = {{"intra-process publish / two virtual calls and a queue", "intra.publish", "intra.floor", 0},
                   {"intra-process, UniquePtr / two virtual calls and a queue", "intra.unique", "intra.floor", 0},
                   {"intra-process, UniquePtr / without", "intra.unique", "intra.topic.unique", 1},
                   {"intra-process, ConstSharedPtr / without", "intra.shared", "intra.topic.shared", 1}};
  return suite;
}

}  // namespace bench
