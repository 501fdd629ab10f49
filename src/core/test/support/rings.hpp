// The ring of a publisher and the lane of a subscription of this process, to be damaged by tests.
#pragma once

#include "layout/layout.hpp"
#include "process/process.hpp"
#include "tandem/publisher.hpp"
#include "tandem/subscription.hpp"

namespace tandem::test {

inline PublisherRecord * ring_of(const Publisher & publisher) {
  Region & region = Process::instance().region();
  for (std::uint32_t i = 0; i < kDirectoryEntries; ++i) {
    const DirectoryEntry & entry = region.directory()[i];
    if (entry.kind == static_cast<std::uint32_t>(EntryKind::kPublisher) && entry.number == publisher.info().id.number) {
      return region.at<PublisherRecord>(entry.record);
    }
  }
  return nullptr;
}

/// Its only one.
inline LaneRecord * lane_of(const Subscription & subscription) {
  Region & region = Process::instance().region();
  for (std::uint32_t i = 0; i < kDirectoryEntries; ++i) {
    const DirectoryEntry & entry = region.directory()[i];
    if (entry.kind != static_cast<std::uint32_t>(EntryKind::kLane)) {
      continue;
    }
    auto * lane = region.at<LaneRecord>(entry.record);
    if (lane->terms.subscription == subscription.info().id.number) {
      return lane;
    }
  }
  return nullptr;
}

}  // namespace tandem::test
