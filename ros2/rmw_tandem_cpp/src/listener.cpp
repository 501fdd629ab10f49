#include "listener.hpp"

#include <algorithm>
#include <new>

namespace tandem_rmw {
namespace {

using Clock = std::chrono::steady_clock;

/// Until time may have changed what callbacks are told; negative: never.
std::chrono::nanoseconds pause(const std::vector<std::weak_ptr<EventSource>> & sources) {
  auto next = Clock::time_point::max();
  for (const auto & weak : sources) {
    if (const auto source = weak.lock()) next = std::min(next, source->next_call());
  }
  if (next == Clock::time_point::max()) return std::chrono::nanoseconds(-1);
  return std::max<std::chrono::nanoseconds>(next - Clock::now(), std::chrono::nanoseconds(0));
}

}  // namespace

Listener::~Listener() {
  if (!thread_.joinable()) return;
  is_over_ = true;
  wait_set_->wake();
  thread_.join();
}

/// \pre mutex_
void Listener::start() {
  if (!wait_set_) wait_set_ = context_.create_wait_set();
  if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
}

void Listener::run() {
  std::vector<Entry> inboxes;
  std::vector<std::weak_ptr<EventSource>> sources;
  while (!is_over_) {
    try {
      wait_set_->wait(pause(sources));
      {
        const std::lock_guard<std::mutex> lock(mutex_);
        std::erase_if(inboxes_, [](const Entry & one) { return one.inbox.expired(); });
        std::erase_if(sources_, [](const auto & one) { return one.expired(); });
        inboxes = inboxes_;
        sources = sources_;
      }
      for (const Entry & entry : inboxes) {
        // Whoever ends the inbox does so with this lock: it is not kept longer than that.
        const std::lock_guard<std::recursive_mutex> calling(*entry.calling);
        if (const auto inbox = entry.inbox.lock()) inbox->tell();
      }
      for (const auto & weak : sources) {
        if (const auto source = weak.lock()) source->notify();
      }
    } catch (const std::bad_alloc &) {  // what was not fetched is there still
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }
}

void Listener::set_callback(const std::shared_ptr<Inbox> & inbox, rmw_event_callback_t callback,
                            const void * user_data) {
  if (callback != nullptr) {
    const std::lock_guard<std::mutex> lock(mutex_);
    start();
    const bool is_known = std::any_of(inboxes_.begin(), inboxes_.end(),
                                      [&](const Entry & one) { return one.calling == inbox->calling(); });
    if (!is_known) inboxes_.push_back({inbox, inbox->calling()});
  }
  inbox->set_callback(callback, user_data, wait_set_);
}

void Listener::watch(const std::shared_ptr<EventSource> & source) {
  const std::lock_guard<std::mutex> lock(mutex_);
  start();
  const bool is_known =
      std::any_of(sources_.begin(), sources_.end(), [&](const auto & one) { return one.lock() == source; });
  if (!is_known) sources_.push_back(source);
}

}  // namespace tandem_rmw
