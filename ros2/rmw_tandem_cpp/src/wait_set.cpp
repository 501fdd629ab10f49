// Guard conditions, and waiting for them and for everything else.
#include <rmw/rmw.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <mutex>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "context.hpp"
#include "endpoints.hpp"
#include "errors.hpp"
#include "qos.hpp"

namespace tandem_rmw {
namespace {

using Clock = std::chrono::steady_clock;

GuardCondition & guard_of(void * data) { return *static_cast<GuardCondition *>(data); }
Inbox & inbox_of(void * data) { return *static_cast<HasInbox *>(data)->inbox; }
Event & event_of(void * data) { return *static_cast<Event *>(static_cast<rmw_event_t *>(data)->data); }

/// What is waited for, as rmw_wait() gets it: a list of each kind. Entries may be null.
enum Kind : std::uint32_t { kSubscriptions, kServices, kClients, kGuards, kEvents, kKinds };
using Lists = std::array<std::span<void *>, kKinds>;

template <class List>
std::span<void *> span_of(void **(List::*entries), std::size_t(List::*count), List * list) {
  return list != nullptr ? std::span<void *>(list->*entries, list->*count) : std::span<void *>();
}

struct Place {
  std::uint32_t kind;
  std::size_t index;
};

/// What is waited for is mostly what was waited for before. So it is remembered, and looked at only where something has come:
/// the transport's wait set names the subscriptions that have data, and all else says so by Sleeper::wake(). What time alone may
/// change is looked at each time.
class WaitSet {
 public:
  explicit WaitSet(Context & context) : native_(context.transport->create_wait_set()) {}

  /// Sets what is not ready to null. \return RMW_RET_TIMEOUT when nothing is.
  rmw_ret_t wait(const Lists & lists, const rmw_time_t * timeout);

 private:
  struct Member {
    Place place;
    std::weak_ptr<Inbox> inbox;
  };

  bool is_as_before(const Lists & lists) const;
  void remember(const Lists & lists);
  void remember_inbox(const std::shared_ptr<Inbox> & inbox, Place place);
  void join(std::uint64_t identity, Sleepers & sleepers);
  /// Notes in ready_ what is ready.
  void look();
  void look_for_messages();
  void look_at_guards();
  void look_at_events();
  Clock::time_point next_look() const;
  void * at(Place place) const { return listed_[place.kind][place.index]; }

  const std::shared_ptr<transport::WaitSet> native_;
  const std::shared_ptr<Sleeper> sleeper_ = std::make_shared<Sleeper>(native_);
  const std::uint64_t identity_ = new_identity();
  std::mutex in_use_;

  // What was listed last.
  std::array<std::vector<void *>, kKinds> listed_;
  std::vector<Event *> listed_events_;
  std::uint64_t changes_ = 0;                                            ///< list_changes then
  std::unordered_map<const transport::Subscription *, Member> members_;  ///< by the name that the native one gives them
  std::vector<Place> asked_;                                             ///< inboxes that are to be asked
  std::vector<Place> graph_guards_;
  std::vector<Place> timed_events_;
  std::unordered_set<std::uint64_t> known_;  ///< identities of those whose sleepers it is among

  std::vector<Place> ready_;
};

bool WaitSet::is_as_before(const Lists & lists) const {
  if (changes_ != list_changes) return false;
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    if (!std::equal(lists[kind].begin(), lists[kind].end(), listed_[kind].begin(), listed_[kind].end())) return false;
  }
  // A handle of an event is the caller's own memory.
  for (std::size_t i = 0; i < listed_events_.size(); ++i) {
    if (listed_events_[i] != nullptr && listed_events_[i] != &event_of(lists[kEvents][i])) return false;
  }
  return true;
}

/// Whatever happens to it wakes this wait set.
void WaitSet::join(std::uint64_t identity, Sleepers & sleepers) {
  if (known_.insert(identity).second) sleepers.add(sleeper_);
}

void WaitSet::remember_inbox(const std::shared_ptr<Inbox> & inbox, Place place) {
  join(inbox->identity, inbox->sleepers());
  inbox->attach_to(*native_, identity_);
  const bool is_new = members_.try_emplace(inbox->name(), Member{place, inbox}).second;
  if (!is_new || inbox->is_asked()) asked_.push_back(place);  // listed twice
}

void WaitSet::remember(const Lists & lists) {
  changes_ = list_changes;  // what changes from here on is seen the next time
  auto before = std::exchange(members_, {});
  known_.clear();  // who is among them already is added but once
  asked_.clear();
  graph_guards_.clear();
  timed_events_.clear();
  listed_events_.clear();
  for (std::uint32_t kind = 0; kind < kKinds; ++kind) {
    listed_[kind].assign(lists[kind].begin(), lists[kind].end());
    for (std::size_t i = 0; i < lists[kind].size(); ++i) {
      void * const data = lists[kind][i];
      if (kind == kEvents) listed_events_.push_back(data != nullptr ? &event_of(data) : nullptr);
      if (data == nullptr) continue;
      if (kind == kGuards) {
        join(guard_of(data).identity, guard_of(data).sleepers());
        if (GraphWatch * const graph = guard_of(data).graph()) {
          graph->add(sleeper_);
          graph_guards_.push_back({kind, i});
        }
      } else if (kind == kEvents) {
        join(event_of(data).identity, event_of(data).sleepers());
        if (event_of(data).is_timed()) timed_events_.push_back({kind, i});
      } else {
        remember_inbox(static_cast<HasInbox *>(data)->inbox, {kind, i});
      }
    }
  }
  for (const auto & [name, member] : before) {
    if (members_.count(name) != 0) continue;
    if (const auto inbox = member.inbox.lock()) inbox->detach_from(*native_, identity_);
  }
  sleeper_->keep_news(kTriggers | kEventNews | kGraphChange);
}

void WaitSet::look_for_messages() {
  const transport::Subscription * first = nullptr;
  for (std::size_t i = 0; i < members_.size(); ++i) {
    const transport::Subscription * const named = native_->next_ready();
    if (named == nullptr || named == first) break;
    if (first == nullptr) first = named;
    const auto found = members_.find(named);
    if (found == members_.end()) continue;
    const Place place = found->second.place;
    if (!inbox_of(at(place)).is_asked()) ready_.push_back(place);
  }
  for (const Place place : asked_) {
    if (inbox_of(at(place)).has_data()) ready_.push_back(place);
  }
}

/// All of them, since one was triggered.
void WaitSet::look_at_guards() {
  for (std::size_t i = 0; i < listed_[kGuards].size(); ++i) {
    const Place place{kGuards, i};
    if (at(place) != nullptr && guard_of(at(place)).take_trigger()) ready_.push_back(place);
  }
}

/// All of them, since something has happened to one.
void WaitSet::look_at_events() {
  timed_events_.clear();
  bool is_any = false;
  for (std::size_t i = 0; i < listed_events_.size(); ++i) {
    const Event * const event = listed_events_[i];
    if (event == nullptr) continue;
    if (event->is_timed() || event->next_look() != Clock::time_point::max()) {
      timed_events_.push_back({kEvents, i});
    } else if (event->has_changed()) {
      ready_.push_back({kEvents, i});
      is_any = true;
    }
  }
  if (is_any) sleeper_->keep_news(kEventNews);  // until it is taken
}

void WaitSet::look() {
  ready_.clear();
  look_for_messages();
  const unsigned news = sleeper_->take_news();
  if ((news & kGraphChange) != 0) {
    for (const Place place : graph_guards_) guard_of(at(place)).look_at_graph();
  }
  if ((news & (kTriggers | kGraphChange)) != 0) look_at_guards();
  if ((news & kEventNews) != 0) look_at_events();
  for (const Place place : timed_events_) {
    if (listed_events_[place.index]->has_changed()) ready_.push_back(place);
  }
}

/// When to look again although nobody wakes us.
Clock::time_point WaitSet::next_look() const {
  Clock::time_point next = Clock::time_point::max();
  for (const Place place : timed_events_) next = std::min(next, listed_events_[place.index]->next_look());
  return next;
}

rmw_ret_t WaitSet::wait(const Lists & lists, const rmw_time_t * timeout) {
  const std::unique_lock<std::mutex> lock(in_use_, std::try_to_lock);
  if (!lock) return fail(RMW_RET_ERROR, "another thread waits with this wait set; give each thread one of its own");
  const bool is_look = timeout != nullptr && timeout->sec == 0 && timeout->nsec == 0;
  const auto start = is_look ? Clock::time_point() : Clock::now();
  const auto length = timeout != nullptr ? duration_of(*timeout) : tandem::kInfinite;
  const auto end = length >= Clock::time_point::max() - start ? Clock::time_point::max() : start + length;
  for (;;) {
    if (!is_as_before(lists)) remember(lists);
    look();
    if (!ready_.empty() || is_look) break;
    const auto now = Clock::now();
    if (now >= end) break;
    const auto until = std::min(end, next_look());
    const auto pause = until == Clock::time_point::max() ? std::chrono::nanoseconds(-1)
                                                         : std::chrono::nanoseconds(std::max(until, now) - now);
    native_->wait(pause);
  }
  for (const auto & list : lists) std::fill(list.begin(), list.end(), nullptr);
  for (const Place place : ready_) lists[place.kind][place.index] = at(place);
  return ready_.empty() ? RMW_RET_TIMEOUT : RMW_RET_OK;
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
  const Lists lists = {
      span_of(&rmw_subscriptions_t::subscribers, &rmw_subscriptions_t::subscriber_count, subscriptions),
      span_of(&rmw_services_t::services, &rmw_services_t::service_count, services),
      span_of(&rmw_clients_t::clients, &rmw_clients_t::client_count, clients),
      span_of(&rmw_guard_conditions_t::guard_conditions, &rmw_guard_conditions_t::guard_condition_count,
              guard_conditions),
      span_of(&rmw_events_t::events, &rmw_events_t::event_count, events)};
  return guarded(RMW_RET_ERROR, [&] { return static_cast<WaitSet *>(wait_set->data)->wait(lists, wait_timeout); });
}

}  // extern "C"
