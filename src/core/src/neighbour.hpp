// A peer within one domain: what its directory says, read again whenever that has changed.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string_view>
#include <unordered_map>

#include "layout.hpp"
#include "peer.hpp"
#include "tandem/types.hpp"

namespace tandem {

/// What a peer's directory says about this domain.
struct Neighbour {
  struct Endpoint {
    Entry entry;
    EndpointInfo info;
  };
  struct LaneEntry {
    Entry entry;
    LaneTerms terms{};
  };

  std::shared_ptr<Peer> peer;
  std::uint64_t version = ~std::uint64_t{0};  ///< of the directory, as last read
  std::uint32_t tag = 0;                      ///< of the entries that were of interest then
  int complaints = 0;                         ///< lines that its endpoints gave rise to
  bool is_listed = true;                      ///< its region has a name in the folder
  std::map<std::uint64_t, Endpoint> publishers;
  std::map<std::uint64_t, Endpoint> subscriptions;
  std::map<std::uint64_t, LaneEntry> lanes;
  std::map<std::uint64_t, NodeName> nodes;
  // The same again, to be found by what it is matched by.
  using ByTopic = std::unordered_multimap<std::string_view, const Endpoint *>;
  ByTopic publishers_of;
  ByTopic subscriptions_to;
  std::unordered_multimap<std::uint64_t, const LaneEntry *> lanes_to;  ///< by the publisher's number

  /// Reads the directory if it, or `wanted`, has changed. True if so. Of interest are entries with that tag; of lanes those
  /// that lead to `self`.
  bool refresh(std::uint32_t wanted, std::uint64_t self);

 private:
  void read(std::uint32_t wanted, std::uint64_t self);
  void index();
};

}  // namespace tandem
