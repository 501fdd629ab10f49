#include "waitable.hpp"

#include <algorithm>
#include <utility>

namespace tandem_rmw {

std::uint64_t new_identity() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

// ---- sleepers ------------------------------------------------------------------------------------------------------

void Sleepers::add(const std::shared_ptr<transport::WaitSet> & sleeper) {
  const std::lock_guard<std::mutex> lock(mutex_);
  sleepers_.erase(std::remove_if(sleepers_.begin(), sleepers_.end(),
                                 [&](const auto & one) {
                                   const auto shared = one.lock();
                                   return !shared || shared == sleeper;
                                 }),
                  sleepers_.end());
  sleepers_.push_back(sleeper);
}

void Sleepers::wake() {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const auto & weak : sleepers_) {
    if (const auto sleeper = weak.lock()) sleeper->wake();
  }
}

// ---- guard conditions ----------------------------------------------------------------------------------------------

GuardCondition::GuardCondition(std::optional<tandem::Participant> graph)
    : graph_(std::move(graph)), seen_(graph_ ? graph_->graph_version() : 0) {}

void GuardCondition::trigger() {
  is_triggered_ = true;
  sleepers_.wake();
}

bool GuardCondition::is_triggered() {
  if (graph_) {
    const std::uint64_t version = graph_->graph_version();
    if (seen_.exchange(version) != version) is_triggered_ = true;
  }
  return is_triggered_;
}

// ---- inboxes -------------------------------------------------------------------------------------------------------

void Inbox::set_filter(std::shared_ptr<const tandem::ContentFilter> filter) {
  const std::lock_guard<std::mutex> lock(mutex_);
  filter_ = std::move(filter);
  is_kept_from_ = true;
}

bool Inbox::has_data() {
  if (!is_kept_from_) return subscription_->has_data();
  const std::lock_guard<std::mutex> lock(mutex_);
  if (has_deadline_) fetch_locked();
  if (!fetched_.empty()) return true;
  if (!filter_) return subscription_->has_data();
  // Whether it is wanted is known only of what was taken.
  if (transport::Sample sample = take_wanted()) keep(std::move(sample));
  return !fetched_.empty();
}

transport::Sample Inbox::take() {
  if (!is_kept_from_) return subscription_->take();
  const std::lock_guard<std::mutex> lock(mutex_);
  if (fetched_.empty()) return take_wanted();
  transport::Sample sample = std::move(fetched_.front());
  fetched_.pop_front();
  unreported_ = std::min(unreported_, fetched_.size());
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

transport::Sample Inbox::take_wanted() {
  for (;;) {
    transport::Sample sample = subscription_->take();
    if (!sample || !filter_ || filter_->matches(sample.message)) return sample;
  }
}

void Inbox::end_listening() {
  is_listened_to_ = false;
  attached_to = 0;
}

void Inbox::note_arrivals() {
  if (!has_deadline_) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  fetch_locked();
}

void Inbox::keep(transport::Sample && sample) {
  if (fetched_.size() == depth_) fetched_.pop_front();
  fetched_.push_back(std::move(sample));
  unreported_ = std::min(unreported_ + 1, fetched_.size());
}

void Inbox::fetch_locked() {
  while (transport::Sample sample = take_wanted()) keep(std::move(sample));
}

std::size_t Inbox::fetch() {
  std::size_t more = 0;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    fetch_locked();
    more = std::exchange(unreported_, 0);
  }
  if (more != 0) sleepers_.wake();
  return more;
}

}  // namespace tandem_rmw
