// The endpoints of this process in one domain, and their lanes and acknowledgements: what the matcher decides is done here.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "delivery/publisher_impl.hpp"
#include "delivery/subscription_impl.hpp"
#include "layout/matcher.hpp"
#include "meeting/neighbours.hpp"
#include "meeting/presence.hpp"

namespace tandem {

/// Of a domain, which guards it by the process's mutex.
class Endpoints {
 public:
  Endpoints(Process & process, Presence & presence, Neighbours & neighbours)
      : process_(process), presence_(presence), neighbours_(neighbours) {}

  /// Enters it in the directory under the number that it has. False when the directory or the heap is full.
  bool add(const std::shared_ptr<PublisherImpl> & impl) TANDEM_REQUIRES(process_mutex);
  bool add(const std::shared_ptr<SubscriptionImpl> & impl) TANDEM_REQUIRES(process_mutex);
  void close(PublisherImpl & impl) TANDEM_REQUIRES(process_mutex);
  void close(SubscriptionImpl & impl) TANDEM_REQUIRES(process_mutex);
  bool empty() const { return topics_.empty() && remnants_.empty(); }

  // Which topics match_concerned() looks at.
  void concern(const Changes & changes);
  void concern_waiting() { concerned_.insert(waiting_.begin(), waiting_.end()); }
  void concern_all();
  /// Makes and ends lanes, acknowledges and withdraws, until nothing is left to do.
  void match_concerned() TANDEM_REQUIRES(process_mutex);
  /// Whether every match that is due has come about, on both sides.
  bool is_settled();
  /// The processes that what was done concerns, since the last call: they are to be rung.
  std::set<std::uint64_t> take_concerned_processes() { return std::exchange(concerned_processes_, {}); }

  /// As PublisherImpl::trim, for all publishers.
  void trim(bool idle);
  /// As PublisherImpl::make_room, for all publishers.
  bool make_room(bool may_drop_messages);

 private:
  struct OwnPublisher {
    std::shared_ptr<PublisherImpl> impl;
    std::uint32_t index;  ///< of its directory entry
  };
  struct OwnSubscription {
    std::shared_ptr<SubscriptionImpl> impl;
    std::uint32_t index;
  };
  struct Topic {  ///< by number
    std::map<std::uint64_t, OwnPublisher> publishers;
    std::map<std::uint64_t, OwnSubscription> subscriptions;
  };
  using Topics = std::map<std::string, Topic>;

  void concern_counterparts(const EndpointInfo & info);
  bool match_topic(const std::string & name, Topic & topic) TANDEM_REQUIRES(process_mutex);
  TopicSnapshot look_at(const std::string & name, const Topic & topic) const;
  bool carry_out(const MatchPlan & plan, Topic & topic) TANDEM_REQUIRES(process_mutex);
  void take_up_acknowledgements(Topic & topic);
  /// Closes the subscription's lanes for which `ended(lane)` is true. True if there were any.
  template <class Predicate>
  bool close_lanes(SubscriptionImpl & impl, Predicate ended) {
    auto lanes = impl.remove_lanes(ended);
    for (auto & lane : lanes) {
      concerned_processes_.insert(lane->publisher().incarnation);
      remnants_.push_back(std::move(lane));
    }
    return !lanes.empty();
  }
  bool end_lanes(const MatchPlan & plan, Topic & topic);
  bool make_lane(const MatchPlan::NewLane & lane, OwnSubscription & own) TANDEM_REQUIRES(process_mutex);
  bool acknowledge(const MatchPlan::Reader & reader, OwnPublisher & own) TANDEM_REQUIRES(process_mutex);
  static const LaneRecord * sound_record(Peer & peer, const Neighbour::LaneEntry & lane, std::uint32_t max_blocks);
  bool remove_readers(const MatchPlan & plan, Topic & topic);
  bool remove_finished(Topic & topic) TANDEM_REQUIRES(process_mutex);
  void free_remnants() TANDEM_REQUIRES(process_mutex);
  void withdraw(const Lane & lane);
  void warn(const std::string & topic, const MatchPlan & plan);
  static void post(const TopicSnapshot & snapshot, const MatchPlan & plan, const Topic & topic);
  bool warn_once(const std::string & topic, const std::string & reason) {
    return warned_.emplace(topic, reason).second;
  }

  Process & process_;
  Presence & presence_;
  Neighbours & neighbours_;
  Topics topics_;
  std::map<std::uint64_t, Topics::const_iterator> topic_of_publisher_;
  std::vector<std::shared_ptr<Lane>> remnants_;  ///< closed lanes whose blocks the user still holds
  std::set<std::string> concerned_;              ///< topics that match_concerned() has to look at
  std::set<std::string> waiting_;                ///< topics to be looked at whenever somebody rings
  std::set<std::uint64_t> concerned_processes_;
  std::set<std::pair<std::string, std::string>> warned_;
};

}  // namespace tandem
