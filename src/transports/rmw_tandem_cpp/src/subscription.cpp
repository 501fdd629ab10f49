#include <cstring>

#include "endpoints.hpp"

namespace rmw_tandem {

transport::Gid to_gid(const tandem::EndpointId & id) {
  transport::Gid gid{};
  static_assert(sizeof id.incarnation + sizeof id.number == std::tuple_size_v<transport::Gid>);
  std::memcpy(gid.data(), &id.incarnation, sizeof id.incarnation);
  std::memcpy(gid.data() + sizeof id.incarnation, &id.number, sizeof id.number);
  return gid;
}

transport::Sample Subscription::take() {
  tandem::Sample taken = core_->take();
  if (!taken) {
    return {};
  }
  const tandem::EndpointId publisher = taken.publisher();
  transport::Sample sample;
  sample.message = taken.data();
  sample.size = taken.size();
  sample.info.source_timestamp = taken.source_timestamp();
  sample.info.sequence = taken.sequence();
  sample.info.publisher = to_gid(publisher);
  sample.info.from_intra_process = publisher.incarnation == core_->info().id.incarnation;
  // Control block and core sample in one block of the pool; the keeper points at the message itself.
  auto held = std::allocate_shared<tandem::Sample>(PoolAllocator<tandem::Sample>(), std::move(taken));
  sample.keeper = std::shared_ptr<const void>(std::move(held), sample.message);
  return sample;
}

void WaitSet::attach(const std::shared_ptr<transport::Subscription> & subscription) {
  if (const auto ours = std::dynamic_pointer_cast<Subscription>(subscription)) {
    core_->attach(ours->core());
  }
}

void WaitSet::detach(const std::shared_ptr<transport::Subscription> & subscription) {
  if (const auto ours = std::dynamic_pointer_cast<Subscription>(subscription)) {
    core_->detach(ours->core());
  }
}

}  // namespace rmw_tandem
