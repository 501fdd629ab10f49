#include "endpoints/events.hpp"

#include <memory>
#include <utility>

namespace rmw_cyclonedds {

void Events::listen(dds_entity_t entity, std::function<void()> listener) {
  const bool is_asked = listener != nullptr;
  board_.set_listener(std::move(listener));
  const std::unique_ptr<dds_listener_t, void (*)(dds_listener_t *)> all(dds_create_listener(this), dds_delete_listener);
  if (is_asked || on_publication_matched_) {
    dds_lset_publication_matched(all.get(), publication_matched);
  }
  if (is_asked) {
    dds_lset_subscription_matched(all.get(),
                                  [](dds_entity_t, dds_subscription_matched_status_t, void * own) { changed(own); });
    dds_lset_offered_incompatible_qos(
        all.get(), [](dds_entity_t, dds_offered_incompatible_qos_status_t, void * own) { changed(own); });
    dds_lset_requested_incompatible_qos(
        all.get(), [](dds_entity_t, dds_requested_incompatible_qos_status_t, void * own) { changed(own); });
    dds_lset_liveliness_changed(all.get(),
                                [](dds_entity_t, dds_liveliness_changed_status_t, void * own) { changed(own); });
  }
  dds_set_listener(entity, all.get());
}

void Events::publication_matched(dds_entity_t, dds_publication_matched_status_t, void * events) {
  auto * const own = static_cast<Events *>(events);
  if (own->on_publication_matched_) {
    own->on_publication_matched_();
  }
  changed(own);
}

}  // namespace rmw_cyclonedds
