// Asking and choosing waitables.
#include "executors/executor_core.hpp"
#include "waiting/waitables.hpp"

namespace rclcpp::detail {

void ExecutorCore::ask_waitables(std::vector<std::shared_ptr<void>> & garbage) {
  std::vector<std::shared_ptr<Waitable>> asked;
  {
    const std::lock_guard<std::mutex> lock(state_mutex_);
    for (auto & entry : waitables_) {
      if (!is_free(entry.group)) {
        left_out_ = true;
        continue;
      }
      auto waitable = entry.ready ? nullptr : entry.member.lock();
      if (!waitable) continue;
      garbage.push_back(waitable);
      asked.push_back(std::move(waitable));
    }
  }
  rcl_wait_set_t wait_set;
  wait_set.wakeup = wakeup_;
  const auto ready = ask(asked, wait_set);
  const std::lock_guard<std::mutex> lock(state_mutex_);
  waitables_due_ = wait_set.until;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    for (auto & entry : waitables_) {
      if (ready[i] && !entry.member.owner_before(asked[i]) && !asked[i].owner_before(entry.member)) entry.ready = true;
    }
  }
}

bool ExecutorCore::next_waitable(Executable & out, std::uint64_t round) {
  const std::size_t count = waitables_.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (waitable_cursor_ >= count) waitable_cursor_ = 0;
    auto & entry = waitables_[waitable_cursor_++];
    if (!entry.ready || !is_free(entry.group) || (round != 0 && entry.round == round)) continue;
    entry.ready = false;
    out.waitable = entry.member.lock();
    if (!out.waitable) continue;
    entry.round = round;
    hold(out, entry.group);
    return true;
  }
  return false;
}

}  // namespace rclcpp::detail
