// A process's presence in a domain: the place where publishers, subscriptions and wait-sets are made.
#pragma once

#include <cstdint>
#include <memory>

#include "tandem/error.hpp"
#include "tandem/publisher.hpp"
#include "tandem/status.hpp"
#include "tandem/subscription.hpp"
#include "tandem/wait_set.hpp"

namespace tandem {

class Domain;

enum class JoinError : std::uint8_t {
  kBadDomain,    ///< not 0 .. kMaxDomain
  kNoDirectory,  ///< the shared memory directory is missing, not ours, or cannot be written
  kNoMemory,     ///< the region cannot be made
};

enum class CreateError : std::uint8_t {
  kBadName,   ///< empty or longer than kMaxNameLength, or more than kMaxUserData
  kBadQos,    ///< depth 0 or above kMaxDepth
  kNoMemory,  ///< the shared memory is full
  kTooMany,   ///< the directory of this process is full
  kClosed,    ///< the participant was shut down
};

inline constexpr std::uint32_t kMaxDomain = 232;
inline constexpr std::size_t kMaxNameLength = 1000;
inline constexpr std::size_t kMaxUserData = 8192;  ///< bytes of an endpoint's

/// Thread-safe. Copies share one presence, which ends with the last of them and of the objects made from it.
class Participant {
 public:
  /// Joins a domain (ROS_DOMAIN_ID). Called again for the same domain it returns the same presence.
  static Result<Participant, JoinError> join(std::uint32_t domain);

  Result<std::unique_ptr<Publisher>, CreateError> create_publisher(const PublisherOptions & options) const;
  Result<std::unique_ptr<Subscription>, CreateError> create_subscription(const SubscriptionOptions & options) const;
  Result<std::unique_ptr<WaitSet>, CreateError> create_wait_set() const;

  /// Announces a node in the graph until remove_node(). Names may repeat.
  Result<std::uint64_t, CreateError> add_node(const NodeName & node) const;
  void remove_node(std::uint64_t node) const;

  Graph graph() const;
  /// Changes whenever anybody's directory changes.
  std::uint64_t graph_version() const;
  /// From now on the listener is called whenever graph_version() has changed, by a thread of the library or by one that changes
  /// something itself, with no lock held. \return what ends that when it goes; a call that has begun may then still go on.
  std::shared_ptr<Notifier> watch_graph(Notifier::Listener listener) const;

  /// Blocks until the processes that were there at the call have acknowledged this process's subscriptions and been
  /// acknowledged, or until the time is over. Tests and tools want this; nobody needs it for correctness.
  bool settle(std::chrono::nanoseconds timeout) const;

 private:
  explicit Participant(std::shared_ptr<Domain> domain) : domain_(std::move(domain)) {}
  std::shared_ptr<Domain> domain_;
};

}  // namespace tandem
