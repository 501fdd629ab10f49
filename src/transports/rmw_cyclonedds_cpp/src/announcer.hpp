// Tells others of our nodes: ros_discovery_info, to each reader in the form that it reads; and hears of theirs.
//
// There is a writer for each form that somebody reads. Readers that we find are put into its partition (told_readers.h),
// or into one of no writer's while it is not known how they read. With TANDEM_ROS_DISTRO there is one writer for all.
#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <optional>

#include "entity.hpp"
#include "tandem/dds/audience.hpp"
#include "tandem/dds/graph.hpp"

namespace rmw_cyclonedds {

/// Thread-safe.
class Announcer final : private Sink {
 public:
  /// The graph outlives this. \throws Error
  Announcer(dds_entity_t participant, tandem::dds::Graph & graph);

  /// Begins to tell. To be called when those that are there already have been found. \throws Error
  void open();
  /// Tells of the graph as it is now, unless that has been done.
  void announce();
  /// An endpoint of another participant, from the callback of discovery; before open() from that of its history.
  void found(transport::EndpointKind kind, const dds_builtintopic_endpoint_t & endpoint);
  void lost(const Gid & endpoint) { audience_.lost(endpoint); }
  void lost_participant(const Gid & participant) { audience_.lost_participant(participant); }

 private:
  using GidWidth = tandem::dds::GidWidth;
  void receive(const Gid & publisher, CdrDataPtr data) noexcept override;
  void follow();
  void make_writer_locked(GidWidth width);
  void write_locked(GidWidth width, const tandem::dds::ParticipantEntities & entities);

  const dds_entity_t participant_;
  const Topic topic_;
  tandem::dds::Graph & graph_;
  const std::optional<GidWidth> chosen_ = tandem::dds::chosen_width();
  std::atomic<bool> is_open_{false};
  std::mutex announcing_;
  std::uint64_t announced_ = 0;  ///< guarded by announcing_, as the next
  std::map<GidWidth, Entity> writers_;
  bool is_mixture_said_ = false;  ///< of the audience's thread
  tandem::dds::Audience audience_;
  const Entity reader_;  ///< the last member: it calls receive()
};

}  // namespace rmw_cyclonedds
