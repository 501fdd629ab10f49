#include "qos.hpp"

#include <rmw/qos_profiles.h>
#include <rmw/time.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <stdexcept>
#include <string>

#include "errors.hpp"
#include "tandem/qos_match.hpp"

namespace tandem_rmw {
namespace {

using tandem::Durability;
using tandem::History;
using tandem::Liveliness;
using tandem::Qos;
using tandem::Reliability;

constexpr rmw_time_t kInfiniteTime = RMW_DURATION_INFINITE;

/// Of a policy: one that is not said is infinite.
std::chrono::nanoseconds to_native(const rmw_time_t & time) {
  const bool is_unspecified = time.sec == 0 && time.nsec == 0;
  return is_unspecified ? tandem::kInfinite : duration_of(time);
}

rmw_time_t to_rmw(std::chrono::nanoseconds time) {
  if (time == tandem::kInfinite) return kInfiniteTime;
  const auto count = static_cast<std::uint64_t>(time.count());
  return {count / 1'000'000'000, count % 1'000'000'000};
}

#ifdef TANDEM_RMW_HAS_BEST_AVAILABLE
bool is_best_available(const rmw_time_t & time) {
  constexpr rmw_time_t kBestAvailable = RMW_QOS_DEADLINE_BEST_AVAILABLE;  // that of the lease is the same
  return time.sec == kBestAvailable.sec && time.nsec == kBestAvailable.nsec;
}
#endif

[[noreturn]] void refuse(const char * policy) {
  throw std::invalid_argument(std::string("the ") + policy + " of the QoS profile is unknown or not supported");
}

}  // namespace

std::chrono::nanoseconds duration_of(const rmw_time_t & time) {
  constexpr auto kMost = static_cast<std::uint64_t>(tandem::kInfinite.count());
  constexpr std::uint64_t kSecond = 1'000'000'000;
  const bool is_countable = time.sec < kMost / kSecond && time.nsec <= kMost - time.sec * kSecond;
  return is_countable ? std::chrono::nanoseconds(time.sec * kSecond + time.nsec) : tandem::kInfinite;
}

Qos to_native(const rmw_qos_profile_t & profile) {
  Qos qos;
  switch (profile.history) {
    case RMW_QOS_POLICY_HISTORY_SYSTEM_DEFAULT:
    case RMW_QOS_POLICY_HISTORY_KEEP_LAST: qos.history = History::kKeepLast; break;
    case RMW_QOS_POLICY_HISTORY_KEEP_ALL: qos.history = History::kKeepAll; break;
    default: refuse("history");
  }
  if (profile.depth != RMW_QOS_POLICY_DEPTH_SYSTEM_DEFAULT) {
    qos.depth = static_cast<std::uint32_t>(std::min<std::size_t>(profile.depth, tandem::kMaxDepth));
  }
  switch (profile.reliability) {
    case RMW_QOS_POLICY_RELIABILITY_SYSTEM_DEFAULT:
    case RMW_QOS_POLICY_RELIABILITY_RELIABLE: qos.reliability = Reliability::kReliable; break;
    case RMW_QOS_POLICY_RELIABILITY_BEST_EFFORT: qos.reliability = Reliability::kBestEffort; break;
    default: refuse("reliability");
  }
  switch (profile.durability) {
    case RMW_QOS_POLICY_DURABILITY_SYSTEM_DEFAULT:
    case RMW_QOS_POLICY_DURABILITY_VOLATILE: qos.durability = Durability::kVolatile; break;
    case RMW_QOS_POLICY_DURABILITY_TRANSIENT_LOCAL: qos.durability = Durability::kTransientLocal; break;
    default: refuse("durability");
  }
  switch (profile.liveliness) {
    case RMW_QOS_POLICY_LIVELINESS_SYSTEM_DEFAULT:
    case RMW_QOS_POLICY_LIVELINESS_AUTOMATIC: qos.liveliness = Liveliness::kAutomatic; break;
    case RMW_QOS_POLICY_LIVELINESS_MANUAL_BY_TOPIC: qos.liveliness = Liveliness::kManualByTopic; break;
    default: refuse("liveliness");
  }
  qos.deadline = to_native(profile.deadline);
  qos.lifespan = to_native(profile.lifespan);
  qos.lease = to_native(profile.liveliness_lease_duration);
  return qos;
}

rmw_qos_profile_t to_rmw(const Qos & qos) {
  rmw_qos_profile_t profile{};
  const bool keeps_all = qos.history == History::kKeepAll;
  profile.history = keeps_all ? RMW_QOS_POLICY_HISTORY_KEEP_ALL : RMW_QOS_POLICY_HISTORY_KEEP_LAST;
  profile.depth = qos.depth;
  profile.reliability = qos.reliability == Reliability::kReliable ? RMW_QOS_POLICY_RELIABILITY_RELIABLE
                                                                  : RMW_QOS_POLICY_RELIABILITY_BEST_EFFORT;
  profile.durability = qos.durability == Durability::kTransientLocal ? RMW_QOS_POLICY_DURABILITY_TRANSIENT_LOCAL
                                                                     : RMW_QOS_POLICY_DURABILITY_VOLATILE;
  profile.liveliness = qos.liveliness == Liveliness::kManualByTopic ? RMW_QOS_POLICY_LIVELINESS_MANUAL_BY_TOPIC
                                                                    : RMW_QOS_POLICY_LIVELINESS_AUTOMATIC;
  profile.deadline = to_rmw(qos.deadline);
  profile.lifespan = to_rmw(qos.lifespan);
  profile.liveliness_lease_duration = to_rmw(qos.lease);
  return profile;
}

bool depends_on_others([[maybe_unused]] const rmw_qos_profile_t & profile) {
#ifdef TANDEM_RMW_HAS_BEST_AVAILABLE
  return profile.reliability == RMW_QOS_POLICY_RELIABILITY_BEST_AVAILABLE ||
         profile.durability == RMW_QOS_POLICY_DURABILITY_BEST_AVAILABLE ||
         profile.liveliness == RMW_QOS_POLICY_LIVELINESS_BEST_AVAILABLE || is_best_available(profile.deadline) ||
         is_best_available(profile.liveliness_lease_duration);
#else
  return false;
#endif
}

rmw_qos_profile_t settle(const rmw_qos_profile_t & profile, [[maybe_unused]] bool is_publisher,
                         [[maybe_unused]] const std::vector<Qos> & others) {
  rmw_qos_profile_t settled = profile;
#ifdef TANDEM_RMW_HAS_BEST_AVAILABLE
  const auto all = [&](auto is_so) { return std::all_of(others.begin(), others.end(), is_so); };
  // A publisher offers the most, which every subscription accepts; a subscription requests what all publishers offer.
  if (settled.reliability == RMW_QOS_POLICY_RELIABILITY_BEST_AVAILABLE) {
    const bool is_reliable = is_publisher || all([](const Qos & o) { return o.reliability == Reliability::kReliable; });
    settled.reliability = is_reliable ? RMW_QOS_POLICY_RELIABILITY_RELIABLE : RMW_QOS_POLICY_RELIABILITY_BEST_EFFORT;
  }
  if (settled.durability == RMW_QOS_POLICY_DURABILITY_BEST_AVAILABLE) {
    const bool is_kept = is_publisher || all([](const Qos & o) { return o.durability == Durability::kTransientLocal; });
    settled.durability = is_kept ? RMW_QOS_POLICY_DURABILITY_TRANSIENT_LOCAL : RMW_QOS_POLICY_DURABILITY_VOLATILE;
  }
  if (settled.liveliness == RMW_QOS_POLICY_LIVELINESS_BEST_AVAILABLE) {
    const auto is_manual = [](const Qos & o) { return o.liveliness == Liveliness::kManualByTopic; };
    const bool manual =
        is_publisher ? std::any_of(others.begin(), others.end(), is_manual) : !others.empty() && all(is_manual);
    settled.liveliness = manual ? RMW_QOS_POLICY_LIVELINESS_MANUAL_BY_TOPIC : RMW_QOS_POLICY_LIVELINESS_AUTOMATIC;
  }
  // A publisher offers the shortest that is requested, a subscription requests the longest that is offered.
  const auto settle_time = [&](rmw_time_t & time, std::chrono::nanoseconds Qos::*policy) {
    if (!is_best_available(time)) return;
    std::chrono::nanoseconds best = is_publisher || others.empty() ? tandem::kInfinite : std::chrono::nanoseconds(0);
    for (const Qos & other : others)
      best = is_publisher ? std::min(best, other.*policy) : std::max(best, other.*policy);
    time = to_rmw(best);
  };
  settle_time(settled.deadline, &Qos::deadline);
  settle_time(settled.liveliness_lease_duration, &Qos::lease);
#endif
  return settled;
}

}  // namespace tandem_rmw

extern "C" rmw_ret_t rmw_qos_profile_check_compatible(const rmw_qos_profile_t publisher_profile,
                                                      const rmw_qos_profile_t subscription_profile,
                                                      rmw_qos_compatibility_type_t * compatibility, char * reason,
                                                      size_t reason_size) {
  using namespace tandem_rmw;
  TANDEM_RMW_RETURN_IF(require(compatibility, "compatibility"));
  if (reason == nullptr && reason_size != 0) {
    return fail(RMW_RET_INVALID_ARGUMENT, "reason is null, and reason_size is not 0");
  }
  // What is not said may or may not fit.
  std::string open;
  const auto is_open = [&](auto value, auto system_default, auto unknown, const char * policy) {
    const bool yes = value == system_default || value == unknown;
    if (yes) open += std::string(open.empty() ? "" : " ") + "The " + policy + " is not said.";
    return yes;
  };
  const auto said = [&](rmw_qos_profile_t profile, bool is_publisher, const char * whose) {
    const std::string of = std::string(" of the ") + whose;
    if (is_open(profile.reliability, RMW_QOS_POLICY_RELIABILITY_SYSTEM_DEFAULT, RMW_QOS_POLICY_RELIABILITY_UNKNOWN,
                ("reliability" + of).c_str())) {
      profile.reliability = is_publisher ? RMW_QOS_POLICY_RELIABILITY_RELIABLE : RMW_QOS_POLICY_RELIABILITY_BEST_EFFORT;
    }
    if (is_open(profile.durability, RMW_QOS_POLICY_DURABILITY_SYSTEM_DEFAULT, RMW_QOS_POLICY_DURABILITY_UNKNOWN,
                ("durability" + of).c_str())) {
      profile.durability =
          is_publisher ? RMW_QOS_POLICY_DURABILITY_TRANSIENT_LOCAL : RMW_QOS_POLICY_DURABILITY_VOLATILE;
    }
    if (is_open(profile.liveliness, RMW_QOS_POLICY_LIVELINESS_SYSTEM_DEFAULT, RMW_QOS_POLICY_LIVELINESS_UNKNOWN,
                ("liveliness" + of).c_str())) {
      profile.liveliness =
          is_publisher ? RMW_QOS_POLICY_LIVELINESS_MANUAL_BY_TOPIC : RMW_QOS_POLICY_LIVELINESS_AUTOMATIC;
    }
    profile.history = RMW_QOS_POLICY_HISTORY_KEEP_LAST;
    return profile;
  };
  return guarded(RMW_RET_ERROR, [&] {
    const rmw_qos_profile_t publisher = said(publisher_profile, true, "publisher");
    const rmw_qos_profile_t subscription = said(subscription_profile, false, "subscription");
    // What is best available is what suits the other end.
    const tandem::Qos offered = to_native(settle(publisher, true, {to_native(settle(subscription, false, {}))}));
    const tandem::Qos requested = to_native(settle(subscription, false, {offered}));
    const std::string misfit = tandem::describe_misfit(offered, requested);
    *compatibility = !misfit.empty() ? RMW_QOS_COMPATIBILITY_ERROR
                     : !open.empty() ? RMW_QOS_COMPATIBILITY_WARNING
                                     : RMW_QOS_COMPATIBILITY_OK;
    if (reason != nullptr && reason_size != 0) {
      std::snprintf(reason, reason_size, "%s", !misfit.empty() ? ("ERROR: " + misfit).c_str() : open.c_str());
    }
    return rmw_ret_t{RMW_RET_OK};
  });
}
