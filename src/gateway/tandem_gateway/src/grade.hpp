// Which publishers serve a subscription, and how few subscriptions serve many that want different things.
//
// A grade is what matching looks at: reliability and durability. A publisher serves all grades up to its own. The
// gateway has one subscription for each grade that the far side asks for, and for each that two of them make together.
// That set has, for each publisher, one greatest grade that the publisher serves: its messages are taken there alone, so
// none is carried twice, whatever is mixed.
#pragma once

#include <optional>
#include <set>

#include "tandem/transport.hpp"

namespace tandem::gateway {

struct Grade {
  transport::Reliability reliability = transport::Reliability::kBestEffort;
  transport::Durability durability = transport::Durability::kVolatile;
  friend auto operator<=>(const Grade &, const Grade &) = default;
};

Grade grade_of(const transport::Qos & qos);

/// Whether a publisher that offers `offered` serves a subscription that asks for `requested`.
bool serves(Grade offered, Grade requested);

/// The grades and all that two of them make together, each with the better of both.
std::set<Grade> closed(const std::set<Grade> & grades);

/// Of a closed set the greatest grade that a publisher serves; nothing when it serves none.
std::optional<Grade> best(const std::set<Grade> & grades, Grade offered);

/// A depth that is rounded up, so that an endpoint is seldom made anew for a deeper one: 16, 128, 1024, 16000.
std::uint32_t roomy(std::uint32_t depth);

}  // namespace tandem::gateway
