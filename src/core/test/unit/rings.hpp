// The ring of a publisher of this process, to be damaged by tests.
#pragma once

#include "layout.hpp"
#include "process.hpp"
#include "tandem/publisher.hpp"

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

}  // namespace tandem::test
