// Connext's errors in one sentence. Needs no SDK.
#pragma once

#include <cstdint>
#include <string>

namespace connext {

/// The name in warnings and errors.
inline constexpr const char * kName = "rmw_connextdds";

/// Why there is no participant. `reason` is Connext's, which does not tell a missing licence from other failures;
/// `licence` is RTI_LICENSE_FILE, null where it is unset.
std::string no_participant(std::uint32_t domain, const std::string & reason, const char * licence);

}  // namespace connext
