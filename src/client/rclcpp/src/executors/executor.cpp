// The executors.
#include "rclcpp/executor.hpp"

#include <algorithm>
#include <stdexcept>
#include <thread>

#include "executors/executor_core.hpp"
#include "rclcpp/executors.hpp"
#include "rclcpp/node.hpp"

namespace rclcpp {
namespace {

/// A future may become ready in a thread that cannot wake an executor: look at it at least this often.
constexpr std::chrono::milliseconds kFutureInterval{50};

using Steady = std::chrono::steady_clock;

}  // namespace

std::string to_string(const FutureReturnCode & code) {
  switch (code) {
    case FutureReturnCode::SUCCESS: return "SUCCESS (0)";
    case FutureReturnCode::INTERRUPTED: return "INTERRUPTED (1)";
    case FutureReturnCode::TIMEOUT: return "TIMEOUT (2)";
  }
  return "Unknown enum value (" + std::to_string(static_cast<int>(code)) + ")";
}

std::ostream & operator<<(std::ostream & os, const FutureReturnCode & code) { return os << to_string(code); }

Executor::SpinGuard::SpinGuard(std::atomic_bool & spinning, const char * caller) : spinning_(spinning) {
  if (spinning_.exchange(true)) throw std::runtime_error(std::string(caller) + "() called while already spinning");
}

Executor::Executor(const ExecutorOptions & options) : Executor(options.context) {}

Executor::Executor(const Context::SharedPtr & context)
    : context_(context), core_(std::make_unique<detail::ExecutorCore>(context)) {
  shutdown_handle_ = context_->add_on_shutdown_callback([weak = std::weak_ptr<detail::Wakeup>(core_->wakeup())] {
    if (const auto wakeup = weak.lock()) wakeup->wake();
  });
}

Executor::~Executor() {
  while (const auto found = take_found()) core_->release(found->group);
  context_->remove_on_shutdown_callback(shutdown_handle_);
}

void Executor::add_node(node_interfaces::NodeBaseInterface::SharedPtr node, bool) { core_->add_node(node); }
void Executor::add_node(Node::SharedPtr node, bool) { core_->add_node(node->get_node_base_interface()); }
void Executor::remove_node(node_interfaces::NodeBaseInterface::SharedPtr node, bool) { core_->remove_node(node); }
void Executor::remove_node(Node::SharedPtr node, bool) { core_->remove_node(node->get_node_base_interface()); }

void Executor::add_callback_group(CallbackGroup::SharedPtr group, node_interfaces::NodeBaseInterface::SharedPtr node,
                                  bool) {
  core_->add_group(group, node);
}

void Executor::remove_callback_group(CallbackGroup::SharedPtr group, bool) { core_->remove_group(group); }

std::vector<CallbackGroup::WeakPtr> Executor::get_all_callback_groups() { return core_->groups(); }
std::vector<CallbackGroup::WeakPtr> Executor::get_manually_added_callback_groups() { return core_->own_groups(); }
std::vector<CallbackGroup::WeakPtr> Executor::get_automatically_added_callback_groups_from_nodes() {
  return core_->node_groups();
}

void Executor::spin_some(std::chrono::nanoseconds max_duration) { spin_some_impl(max_duration, false); }

void Executor::spin_all(std::chrono::nanoseconds max_duration) {
  if (max_duration.count() < 0) throw std::invalid_argument("max_duration must be greater than or equal to 0");
  spin_some_impl(max_duration, true);
}

void Executor::spin_some_impl(std::chrono::nanoseconds max_duration, bool exhaustive) {
  const SpinGuard guard(spinning, exhaustive ? "spin_all" : "spin_some");
  const auto end = Steady::now() + max_duration;
  const std::uint64_t round = exhaustive ? 0 : core_->begin_round();
  detail::Executable executable;
  while (keep_spinning() && core_->next(executable, round)) {
    core_->execute(executable);
    if (max_duration.count() > 0 && Steady::now() >= end) break;
  }
}

void Executor::spin_once_impl(std::chrono::nanoseconds timeout) {
  detail::Executable executable;
  if (core_->wait_next(executable, timeout, [this] { return keep_spinning(); })) core_->execute(executable);
}

void Executor::spin_once(std::chrono::nanoseconds timeout) {
  const SpinGuard guard(spinning, "spin_once");
  spin_once_impl(timeout);
}

void Executor::spin_node_once_nanoseconds(node_interfaces::NodeBaseInterface::SharedPtr node,
                                          std::chrono::nanoseconds timeout) {
  add_node(node);
  spin_once(timeout);
  remove_node(node);
}

void Executor::spin_node_some(node_interfaces::NodeBaseInterface::SharedPtr node) {
  add_node(node);
  spin_some();
  remove_node(node);
}

void Executor::spin_node_some(Node::SharedPtr node) { spin_node_some(node->get_node_base_interface()); }

void Executor::spin_node_all(node_interfaces::NodeBaseInterface::SharedPtr node,
                             std::chrono::nanoseconds max_duration) {
  add_node(node);
  spin_all(max_duration);
  remove_node(node);
}

void Executor::spin_node_all(Node::SharedPtr node, std::chrono::nanoseconds max_duration) {
  spin_node_all(node->get_node_base_interface(), max_duration);
}

FutureReturnCode Executor::spin_until_future_complete_impl(
    std::chrono::nanoseconds timeout,
    const std::function<std::future_status(std::chrono::nanoseconds wait_time)> & wait_for_future) {
  const auto is_ready = [&] { return wait_for_future(std::chrono::nanoseconds(0)) == std::future_status::ready; };
  if (is_ready()) return FutureReturnCode::SUCCESS;
  const SpinGuard guard(spinning, "spin_until_future_complete");
  const auto begin = Steady::now();
  while (keep_spinning()) {
    std::chrono::nanoseconds rest = kFutureInterval;
    if (timeout.count() >= 0) rest = std::clamp<std::chrono::nanoseconds>(begin + timeout - Steady::now(), {}, rest);
    spin_once_impl(rest);
    if (is_ready()) return FutureReturnCode::SUCCESS;
    if (timeout.count() >= 0 && Steady::now() - begin >= timeout) return FutureReturnCode::TIMEOUT;
  }
  return FutureReturnCode::INTERRUPTED;
}

void Executor::cancel() {
  spinning.store(false);
  core_->cancel();
}

void Executor::run() {
  detail::Executable executable;
  const std::function<bool()> keep = [this] { return keep_spinning(); };
  while (keep_spinning()) {
    if (core_->next(executable) || core_->wait_next(executable, std::chrono::nanoseconds(-1), keep)) {
      core_->execute(executable);
    }
  }
}

void executors::SingleThreadedExecutor::spin() {
  const SpinGuard guard(spinning, "spin");
  run();
}

executors::MultiThreadedExecutor::MultiThreadedExecutor(const ExecutorOptions & options, size_t number_of_threads, bool,
                                                        std::chrono::nanoseconds)
    : Executor(options),
      number_of_threads_(number_of_threads > 0 ? number_of_threads
                                               : std::max<size_t>(std::thread::hardware_concurrency(), 2)) {}

void executors::MultiThreadedExecutor::spin() {
  const SpinGuard guard(spinning, "spin");
  struct Threads {
    MultiThreadedExecutor & executor;
    std::vector<std::thread> all;
    ~Threads() {
      executor.cancel();  // also when run() threw
      for (auto & thread : all) thread.join();
    }
  } threads{*this, {}};
  for (size_t i = 1; i < number_of_threads_; ++i) threads.all.emplace_back([this] { run(); });
  run();
}

namespace {

/// An executor with this node alone, which leaves it again.
class OneNode {
 public:
  explicit OneNode(const node_interfaces::NodeBaseInterface::SharedPtr & node)
      : executor_(ExecutorOptions{node->get_context(), 0}) {
    executor_.add_node(node);
  }
  executors::SingleThreadedExecutor * operator->() { return &executor_; }

 private:
  executors::SingleThreadedExecutor executor_;
};

}  // namespace

void spin(node_interfaces::NodeBaseInterface::SharedPtr node) { OneNode(node)->spin(); }
void spin(Node::SharedPtr node) { rclcpp::spin(node->get_node_base_interface()); }
void spin_some(node_interfaces::NodeBaseInterface::SharedPtr node) { OneNode(node)->spin_some(); }
void spin_some(Node::SharedPtr node) { rclcpp::spin_some(node->get_node_base_interface()); }
void spin_all(node_interfaces::NodeBaseInterface::SharedPtr node, std::chrono::nanoseconds max_duration) {
  OneNode(node)->spin_all(max_duration);
}
void spin_all(Node::SharedPtr node, std::chrono::nanoseconds max_duration) {
  rclcpp::spin_all(node->get_node_base_interface(), max_duration);
}

}  // namespace rclcpp
