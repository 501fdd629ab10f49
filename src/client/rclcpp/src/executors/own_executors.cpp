// What executors that programs derive are made of.
#include "executors/executor_core.hpp"
#include "rclcpp/executor.hpp"

namespace rclcpp {

AnyExecutable::AnyExecutable() = default;
AnyExecutable::~AnyExecutable() {
  if (give_back_) give_back_();
}

memory_strategy::MemoryStrategy::SharedPtr memory_strategies::create_default_strategy() {
  return std::make_shared<memory_strategy::MemoryStrategy>();
}

void Executor::hand_out(detail::Executable & from, AnyExecutable & to) {
  if (to.give_back_) std::exchange(to.give_back_, nullptr)();
  to.subscription = std::dynamic_pointer_cast<SubscriptionBase>(from.receiver);
  to.service = std::dynamic_pointer_cast<ServiceBase>(from.receiver);
  to.client = std::dynamic_pointer_cast<ClientBase>(from.receiver);
  from.receiver.reset();
  to.timer = std::move(from.timer);
  to.waitable = std::move(from.waitable);
  to.data = std::move(from.data);
  to.callback_group = std::move(from.group);
  to.node_base = core_->node_of(to.callback_group);
  to.give_back_ = [this, group = to.callback_group] { core_->release(group); };
}

std::unique_ptr<detail::Executable> Executor::take_found() {
  const std::lock_guard<std::mutex> lock(found_mutex_);
  if (found_.empty()) return nullptr;
  auto found = std::move(found_.front());
  found_.erase(found_.begin());
  return found;
}

void Executor::wait_for_work(std::chrono::nanoseconds timeout) {
  {
    const std::lock_guard<std::mutex> lock(found_mutex_);
    if (!found_.empty()) return;
  }
  auto executable = std::make_unique<detail::Executable>();
  if (!wait_next(*executable, timeout)) return;
  const std::lock_guard<std::mutex> lock(found_mutex_);
  found_.push_back(std::move(executable));
}

bool Executor::get_next_ready_executable(AnyExecutable & any_executable) {
  auto executable = take_found();
  if (!executable) {
    executable = std::make_unique<detail::Executable>();
    if (!core_->next(*executable)) return false;
  }
  hand_out(*executable, any_executable);
  return true;
}

bool Executor::wait_next(detail::Executable & executable, std::chrono::nanoseconds timeout) {
  const bool was_spinning = spinning.load();
  const auto keep = [this, was_spinning] {
    const bool is_cancelled = core_->take_cancelled() || (was_spinning && !spinning.load());
    return !is_cancelled && context_->is_valid();
  };
  return core_->wait_next(executable, timeout, keep);
}

bool Executor::get_next_executable(AnyExecutable & any_executable, std::chrono::nanoseconds timeout) {
  auto executable = take_found();
  if (!executable) {
    executable = std::make_unique<detail::Executable>();
    if (!wait_next(*executable, timeout)) return false;
  }
  hand_out(*executable, any_executable);
  return true;
}

void Executor::execute_any_executable(AnyExecutable & any_executable) {
  any_executable.give_back_ = nullptr;  // execute() does
  any_executable.node_base.reset();
  detail::Executable executable;
  if (any_executable.subscription) executable.receiver = std::move(any_executable.subscription);
  if (any_executable.service) executable.receiver = std::move(any_executable.service);
  if (any_executable.client) executable.receiver = std::move(any_executable.client);
  executable.timer = std::move(any_executable.timer);
  executable.waitable = std::move(any_executable.waitable);
  executable.data = std::move(any_executable.data);
  executable.group = std::move(any_executable.callback_group);
  if (executable.receiver || executable.timer || executable.waitable) core_->execute(executable);
}

void Executor::execute_subscription(SubscriptionBase::SharedPtr subscription) {
  tandem::transport::Sample sample;
  if (subscription->take_sample(sample)) subscription->execute(sample);
}

void Executor::execute_timer(TimerBase::SharedPtr timer, const std::shared_ptr<void> & data) {
  timer->execute_callback(data);
}

}  // namespace rclcpp
