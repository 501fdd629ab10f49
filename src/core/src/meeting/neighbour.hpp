// A peer within one domain, and what its directory says. Of a directory that has changed only the changed lines are read.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "layout/layout.hpp"
#include "process/peer.hpp"
#include "tandem/types.hpp"

namespace tandem {

/// What has to be matched again, because directories have changed or their owners have ended.
struct Changes {
  std::set<std::string> topics;        ///< with endpoints that came, closed or went
  std::set<std::uint64_t> publishers;  ///< numbers of own publishers whose lanes came or went
};

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
  int warnings = 0;            ///< lines that its endpoints gave rise to
  bool is_listed = true;       ///< its region has a name in the folder
  bool is_known_dead = false;  ///< and its endpoints were noted as changed
  // By number.
  std::map<std::uint64_t, Endpoint> publishers;
  std::map<std::uint64_t, Endpoint> subscriptions;
  std::map<std::uint64_t, LaneEntry> lanes;
  std::map<std::uint64_t, NodeName> nodes;
  // The same again, to be found by what it is matched by.
  using ByTopic = std::unordered_multimap<std::string_view, const Endpoint *>;
  ByTopic publishers_of;
  ByTopic subscriptions_to;
  std::unordered_multimap<std::uint64_t, const LaneEntry *> lanes_to;  ///< by the publisher's number

  /// Reads what has changed in the directory, or all of it if `wanted` has changed, and adds to `changes` what that
  /// concerns. True if there was anything. Of interest are entries with that tag; of lanes those that lead to `self`.
  bool refresh(std::uint32_t wanted, std::uint64_t self, Changes & changes);
  /// Adds everything that is known of it.
  void note_all(Changes & changes) const;

 private:
  /// What was made of a line when it was last read.
  struct Line {
    std::uint64_t version = kUnread;
    std::uint64_t number = 0;
    EntryKind kind = EntryKind::kFree;  ///< kFree: nothing
  };
  static constexpr std::uint64_t kUnread = ~std::uint64_t{0};  ///< odd, so no line that can be read has it

  void read(Line & line, const Entry & entry, std::uint64_t self, Changes & changes);
  bool add(const Entry & entry, Changes & changes);
  bool add_endpoint(const Entry & entry, Changes & changes);
  bool add_lane(const Entry & entry, Changes & changes);
  bool note_closed(const Entry & entry, Changes & changes);
  void forget(Line & line, Changes & changes);

  std::uint64_t version_ = kUnread;  ///< of the directory, as last read
  std::uint32_t tag_ = 0;            ///< of the entries that were of interest then
  std::vector<Line> lines_;
};

}  // namespace tandem
