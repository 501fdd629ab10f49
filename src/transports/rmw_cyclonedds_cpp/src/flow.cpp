#include "flow.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

namespace rmw_cyclonedds {
namespace {

/// On the wire, behind CDR's encapsulation: the subscription's gid and a byte of News.
constexpr std::array<std::uint8_t, 4> kEncapsulation = {0, 1, 0, 0};
constexpr std::uint32_t kGidAt = 4;
constexpr std::uint32_t kNewsAt = kGidAt + sizeof(Gid);
constexpr std::uint32_t kSize = kNewsAt + 1;
constexpr std::size_t kPrefix = 12;  ///< bytes of a gid that name the participant

/// Somebody may die unheard; a publisher that waits looks this often.
constexpr std::chrono::milliseconds kLook{50};

std::vector<Gid> matched_with(dds_entity_t writer) {
  std::vector<dds_instance_handle_t> handles(16);
  dds_return_t count = 0;
  while ((count = dds_get_matched_subscriptions(writer, handles.data(), handles.size())) >
         static_cast<dds_return_t>(handles.size())) {
    handles.resize(static_cast<std::size_t>(count));
  }
  std::vector<Gid> gids;
  for (dds_return_t i = 0; i < count; ++i) {
    if (auto * const one = dds_get_matched_subscription_data(writer, handles[static_cast<std::size_t>(i)])) {
      gids.push_back(to_gid(one->key));
      dds_builtintopic_free_endpoint(one);
    }
  }
  return gids;
}

}  // namespace

void Flow::set_writer(dds_entity_t writer, const CdrType & type) {
  writer_ = writer;
  type_ = &type;
}

bool Flow::tell(const Gid & subscription, News news) noexcept {
  CdrData * const data = make_data(*type_, kSize);
  if (data == nullptr) {
    return false;
  }
  std::copy(kEncapsulation.begin(), kEncapsulation.end(), data->bytes());
  std::copy(subscription.begin(), subscription.end(), data->bytes() + kGidAt);
  data->bytes()[kNewsAt] = static_cast<std::uint8_t>(news);
  try {
    note(subscription, news);
  } catch (const std::bad_alloc &) {
  }
  return dds_writecdr(writer_, data) == DDS_RETCODE_OK;
}

bool Flow::wait(dds_entity_t writer, std::chrono::nanoseconds timeout) {
  if (paused_count_.load(std::memory_order_acquire) == 0 || !is_held_up(writer)) {
    return true;
  }
  const auto end = std::chrono::steady_clock::now() + std::min<std::chrono::nanoseconds>(timeout, std::chrono::hours(24));
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
  paused_count_.store(paused_.size(), std::memory_order_release);
  left_count_.store(left_.size(), std::memory_order_release);
  changed_.notify_all();
}

void Flow::receive(const Gid & publisher, CdrDataPtr data) noexcept {
  if (data->size < kSize) {
    return;
  }
  Gid subscription;
  std::copy_n(data->bytes() + kGidAt, subscription.size(), subscription.begin());
  if (std::equal(publisher.begin(), publisher.begin() + kPrefix, subscription.begin())) {  // speaks for itself
    try {
      note(subscription, static_cast<News>(data->bytes()[kNewsAt]));
    } catch (const std::bad_alloc &) {
    }
  }
}

void Flow::note(const Gid & subscription, News news) {
  const std::lock_guard lock(mutex_);
  if (news == News::kPause) {
    paused_.insert(subscription);
  } else {
    paused_.erase(subscription);
  }
  if (news == News::kLeft) {
    left_.insert(subscription);
  }
  paused_count_.store(paused_.size(), std::memory_order_release);
  left_count_.store(left_.size(), std::memory_order_release);
  changed_.notify_all();
}

std::size_t Flow::count_present(dds_entity_t writer, std::size_t matched) {
  if (left_count_.load(std::memory_order_acquire) == 0) {
    return matched;
  }
  const std::vector<Gid> gids = matched_with(writer);
  const std::lock_guard lock(mutex_);
  return static_cast<std::size_t>(
      std::count_if(gids.begin(), gids.end(), [this](const Gid & gid) { return left_.count(gid) == 0; }));
}

bool Flow::is_held_up(dds_entity_t writer) {
  const std::vector<Gid> gids = matched_with(writer);
  const std::lock_guard lock(mutex_);
  return std::any_of(gids.begin(), gids.end(), [this](const Gid & gid) { return paused_.count(gid) != 0; });
}

}  // namespace rmw_cyclonedds
