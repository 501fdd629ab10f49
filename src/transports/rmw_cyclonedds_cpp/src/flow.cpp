#include "flow.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "qos.hpp"

namespace rmw_cyclonedds {
namespace {

/// On the wire, behind CDR's encapsulation: the subscription's gid, a publisher's, a byte of News.
constexpr std::array<std::uint8_t, 4> kEncapsulation = {0, 1, 0, 0};
constexpr std::uint32_t kGidAt = 4;
constexpr std::uint32_t kOfAt = kGidAt + sizeof(Gid);
constexpr std::uint32_t kNewsAt = kOfAt + sizeof(Gid);
constexpr std::uint32_t kSize = kNewsAt + 1;
constexpr std::size_t kPrefix = 12;  ///< bytes of a gid that name the participant

/// Somebody may die unheard; a publisher that waits looks this often.
constexpr std::chrono::milliseconds kLook{50};

/// Of an endpoint or a participant.
Gid participant_of(Gid gid) {
  std::fill(gid.begin() + kPrefix, gid.end(), std::uint8_t{0});
  return gid;
}

struct Matched {
  Gid gid;
  bool takes_chunks;
};

std::vector<Matched> matched_with(dds_entity_t writer) {
  std::vector<dds_instance_handle_t> handles(16);
  dds_return_t count = 0;
  while ((count = dds_get_matched_subscriptions(writer, handles.data(), handles.size())) >
         static_cast<dds_return_t>(handles.size())) {
    handles.resize(static_cast<std::size_t>(count));
  }
  std::vector<Matched> all;
  for (dds_return_t i = 0; i < count; ++i) {
    if (auto * const one = dds_get_matched_subscription_data(writer, handles[static_cast<std::size_t>(i)])) {
      all.push_back({to_gid(one->key), user_data(one->qos).find(kTakesChunks) != std::string::npos});
      dds_builtintopic_free_endpoint(one);
    }
  }
  return all;
}

}  // namespace

void Flow::set_writer(dds_entity_t writer, const CdrType & type) {
  writer_ = writer;
  type_ = &type;
}

bool Flow::tell(const Gid & subscription, News news, const Gid & of) noexcept {
  CdrData * const data = make_data(*type_, kSize);
  if (data == nullptr) {
    return false;
  }
  std::copy(kEncapsulation.begin(), kEncapsulation.end(), data->bytes());
  std::copy(subscription.begin(), subscription.end(), data->bytes() + kGidAt);
  std::copy(of.begin(), of.end(), data->bytes() + kOfAt);
  data->bytes()[kNewsAt] = static_cast<std::uint8_t>(news);
  try {
    note(subscription, news, of);
  } catch (const std::bad_alloc &) {
  }
  return dds_writecdr(writer_, data) == DDS_RETCODE_OK;
}

bool Flow::wait(dds_entity_t writer, std::chrono::nanoseconds timeout) {
  if (paused_count_.load(std::memory_order_acquire) == 0 || !is_held_up(writer)) {
    return true;
  }
  const auto end =
      std::chrono::steady_clock::now() + std::min<std::chrono::nanoseconds>(timeout, std::chrono::hours(24));
  do {
    std::unique_lock lock(mutex_);
    if (std::chrono::steady_clock::now() >= end) {
      return false;
    }
    changed_.wait_until(lock, std::min(end, std::chrono::steady_clock::now() + kLook));
  } while (is_held_up(writer));
  return true;
}

void Flow::forget(const Gid & subscription) noexcept {
  const std::lock_guard lock(mutex_);
  paused_.erase(subscription);
  left_.erase(subscription);
  publish_counts_locked();
}

void Flow::receive(const Gid & publisher, CdrDataPtr data) noexcept {
  if (data->size < kSize) {
    return;
  }
  Gid subscription;
  Gid of;
  std::copy_n(data->bytes() + kGidAt, subscription.size(), subscription.begin());
  std::copy_n(data->bytes() + kOfAt, of.size(), of.begin());
  if (std::equal(publisher.begin(), publisher.begin() + kPrefix, subscription.begin())) {  // speaks for itself
    try {
      note(subscription, static_cast<News>(data->bytes()[kNewsAt]), of);
    } catch (const std::bad_alloc &) {
    }
  }
}

void Flow::forget_participant(const Gid & participant) {
  const std::lock_guard lock(mutex_);
  const Gid gid = participant_of(participant);
  std::erase_if(knows_, [&gid](const auto & pair) { return pair.first == gid; });
  publish_counts_locked();
}

void Flow::forget_own(const Gid & publisher) {
  const std::lock_guard lock(mutex_);
  std::erase_if(knows_, [&publisher](const auto & pair) { return pair.second == publisher; });
}

void Flow::note(const Gid & subscription, News news, const Gid & of) {
  const std::lock_guard lock(mutex_);
  if (news == News::kKnows) {
    knows_.emplace(participant_of(subscription), of);
  } else if (news == News::kPause) {
    paused_.insert(subscription);
  } else {
    paused_.erase(subscription);
  }
  if (news == News::kLeft) {
    left_.insert(subscription);
  }
  publish_counts_locked();
}

void Flow::publish_counts_locked() {
  paused_count_.store(paused_.size(), std::memory_order_release);
  left_count_.store(left_.size(), std::memory_order_release);
  version_.fetch_add(1, std::memory_order_release);
  changed_.notify_all();
}

std::size_t Flow::count_present(dds_entity_t writer, std::size_t matched) {
  if (left_count_.load(std::memory_order_acquire) == 0) {
    return matched;
  }
  const std::vector<Matched> all = matched_with(writer);
  const std::lock_guard lock(mutex_);
  return static_cast<std::size_t>(
      std::count_if(all.begin(), all.end(), [this](const Matched & one) { return left_.count(one.gid) == 0; }));
}

std::size_t Flow::count_ready(dds_entity_t writer, const Gid & publisher) {
  const std::vector<Matched> all = matched_with(writer);
  const Gid own = participant_of(publisher);
  const std::lock_guard lock(mutex_);
  return static_cast<std::size_t>(std::count_if(all.begin(), all.end(), [&](const Matched & one) {
    const Gid participant = participant_of(one.gid);
    const bool is_ready = !one.takes_chunks || participant == own || knows_.count({participant, publisher}) != 0;
    return is_ready && left_.count(one.gid) == 0;
  }));
}

bool Flow::is_held_up(dds_entity_t writer) {
  const std::vector<Matched> all = matched_with(writer);
  const std::lock_guard lock(mutex_);
  return std::any_of(all.begin(), all.end(), [this](const Matched & one) { return paused_.count(one.gid) != 0; });
}

}  // namespace rmw_cyclonedds
