// Which settings a middleware starts with.
#pragma once

namespace tandem::transport {

/// TANDEM_TRANSPORT_TUNING: `tuned` (also when unset) for the settings that we ship, `vendor` for the middleware's own
/// defaults. Another word costs a warning and means `tuned`.
enum class Tuning { kTuned, kVendor };
Tuning tuning();

}  // namespace tandem::transport
