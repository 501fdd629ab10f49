// A callback that is told how often something has happened.
#ifndef RCLCPP__DETAIL__COUNTED_CALLBACK_HPP_
#define RCLCPP__DETAIL__COUNTED_CALLBACK_HPP_

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <utility>

namespace rclcpp::detail {

/// What happens while there is no callback is told to the next one. Thread-safe; a callback may replace itself, but must not
/// wait for another thread that uses this.
class CountedCallback {
 public:
  using Function = std::function<void(size_t)>;

  /// \param most of what is counted without a callback
  explicit CountedCallback(size_t most = std::numeric_limits<size_t>::max()) : most_(most) {}

  /// Calls it at once if something has happened before. Null: none; then the former one does not run any more, unless it
  /// is what calls this.
  void set(Function callback) {
    const std::lock_guard<std::recursive_mutex> lock(mutex_);
    callback_ = callback ? std::make_shared<const Function>(std::move(callback)) : nullptr;
    if (callback_ && unread_ != 0) happened(std::exchange(unread_, 0));
  }

  /// Calls the callback in this thread.
  void happened(size_t times = 1) {
    const std::lock_guard<std::recursive_mutex> lock(mutex_);
    if (const auto callback = callback_) {  // it may replace itself
      (*callback)(times);
    } else {
      unread_ = std::min(unread_ + times, most_);
    }
  }

 private:
  const size_t most_;
  std::recursive_mutex mutex_;  // guards what follows, and is held while the callback runs
  std::shared_ptr<const Function> callback_;
  size_t unread_ = 0;
};

}  // namespace rclcpp::detail

#endif  // RCLCPP__DETAIL__COUNTED_CALLBACK_HPP_
