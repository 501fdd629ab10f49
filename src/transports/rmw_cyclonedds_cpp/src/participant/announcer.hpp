// ros_discovery_info over Cyclone. A reader is placed by told_readers.h.
#pragma once

#include <atomic>
#include <map>

#include "entity/entity.hpp"
#include "tandem/dds/announcer.hpp"

namespace rmw_cyclonedds {

/// Thread-safe.
class Announcer final : public tandem::dds::Announcer, private Sink {
 public:
  /// The graph outlives this. \throws Error
  Announcer(dds_entity_t participant, tandem::dds::Graph & graph, bool is_secured);
  ~Announcer() override { end(); }

  /// Begins to tell. To be called when those that are there already have been found. \throws Error
  void open();
  const ddsi_sertype & type() const { return topic_.type(); }
  /// An endpoint of another participant, from the callback of discovery; before open() from that of its history.
  void found(transport::EndpointKind kind, const dds_builtintopic_endpoint_t & endpoint);

 private:
  using GidWidth = tandem::dds::GidWidth;
  void receive(const Gid & publisher, CdrDataPtr data) noexcept override;
  void make_writer(GidWidth form, const char * partition) override;
  void write(GidWidth form, const std::vector<std::uint8_t> & cdr) override;
  void place_readers() override;

  const dds_entity_t participant_;
  const Topic topic_;
  std::atomic<bool> is_open_{false};
  std::map<GidWidth, Entity> writers_;
  const Entity reader_;  ///< the last member: it calls receive()
};

}  // namespace rmw_cyclonedds
