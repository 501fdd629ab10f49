// Taking /clock.
#include "time/clock_subscription.hpp"

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <utility>

#include "transport/transport_error.hpp"
#include "waiting/signals_blocked.hpp"

namespace rclcpp::detail {
struct ClockSubscription::Loop {
  Context::SharedPtr context;
  Subscription<Message>::SharedPtr subscription;
  std::shared_ptr<tandem::transport::WaitSet> wait_set;
  std::atomic<bool> has_ended{false};

  bool goes_on() const { return !has_ended && context->is_valid(); }
  void run() {
    while (goes_on()) {
      wait_set->wait(std::chrono::nanoseconds(-1));
      tandem::transport::Sample sample;
      while (goes_on() && subscription->take_sample(sample)) subscription->execute(sample);
    }
    wait_set->detach(subscription->transport());
  }
};

ClockSubscription::ClockSubscription(node_interfaces::NodeTopicsInterface & topics, const QoS & qos, bool use_thread,
                                     Callback callback) {
  SubscriptionOptionsBase options;
  options.topic_stats_options.state = TopicStatisticsState::Disable;
  auto setup = topics.open_subscription(tandem::message_type<Message>(), "/clock", qos, options);
  subscription_ = Subscription<Message>::make_shared(
      std::move(setup), [callback = std::move(callback)](const Message & message) { callback(message); });
  if (use_thread) {
    start_thread(topics.get_node_base_interface()->get_context());
  } else {
    topics.add_subscription(subscription_, nullptr);
  }
}

void ClockSubscription::start_thread(const Context::SharedPtr & context) {
  loop_ = std::make_shared<Loop>();
  loop_->context = context;
  loop_->subscription = subscription_;
  loop_->wait_set = transport_call([&] { return context->transport()->create_wait_set(); });
  loop_->wait_set->attach(subscription_->transport());
  shutdown_handle_ = context->add_on_shutdown_callback([weak = std::weak_ptr<Loop>(loop_)] {
    if (const auto loop = weak.lock()) loop->wait_set->wake();
  });
  const SignalsBlocked blocked;
  thread_ = std::thread([loop = loop_] { loop->run(); });
  pthread_setname_np(thread_.native_handle(), "ros_clock");
}

ClockSubscription::~ClockSubscription() {
  if (!loop_) return;
  loop_->context->remove_on_shutdown_callback(shutdown_handle_);
  loop_->has_ended = true;
  loop_->wait_set->wake();
  if (thread_.get_id() == std::this_thread::get_id()) {
    thread_.detach();  // a jump callback has dropped the last reference to the node
  } else {
    thread_.join();
  }
}

}  // namespace rclcpp::detail
