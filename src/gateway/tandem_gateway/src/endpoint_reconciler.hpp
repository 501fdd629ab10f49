// Brings the endpoints of one direction in line with the plans, and takes away what nobody uses any more.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "forwarder.hpp"
#include "log.hpp"

namespace tandem::gateway {

/// Used by one thread.
class EndpointReconciler {
 public:
  /// `own` collects the gids of all endpoints that are made, for ever: a graph may still tell of one that has gone.
  EndpointReconciler(Forwarder & forwarder, transport::Context & from, transport::Context & to,
                     std::set<transport::Gid> & own, Log & log)
      : forwarder_(forwarder), from_(from), to_(to), own_(own), log_(log) {}

  /// `type` may be null if the plan is empty. To be called until has() says that nothing is left.
  void apply(const std::string & name, const MessageType * type, TopicPlan plan);
  /// Whether the topic has endpoints.
  bool has(const std::string & name);
  std::set<std::string> topics();

 private:
  using Dropped = std::vector<std::shared_ptr<void>>;  ///< destroyed without the forwarder's lock
  void add_unknown_publishers(const std::string & name, TopicPlan & plan);
  bool is_output_due(const std::string & name, const PublisherPlan & plan);
  void make_output(const std::string & name, const MessageType & type, const PublisherPlan & plan, Dropped & dropped);
  bool is_input_due(const std::string & name, const SubscriptionPlan & plan);
  void make_input(const std::string & name, const MessageType & type, const SubscriptionPlan & plan, Dropped & dropped);
  void drop_unwanted(Topic & topic, const TopicPlan & plan, Dropped & dropped);
  bool is_wanted_far(const std::string & name);
  bool may_try(const std::string & key);
  void change_over(Topic & topic, Dropped & dropped);
  void choose_inputs(Topic & topic);

  Forwarder & forwarder_;
  transport::Context & from_;
  transport::Context & to_;
  std::set<transport::Gid> & own_;
  Log & log_;
  bool has_changed_ = false;                                ///< something was made that the forwarder has not looked at
  std::map<std::string, Clock::time_point> failed_;         ///< what could not be made, and when
  std::map<transport::Gid, Clock::time_point> first_seen_;  ///< publishers whose node is not known yet
};

}  // namespace tandem::gateway
