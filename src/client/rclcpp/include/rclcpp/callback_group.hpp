// Which callbacks may run at the same time.
#ifndef RCLCPP__CALLBACK_GROUP_HPP_
#define RCLCPP__CALLBACK_GROUP_HPP_

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "rclcpp/macros.hpp"
#include "rclcpp/visibility_control.hpp"

namespace rclcpp {

class TimerBase;
class Waitable;

namespace detail {
class Receiver;
class Wakeup;
}  // namespace detail

enum class CallbackGroupType { MutuallyExclusive, Reentrant };

/// Holds its members weakly. Thread-safe.
class RCLCPP_PUBLIC CallbackGroup {
 public:
  RCLCPP_SMART_PTR_DEFINITIONS_NOT_COPYABLE(CallbackGroup)

  explicit CallbackGroup(CallbackGroupType group_type, bool automatically_add_to_executor_with_node = true)
      : type_(group_type), automatically_add_to_executor_with_node_(automatically_add_to_executor_with_node) {}

  const CallbackGroupType & type() const { return type_; }
  bool automatically_add_to_executor_with_node() const { return automatically_add_to_executor_with_node_; }
  size_t size() const;

  /// False while a callback of a mutually exclusive group runs. Written by executors only.
  std::atomic_bool & can_be_taken_from() { return can_be_taken_from_; }
  std::atomic_bool & get_associated_with_executor_atomic() { return associated_with_executor_; }

  // For the library's own use.
  void add_receiver(const std::shared_ptr<detail::Receiver> & receiver);
  void add_timer(const std::shared_ptr<TimerBase> & timer);
  void add_waitable(const std::shared_ptr<Waitable> & waitable);
  void remove_waitable(const std::shared_ptr<Waitable> & waitable) noexcept;
  /// Subscriptions, services and clients.
  std::vector<std::shared_ptr<detail::Receiver>> receivers() const;
  std::vector<std::shared_ptr<TimerBase>> timers() const;
  std::vector<std::shared_ptr<Waitable>> waitables() const;
  void set_wakeup(const std::shared_ptr<detail::Wakeup> & wakeup);
  /// Whether set_wakeup() was last called with this one. Takes no lock.
  bool is_served_by(const detail::Wakeup & wakeup) const { return server_.load() == &wakeup; }
  void notify_entities_changed() const;
  void notify_timers_changed() const;
  void notify_data() const;

 private:
  const CallbackGroupType type_;
  const bool automatically_add_to_executor_with_node_;
  std::atomic_bool can_be_taken_from_{true};
  std::atomic_bool associated_with_executor_{false};

  mutable std::mutex mutex_;
  std::vector<std::weak_ptr<detail::Receiver>> receivers_;
  std::vector<std::weak_ptr<TimerBase>> timers_;
  std::vector<std::weak_ptr<Waitable>> waitables_;
  std::weak_ptr<detail::Wakeup> wakeup_;
  std::atomic<const detail::Wakeup *> server_{nullptr};  // of wakeup_; compared, never followed
};

namespace callback_group {
using CallbackGroup = rclcpp::CallbackGroup;
using CallbackGroupType = rclcpp::CallbackGroupType;
}  // namespace callback_group

}  // namespace rclcpp

#endif  // RCLCPP__CALLBACK_GROUP_HPP_
