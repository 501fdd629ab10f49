#include "delivery/subscription_impl.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>
#include <string>

#include "process/process.hpp"
#include "system/clock.hpp"
#include "system/log_later.hpp"
#include "system/private_memory.hpp"

namespace tandem {
namespace {

/// Who sends addressed messages in a burst is not to lose them to a small depth: the least ring has room for so many.
constexpr std::uint32_t kLeastAddressedDepth = 255;

/// In front of a message that is a reader's own: it may live longer than all else of its subscription.
struct alignas(kHeapAlignment) CopyHeader {
  const void * type;
  void (*destroy)(const void * type, void * message);
};

/// nullptr when memory is short.
void * make_copy(const MessageFunctions & functions, const Sample & sample) {
  const std::size_t size = sizeof(CopyHeader) + (sample.size() + kHeapAlignment - 1) / kHeapAlignment * kHeapAlignment;
  void * memory = std::aligned_alloc(kHeapAlignment, size);
  if (memory == nullptr) {
    return nullptr;
  }
  void * const copy = new (memory) CopyHeader{functions.type, functions.destroy} + 1;
  if (functions.copy == nullptr) {
    std::memcpy(copy, sample.data(), sample.size());
  } else if (const PrivateMemory whole; !functions.copy(functions.type, copy, sample.data())) {
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

SubscriptionImpl::SubscriptionImpl(Process & process, const SubscriptionOptions & options, EndpointId id)
    : process_(process),
      info_{id,
            EndpointKind::kSubscription,
            options.topic,
            options.type,
            options.qos,
            options.node,
            OriginId{},
            options.user_data},
      min_size_(options.min_size),
      alignment_(options.alignment),
      functions_(options.functions),
      held_quota_(options.held_quota),
      addressing_(options.addressing),
      ignores_own_process_(options.ignore_own_process) {}

Sample SubscriptionImpl::take() {
  Sample sample;
  if (process_.is_forked_away()) {
    return sample;
  }
  std::shared_ptr<Peer> waiting;  // a publish of it waits for room
  {
    const Guard lock(mutex_);
    take_next(sample, waiting);
  }
  if (waiting != nullptr) [[unlikely]] {
    waiting->ring_bell(kSpaceBell);
  }
  return sample;
}

void SubscriptionImpl::take_next(Sample & sample, std::shared_ptr<Peer> & waiting) {
  // Listed lanes first, but now and then everybody: others' hints may not have been looked at yet.
  if (++takes_ % kTakesInOrder != 0 && take_listed(sample, waiting)) {
    return;
  }
  for (std::size_t i = 0; i < lanes_.size() && !sample; ++i) {
    turn_ = turn_ + 1 < lanes_.size() ? turn_ + 1 : 0;
    take_from(*lanes_[turn_], sample, waiting);
  }
}

void SubscriptionImpl::take_from(Lane & lane, Sample & sample, std::shared_ptr<Peer> & waiting) {
  std::uint64_t lost = 0;
  const bool taken = lane.take(sample, lost);
  if (lost != 0) [[unlikely]] {
    lost_.fetch_add(lost, std::memory_order_relaxed);
  }
  if (!taken) {
    return;
  }
  if (lane.is_waited_for()) [[unlikely]] {
    waiting = lane.peer();
  }
  if (lane.holds_too_many()) [[unlikely]] {
    make_private(lane, sample);
  }
}

bool SubscriptionImpl::take_listed(Sample & sample, std::shared_ptr<Peer> & waiting) {
  for (std::size_t left = listed_.size(); left != 0 && !sample; --left) {
    const std::uint32_t index = listed_.front();
    Lane & lane = *lanes_[index];
    take_from(lane, sample, waiting);
    drop_first();
    if (lane.has_data()) {
      list(index);  // at the end: lanes take turns
    }
  }
  return static_cast<bool>(sample);
}

/// The reader keeps more than the publisher can spare: this message becomes its own copy, so that nobody has to wait.
void SubscriptionImpl::make_private(Lane & lane, Sample & sample) {
  if (sample.lane_ == nullptr) {
    return;  // it is not held
  }
  void * const copy = make_copy(functions_, sample);
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
  lane.release(sample.block_);
  sample.data_ = copy;
  sample.lane_ = nullptr;
}

bool SubscriptionImpl::has_data() const {
  if (process_.is_forked_away()) {
    return false;
  }
  const Guard lock(mutex_);
  return std::any_of(lanes_.begin(), lanes_.end(), [](const auto & lane) { return lane->has_data(); });
}

std::size_t SubscriptionImpl::matched_count() const {
  if (process_.is_forked_away()) {
    return 0;
  }
  const BiasedLock::UnbiasedLock lock(mutex_);
  return static_cast<std::size_t>(
      std::count_if(lanes_.begin(), lanes_.end(), [](const auto & lane) { return lane->is_acknowledged(); }));
}

void SubscriptionImpl::set_status_listener(StatusBoard::Listener listener) {
  if (!process_.is_forked_away()) {
    board->set_listener(std::move(listener));
  }
}

Status SubscriptionImpl::status() const {
  if (process_.is_forked_away()) {
    return {};
  }
  Status status = board->status();
  status.lost = lost();
  std::uint64_t silent = 0;
  if (has_leases_.load(std::memory_order_relaxed)) {
    const std::int64_t now = now_ns(CLOCK_REALTIME);
    std::int64_t left = std::numeric_limits<std::int64_t>::max();
    const Guard lock(mutex_);
    for (const auto & lane : lanes_) {
      if (lane->has_lease() && lane->is_acknowledged()) {
        const std::int64_t of_lane = lane->lease_left(now);
        silent += of_lane <= 0 ? 1 : 0;
        left = std::min(left, of_lane <= 0 ? lane->lease() : of_lane);  // one that is over may begin anew
      }
    }
    if (left != std::numeric_limits<std::int64_t>::max()) {
      status.due = std::min(status.due, now_ns(CLOCK_MONOTONIC) + left);
    }
  }
  status.not_alive += silent;
  status.alive = status.matched - std::min(status.matched, silent);
  return status;
}

void SubscriptionImpl::set_wait_set(std::uint32_t bell) {
  const BiasedLock::UnbiasedLock lock(mutex_);
  wait_set_.store(bell, std::memory_order_relaxed);
  for (const auto & lane : lanes_) {
    lane->set_wait_set(bell);
  }
}

Lane::Terms SubscriptionImpl::terms(std::uint64_t number, bool owed) const {
  std::uint32_t depth = info_.qos.history == History::kKeepAll ? kKeepAllDepth : info_.qos.depth;
  if (addressing_ == Addressing::kAttached) {
    depth = std::max(depth, kLeastAddressedDepth);
  }
  const bool waits = owed || addressing_ == Addressing::kDelivered;
  return {number,    info_.id.number, depth,      waits,       held_quota_, wait_set(),
          min_size_, alignment_,      functions_, info_.topic, addressing_, info_.id};
}

void SubscriptionImpl::add_lane(std::shared_ptr<Lane> lane) {
  const BiasedLock::UnbiasedLock lock(mutex_);
  const std::size_t count = lanes_.size() + 1;
  reserve_unlocked(mutex_, lanes_, count);
  reserve_unlocked(mutex_, hints_, count);
  reserve_unlocked(mutex_, listed_, count);
  lane->set_wait_set(wait_set());
  if (lane->has_lease()) {
    has_leases_.store(true, std::memory_order_relaxed);
  }
  hints_.push_back(static_cast<std::uint16_t>(hint_of(lane->number())));
  lanes_.push_back(std::move(lane));
}

std::shared_ptr<OriginProgress> SubscriptionImpl::progress_of(const OriginId & origin) {
  const auto found =
      std::find_if(origins_.begin(), origins_.end(), [&](const auto & one) { return one.first == origin; });
  if (found != origins_.end()) {
    return found->second;
  }
  if (origins_.size() >= kMaxOrigins) {
    const auto oldest =
        std::find_if(origins_.begin(), origins_.end(), [](const auto & one) { return one.second.use_count() == 1; });
    origins_.erase(oldest != origins_.end() ? oldest : origins_.begin());
  }
  return origins_.emplace_back(origin, std::make_shared<OriginProgress>()).second;
}

std::vector<TopicSnapshot::Lane> SubscriptionImpl::lanes() const {
  std::vector<TopicSnapshot::Lane> states;
  const BiasedLock::UnbiasedLock lock(mutex_);
  reserve_unlocked(mutex_, states, lanes_.size());
  for (const auto & lane : lanes_) {
    states.push_back({lane->number(), lane->publisher(), lane->is_acknowledged(), lane->is_closed()});
  }
  return states;
}

bool SubscriptionImpl::look_for_acks() {
  const BiasedLock::UnbiasedLock lock(mutex_);
  bool changed = false;
  for (const auto & lane : lanes_) {
    changed |= !lane->is_acknowledged() && lane->look_for_ack();
    lane->look_for_revocation();
  }
  return changed;
}

// ---- which lanes have news -----------------------------------------------------------------------------------------

void SubscriptionImpl::list(std::size_t index) {
  if (!lanes_[index]->is_listed) {
    lanes_[index]->is_listed = true;
    listed_.push_back(static_cast<std::uint32_t>(index));
  }
}

/// Of the lanes whose hint is `concerned`. True when one of these has data.
template <class Predicate>
bool SubscriptionImpl::list_news(Predicate concerned) {
  bool any = false;
  for (std::size_t i = 0; i < hints_.size(); ++i) {
    if (concerned(hints_[i]) && lanes_[i]->has_data()) {
      list(i);
      any = true;
    }
  }
  return any;
}

void SubscriptionImpl::drop_first() {
  lanes_[listed_.front()]->is_listed = false;
  listed_.erase(listed_.begin());
}

/// After lanes have gone.
void SubscriptionImpl::list_anew() {
  hints_.clear();
  listed_.clear();
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    hints_.push_back(static_cast<std::uint16_t>(hint_of(lanes_[i]->number())));
    if (lanes_[i]->is_listed) {
      listed_.push_back(static_cast<std::uint32_t>(i));
    }
  }
}

bool SubscriptionImpl::look(const Hints & hints) {
  const Guard lock(mutex_);
  return list_news([&](std::uint32_t hint) { return (hints[hint / 64] >> hint % 64 & 1) != 0; });
}

bool SubscriptionImpl::look_at_all() {
  const BiasedLock::UnbiasedLock lock(mutex_);
  return list_news([](std::uint32_t /*hint*/) { return true; });
}

bool SubscriptionImpl::has_news() {
  const Guard lock(mutex_);
  while (!listed_.empty() && !lanes_[listed_.front()]->has_data()) {
    drop_first();
  }
  return !listed_.empty();
}

std::int64_t SubscriptionImpl::next_stamp() const {
  const Guard lock(mutex_);
  return listed_.empty() ? 0 : lanes_[listed_.front()]->next_stamp();
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

void * open_writable(const std::shared_ptr<const Sample> & sample, const void * part, std::size_t size) noexcept {
  return sample->lane_ == nullptr || size < kLeastWritable ? nullptr : sample->lane_->open_writable(part, size, sample);
}

}  // namespace tandem
