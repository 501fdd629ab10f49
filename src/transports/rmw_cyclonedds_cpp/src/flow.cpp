#include "flow.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

namespace rmw_cyclonedds {
namespace {

/// On the wire, behind CDR's encapsulation: the subscription's gid and whether it wants a pause.
constexpr std::array<std::uint8_t, 4> kEncapsulation = {0, 1, 0, 0};
constexpr std::uint32_t kGidAt = 4;
constexpr std::uint32_t kPauseAt = kGidAt + sizeof(Gid);
constexpr std::uint32_t kSize = kPauseAt + 1;
constexpr std::size_t kPrefix = 12;  ///< bytes of a gid that name the participant

/// Somebody may die unheard; a publisher that waits looks this often.
constexpr std::chrono::milliseconds kLook{50};

}  // namespace

void Flow::set_writer(dds_entity_t writer, const CdrType & type) {
  writer_ = writer;
  type_ = &type;
}

bool Flow::tell(const Gid & subscription, bool wants_pause) noexcept {
  CdrData * const data = make_data(*type_, kSize);
  if (data == nullptr) {
    return false;
  }
  std::copy(kEncapsulation.begin(), kEncapsulation.end(), data->bytes());
  std::copy(subscription.begin(), subscription.end(), data->bytes() + kGidAt);
  data->bytes()[kPauseAt] = wants_pause ? 1 : 0;
  try {
    note(subscription, wants_pause);
  } catch (const std::bad_alloc &) {
  }
  return dds_writecdr(writer_, data) == DDS_RETCODE_OK;
}

bool Flow::wait(dds_entity_t writer, std::chrono::nanoseconds timeout) {
  if (count_.load(std::memory_order_acquire) == 0 || !is_held_up(writer)) {
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
  try {
    note(subscription, false);
  } catch (const std::bad_alloc &) {  // not while erasing
  }
}

void Flow::receive(const Gid & publisher, CdrDataPtr data) noexcept {
  if (data->size < kSize) {
    return;
  }
  Gid subscription;
  std::copy_n(data->bytes() + kGidAt, subscription.size(), subscription.begin());
  if (std::equal(publisher.begin(), publisher.begin() + kPrefix, subscription.begin())) {  // speaks for itself
    try {
      note(subscription, data->bytes()[kPauseAt] != 0);
    } catch (const std::bad_alloc &) {
    }
  }
}

void Flow::note(const Gid & subscription, bool wants_pause) {
  const std::lock_guard lock(mutex_);
  if (wants_pause) {
    paused_.insert(subscription);
  } else {
    paused_.erase(subscription);
  }
  count_.store(paused_.size(), std::memory_order_release);
  changed_.notify_all();
}

bool Flow::is_held_up(dds_entity_t writer) {
  std::array<dds_instance_handle_t, 64> few{};
  std::vector<dds_instance_handle_t> many;
  dds_instance_handle_t * matched = few.data();
  dds_return_t count = dds_get_matched_subscriptions(writer, matched, few.size());
  if (count > static_cast<dds_return_t>(few.size())) {
    many.resize(static_cast<std::size_t>(count));
    matched = many.data();
    count = std::min(count, dds_get_matched_subscriptions(writer, matched, many.size()));
  }
  for (dds_return_t i = 0; i < count; ++i) {
    dds_builtintopic_endpoint_t * const one = dds_get_matched_subscription_data(writer, matched[i]);
    if (one == nullptr) {
      continue;
    }
    const Gid gid = to_gid(one->key);
    dds_builtintopic_free_endpoint(one);
    const std::lock_guard lock(mutex_);
    if (paused_.count(gid) != 0) {
      return true;
    }
  }
  return false;
}

}  // namespace rmw_cyclonedds
