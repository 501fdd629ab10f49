// What runs callbacks.
#ifndef RCLCPP__EXECUTOR_HPP_
#define RCLCPP__EXECUTOR_HPP_

#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "rclcpp/any_executable.hpp"
#include "rclcpp/callback_group.hpp"
#include "rclcpp/executor_options.hpp"
#include "rclcpp/future_return_code.hpp"
#include "rclcpp/logging.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/node_interfaces/node_base_interface.hpp"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp {

class Node;

namespace detail {
class ExecutorCore;
struct Executable;
}  // namespace detail

/// Base of the executors, and of those that programs write: spin() is theirs, the protected members are what it is made
/// of.
/// Callbacks' exceptions leave the spin that ran them. Everything but the spins may be called from any thread, from
/// callbacks too. Spinning while it spins already throws std::runtime_error.
class RCLCPP_PUBLIC Executor {
 public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(Executor)
  RCLCPP_DISABLE_COPY(Executor)

  explicit Executor(const ExecutorOptions & options = ExecutorOptions());
  virtual ~Executor();

  /// Until cancel() or shutdown.
  virtual void spin() = 0;

  /// \throws std::runtime_error when the node or the group is in an executor already.
  virtual void add_node(node_interfaces::NodeBaseInterface::SharedPtr node, bool notify = true);
  virtual void add_node(std::shared_ptr<Node> node, bool notify = true);
  /// \throws std::runtime_error when the node is not in this executor.
  virtual void remove_node(node_interfaces::NodeBaseInterface::SharedPtr node, bool notify = true);
  virtual void remove_node(std::shared_ptr<Node> node, bool notify = true);
  virtual void add_callback_group(CallbackGroup::SharedPtr group, node_interfaces::NodeBaseInterface::SharedPtr node,
                                  bool notify = true);
  virtual void remove_callback_group(CallbackGroup::SharedPtr group, bool notify = true);
  virtual std::vector<CallbackGroup::WeakPtr> get_all_callback_groups();
  virtual std::vector<CallbackGroup::WeakPtr> get_manually_added_callback_groups();
  virtual std::vector<CallbackGroup::WeakPtr> get_automatically_added_callback_groups_from_nodes();

  /// Each timer, subscription and waitable that is ready now, once; at most for `max_duration` (0: without limit).
  virtual void spin_some(std::chrono::nanoseconds max_duration = std::chrono::nanoseconds(0));
  /// Until nothing is ready; at most for `max_duration` (0: without limit). \throws std::invalid_argument when
  /// negative.
  virtual void spin_all(std::chrono::nanoseconds max_duration);
  /// Waits for at most `timeout` (negative: without end) and runs one callback.
  virtual void spin_once(std::chrono::nanoseconds timeout = std::chrono::nanoseconds(-1));

  // The same with a node that is in the executor for this long only.
  template <class RepT = int64_t, class PeriodT = std::milli>
  void spin_node_once(node_interfaces::NodeBaseInterface::SharedPtr node,
                      std::chrono::duration<RepT, PeriodT> timeout = std::chrono::duration<RepT, PeriodT>(-1)) {
    spin_node_once_nanoseconds(std::move(node), std::chrono::duration_cast<std::chrono::nanoseconds>(timeout));
  }
  template <class NodeT = Node, class RepT = int64_t, class PeriodT = std::milli>
  void spin_node_once(std::shared_ptr<NodeT> node,
                      std::chrono::duration<RepT, PeriodT> timeout = std::chrono::duration<RepT, PeriodT>(-1)) {
    spin_node_once(node->get_node_base_interface(), timeout);
  }
  virtual void spin_node_some(node_interfaces::NodeBaseInterface::SharedPtr node);
  virtual void spin_node_some(std::shared_ptr<Node> node);
  virtual void spin_node_all(node_interfaces::NodeBaseInterface::SharedPtr node, std::chrono::nanoseconds max_duration);
  virtual void spin_node_all(std::shared_ptr<Node> node, std::chrono::nanoseconds max_duration);

  /// Spins until the future is ready, `timeout` (negative: without end) is over, or cancel() or shutdown.
  template <class FutureT, class TimeRepT = int64_t, class TimeT = std::milli>
  FutureReturnCode spin_until_future_complete(const FutureT & future, std::chrono::duration<TimeRepT, TimeT> timeout =
                                                                          std::chrono::duration<TimeRepT, TimeT>(-1)) {
    return spin_until_future_complete_impl(std::chrono::duration_cast<std::chrono::nanoseconds>(timeout),
                                           [&future](std::chrono::nanoseconds t) { return future.wait_for(t); });
  }

  /// Ends the present spin; from callbacks and other threads.
  virtual void cancel();
  bool is_spinning() const { return spinning.load(); }

 protected:
  explicit Executor(const Context::SharedPtr & context);

  void spin_node_once_nanoseconds(node_interfaces::NodeBaseInterface::SharedPtr node, std::chrono::nanoseconds timeout);
  virtual FutureReturnCode spin_until_future_complete_impl(
      std::chrono::nanoseconds timeout,
      const std::function<std::future_status(std::chrono::nanoseconds wait_time)> & wait_for_future);
  void spin_some_impl(std::chrono::nanoseconds max_duration, bool exhaustive);
  virtual void spin_once_impl(std::chrono::nanoseconds timeout);

  /// Until something is ready, for at most `timeout` (negative: without end), cancel() or shutdown. What it has found
  /// is the next thing that get_next_ready_executable() gives; until then its group is busy. Thread-safe, as the next
  /// three.
  void wait_for_work(std::chrono::nanoseconds timeout = std::chrono::nanoseconds(-1));
  /// What is ready now. \return false when nothing is.
  bool get_next_ready_executable(AnyExecutable & any_executable);
  /// The same, waiting for at most `timeout` (negative: without end). \return false also after cancel() or shutdown.
  bool get_next_executable(AnyExecutable & any_executable,
                           std::chrono::nanoseconds timeout = std::chrono::nanoseconds(-1));
  /// Calls its callback and frees its group. \throws what the callback throws.
  void execute_any_executable(AnyExecutable & any_executable);
  // The callback of one alone, if there is a message; `data` is what TimerBase::call() returned.
  static void execute_subscription(SubscriptionBase::SharedPtr subscription);
  static void execute_timer(TimerBase::SharedPtr timer, const std::shared_ptr<void> & data);

  /// Sets `spinning` for a scope.
  class SpinGuard {
   public:
    SpinGuard(std::atomic_bool & spinning, const char * caller);
    ~SpinGuard() { spinning_.store(false); }
    RCLCPP_DISABLE_COPY(SpinGuard)

   private:
    std::atomic_bool & spinning_;
  };
  /// Runs callbacks until cancel() or shutdown; from any number of threads while a SpinGuard lives.
  void run();
  bool keep_spinning() const { return spinning.load() && context_->is_valid(); }

  const Context::SharedPtr context_;
  std::atomic_bool spinning{false};  // NOLINT: the name that rclcpp's executors know
  const std::unique_ptr<detail::ExecutorCore> core_;

 private:
  std::unique_ptr<detail::Executable> take_found();
  bool wait_next(detail::Executable & executable, std::chrono::nanoseconds timeout);
  void hand_out(detail::Executable & from, AnyExecutable & to);

  std::mutex found_mutex_;
  std::vector<std::unique_ptr<detail::Executable>> found_;  // by wait_for_work(), in each of its threads
  OnShutdownCallbackHandle shutdown_handle_;
};

}  // namespace rclcpp

#endif  // RCLCPP__EXECUTOR_HPP_
