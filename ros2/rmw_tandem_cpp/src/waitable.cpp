#include "waitable.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace tandem_rmw {

std::uint64_t new_identity() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

std::atomic<std::uint64_t> list_changes{0};

// ---- sleepers ------------------------------------------------------------------------------------------------------

void Sleepers::add(const std::shared_ptr<Sleeper> & sleeper) {
  const std::lock_guard<std::mutex> lock(mutex_);
  sleepers_.erase(std::remove_if(sleepers_.begin(), sleepers_.end(),
                                 [&](const auto & one) {
                                   const auto shared = one.lock();
                                   return !shared || shared == sleeper;
                                 }),
                  sleepers_.end());
  sleepers_.push_back(sleeper);
}

void Sleepers::wake(News news) {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const auto & weak : sleepers_) {
    if (const auto sleeper = weak.lock()) sleeper->wake(news);
  }
}

// ---- guard conditions ----------------------------------------------------------------------------------------------

void GraphWatch::add(const std::shared_ptr<Sleeper> & sleeper) {
  sleepers_->add(sleeper);
  std::call_once(
      once_, [this] { watcher_ = participant_.watch_graph([sleepers = sleepers_] { sleepers->wake(kGraphChange); }); });
}

GuardCondition::GuardCondition(GraphWatch * graph) : graph_(graph), seen_(graph != nullptr ? graph->version() : 0) {}

void GuardCondition::trigger() {
  is_triggered_ = true;
  sleepers_.wake(kTriggers);
}

void GuardCondition::look_at_graph() {
  const std::uint64_t version = graph_->version();
  if (seen_.exchange(version) != version) is_triggered_ = true;
}

// ---- inboxes -------------------------------------------------------------------------------------------------------

void Inbox::set_filter(std::shared_ptr<const Filter> filter) {
  const std::lock_guard<std::mutex> lock(mutex_);
  filter_ = std::move(filter);
  is_kept_from_ = true;
  ++list_changes;
  if (!filter_) return;
  const std::size_t reported = fetched_.size() - std::exchange(unreported_, 0);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < fetched_.size(); ++i) {
    if (!filter_->compiled.matches(fetched_[i].message)) continue;
    if (i >= reported) ++unreported_;
    if (kept != i) fetched_[kept] = std::move(fetched_[i]);
    ++kept;
  }
  fetched_.resize(kept);
  fetch_more();
}

std::shared_ptr<const Filter> Inbox::filter() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return filter_;
}

bool Inbox::has_data() {
  if (!is_kept_from_) return subscription_->has_data();
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!fetched_.empty()) return true;
  if (!filter_) return subscription_->has_data();
  // Whether it is wanted is known only of what was taken.
  transport::Sample sample = take_wanted();
  if (!sample) return false;
  keep(std::move(sample));
  if (listener_) listener_->wake();
  return true;
}

transport::Sample Inbox::take() {
  if (!is_kept_from_) return subscription_->take();
  const std::lock_guard<std::mutex> lock(mutex_);
  if (fetched_.empty()) return take_wanted();
  transport::Sample sample = std::move(fetched_.front());
  fetched_.pop_front();
  unreported_ = std::min(unreported_, fetched_.size());
  fetch_more();
  return sample;
}

bool Inbox::take_into(const tandem::MessageType & type, void * message, transport::MessageInfo & info) {
  if (!is_kept_from_) return subscription_->take_into(message, info);
  const transport::Sample sample = take();
  if (!sample) return false;
  type.assign(message, sample.message);
  info = sample.info;
  return true;
}

void Inbox::note_arrivals() noexcept {
  if (!options_.has_deadline) return;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    try {
      if (!fetch()) return;
    } catch (const std::bad_alloc &) {  // the rest stays where it is
    }
    if (listener_) listener_->wake();
  }
  sleepers_.wake(kListChange);  // the transport does not wake them for what was taken
}

void Inbox::attach_to(transport::WaitSet & wait_set, std::uint64_t its_identity) {
  if (attached_to_ == its_identity) return;  // as a rule
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!listener_) wait_set.attach(subscription_);
  if (attached_to_.exchange(its_identity) != 0) ++list_changes;  // of the other one's list
}

void Inbox::detach_from(transport::WaitSet & wait_set, std::uint64_t its_identity) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (attached_to_ != its_identity) return;
  if (!listener_) wait_set.detach(subscription_);
  attached_to_ = 0;
}

// ---- for callbacks -------------------------------------------------------------------------------------------------

void Inbox::set_callback(rmw_event_callback_t callback, const void * user_data,
                         const std::shared_ptr<transport::WaitSet> & listener) {
  const std::lock_guard<std::recursive_mutex> calling(*calling_);
  if (callback == nullptr) {
    callback_ = nullptr;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (!listener_) return;
      listener_->detach(subscription_);
      listener_ = nullptr;
      attached_to_ = 0;
    }
    ++list_changes;
    sleepers_.wake(kListChange);  // they attach it again
    return;
  }
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    is_kept_from_ = true;
    ++list_changes;
    if (!listener_) {
      listener->attach(subscription_);
      listener_ = listener;
      is_full_ = false;
    }
  }
  callback_ = callback;
  user_data_ = user_data;
  try {
    tell();
  } catch (const std::bad_alloc &) {  // the listener tries again
  }
}

void Inbox::tell() {
  const std::lock_guard<std::recursive_mutex> calling(*calling_);
  if (callback_ == nullptr) return;
  std::size_t more = 0;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    fetch();
    more = std::exchange(unreported_, 0);
  }
  if (more == 0) return;
  sleepers_.wake(kListChange);
  callback_(user_data_, more);
}

transport::Sample Inbox::take_wanted() {
  for (;;) {
    transport::Sample sample = subscription_->take();
    if (!sample || !filter_ || filter_->compiled.matches(sample.message)) return sample;
  }
}

void Inbox::keep(transport::Sample && sample) {
  if (fetched_.size() == options_.depth) fetched_.pop_front();
  fetched_.push_back(std::move(sample));
  unreported_ = std::min(unreported_ + 1, fetched_.size());
}

bool Inbox::fetch() {
  bool is_any = false;
  for (;;) {
    if (options_.keeps_all && fetched_.size() == options_.depth) {
      if (!is_full_ && listener_) listener_->detach(subscription_);
      is_full_ = true;
      return is_any;
    }
    transport::Sample sample = take_wanted();
    if (!sample) return is_any;
    keep(std::move(sample));
    is_any = true;
  }
}

void Inbox::fetch_more() {
  if (!is_full_ || fetched_.size() == options_.depth) return;
  if (listener_) listener_->attach(subscription_);  // and fetches it
  is_full_ = false;
}

}  // namespace tandem_rmw
