// Guard conditions, and waiting for them and for everything else.
#include <rmw/rmw.h>

#include <algorithm>
#include <chrono>

#include "context.hpp"
#include "endpoints.hpp"
#include "errors.hpp"
#include "qos.hpp"

namespace tandem_rmw {
namespace {

using Clock = std::chrono::steady_clock;

// How often who waits for a change of the graph looks at it: more seldom the longer there was none. A look is one read of
// shared memory.
constexpr std::chrono::milliseconds kLeastGraphPeriod{10};
constexpr std::chrono::milliseconds kMostGraphPeriod{100};

struct WaitSet {
  explicit WaitSet(Context & context) : native(context.transport->create_wait_set()) {}

  const std::shared_ptr<transport::WaitSet> native;
  const std::uint64_t identity = new_identity();
  std::vector<std::uint64_t> known;  ///< whose sleepers it is among, since the last wait
  std::vector<std::uint64_t> seen;   ///< likewise, while a wait begins; here so that it allocates nothing
};

GuardCondition & guard_of(void * data) { return *static_cast<GuardCondition *>(data); }
std::shared_ptr<Inbox> & inbox_of(void * data) { return static_cast<HasInbox *>(data)->inbox; }
Event & event_of(void * data) { return *static_cast<Event *>(static_cast<rmw_event_t *>(data)->data); }

/// What is waited for, as rmw_wait() gets it.
struct Entities {
  rmw_subscriptions_t * subscriptions;
  rmw_guard_conditions_t * guard_conditions;
  rmw_services_t * services;
  rmw_clients_t * clients;
  rmw_events_t * events;

  template <class Act>
  static void each(void ** entities, std::size_t count, Act act) {
    for (std::size_t i = 0; i < count; ++i) {
      if (entities[i] != nullptr) act(entities[i]);
    }
  }
  template <class Act>
  void each_inbox(Act act) const {
    if (subscriptions != nullptr) each(subscriptions->subscribers, subscriptions->subscriber_count, act);
    if (services != nullptr) each(services->services, services->service_count, act);
    if (clients != nullptr) each(clients->clients, clients->client_count, act);
  }
  template <class Act>
  void each_guard(Act act) const {
    if (guard_conditions != nullptr) {
      each(guard_conditions->guard_conditions, guard_conditions->guard_condition_count, act);
    }
  }
  template <class Act>
  void each_event(Act act) const {
    if (events != nullptr) each(events->events, events->event_count, act);
  }
};

/// Makes sure that whatever happens to one of them wakes the wait set.
void subscribe(WaitSet & wait_set, const Entities & entities) {
  wait_set.seen.clear();
  const auto join = [&](std::uint64_t identity, Sleepers & sleepers) {
    const std::size_t place = wait_set.seen.size();
    wait_set.seen.push_back(identity);
    const bool is_where_it_was = place < wait_set.known.size() && wait_set.known[place] == identity;  // as a rule
    if (!is_where_it_was && std::find(wait_set.known.begin(), wait_set.known.end(), identity) == wait_set.known.end()) {
      sleepers.add(wait_set.native);
    }
  };
  entities.each_inbox([&](void * data) {
    const std::shared_ptr<Inbox> & inbox = inbox_of(data);
    join(inbox->identity, inbox->sleepers());
    inbox->attach_to(*wait_set.native, wait_set.identity);
  });
  entities.each_guard([&](void * data) { join(guard_of(data).identity, guard_of(data).sleepers()); });
  entities.each_event([&](void * data) { join(event_of(data).identity, event_of(data).sleepers()); });
  wait_set.known.swap(wait_set.seen);
}

/// One that is ready; null: none is.
const void * find_ready(const Entities & entities) {
  const void * found = nullptr;
  entities.each_guard([&](void * data) {
    if (found == nullptr && guard_of(data).is_triggered()) found = data;
  });
  entities.each_inbox([&](void * data) {
    if (found == nullptr && inbox_of(data)->has_data()) found = data;
  });
  entities.each_event([&](void * data) {
    if (found == nullptr && event_of(data).has_changed()) found = data;
  });
  return found;
}

/// When to look again although nobody wakes us.
Clock::time_point next_look(const Entities & entities, Clock::time_point start, Clock::time_point now) {
  Clock::time_point next = Clock::time_point::max();
  const auto graph_period = std::clamp<Clock::duration>((now - start) / 10, kLeastGraphPeriod, kMostGraphPeriod);
  entities.each_guard([&](void * data) {
    if (guard_of(data).watches_graph()) next = std::min(next, now + graph_period);
  });
  entities.each_event([&](void * data) { next = std::min(next, event_of(data).next_look()); });
  return next;
}

/// Sets what is not ready to null. \param found  stays: another thread may have taken meanwhile what it had.
/// \return whether anything is.
bool keep_ready(const Entities & entities, const void * found) {
  bool any = false;
  const auto keep = [&](void ** data, std::size_t count, auto is_ready) {
    for (std::size_t i = 0; i < count; ++i) {
      if (data[i] == nullptr) continue;
      if (is_ready(data[i]) || data[i] == found) {
        any = true;
      } else {
        data[i] = nullptr;
      }
    }
  };
  const auto has_data = [](void * data) { return inbox_of(data)->has_data(); };
  if (const auto * all = entities.subscriptions) keep(all->subscribers, all->subscriber_count, has_data);
  if (const auto * all = entities.services) keep(all->services, all->service_count, has_data);
  if (const auto * all = entities.clients) keep(all->clients, all->client_count, has_data);
  if (const auto * all = entities.guard_conditions) {
    keep(all->guard_conditions, all->guard_condition_count, [](void * data) {
      guard_of(data).is_triggered();  // looks at the graph, if it watches one
      return guard_of(data).take_trigger();
    });
  }
  if (const auto * all = entities.events) {
    keep(all->events, all->event_count, [](void * data) { return event_of(data).has_changed(); });
  }
  return any;
}

/// Until something is ready, or the time is over. \return what find_ready() says.
const void * wait(WaitSet & wait_set, const Entities & entities, const rmw_time_t * timeout) {
  const auto start = Clock::now();
  const auto length = timeout != nullptr ? duration_of(*timeout) : tandem::kInfinite;
  const bool is_endless = length >= Clock::time_point::max() - start;
  const auto end = is_endless ? Clock::time_point::max() : start + length;
  for (;;) {
    subscribe(wait_set, entities);  // each time: who is woken may have to attach a subscription again
    if (const void * const found = find_ready(entities)) return found;
    const auto now = Clock::now();
    if (now >= end) return nullptr;
    const auto until = std::min(end, next_look(entities, start, now));
    const auto pause = until == Clock::time_point::max() ? std::chrono::nanoseconds(-1)
                                                         : std::chrono::nanoseconds(std::max(until, now) - now);
    wait_set.native->wait(pause);
  }
}

}  // namespace
}  // namespace tandem_rmw

using namespace tandem_rmw;

extern "C" {

rmw_guard_condition_t * rmw_create_guard_condition(rmw_context_t * context) {
  TANDEM_RMW_NULL_IF(require_ours(context, "context"));
  return guarded(static_cast<rmw_guard_condition_t *>(nullptr), [&] {
    auto guard = std::make_unique<GuardCondition>();
    auto * const made = new rmw_guard_condition_t{};
    made->implementation_identifier = kIdentifier;
    made->context = context;
    made->data = guard.release();
    return made;
  });
}

rmw_ret_t rmw_destroy_guard_condition(rmw_guard_condition_t * guard_condition) {
  TANDEM_RMW_RETURN_IF(require_ours(guard_condition, "guard_condition"));
  delete &guard_of(guard_condition->data);
  delete guard_condition;
  return RMW_RET_OK;
}

rmw_ret_t rmw_trigger_guard_condition(const rmw_guard_condition_t * guard_condition) {
  TANDEM_RMW_RETURN_IF(require_ours(guard_condition, "guard_condition"));
  guard_of(guard_condition->data).trigger();
  return RMW_RET_OK;
}

rmw_wait_set_t * rmw_create_wait_set(rmw_context_t * context, size_t) {
  TANDEM_RMW_NULL_IF(require_ours(context, "context"));
  TANDEM_RMW_NULL_IF(require(context->impl, "the context's impl"));
  return guarded(static_cast<rmw_wait_set_t *>(nullptr), [&] {
    auto wait_set = std::make_unique<WaitSet>(*context->impl);
    auto * const made = new rmw_wait_set_t{};
    made->implementation_identifier = kIdentifier;
    made->data = wait_set.release();
    return made;
  });
}

rmw_ret_t rmw_destroy_wait_set(rmw_wait_set_t * wait_set) {
  if (wait_set == nullptr) return fail(kAnswerToNull, "wait_set is null");
  TANDEM_RMW_RETURN_IF(require_ours(wait_set, "wait_set"));
  delete static_cast<WaitSet *>(wait_set->data);
  delete wait_set;
  return RMW_RET_OK;
}

rmw_ret_t rmw_wait(rmw_subscriptions_t * subscriptions, rmw_guard_conditions_t * guard_conditions,
                   rmw_services_t * services, rmw_clients_t * clients, rmw_events_t * events, rmw_wait_set_t * wait_set,
                   const rmw_time_t * wait_timeout) {
  TANDEM_RMW_RETURN_IF(require_ours(wait_set, "wait_set"));
  const Entities entities{subscriptions, guard_conditions, services, clients, events};
  return guarded(RMW_RET_ERROR, [&]() -> rmw_ret_t {
    const void * const found = wait(*static_cast<WaitSet *>(wait_set->data), entities, wait_timeout);
    return keep_ready(entities, found) ? RMW_RET_OK : RMW_RET_TIMEOUT;
  });
}

}  // extern "C"
