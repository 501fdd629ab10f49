// Where a reader's messages go: past Cyclone's own reader cache, which would keep instances, views and conditions that
// nobody asks for, straight to us, in the thread that received them (or, within a process, that publishes them).
#pragma once

#include <dds/dds.h>
#include <dds/ddsi/ddsi_guid.h>

#include <memory>

#include "cdr_data.hpp"
#include "tandem/transport.hpp"

namespace rmw_cyclonedds {

namespace transport = tandem::transport;
using transport::Gid;

Gid to_gid(const ddsi_guid_t & guid);
Gid to_gid(const dds_guid_t & guid);

class Sink {
 public:
  virtual ~Sink() = default;
  /// A message, from any thread. The reference is the sink's; it must not block: other topics wait behind it.
  virtual void receive(const Gid & publisher, CdrDataPtr data) noexcept = 0;
  /// No more from this one.
  virtual void forget(const Gid & /*publisher*/) noexcept {}
};

/// A reader that feeds `sink` and shares its ownership. \return negative: an error of Cyclone's.
dds_entity_t create_reader(dds_entity_t participant, dds_entity_t topic, const dds_qos_t * qos,
                           std::shared_ptr<Sink> sink);

}  // namespace rmw_cyclonedds
