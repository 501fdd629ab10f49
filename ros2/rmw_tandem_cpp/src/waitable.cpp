#include "waitable.hpp"

#include <algorithm>

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

bool Inbox::has_data() { return (was_listened_to_ && fetched() != 0) || subscription_->has_data(); }

transport::Sample Inbox::take() {
  if (was_listened_to_) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!fetched_.empty()) {
      transport::Sample sample = std::move(fetched_.front());
      fetched_.pop_front();
      return sample;
    }
  }
  return subscription_->take();
}

bool Inbox::take_into(const tandem::MessageType & type, void * message, transport::MessageInfo & info) {
  if (!was_listened_to_) return subscription_->take_into(message, info);
  const transport::Sample sample = take();
  if (!sample) return false;
  type.assign(message, sample.message);
  info = sample.info;
  return true;
}

void Inbox::end_listening() {
  is_listened_to_ = false;
  attached_to = 0;
}

std::size_t Inbox::fetch() {
  std::size_t more = 0;
  while (transport::Sample sample = subscription_->take()) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (fetched_.size() == depth_) {
      fetched_.pop_front();
    } else {
      ++more;
    }
    fetched_.push_back(std::move(sample));
  }
  if (more != 0) sleepers_.wake();
  return more;
}

std::size_t Inbox::fetched() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return fetched_.size();
}

}  // namespace tandem_rmw
