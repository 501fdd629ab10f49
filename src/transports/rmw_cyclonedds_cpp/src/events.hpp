// Who is told when Cyclone has changed the status of a reader or a writer.
#pragma once

#include <dds/dds.h>

#include <functional>

#include "tandem/status.hpp"

namespace rmw_cyclonedds {

/// Of one entity, which ends after it: dds_delete() waits for callbacks that are under way. Thread-safe.
class Events {
 public:
  /// Null: nobody any more, once it returns.
  void listen(dds_entity_t entity, std::function<void()> listener);

 private:
  static void changed(void * events) { static_cast<Events *>(events)->board_.notify(); }
  tandem::StatusBoard board_;
};

}  // namespace rmw_cyclonedds
