// Tells others of our nodes: ros_discovery_info, to each reader in the form that it reads.
//
// There is a writer for each form that somebody reads. Readers that we find are put into its partition (told_readers.h),
// or into one of no writer's while it is not known how they read. With TANDEM_ROS_DISTRO there is one writer for all.
#pragma once

#include <dds/dds.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "cdr_data.hpp"
#include "sink.hpp"
#include "tandem/dds/audience.hpp"
#include "tandem/dds/graph.hpp"

namespace rmw_cyclonedds {

/// Thread-safe.
class Announcer {
 public:
  /// `topic`, of `type`, is ros_discovery_info; it and the graph outlive this.
  Announcer(dds_entity_t participant, dds_entity_t topic, const CdrType & type, const tandem::dds::Graph & graph);
  Announcer(const Announcer &) = delete;
  Announcer & operator=(const Announcer &) = delete;

  /// Begins to tell. To be called when those that are there already have been found. \throws Error
  void open();
  /// No more news of the network from here on.
  void end() { audience_->end(); }
  /// Tells of the graph as it is now, unless that has been done.
  void announce();
  /// An endpoint of another participant, from the callback of discovery; before open() from that of its history.
  void found(transport::EndpointKind kind, const dds_builtintopic_endpoint_t & endpoint);
  const std::shared_ptr<tandem::dds::Audience> & audience() const { return audience_; }

 private:
  using GidWidth = tandem::dds::GidWidth;
  void follow();
  dds_entity_t make_writer(std::optional<GidWidth> partition);
  void write_locked(GidWidth width, const tandem::dds::ParticipantEntities & entities);

  const dds_entity_t participant_;
  const dds_entity_t topic_;
  const CdrType & type_;
  const tandem::dds::Graph & graph_;
  const std::optional<GidWidth> chosen_ = tandem::dds::chosen_width();
  std::atomic<bool> is_open_{false};
  std::mutex announcing_;
  std::uint64_t announced_ = 0;  ///< guarded by announcing_, as the next
  std::map<GidWidth, dds_entity_t> writers_;
  bool is_mixture_said_ = false;                           ///< of the audience's thread
  const std::shared_ptr<tandem::dds::Audience> audience_;  ///< shared with the sink of ros_discovery_info
};

}  // namespace rmw_cyclonedds
