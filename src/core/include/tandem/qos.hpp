// Quality of service of a publisher or a subscription, as DDS names it.
#pragma once

#include <chrono>
#include <cstdint>

namespace tandem {

enum class History : std::uint8_t { kKeepLast, kKeepAll };
enum class Reliability : std::uint8_t { kBestEffort, kReliable };
enum class Durability : std::uint8_t { kVolatile, kTransientLocal };

struct Qos {
  History history = History::kKeepLast;
  /// Messages kept with kKeepLast; 1 .. kMaxDepth. Ignored with kKeepAll.
  std::uint32_t depth = 10;
  Reliability reliability = Reliability::kReliable;
  Durability durability = Durability::kVolatile;
  /// How long publish() of a reliable kKeepAll publisher may wait for its slowest reliable kKeepAll reader.
  std::chrono::nanoseconds max_blocking_time = std::chrono::seconds(1);
};

/// The greatest depth of kKeepLast.
inline constexpr std::uint32_t kMaxDepth = 16000;
/// Messages that a kKeepAll publisher can be ahead of its slowest reader, or keeps for late joiners.
inline constexpr std::uint32_t kKeepAllDepth = 16000;

}  // namespace tandem
