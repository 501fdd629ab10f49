// Switching simulated time on and off, and passing /clock on.
//
// Locks. mutex_ is held while clocks change, so while their jump callbacks run. These may use parameters, and so the node's
// parameters call follow_parameter() without a lock of theirs, and check() takes none. A clock thread is waited for
// without mutex_, for which it may be waiting. Jump callbacks may come back here, so mutex_ is recursive.
#include "rclcpp/time_source.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <stdexcept>
#include <utility>
#include <vector>

#include "rclcpp/logging.hpp"
#include "rclcpp/qos_overriding_options.hpp"
#include "time/clock_subscription.hpp"

namespace rclcpp {
namespace {

constexpr const char * kParameter = "use_sim_time";
constexpr const char * kOtherClocks =
    "use_sim_time parameter can't be true while clocks are not all of RCL_ROS_TIME type";

bool is_ros_time(const Clock & clock) { return clock.get_clock_type() == RCL_ROS_TIME; }

/// The value of the parameter, which is declared if it was not. \throws std::invalid_argument when it is no bool.
bool is_wanted(node_interfaces::NodeParametersInterface & parameters) {
  if (!parameters.has_parameter(kParameter)) parameters.declare_parameter(kParameter, ParameterValue(false));
  const Parameter parameter = parameters.get_parameter(kParameter);
  if (parameter.get_type() == PARAMETER_BOOL) return parameter.as_bool();
  throw std::invalid_argument("Invalid type for parameter 'use_sim_time', should be 'bool'");
}

}  // namespace

/// Thread-safe.
class TimeSource::State : public std::enable_shared_from_this<State> {
 public:
  State(const QoS & qos, bool use_thread) : qos_(qos), use_thread_(use_thread) {}

  void attach_node(node_interfaces::NodeTopicsInterface::SharedPtr topics,
                   node_interfaces::NodeParametersInterface::SharedPtr parameters);
  void detach_node();
  void attach_clock(Clock::SharedPtr clock);
  void detach_clock(const Clock::SharedPtr & clock);

  bool use_thread() const { return use_thread_; }
  void use_thread(bool value) { use_thread_ = value; }
  bool has_thread() const {
    const std::lock_guard<std::recursive_mutex> lock(mutex_);
    return subscription_ && subscription_->has_thread();
  }

 private:
  using Subscription = std::unique_ptr<detail::ClockSubscription>;
  using SetParametersResult = rcl_interfaces::msg::SetParametersResult;

  static SetParametersResult check(const std::vector<Parameter> & parameters, bool has_other_clocks);
  void follow_parameter();
  // Under mutex_.
  void watch_parameter();
  void start();
  Subscription stop();
  void on_message(std::uint64_t session, const rosgraph_msgs::msg::Clock & message);
  void update_all() const;
  void update(Clock & clock) const;

  const QoS qos_;
  std::atomic<bool> use_thread_;
  std::atomic<int> other_clocks_{0};  // attached ones that are not of ROS time

  mutable std::recursive_mutex mutex_;
  std::vector<Clock::SharedPtr> clocks_;
  std::int64_t time_ = 0;      // ns, the last message's
  std::uint64_t session_ = 0;  // counts subscriptions: one that has ended may have a callback under way
  Subscription subscription_;  // null while time is not simulated
  node_interfaces::NodeTopicsInterface::SharedPtr topics_;
  node_interfaces::NodeParametersInterface::SharedPtr parameters_;
  std::shared_ptr<void> on_set_;
  std::shared_ptr<void> after_set_;
};

// ---- the node ------------------------------------------------------------------------------------------------------

void TimeSource::State::attach_node(node_interfaces::NodeTopicsInterface::SharedPtr topics,
                                    node_interfaces::NodeParametersInterface::SharedPtr parameters) {
  detach_node();
  if (is_wanted(*parameters) && other_clocks_ != 0) throw std::invalid_argument(kOtherClocks);
  {
    const std::lock_guard<std::recursive_mutex> lock(mutex_);
    topics_ = std::move(topics);
    parameters_ = std::move(parameters);
    watch_parameter();
  }
  follow_parameter();
}

void TimeSource::State::watch_parameter() {
  on_set_ =
      parameters_->add_on_set_parameters_callback([weak = weak_from_this()](const std::vector<Parameter> & values) {
        const auto state = weak.lock();
        return check(values, state && state->other_clocks_ != 0);
      });
  after_set_ = parameters_->add_after_set_callback([weak = weak_from_this()] {
    const auto state = weak.lock();
    try {
      if (state) state->follow_parameter();
    } catch (const std::exception & error) {  // the parameter is set already
      RCLCPP_ERROR(get_logger("rclcpp"), "simulated time cannot be used: %s", error.what());
    }
  });
}

void TimeSource::State::detach_node() {
  Subscription former;
  {
    const std::lock_guard<std::recursive_mutex> lock(mutex_);
    former = stop();
    on_set_.reset();
    after_set_.reset();
    parameters_.reset();
    topics_.reset();
  }
}

/// Whether these values may be set.
TimeSource::State::SetParametersResult TimeSource::State::check(const std::vector<Parameter> & parameters,
                                                                bool has_other_clocks) {
  SetParametersResult result;
  for (const auto & parameter : parameters) {
    if (parameter.get_name() != kParameter || parameter.get_type() == PARAMETER_NOT_SET) continue;
    if (parameter.get_type() != PARAMETER_BOOL) {
      result.reason = "use_sim_time parameter cannot be set to anything but a bool";
    } else if (parameter.as_bool() && has_other_clocks) {
      result.reason = kOtherClocks;
    }
  }
  result.successful = result.reason.empty();
  return result;
}

/// Switches simulated time on or off, as the parameter says now.
void TimeSource::State::follow_parameter() {
  Subscription former;  // ends without the lock
  {
    const std::lock_guard<std::recursive_mutex> lock(mutex_);
    Parameter parameter;
    if (!parameters_ || !parameters_->get_parameter(kParameter, parameter)) return;  // undeclared: stays as it is
    if (parameter.as_bool() == (subscription_ != nullptr)) return;
    if (parameter.as_bool()) {
      start();
    } else {
      former = stop();
    }
  }
}

// ---- the clocks ----------------------------------------------------------------------------------------------------

void TimeSource::State::start() {
  const QosOverridingOptions overriding{QosPolicyKind::History, QosPolicyKind::Depth, QosPolicyKind::Durability,
                                        QosPolicyKind::Reliability};
  const QoS qos = detail::overridden_qos(parameters_.get(), overriding, topics_->resolve_topic_name("/clock"), qos_,
                                         "subscription");
  const auto callback = [weak = weak_from_this(), session = ++session_](const rosgraph_msgs::msg::Clock & message) {
    if (const auto state = weak.lock()) state->on_message(session, message);
  };
  subscription_ = std::make_unique<detail::ClockSubscription>(*topics_, qos, use_thread_, callback);
  update_all();
}

TimeSource::State::Subscription TimeSource::State::stop() {
  Subscription former = std::move(subscription_);
  ++session_;
  update_all();
  return former;
}

void TimeSource::State::on_message(std::uint64_t session, const rosgraph_msgs::msg::Clock & message) {
  if (message.clock.sec < 0) {
    RCLCPP_WARN_ONCE(get_logger("rclcpp"), "a time on /clock is before 0 (%d s) and is dropped; so are all like it",
                     message.clock.sec);
    return;
  }
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  if (session != session_) return;
  time_ = Time(message.clock).nanoseconds();
  update_all();
}

void TimeSource::State::update_all() const {
  const auto clocks = clocks_;  // jump callbacks may attach and detach some
  for (const auto & clock : clocks) update(*clock);
}

void TimeSource::State::update(Clock & clock) const {
  if (!is_ros_time(clock)) return;
  rcl_clock_t * const handle = clock.get_clock_handle();
  if (subscription_) {
    rcl_enable_ros_time_override(handle);
    rcl_set_ros_time_override(handle, time_);
  } else {
    rcl_disable_ros_time_override(handle);
    rcl_set_ros_time_override(handle, 0);
  }
}

void TimeSource::State::attach_clock(Clock::SharedPtr clock) {
  if (!clock) throw std::invalid_argument("the clock to attach is null");
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  if (std::find(clocks_.begin(), clocks_.end(), clock) != clocks_.end()) return;
  if (!is_ros_time(*clock)) {
    if (subscription_) throw std::invalid_argument(kOtherClocks);
    ++other_clocks_;
  }
  clocks_.push_back(clock);
  update(*clock);
}

void TimeSource::State::detach_clock(const Clock::SharedPtr & clock) {
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  const auto found = std::find(clocks_.begin(), clocks_.end(), clock);
  if (found == clocks_.end()) {
    RCLCPP_ERROR(get_logger("rclcpp"), "a clock cannot be detached from a time source: it is not attached");
    return;
  }
  if (!is_ros_time(*clock)) --other_clocks_;
  clocks_.erase(found);
}

// ---- TimeSource ----------------------------------------------------------------------------------------------------

TimeSource::TimeSource(std::shared_ptr<Node> node, const QoS & qos, bool use_clock_thread)
    : TimeSource(qos, use_clock_thread) {
  attachNode(std::move(node));
}

TimeSource::TimeSource(const QoS & qos, bool use_clock_thread)
    : state_(std::make_shared<State>(qos, use_clock_thread)) {}

TimeSource::~TimeSource() {
  if (state_) state_->detach_node();
}

TimeSource & TimeSource::operator=(TimeSource && other) noexcept {
  std::swap(state_, other.state_);
  return *this;
}

void TimeSource::attachNode(std::shared_ptr<Node> node) {
  state_->use_thread(node->get_node_options().use_clock_thread());
  attachNode(node->get_node_topics_interface(), node->get_node_parameters_interface());
}

void TimeSource::attachNode(node_interfaces::NodeTopicsInterface::SharedPtr node_topics,
                            node_interfaces::NodeParametersInterface::SharedPtr node_parameters) {
  state_->attach_node(std::move(node_topics), std::move(node_parameters));
}

void TimeSource::detachNode() { state_->detach_node(); }
void TimeSource::attachClock(Clock::SharedPtr clock) { state_->attach_clock(std::move(clock)); }
void TimeSource::detachClock(Clock::SharedPtr clock) { state_->detach_clock(clock); }
bool TimeSource::get_use_clock_thread() { return state_->use_thread(); }
void TimeSource::set_use_clock_thread(bool use_clock_thread) { state_->use_thread(use_clock_thread); }
bool TimeSource::clock_thread_is_joinable() { return state_->has_thread(); }

}  // namespace rclcpp
