// Updates the endpoints that a topic has: removes those that no plan names any more, replaces those that have a
// successor, and chooses which subscription serves which proxy. Creating endpoints: endpoint_reconciler.hpp.
//
// Every call needs Forwarder::mutex(). Endpoints that are removed go to `garbage`.
#pragma once

#include "forwarding/topic.hpp"

namespace tandem::gateway {

/// Whether a proxy has subscriptions on the other side.
bool has_readers(const Topic & topic);

/// Takes over from the plan how many endpoints each endpoint is going to match.
void update_expected_matches(Topic & topic, const TopicPlan & plan);

/// Removes the endpoints that the plan has lacked for a while.
void remove_unplanned(Topic & topic, const TopicPlan & plan, Direction direction, Garbage & garbage);

/// Selects for each proxy the best subscription that its source serves, if possible one that has matched. A change takes a
/// while, in which both bring the messages. \return whether messages go another way now.
bool choose_subscriptions(Topic & topic, Direction direction);

/// The gateway's subscriptions as others see them.
std::vector<ShownSubscription> shown_by(const Topic & topic);
bool have_all_matched(const Topic & topic);

/// Puts successors in place of the subscriptions that they replace and that carry nothing any more.
void replace_subscriptions(Topic & topic, Garbage & garbage);

}  // namespace tandem::gateway
