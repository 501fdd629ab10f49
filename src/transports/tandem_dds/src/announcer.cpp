#include "tandem/dds/announcer.hpp"

#include <new>
#include <string>
#include <utility>

#include "tandem/dds/discovery_info.hpp"

namespace tandem::dds {

namespace {

std::optional<GidWidth> width_for_all(bool is_secured) {
  const auto chosen = chosen_width();
  return !chosen && is_secured ? GidWidth::k16 : chosen;
}

}  // namespace

Announcer::Announcer(Graph & graph, bool is_secured, std::mutex * making)
    : graph_(graph), making_(making), chosen_(width_for_all(is_secured)), audience_([this] { follow(); }) {}

const char * Announcer::partition_of(std::optional<GidWidth> form) {
  return !form ? "gids-of-unknown-width" : form == GidWidth::k16 ? "gids-of-16-bytes" : "gids-of-24-bytes";
}

void Announcer::open() {
  const auto making = making_ != nullptr ? std::unique_lock(*making_) : std::unique_lock<std::mutex>();
  const std::lock_guard lock(mutex_);
  make_writer_locked(chosen_.value_or(GidWidth::k16));
}

void Announcer::close() {
  const std::lock_guard lock(mutex_);
  forms_.clear();
}

void Announcer::make_writer_locked(GidWidth form) {
  make_writer(form, chosen_ ? nullptr : partition_of(form));
  forms_.insert(form);
}

void Announcer::announce() {
  const std::lock_guard lock(mutex_);
  const auto [version, entities] = graph_.announcement();
  if (version <= announced_ || forms_.empty()) {
    return;  // somebody was faster, with more recent news
  }
  announced_ = version;
  for (const GidWidth form : forms_) {
    write(form, encode(entities, form));
  }
}

bool Announcer::found(transport::EndpointKind kind, const Gid & endpoint, std::string_view dds_topic,
                      std::string_view user_data) {
  if (chosen_) {
    return false;
  }
  audience_.found(kind, endpoint, dds_topic, user_data);
  return kind == transport::EndpointKind::kSubscription && dds_topic == kDiscoveryTopic;
}

void Announcer::heard(const Gid & writer, const void * cdr, std::size_t size) noexcept {
  try {
    if (const auto width = graph_.entities(cdr, size)) {
      audience_.heard(writer, *width);
    }
  } catch (const std::bad_alloc &) {  // its nodes stay unlisted
  }
}

/// Serves readers of whom it was not known at first how they read. On the audience's thread.
void Announcer::follow() {
  if (chosen_) {
    return;
  }
  const Demand demand = audience_.demand();
  if (demand.is_mixed() && !std::exchange(is_mixture_said_, true)) {
    graph_.warn(
        "nodes of ROS 2 through Humble and from Iron on are on this network: "
        "each is told of our nodes in its own form");
  }
  const auto making = making_ != nullptr ? std::unique_lock(*making_) : std::unique_lock<std::mutex>();
  {
    const std::lock_guard lock(mutex_);
    if (demand.wide && forms_.count(GidWidth::k24) == 0) {
      try {
        make_writer_locked(GidWidth::k24);
        write(GidWidth::k24, encode(graph_.announcement().second, GidWidth::k24));
      } catch (const transport::Error & error) {
        graph_.warn(std::string(error.what()) + "; nodes through Humble do not see ours");
      }
    }
  }
  place_readers();
}

}  // namespace tandem::dds
