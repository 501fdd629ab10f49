// ros_discovery_info: tells others of our nodes, each reader in the form that it reads, and hears of theirs.
//
// There is a writer for each form that somebody reads, each in a partition of its own beside the common one. Readers
// that are found tell no partition: in what the middleware knows of them here, each is placed in the partition of the
// writer that serves it, or in one of no writer's while it is not known how it reads. So it is matched with that writer
// only. With TANDEM_ROS_DISTRO there is one writer for all, and nobody is placed; so it is in a secured participant, since
// permissions as SROS2 makes them allow no partition.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "tandem/dds/audience.hpp"
#include "tandem/dds/graph.hpp"

namespace tandem::dds {

/// What a middleware derives its announcer from. Thread-safe.
class Announcer {
 public:
  Announcer(const Announcer &) = delete;
  Announcer & operator=(const Announcer &) = delete;

  /// Tells of the graph as it is now, unless that has been done.
  void announce();
  /// Endpoints of other participants that have gone.
  void lost(const transport::Gid & endpoint) { audience_.lost(endpoint); }
  void lost_participant(const transport::Gid & participant) { audience_.lost_participant(participant); }

 protected:
  /// `making`: what the middleware holds while an endpoint is made; taken first. May be null. All of it outlives this.
  Announcer(Graph & graph, bool is_secured, std::mutex * making = nullptr);
  /// What is derived has called end().
  ~Announcer() = default;

  /// Makes the first writer. \throws transport::Error
  void open();
  /// No call of place_readers() from here on, and no writer is made.
  void end() { audience_.end(); }
  /// No call of write() from here on.
  void close();

  /// An endpoint of another participant. \return whether its place is in partition_of(form_of(endpoint)) now.
  bool found(transport::EndpointKind kind, const transport::Gid & endpoint, std::string_view dds_topic,
             std::string_view user_data);
  /// A message came from this writer of another participant.
  void heard(const transport::Gid & writer, const void * cdr, std::size_t size) noexcept;

  bool places_readers() const { return !chosen_; }
  /// Each reader with its form, where that is known.
  Audience::Readers readers() const { return audience_.readers(); }
  std::optional<GidWidth> form_of(const transport::Gid & reader) const { return audience_.form_of(reader); }
  static const char * partition_of(std::optional<GidWidth> form);

 private:
  /// Makes the writer of this form, in the common partition and, unless it is null, in this one. \throws transport::Error
  virtual void make_writer(GidWidth form, const char * partition) = 0;
  virtual void write(GidWidth form, const std::vector<std::uint8_t> & cdr) = 0;
  /// More is known of how readers() read. Called without a lock of the announcer's but `making`.
  virtual void place_readers() = 0;

  void follow();
  void make_writer_locked(GidWidth form);

  Graph & graph_;
  std::mutex * const making_;
  const std::optional<GidWidth> chosen_;  ///< for all
  std::mutex mutex_;                      ///< taken after *making_
  std::set<GidWidth> forms_;              ///< guarded by mutex_, as the next: those that have a writer
  std::uint64_t announced_ = 0;
  bool is_mixture_said_ = false;  ///< of the audience's thread
  Audience audience_;
};

}  // namespace tandem::dds
