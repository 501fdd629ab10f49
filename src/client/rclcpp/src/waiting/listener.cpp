// Waiting for new messages on behalf of callbacks.
#include "waiting/listener.hpp"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <utility>
#include <vector>

#include "waiting/signals_blocked.hpp"

namespace rclcpp::detail {

/// Shared with the thread, which may outlive the Listener.
struct Listener::State {
  const std::shared_ptr<tandem::transport::WaitSet> wait_set;
  std::atomic<bool> has_ended{false};
  std::mutex mutex;  // guards what follows
  std::vector<std::weak_ptr<Intake>> intakes;

  explicit State(std::shared_ptr<tandem::transport::WaitSet> set) : wait_set(std::move(set)) {}

  void run() {
    while (!has_ended) {
      wait_set->wait(std::chrono::nanoseconds(-1));
      if (wait_set->names_ready()) {
        fill_named();
      } else {
        fill_all();
      }
    }
  }

  void fill(Intake & intake) {
    if (!intake.fill()) return;
    wait_set->detach(intake.transport());
    // It may have been emptied meanwhile: then who did so has attached it before.
    if (!intake.is_full()) wait_set->attach(intake.transport());
  }

  void fill_named() {
    const tandem::transport::Subscription * stranger =
        nullptr;  // the first that is none of ours; when named again, all have been named
    while (const tandem::transport::Subscription * named = has_ended ? nullptr : wait_set->next_ready()) {
      if (named == stranger) return;
      if (const auto intake = find(named)) {
        fill(*intake);
      } else if (stranger == nullptr) {
        stranger = named;
      }
    }
  }

  void fill_all() {
    std::vector<std::shared_ptr<Intake>> all;
    {
      const std::lock_guard<std::mutex> lock(mutex);
      for (const auto & weak : intakes) all.push_back(weak.lock());
    }
    for (const auto & intake : all) {
      if (intake && intake->transport()->has_data()) fill(*intake);
    }
  }

  std::shared_ptr<Intake> find(const tandem::transport::Subscription * transport) {
    const std::lock_guard<std::mutex> lock(mutex);
    for (const auto & weak : intakes) {
      auto intake = weak.lock();
      if (intake && intake->transport().get() == transport) return intake;
    }
    return nullptr;
  }
};

Listener::Listener(std::shared_ptr<tandem::transport::WaitSet> wait_set)
    : state_(std::make_shared<State>(std::move(wait_set))) {
  const SignalsBlocked blocked;
  thread_ = std::thread([state = state_] { state->run(); });
  pthread_setname_np(thread_.native_handle(), "ros_listener");
}

Listener::~Listener() {
  state_->has_ended = true;
  state_->wait_set->wake();
  if (thread_.get_id() == std::this_thread::get_id()) {
    thread_.detach();
  } else {
    thread_.join();
  }
}

void Listener::add(const std::shared_ptr<Intake> & intake) {
  {
    const std::lock_guard<std::mutex> lock(state_->mutex);
    state_->intakes.push_back(intake);
  }
  attach(intake->transport());
}

void Listener::remove(const Intake & intake) {
  state_->wait_set->detach(intake.transport());
  const std::lock_guard<std::mutex> lock(state_->mutex);
  auto & all = state_->intakes;
  const auto is_gone = [&](const std::weak_ptr<Intake> & weak) {
    const auto other = weak.lock();
    return !other || other.get() == &intake;
  };
  all.erase(std::remove_if(all.begin(), all.end(), is_gone), all.end());
}

void Listener::attach(const std::shared_ptr<tandem::transport::Subscription> & transport) {
  state_->wait_set->attach(transport);
  state_->wait_set->wake();
}

}  // namespace rclcpp::detail
