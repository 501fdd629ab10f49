#include "endpoints/service_reconciler.hpp"

#include <algorithm>
#include <utility>

namespace tandem::gateway {
namespace {

using transport::Channel;
using transport::ServiceClient;
using transport::ServiceServer;

/// How long a service is offered after its last server, at most, if replies are still on their way.
constexpr auto kReplyTimeout = std::chrono::seconds(1);
/// The same if its callers have a server on their own side now, and calls wait for their replies.
constexpr auto kCallTimeout = std::chrono::seconds(10);
/// How long the gateway's client stays after the last caller, who may come back.
constexpr auto kClientRemovalDelay = std::chrono::milliseconds(500);
/// A caller that takes no replies delays others once for this long, and then loses its own.
constexpr auto kReplyPatience = std::chrono::milliseconds(100);

Side other(Side side) { return side == Side::kLocal ? Side::kNetwork : Side::kLocal; }

Direction direction_from(Side side) { return side == Side::kLocal ? Direction::kOut : Direction::kIn; }

const char * name_of(Side side) { return side == Side::kLocal ? "this host" : "the network"; }

/// The first that is known, if there is one.
const transport::NodeName & caller(const ServicePlan & plan) {
  const auto known =
      std::find_if(plan.callers.begin(), plan.callers.end(), [](const auto & node) { return !is_unknown(node); });
  return known != plan.callers.end() ? *known : plan.callers.empty() ? plan.server.node : plan.callers.front();
}

}  // namespace

std::set<std::string> ServiceReconciler::services() const {
  std::set<std::string> names;
  for (const auto & [name, service] : services_) {
    names.insert(name);
  }
  return names;
}

void ServiceReconciler::apply(const std::string & name, const ServiceType * type,
                              const std::optional<ServicePlan> & plan) {
  auto found = services_.find(name);
  if (found != services_.end() && may_end(name, found->second, plan)) {
    remove(name);
    found = services_.end();
  }
  if (found == services_.end() && plan && names_.is_over(plan->server)) {
    create_server(name, *type, *plan);
    found = services_.find(name);
  }
  if (found != services_.end() && plan && plan->side == found->second.side) {
    update_client(name, found->second, *plan);
  }
}

/// Whether a service is no longer to be offered, and no reply gets lost by that.
bool ServiceReconciler::may_end(const std::string & name, Service & service, const std::optional<ServicePlan> & plan) {
  if (plan && plan->side == service.side) {
    service.ending_since.reset();
    return false;
  }
  service.ending_since = service.ending_since.value_or(Clock::now());
  const bool may_reply = plan && plan->is_on_both;
  if (Clock::now() - *service.ending_since > (may_reply ? Clock::duration(kCallTimeout) : kReplyTimeout)) {
    return true;
  }
  if (may_reply && service.ends.calls->size() != 0) {
    return false;
  }
  Forwarder & forwarder = from(service.side);
  const std::lock_guard lock(forwarder.mutex());
  return forwarder.services().at(name).is_idle() &&
         service.ends.server->replies().wait_for_all_acked(std::chrono::nanoseconds(0));
}

void ServiceReconciler::create_server(const std::string & name, const ServiceType & type, const ServicePlan & plan) {
  const Side callers = other(plan.side);
  names_.forget(plan.server.gid);
  attempts_.run("server", "service '" + name + "'", name_of(callers), [&] {
    Service service{plan.side, {&type, nullptr, nullptr, std::make_shared<Calls>()}, {}, {}};
    service.ends.server = std::make_shared<ServiceServer>(
        context(callers), type,
        transport::ServiceOptions{plan.server.node, name, service_qos(plan.server, kReplyPatience)});
    own_.note(service.ends.server->requests()->gid());
    own_.note(service.ends.server->replies().gid());
    for (const auto & [kind, side] : {std::pair{Channel::kRequest, callers}, std::pair{Channel::kReply, plan.side}}) {
      const std::lock_guard lock(from(side).mutex());
      from(side).services().try_emplace(name, kind, direction_from(side), service.ends);
    }
    from(callers).wake();
    services_.emplace(name, std::move(service));
  });
}

/// Has a client while there are callers, or requests of callers that no graph has shown.
void ServiceReconciler::update_client(const std::string & name, Service & service, const ServicePlan & plan) {
  bool is_wanted = !plan.callers.empty();
  if (!is_wanted) {
    Forwarder & forwarder = from(other(service.side));
    const std::lock_guard lock(forwarder.mutex());
    is_wanted = !forwarder.services().at(name).is_idle();
  }
  if (is_wanted) {
    service.unused_since.reset();
    if (!service.ends.client) {
      create_client(name, service, plan);
    }
    return;
  }
  service.unused_since = service.unused_since.value_or(Clock::now());
  if (service.ends.client && Clock::now() - *service.unused_since > kClientRemovalDelay) {
    connect(name, service, nullptr);
    service.ends.calls->clear();
  }
}

void ServiceReconciler::create_client(const std::string & name, Service & service, const ServicePlan & plan) {
  attempts_.run("client", "service '" + name + "'", name_of(other(service.side)), [&] {
    auto client = std::make_shared<ServiceClient>(
        context(service.side), *service.ends.type,
        transport::ServiceOptions{caller(plan), name, service_qos(plan.server, std::chrono::nanoseconds(0))});
    own_.note(client->replies()->gid());
    own_.note(client->requests().gid());
    connect(name, service, std::move(client));
  });
}

/// Gives both channels another client, or none.
void ServiceReconciler::connect(const std::string & name, Service & service, std::shared_ptr<ServiceClient> client) {
  const auto previous = std::exchange(service.ends.client, std::move(client));  // destroyed without the locks
  for (Forwarder * forwarder : {&out_, &in_}) {
    {
      const std::lock_guard lock(forwarder->mutex());
      forwarder->services().at(name).connect(service.ends.client);
    }
    forwarder->wake();
  }
}

void ServiceReconciler::remove(const std::string & name) {
  for (Forwarder * forwarder : {&out_, &in_}) {
    std::map<std::string, ServiceChannel>::node_type removed;  // destroyed without the lock
    const std::lock_guard lock(forwarder->mutex());
    removed = forwarder->services().extract(name);
  }
  services_.erase(name);
}

}  // namespace tandem::gateway
