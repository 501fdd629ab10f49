// What a wait-set returns.
#ifndef RCLCPP__WAIT_RESULT_HPP_
#define RCLCPP__WAIT_RESULT_HPP_

#include <cstddef>
#include <stdexcept>
#include <utility>

#include "rclcpp/client.hpp"
#include "rclcpp/service.hpp"
#include "rclcpp/subscription_base.hpp"
#include "rclcpp/timer.hpp"
#include "rclcpp/wait_result_kind.hpp"
#include "rclcpp/waitable.hpp"

namespace rclcpp {

/// Of WaitSet::wait(); refers to the wait-set, until the next wait. It shares ownership of what the wait-set holds.
template <class WaitSetT>
class WaitResult {
 public:
  WaitResult(WaitResultKind kind, WaitSetT & wait_set) : kind_(kind), wait_set_(&wait_set) {}
  WaitResult(WaitResult && other) noexcept : kind_(other.kind_), wait_set_(std::exchange(other.wait_set_, nullptr)) {}
  WaitResult & operator=(WaitResult && other) noexcept {
    if (wait_set_ && wait_set_ != other.wait_set_) wait_set_->let_go();
    kind_ = other.kind_;
    wait_set_ = std::exchange(other.wait_set_, nullptr);
    return *this;
  }
  ~WaitResult() {
    if (wait_set_) wait_set_->let_go();
  }
  WaitResultKind kind() const { return kind_; }
  // \throws std::runtime_error when nothing is ready.
  WaitSetT & get_wait_set() { return require_ready(), *wait_set_; }
  const WaitSetT & get_wait_set() const { return require_ready(), *wait_set_; }

  // What is ready, each once, then null.
  SubscriptionBase::SharedPtr next_ready_subscription() {
    return is_ready() ? wait_set_->next_subscription() : nullptr;
  }
  ClientBase::SharedPtr next_ready_client() { return is_ready() ? wait_set_->next_client() : nullptr; }
  ServiceBase::SharedPtr next_ready_service() { return is_ready() ? wait_set_->next_service() : nullptr; }
  Waitable::SharedPtr next_ready_waitable() { return is_ready() ? wait_set_->next_waitable() : nullptr; }
  TimerBase::SharedPtr next_ready_timer() {
    auto [timer, index] = peek_next_ready_timer();
    if (timer) clear_timer_with_index(index);
    return timer;
  }
  /// The first timer from this index on that is ready, and its index.
  std::pair<TimerBase::SharedPtr, size_t> peek_next_ready_timer(size_t start_index = 0) {
    if (!is_ready()) return {nullptr, start_index};
    return wait_set_->peek_timer(start_index);
  }
  /// The timer then counts as not ready. \throws std::out_of_range.
  void clear_timer_with_index(size_t index) { get_wait_set().clear_timer(index); }

 private:
  bool is_ready() const { return kind_ == WaitResultKind::Ready && wait_set_; }
  void require_ready() const {
    if (!is_ready()) throw std::runtime_error("cannot access the wait-set, for nothing in it was ready");
  }

  WaitResultKind kind_;
  WaitSetT * wait_set_;
};

}  // namespace rclcpp

#endif  // RCLCPP__WAIT_RESULT_HPP_
