// Offers services on the other side for as long as they have a server, and calls them there while somebody asks.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "endpoints/attempts.hpp"
#include "forwarding/forwarder.hpp"
#include "planning/node_name_wait.hpp"
#include "planning/service_plan.hpp"

namespace tandem::gateway {

/// Used by one thread.
class ServiceReconciler {
 public:
  /// `out` and `in` take from `local` and `network`. `own` collects the gids of all endpoints that are created.
  ServiceReconciler(Forwarder & out, Forwarder & in, transport::Context & local, transport::Context & network,
                    Recent<transport::Gid> & own, Log & log)
      : out_(out), in_(in), local_(local), network_(network), own_(own), attempts_(log) {}

  /// Brings the ends of a service in line with its plan. Call it at each look at the graphs until has() is false.
  /// \param type null only without a plan.
  void apply(const std::string & name, const ServiceType * type, const std::optional<ServicePlan> & plan);
  /// Whether the service is offered.
  bool has(const std::string & name) const { return services_.contains(name); }
  std::set<std::string> services() const;

 private:
  using Clock = std::chrono::steady_clock;
  struct Service {
    Side side;  ///< where its servers are
    CarriedService ends;
    std::optional<Clock::time_point> ending_since;  ///< when it first had no server there, or one on this host, too
    std::optional<Clock::time_point> unused_since;  ///< when it first had no callers
  };

  transport::Context & context(Side side) { return side == Side::kLocal ? local_ : network_; }
  /// That takes from this side.
  Forwarder & from(Side side) { return side == Side::kLocal ? out_ : in_; }
  bool may_end(const std::string & name, Service & service, const std::optional<ServicePlan> & plan);
  void create_server(const std::string & name, const ServiceType & type, const ServicePlan & plan);
  void create_client(const std::string & name, Service & service, const ServicePlan & plan);
  void connect(const std::string & name, Service & service, std::shared_ptr<transport::ServiceClient> client);
  void update_client(const std::string & name, Service & service, const ServicePlan & plan);
  void remove(const std::string & name);

  Forwarder & out_;
  Forwarder & in_;
  transport::Context & local_;
  transport::Context & network_;
  Recent<transport::Gid> & own_;
  Attempts attempts_;
  NodeNameWait names_;
  std::map<std::string, Service> services_;
};

}  // namespace tandem::gateway
