#include "participant/flow.hpp"

#include <algorithm>
#include <vector>

#include "entity/qos.hpp"
#include "tandem/kit/endpoint.hpp"

namespace rmw_cyclonedds {
namespace {

/// On the wire, behind CDR's encapsulation: the subscription's gid, a byte that is 1 for a pause.
constexpr std::array<std::uint8_t, 4> kEncapsulation = {0, 1, 0, 0};
constexpr std::size_t kGidAt = kEncapsulation.size();
constexpr std::size_t kPauseAt = kGidAt + sizeof(Gid);
constexpr std::size_t kSize = kPauseAt + 1;

/// Somebody may die unheard; a publisher that waits looks this often.
constexpr std::chrono::milliseconds kLook{50};

transport::Qos flow_qos() {
  transport::Qos qos;
  qos.depth = 1000;
  qos.durability = transport::Durability::kTransientLocal;  // news may come before the one that they are for is known
  qos.max_blocking_time = std::chrono::nanoseconds(0);      // it is told from threads that must not wait
  return qos;
}

}  // namespace

Flow::Channel::Channel(dds_entity_t participant, dds_rhc * hearer)
    : topic(participant, "tandem/flow", "tandem::dds_::Flow_"),
      writer(dds_create_writer(participant, topic.id(), writer_qos(flow_qos(), "").get(), nullptr),
             "a writer of the flow"),
      reader(dds_create_reader_rhc(participant, topic.id(), reader_qos(flow_qos(), "", true).get(), nullptr, hearer),
             "a reader of the flow") {}

Flow::Flow(dds_entity_t participant, bool is_secured) {
  try {
    channel_ = std::make_unique<Channel>(participant, static_cast<dds_rhc *>(this));
  } catch (const transport::Error &) {
    if (!is_secured) {
      throw;
    }
    transport::warn(kName, "",
                    "the enclave's permissions deny topic 'tandem/flow', so publishers that keep all wait for no slow "
                    "subscription; allow to publish it and to subscribe to it");
  }
}

bool Flow::tell(const Gid & subscription, bool wants_pause) noexcept {
  if (!channel_) {
    return true;
  }
  CdrData * const data = make_data(channel_->topic.type(), kSize);
  if (data == nullptr) {
    return false;
  }
  std::copy(kEncapsulation.begin(), kEncapsulation.end(), data->bytes());
  std::copy(subscription.begin(), subscription.end(), data->bytes() + kGidAt);
  data->bytes()[kPauseAt] = wants_pause ? 1 : 0;
  note(subscription, wants_pause);
  return dds_writecdr(channel_->writer.id(), data) == DDS_RETCODE_OK;
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

void Flow::receive(const Gid & publisher, CdrDataPtr data) noexcept {
  if (data->size < kSize) {
    return;
  }
  Gid subscription;
  std::copy_n(data->bytes() + kGidAt, subscription.size(), subscription.begin());
  if (is_of(subscription, publisher)) {  // speaks for itself
    note(subscription, data->bytes()[kPauseAt] == 1);
  }
}

void Flow::note(const Gid & subscription, bool wants_pause) noexcept {
  const std::lock_guard lock(mutex_);
  try {
    wants_pause ? paused_.insert(subscription).second : paused_.erase(subscription);
  } catch (const std::bad_alloc &) {  // the publisher goes on
  }
  paused_count_.store(paused_.size(), std::memory_order_release);
  changed_.notify_all();
}

bool Flow::is_held_up(dds_entity_t writer) {
  std::vector<dds_instance_handle_t> handles(16);
  dds_return_t count = 0;
  while ((count = dds_get_matched_subscriptions(writer, handles.data(), handles.size())) >
         static_cast<dds_return_t>(handles.size())) {
    handles.resize(static_cast<std::size_t>(count));
  }
  handles.resize(static_cast<std::size_t>(std::max(count, 0)));
  return std::any_of(handles.begin(), handles.end(), [&](dds_instance_handle_t handle) {
    auto * const reader = dds_get_matched_subscription_data(writer, handle);
    if (reader == nullptr) {
      return false;
    }
    const Gid gid = to_gid(reader->key);
    dds_builtintopic_free_endpoint(reader);
    const std::lock_guard lock(mutex_);
    return paused_.count(gid) != 0;
  });
}

}  // namespace rmw_cyclonedds
