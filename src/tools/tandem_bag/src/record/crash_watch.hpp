// Processes that die, and what they leave in shared memory.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tandem/bag/storage.hpp"
#include "tandem/kept_region.hpp"
#include "tandem/message_type.hpp"

namespace tandem::bag {

/// A process that has died with its nodes. What it left is here as long as this object.
class DeadProcess {
 public:
  explicit DeadProcess(std::unique_ptr<inspection::KeptRegion> kept) : kept_(std::move(kept)), region_(kept_->read()) {}

  /// Whether it has taken its leave, as processes do that end in good order.
  bool has_left() const;
  /// Full names, without those that begin with an underscore, which are commands.
  std::vector<std::string> nodes() const;
  /// "talker (process 123, nodes /talker, /camera)"
  std::string text() const;
  /// Hands the messages in its publishers' rings, serialized, to `use`, the oldest of each publisher first; `add` gives the number
  /// of a topic, or -1 to leave it out. Messages are valid during the call. Types that are not installed are left out.
  void read(const std::function<std::int64_t(const Topic &)> & add,
            const std::function<void(const Message &)> & use) const;

 private:
  void read(const inspection::Publisher & publisher, std::uint32_t number, const MessageType & type,
            const std::function<void(const Message &)> & use) const;

  std::unique_ptr<inspection::KeptRegion> kept_;
  inspection::Region region_;
};

/// Keeps an eye on a domain. Used by one thread.
class CrashWatch {
 public:
  /// `nodes`: processes that have one of them are watched; empty: all that have a node.
  CrashWatch(std::uint32_t domain, const std::vector<std::string> & nodes) : keeper_("", domain), nodes_(nodes) {}
  /// Those that have died since the last call.
  std::vector<DeadProcess> look();

 private:
  inspection::RegionKeeper keeper_;
  const std::vector<std::string> nodes_;
};

}  // namespace tandem::bag
