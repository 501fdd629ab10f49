// Who is told when Cyclone has changed the status of a reader or a writer.
#pragma once

#include <dds/dds.h>

#include <functional>
#include <utility>

#include "tandem/status.hpp"

namespace rmw_cyclonedds {

/// Of one entity, which ends after it: dds_delete() waits for callbacks that are under way. Thread-safe.
class Events {
 public:
  /// `on_publication_matched`: of a writer, called from its first listen() on.
  explicit Events(std::function<void()> on_publication_matched = nullptr)
      : on_publication_matched_(std::move(on_publication_matched)) {}
  /// Null: nobody any more, once it returns.
  void listen(dds_entity_t entity, std::function<void()> listener);

 private:
  static void changed(void * events) { static_cast<Events *>(events)->board_.notify(); }
  static void publication_matched(dds_entity_t, dds_publication_matched_status_t, void * events);
  const std::function<void()> on_publication_matched_;
  tandem::StatusBoard board_;
};

}  // namespace rmw_cyclonedds
