// One context: its connection to RouDi, its place in the roster, its endpoints. Endpoints keep it alive.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "runtime.hpp"
#include "tandem/kit/roster.hpp"

namespace iceoryx {

class IceoryxPublisher;
class IceoryxSubscription;

/// Thread-safe.
class Participant {
 public:
  /// \throws Error when RouDi is absent, or the roster's folder cannot be made.
  explicit Participant(std::uint32_t domain);

  const std::shared_ptr<Runtime> & runtime() const { return runtime_; }
  tandem::transport::Roster & roster() { return roster_; }
  std::uint32_t domain() const { return domain_; }

  /// The same with a gid of its own.
  tandem::transport::RosterEntry named(tandem::transport::RosterEntry entry);

  /// Makes an endpoint known. \throws Error when the roster cannot be written.
  void join(IceoryxPublisher & publisher);
  void join(IceoryxSubscription & subscription);
  void leave(IceoryxPublisher & publisher) noexcept;
  void leave(IceoryxSubscription & subscription) noexcept;

 private:
  /// Looks anew who matches whom.
  void refresh();
  void know_locks_of_others();

  const std::uint32_t domain_;
  const std::shared_ptr<Runtime> runtime_;
  std::mutex mutex_;
  std::set<IceoryxPublisher *> publishers_;        ///< guarded by mutex_
  std::set<IceoryxSubscription *> subscriptions_;  ///< guarded by mutex_
  std::set<std::string> known_;                    ///< guarded by mutex_: addresses of others' ports
  tandem::transport::Roster roster_;               ///< the last member: its thread calls refresh()
};

}  // namespace iceoryx
