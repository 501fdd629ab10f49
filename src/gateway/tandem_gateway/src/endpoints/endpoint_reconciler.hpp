// Creates the endpoints of one direction that the plans ask for, and lets those go that they no longer name.
#pragma once

#include <functional>
#include <set>
#include <string>

#include "endpoints/attempts.hpp"
#include "forwarding/forwarder.hpp"
#include "planning/node_name_wait.hpp"

namespace tandem::gateway {

/// Used by one thread.
class EndpointReconciler {
 public:
  /// `own` collects the gids of all endpoints that are created. A graph may still show one that is gone.
  EndpointReconciler(Forwarder & forwarder, transport::Context & from, transport::Context & to,
                     Recent<transport::Gid> & own, Log & log)
      : forwarder_(forwarder), from_(from), to_(to), own_(own), attempts_(log), mirror_(from, own, log) {}

  /// Brings the endpoints of a topic in line with its plan. Some steps take time, so call it at each look at the graphs
  /// until has() is false. \param type null only for an empty plan.
  void apply(const std::string & name, const MessageType * type, TopicPlan plan);
  /// Whether the topic has endpoints.
  bool has(const std::string & name);
  std::set<std::string> topics();

 private:
  void add_unknown_publishers(const std::string & name, TopicPlan & plan);
  bool needs_publisher(const std::string & name, const PublisherPlan & plan);
  void create_publisher(const std::string & name, const MessageType & type, const PublisherPlan & plan,
                        Garbage & garbage);
  bool needs_subscription(const std::string & name, const SubscriptionPlan & plan);
  void create_subscription(const std::string & name, const MessageType & type, const SubscriptionPlan & plan,
                           Garbage & garbage);
  void attempt(const std::string & kind, const std::string & name, const std::function<void()> & create);
  void update(const std::string & name, const TopicPlan & plan, Garbage & garbage);
  bool is_wanted(const std::string & name);
  void show_subscriptions(const std::string & name, const MessageType * type, TopicPlan plan);

  Forwarder & forwarder_;
  transport::Context & from_;
  transport::Context & to_;
  Recent<transport::Gid> & own_;
  Attempts attempts_;
  NodeNameWait names_;
  SubscriptionMirror mirror_;
  bool has_changed_ = false;  ///< the forwarder has to look at the topics again
};

}  // namespace tandem::gateway
