#include "rclcpp/detail/counted_callback.hpp"

#include <algorithm>
#include <utility>

namespace rclcpp::detail {

CountedCallback::CountedCallback(size_t most) : most_(most) {}
CountedCallback::~CountedCallback() = default;

void CountedCallback::set(Function callback) {
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  callback_ = callback ? std::make_shared<const Function>(std::move(callback)) : nullptr;
  has_callback_.store(callback_ != nullptr);
  if (callback_) call(std::min(unread_.exchange(0), most_));
}

void CountedCallback::tell() {
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  if (callback_) call(unread_.exchange(0));
}

/// Under mutex_.
void CountedCallback::call(size_t times) {
  const auto callback = callback_;  // it may replace itself
  if (times != 0) (*callback)(times);
}

}  // namespace rclcpp::detail
