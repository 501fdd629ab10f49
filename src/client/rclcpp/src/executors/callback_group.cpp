// Members of callback groups, and telling their executor about changes.
#include "rclcpp/callback_group.hpp"

#include <algorithm>

#include "rclcpp/detail/receiver.hpp"
#include "rclcpp/timer.hpp"
#include "rclcpp/waitable.hpp"
#include "waiting/wakeup.hpp"

namespace rclcpp {
namespace {

template <class T>
void add(std::vector<std::weak_ptr<T>> & members, const std::shared_ptr<T> & member) {
  const auto dead = [](const std::weak_ptr<T> & weak) { return weak.expired(); };
  members.erase(std::remove_if(members.begin(), members.end(), dead), members.end());
  members.push_back(member);
}

template <class T>
std::vector<std::shared_ptr<T>> living(const std::vector<std::weak_ptr<T>> & members) {
  std::vector<std::shared_ptr<T>> result;
  result.reserve(members.size());
  for (const auto & weak : members) {
    if (auto member = weak.lock()) result.push_back(std::move(member));
  }
  return result;
}

}  // namespace

size_t CallbackGroup::size() const { return receivers().size() + timers().size() + waitables().size(); }

void CallbackGroup::add_receiver(const std::shared_ptr<detail::Receiver> & receiver) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    add(receivers_, receiver);
  }
  notify_entities_changed();
}

void CallbackGroup::add_timer(const std::shared_ptr<TimerBase> & timer) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    add(timers_, timer);
  }
  notify_entities_changed();
}

void CallbackGroup::add_waitable(const std::shared_ptr<Waitable> & waitable) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    add(waitables_, waitable);
  }
  notify_entities_changed();
}

void CallbackGroup::remove_waitable(const std::shared_ptr<Waitable> & waitable) noexcept {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto is_it = [&](const std::weak_ptr<Waitable> & weak) {
      return !weak.owner_before(waitable) && !waitable.owner_before(weak);
    };
    waitables_.erase(std::remove_if(waitables_.begin(), waitables_.end(), is_it), waitables_.end());
  }
  notify_entities_changed();
}

std::vector<std::shared_ptr<detail::Receiver>> CallbackGroup::receivers() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return living(receivers_);
}

std::vector<std::shared_ptr<TimerBase>> CallbackGroup::timers() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return living(timers_);
}

std::vector<std::shared_ptr<Waitable>> CallbackGroup::waitables() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return living(waitables_);
}

void CallbackGroup::set_wakeup(const std::shared_ptr<detail::Wakeup> & wakeup) {
  const std::lock_guard<std::mutex> lock(mutex_);
  wakeup_ = wakeup;
  server_.store(wakeup.get());
}

void CallbackGroup::notify_entities_changed() const {
  std::unique_lock<std::mutex> lock(mutex_);
  const auto wakeup = wakeup_.lock();
  lock.unlock();
  if (wakeup) wakeup->entities_changed();
}

void CallbackGroup::notify_timers_changed() const {
  std::unique_lock<std::mutex> lock(mutex_);
  const auto wakeup = wakeup_.lock();
  lock.unlock();
  if (wakeup) wakeup->timers_changed();
}

void CallbackGroup::notify_data() const {
  std::unique_lock<std::mutex> lock(mutex_);
  const auto wakeup = wakeup_.lock();
  lock.unlock();
  if (wakeup) wakeup->data();
}

}  // namespace rclcpp
