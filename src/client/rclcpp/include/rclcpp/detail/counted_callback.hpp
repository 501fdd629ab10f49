// A callback that is told how often something has happened.
#ifndef RCLCPP__DETAIL__COUNTED_CALLBACK_HPP_
#define RCLCPP__DETAIL__COUNTED_CALLBACK_HPP_

#include <atomic>
#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>

#include "rclcpp/visibility_control.hpp"

namespace rclcpp::detail {

/// What happens while there is no callback is told to the next one. Thread-safe; a callback may replace itself, but must not
/// wait for another thread that uses this.
class RCLCPP_PUBLIC CountedCallback {
 public:
  using Function = std::function<void(size_t)>;

  /// \param most of what is counted without a callback
  explicit CountedCallback(size_t most = std::numeric_limits<size_t>::max());
  ~CountedCallback();

  /// Calls it at once if something has happened before. Null: none; then the former one does not run any more, unless it
  /// is what calls this.
  void set(Function callback);

  /// Calls the callback in this thread.
  void happened(size_t times = 1) {
    // Counted before the look, as set() looks after it has set: one of the two sees the other.
    unread_.fetch_add(times);
    if (has_callback_.load()) tell();
  }

 private:
  void tell();
  void call(size_t times);

  const size_t most_;
  std::atomic<size_t> unread_{0};
  std::atomic<bool> has_callback_{false};
  std::recursive_mutex mutex_;  // guards callback_, and is held while it runs
  std::shared_ptr<const Function> callback_;
};

}  // namespace rclcpp::detail

#endif  // RCLCPP__DETAIL__COUNTED_CALLBACK_HPP_
