// The others: processes that live on while one after the other dies beside them, and say what they see of it.
//
//   writer   publishes to the topic: "all" (keep-all) and "last" (keep-last, depth kDepth), both reliable
//   reader   subscribes to it: everything (keep-all) and the newest (keep-last, depth kDepth)
//
// One command per line, one answer per line: "ok ..." or "error ...".
#pragma once

#include <cstdint>

namespace tandem::test {

inline constexpr const char * kTopic = "topic";
inline constexpr std::uint32_t kDepth = 5;
inline constexpr std::size_t kMessageSize = 1000;
/// By how many messages the writer may be ahead: more than it publishes before somebody takes.
inline constexpr std::uint32_t kWriterMaxSamples = 700;

/// Who has written a message: its payload's tag.
enum Tag : std::uint64_t { kAll = 1, kLast = 2, kVictim = 3 };

/// publish N: that many by each publisher · stock N, fill N: by "all" alone, the latter more than is stocked for later
/// matched N · clean
/// Answers to publish, stock and fill: "ok <messages of all> <messages of last>".
int run_writer();

/// drain ALL LAST VICTIM: takes all there is, which must reach just these counts, of the victim at least.
/// Answer: "ok <messages of victims>"
/// await N: takes until there are N more of "all" · victim N: takes N messages of the victim
/// keep N: takes N of the victim and keeps them · check: are they whole? · drop
/// sleep: a thread waits for messages · peek: is there one? · woken: has it woken up?
/// matched N · clean
int run_reader();

}  // namespace tandem::test
