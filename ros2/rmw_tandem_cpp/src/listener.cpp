#include "listener.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

namespace tandem_rmw {

struct Listener::State {
  struct Entry {
    std::shared_ptr<Inbox> inbox;
    rmw_event_callback_t callback;
    const void * user_data;
  };

  explicit State(std::shared_ptr<transport::WaitSet> its_wait_set) : wait_set(std::move(its_wait_set)) {}

  void run() {
    while (!is_over) {
      wait_set->wait(pause());
      const std::lock_guard<std::recursive_mutex> lock(calling);
      const std::vector<Entry> all = entries;  // a callback may change them
      for (const Entry & entry : all) {
        const bool is_there = std::any_of(entries.begin(), entries.end(), [&](const Entry & one) {
          return one.inbox == entry.inbox && one.callback == entry.callback;
        });
        if (!is_there) continue;
        if (const std::size_t count = entry.inbox->fetch()) entry.callback(entry.user_data, count);
      }
      const std::vector<EventSource *> watched = sources;
      for (EventSource * const source : watched) {
        if (std::find(sources.begin(), sources.end(), source) != sources.end()) source->notify();
      }
    }
  }

  std::chrono::nanoseconds pause() {
    auto next = std::chrono::steady_clock::time_point::max();
    const std::lock_guard<std::recursive_mutex> lock(calling);
    for (const EventSource * const source : sources) next = std::min(next, source->next_look());
    if (next == std::chrono::steady_clock::time_point::max()) return std::chrono::nanoseconds(-1);
    return std::max(next - std::chrono::steady_clock::now(), std::chrono::nanoseconds(0));
  }

  const std::shared_ptr<transport::WaitSet> wait_set;
  std::recursive_mutex calling;  // while callbacks are called
  std::vector<Entry> entries;    // guarded by calling, as what follows
  std::vector<EventSource *> sources;
  std::atomic<bool> is_over{false};
  std::thread thread;
};

Listener::~Listener() {
  if (!state_) return;
  state_->is_over = true;
  state_->wait_set->wake();
  state_->thread.join();
}

std::shared_ptr<Listener::State> Listener::state(bool is_wanted) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!state_ && is_wanted) {
    state_ = std::make_shared<State>(context_.create_wait_set());
    state_->thread = std::thread([running = state_.get()] { running->run(); });
  }
  return state_;
}

void Listener::set_callback(const std::shared_ptr<Inbox> & inbox, rmw_event_callback_t callback,
                            const void * user_data) {
  const auto listening = state(callback != nullptr);
  if (!listening) return;
  const std::lock_guard<std::recursive_mutex> lock(listening->calling);
  auto & entries = listening->entries;
  entries.erase(
      std::remove_if(entries.begin(), entries.end(), [&](const State::Entry & one) { return one.inbox == inbox; }),
      entries.end());
  if (callback == nullptr) {
    listening->wait_set->detach(inbox->shared());
    inbox->end_listening();
    return;
  }
  entries.push_back({inbox, callback, user_data});
  inbox->begin_listening();
  listening->wait_set->attach(inbox->shared());
  if (const std::size_t count = inbox->fetch()) callback(user_data, count);
}

void Listener::watch(EventSource & source) {
  const auto listening = state(true);
  const std::lock_guard<std::recursive_mutex> lock(listening->calling);
  auto & sources = listening->sources;
  if (std::find(sources.begin(), sources.end(), &source) == sources.end()) sources.push_back(&source);
  listening->wait_set->wake();  // to learn when to look again
}

void Listener::forget(EventSource & source) {
  const auto listening = state(false);
  if (!listening) return;
  const std::lock_guard<std::recursive_mutex> lock(listening->calling);
  auto & sources = listening->sources;
  sources.erase(std::remove(sources.begin(), sources.end(), &source), sources.end());
}

}  // namespace tandem_rmw
