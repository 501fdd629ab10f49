#include <cstring>

#include "endpoints.hpp"
#include "tandem/heap.hpp"
#include "tandem/message_copy.hpp"

namespace rmw_tandem {

transport::Gid to_gid(const tandem::EndpointId & id) {
  transport::Gid gid{};
  static_assert(sizeof id.incarnation + sizeof id.number == std::tuple_size_v<transport::Gid>);
  std::memcpy(gid.data(), &id.incarnation, sizeof id.incarnation);
  std::memcpy(gid.data() + sizeof id.incarnation, &id.number, sizeof id.number);
  return gid;
}

tandem::EndpointId to_endpoint_id(const transport::Gid & gid) {
  tandem::EndpointId id;
  std::memcpy(&id.incarnation, gid.data(), sizeof id.incarnation);
  std::memcpy(&id.number, gid.data() + sizeof id.incarnation, sizeof id.number);
  return id;
}

tandem::Addressing addressing_of(const transport::TopicOptions & options) {
  switch (transport::channel_of(options.topic)) {
    case transport::Channel::kRequest: return tandem::Addressing::kAttached;
    case transport::Channel::kReply: return tandem::Addressing::kDelivered;
    case transport::Channel::kTopic: break;
  }
  return tandem::Addressing::kNone;
}

transport::MessageInfo Subscription::info_of(const tandem::Sample & sample) const {
  const tandem::EndpointId publisher = sample.publisher();
  transport::MessageInfo info;
  info.source_timestamp = sample.source_timestamp();
  info.sequence = sample.sequence();
  info.publisher = to_gid(publisher);
  info.from_intra_process = publisher.incarnation == core_->info().id.incarnation;
  if (is_addressed_) {
    const tandem::Address address = sample.address();
    info.request = {to_gid(address.subscription), static_cast<std::int64_t>(address.number)};
  }
  return info;
}

bool Subscription::do_take_into(void * message, transport::MessageInfo & info) {
  const tandem::Sample taken = core_->take();
  if (!taken) {
    return false;
  }
  type_.assign(message, taken.data());
  info = info_of(taken);
  copied_.fetch_add(1, std::memory_order_relaxed);
  return true;
}

namespace {

/// What a transport's sample keeps.
struct Held {
  Held(tandem::Sample && taken, const tandem::MessageType & its_type) : sample(std::move(taken)), type(its_type) {}
  tandem::Sample sample;
  const tandem::MessageType & type;
};

/// Sample::own.
transport::OwnedMessage own(const transport::Sample & sample) {
  const auto held = std::static_pointer_cast<const Held>(sample.keeper);
  const std::shared_ptr<const tandem::Sample> taken(held, &held->sample);
  const auto open = [&](const void * part, std::size_t size) { return tandem::open_writable(taken, part, size); };
  if (!held->type.is_fixed_size) {
    return tandem::copy_sharing(held->type, sample.message, tandem::kLeastWritable, open);
  }
  const bool is_heap_memory = held->type.alignment <= tandem::kHeapAlignment;  // and is deleted as such
  return transport::OwnedMessage(is_heap_memory ? open(sample.message, held->type.size) : nullptr, {&held->type});
}

}  // namespace

transport::Sample Subscription::do_take() {
  tandem::Sample taken = core_->take();
  if (!taken) {
    return {};
  }
  transport::Sample sample;
  sample.size = taken.size();
  sample.info = info_of(taken);
  sample.own = own;
  // Control block and core sample in one block of the pool.
  auto held = std::allocate_shared<Held>(PoolAllocator<Held>(), std::move(taken), type_);
  sample.message = held->sample.data();
  sample.keeper = std::move(held);
  return sample;
}

void WaitSet::attach(const std::shared_ptr<transport::Subscription> & subscription) {
  if (const auto ours = std::dynamic_pointer_cast<Subscription>(subscription)) {
    core_->attach(ours->core(), reinterpret_cast<std::uintptr_t>(subscription.get()));
  }
}

void WaitSet::detach(const std::shared_ptr<transport::Subscription> & subscription) {
  if (const auto ours = std::dynamic_pointer_cast<Subscription>(subscription)) {
    core_->detach(ours->core());
  }
}

}  // namespace rmw_tandem
