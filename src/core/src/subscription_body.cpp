#include "subscription_body.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>

#include "log_later.hpp"
#include "private_memory.hpp"
#include "process.hpp"

namespace tandem {
namespace {

/// In front of a message that is a reader's own: it may live longer than all else of its subscription.
struct alignas(kHeapAlignment) CopyHeader {
  const void * type;
  void (*destroy)(const void * type, void * message);
};

/// nullptr when memory is short.
void * make_copy(const MessageFunctions & functions, const Lane::Message & message) {
  const std::size_t size = sizeof(CopyHeader) + (message.size + kHeapAlignment - 1) / kHeapAlignment * kHeapAlignment;
  void * memory = std::aligned_alloc(kHeapAlignment, size);
  if (memory == nullptr) {
    return nullptr;
  }
  void * const copy = new (memory) CopyHeader{functions.type, functions.destroy} + 1;
  if (functions.copy == nullptr) {
    std::memcpy(copy, message.data, message.size);
  } else if (const PrivateMemory whole; !functions.copy(functions.type, copy, message.data)) {
    std::free(memory);
    return nullptr;
  }
  return copy;
}

void free_copy(void * copy) {
  CopyHeader * header = static_cast<CopyHeader *>(copy) - 1;
  if (header->destroy != nullptr) {
    header->destroy(header->type, copy);
  }
  std::free(header);
}

}  // namespace

SubscriptionBody::SubscriptionBody(Process & process, const SubscriptionOptions & options, EndpointId id)
    : process_(process),
      info_{id, EndpointKind::kSubscription, options.topic, options.type, options.qos, options.node},
      min_size_(options.min_size),
      alignment_(options.alignment),
      functions_(options.functions),
      held_quota_(options.held_quota),
      ignores_own_process_(options.ignore_own_process) {
  lanes_.reserve(8);
}

Sample SubscriptionBody::take() {
  if (process_.is_forked_away()) {
    return {};
  }
  std::scoped_lock lock(mutex_);
  Lane::Message message;
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    turn_ = turn_ + 1 < lanes_.size() ? turn_ + 1 : 0;
    Lane & lane = *lanes_[turn_];
    std::uint64_t lost = 0;
    const bool taken = lane.take(message, lost);
    if (lost != 0) {
      lost_.fetch_add(lost, std::memory_order_relaxed);
    }
    if (taken) {
      return wrap(lane, message);
    }
  }
  return {};
}

Sample SubscriptionBody::wrap(Lane & lane, const Lane::Message & message) {
  Sample sample;
  sample.lane_ = &lane;
  sample.publisher_ = lane.publisher();
  sample.data_ = message.data;
  sample.size_ = message.size;
  sample.sequence_ = message.sequence;
  sample.source_timestamp_ = message.source_timestamp;
  sample.block_ = message.block;
  if (lane.holds_too_many()) [[unlikely]] {
    // More than the publisher can spare: this one is the reader's own copy, so that nobody else has to wait.
    void * const copy = make_copy(functions_, message);
    if (copy == nullptr) {  // to keep it all the same would be at others' cost
      lost_.fetch_add(1, std::memory_order_relaxed);
      lane.count_loss();
    } else {
      if (copied_.fetch_add(1, std::memory_order_relaxed) == 0) {
        log_later(LogLevel::kWarning, "topic '" + info_.topic + "': more than " + std::to_string(lane.quota()) +
                                          " messages of one publisher are kept at a time, so further ones are copied "
                                          "for this subscription. Keep fewer to have them without a copy");
      }
      lane.count_copy();
    }
    lane.release(message.block);
    sample.data_ = copy;
    sample.lane_ = nullptr;
  }
  return sample;
}

bool SubscriptionBody::has_data() const {
  if (process_.is_forked_away()) {
    return false;
  }
  std::scoped_lock lock(mutex_);
  return std::any_of(lanes_.begin(), lanes_.end(), [](const auto & lane) { return lane->has_data(); });
}

std::int64_t SubscriptionBody::next_stamp() const {
  std::scoped_lock lock(mutex_);
  const auto lane = std::find_if(lanes_.begin(), lanes_.end(), [](const auto & one) { return one->has_data(); });
  return lane != lanes_.end() ? (*lane)->next_stamp() : 0;
}

std::size_t SubscriptionBody::matched_count() const {
  if (process_.is_forked_away()) {
    return 0;
  }
  std::scoped_lock lock(mutex_);
  return static_cast<std::size_t>(
      std::count_if(lanes_.begin(), lanes_.end(), [](const auto & lane) { return lane->is_acknowledged(); }));
}

void SubscriptionBody::set_wait_set(std::uint32_t bell) {
  std::scoped_lock lock(mutex_);
  wait_set_.store(bell, std::memory_order_relaxed);
  for (const auto & lane : lanes_) {
    lane->set_wait_set(bell);
  }
}

Lane::Terms SubscriptionBody::terms(std::uint64_t number, bool owed) const {
  const std::uint32_t depth = info_.qos.history == History::kKeepAll ? kKeepAllDepth : info_.qos.depth;
  return {number,     info_.id.number, depth,      owed,       held_quota_,
          wait_set(), min_size_,       alignment_, functions_, info_.topic};
}

void SubscriptionBody::add_lane(std::shared_ptr<Lane> lane) {
  std::scoped_lock lock(mutex_);
  lane->set_wait_set(wait_set());
  lanes_.push_back(std::move(lane));
}

bool SubscriptionBody::has_lane(EndpointId publisher) const {
  std::scoped_lock lock(mutex_);
  return std::any_of(lanes_.begin(), lanes_.end(), [&](const auto & lane) { return lane->publisher() == publisher; });
}

bool SubscriptionBody::look_for_acks() {
  std::scoped_lock lock(mutex_);
  bool changed = false;
  for (const auto & lane : lanes_) {
    changed |= !lane->is_acknowledged() && lane->look_for_ack();
  }
  return changed;
}

bool SubscriptionBody::all_acknowledged() const {
  std::scoped_lock lock(mutex_);
  return std::all_of(lanes_.begin(), lanes_.end(), [](const auto & lane) { return lane->is_acknowledged(); });
}

// ---- Sample --------------------------------------------------------------------------------------------------------

void Sample::give_back() {
  const void * data = std::exchange(data_, nullptr);
  if (lane_ != nullptr) {
    lane_->release(block_);
  } else {
    free_copy(const_cast<void *>(data));
  }
}

}  // namespace tandem
