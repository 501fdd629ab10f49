#include "farewell.hpp"

#include <chrono>
#include <utility>

namespace rmw_fastrtps {

using std::chrono::steady_clock;

namespace {
constexpr std::chrono::seconds kLongest{10};
constexpr std::chrono::milliseconds kBetweenLooks{10};
}  // namespace

// Made after Fast DDS's own singleton, so it goes before that when the process ends.
Farewell & Farewell::instance() {
  static Farewell farewell;
  return farewell;
}

Farewell::~Farewell() {
  {
    const std::lock_guard lock(mutex_);
    is_stopped_ = true;
  }
  stopped_.notify_all();
  if (thread_.joinable()) {
    thread_.join();
  }
}

void Farewell::keep(std::shared_ptr<void> leaver, std::function<bool()> is_done) {
  const std::lock_guard lock(mutex_);
  if (is_stopped_) {
    return;
  }
  leavers_.push_back({std::move(leaver), std::move(is_done), steady_clock::now() + kLongest});
  if (!is_running_) {
    if (thread_.joinable()) {
      thread_.join();
    }
    is_running_ = true;
    thread_ = std::thread([this] { run(); });
  }
}

void Farewell::run() {
  std::unique_lock lock(mutex_);
  while (!leavers_.empty() && !is_stopped_) {
    stopped_.wait_for(lock, kBetweenLooks, [this] { return is_stopped_; });
    std::list<Leaver> looked_at;
    looked_at.swap(leavers_);
    const bool is_over = is_stopped_;
    lock.unlock();  // to delete a writer takes locks of Fast DDS
    looked_at.remove_if(
        [is_over](const Leaver & one) { return is_over || steady_clock::now() > one.end || one.is_done(); });
    lock.lock();
    leavers_.splice(leavers_.begin(), looked_at);
  }
  is_running_ = false;
}

}  // namespace rmw_fastrtps
