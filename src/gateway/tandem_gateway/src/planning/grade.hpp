// How the gateway represents many subscriptions, which ask for different QoS, with at most four of its own.
//
// A grade is the part of the QoS that matching looks at: reliability and durability. A publisher serves every grade up
// to its own. The gateway has one subscription for each grade that the other side asks for, and for each combination of
// two (closure()). In such a set each publisher serves one greatest grade (best()). Its messages are taken from that
// subscription alone, so none is carried twice.
#pragma once

#include <cstdint>
#include <optional>
#include <set>

#include "tandem/transport.hpp"

namespace tandem::gateway {

/// The deepest history that rmw_tandem_cpp keeps.
inline constexpr std::uint32_t kMaxDepth = 16000;

struct Grade {
  transport::Reliability reliability = transport::Reliability::kBestEffort;
  transport::Durability durability = transport::Durability::kVolatile;
  friend auto operator<=>(const Grade &, const Grade &) = default;
};

Grade grade_of(const transport::Qos & qos);

/// Whether a publisher waits rather than lose a message.
bool keeps_all(const transport::Qos & qos);

/// Whether a publisher that offers `offered` serves a subscription that asks for `requested`.
bool serves(Grade offered, Grade requested);

/// The grades, and for each two of them the grade with the better reliability and the better durability of both.
std::set<Grade> closure(const std::set<Grade> & grades);

/// The greatest grade of a closure that a publisher serves; nothing when it serves none.
std::optional<Grade> best(const std::set<Grade> & grades, Grade offered);

/// Rounds up to 16, 128, 1024 or 16000, so that an endpoint is seldom replaced because somebody asks for a greater
/// depth.
std::uint32_t round_up_depth(std::uint32_t depth);

}  // namespace tandem::gateway
