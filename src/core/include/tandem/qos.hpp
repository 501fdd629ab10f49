// Quality of service of a publisher or a subscription, as DDS names it.
#pragma once

#include <chrono>
#include <cstdint>

namespace tandem {

enum class History : std::uint8_t { kKeepLast, kKeepAll };
enum class Reliability : std::uint8_t { kBestEffort, kReliable };
enum class Durability : std::uint8_t { kVolatile, kTransientLocal };
enum class Liveliness : std::uint8_t {
  kAutomatic,      ///< a publisher lives as long as its process
  kManualByTopic,  ///< it lives while it publishes or asserts so within its lease
};

/// Of the durations below: without a limit.
inline constexpr std::chrono::nanoseconds kInfinite = std::chrono::nanoseconds::max();

struct Qos {
  History history = History::kKeepLast;
  /// Messages kept with kKeepLast; 1 .. kMaxDepth. Ignored with kKeepAll.
  std::uint32_t depth = 10;
  Reliability reliability = Reliability::kReliable;
  Durability durability = Durability::kVolatile;
  /// How long publish() of a reliable kKeepAll publisher may wait for its slowest reliable kKeepAll reader.
  std::chrono::nanoseconds max_blocking_time = std::chrono::seconds(1);
  // All greater than 0.
  /// A publisher offers a message at least that often, a subscription requests one.
  std::chrono::nanoseconds deadline = kInfinite;
  /// Of a publisher: an older message is not taken any more.
  std::chrono::nanoseconds lifespan = kInfinite;
  /// A publisher offers it, a subscription requests it: manual by topic is more than automatic, a shorter lease than a longer.
  Liveliness liveliness = Liveliness::kAutomatic;
  std::chrono::nanoseconds lease = kInfinite;
};

/// The greatest depth of kKeepLast.
inline constexpr std::uint32_t kMaxDepth = 16000;
/// Messages that a kKeepAll publisher can be ahead of its slowest reader, or keeps for late joiners.
inline constexpr std::uint32_t kKeepAllDepth = 16000;

}  // namespace tandem
