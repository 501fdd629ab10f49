// Quality of service between rmw.h and Tandem.
#pragma once

#include <rmw/types.h>

#include <chrono>
#include <vector>

#include "tandem/transport.hpp"

namespace tandem_rmw {

/// What nanoseconds cannot count is tandem::kInfinite.
std::chrono::nanoseconds duration_of(const rmw_time_t & time);

/// System defaults are those of tandem::Qos. Depths above tandem::kMaxDepth become it.
/// \throws std::invalid_argument for what is unknown.
tandem::Qos to_native(const rmw_qos_profile_t & profile);
rmw_qos_profile_t to_rmw(const tandem::Qos & qos);

/// Whether a policy is "best available".
bool depends_on_others(const rmw_qos_profile_t & profile);
/// The profile with each "best available" settled: as strict as all `others`, the opposite endpoints of the topic, still match.
rmw_qos_profile_t settle(const rmw_qos_profile_t & profile, bool is_publisher, const std::vector<tandem::Qos> & others);

}  // namespace tandem_rmw
