// Keeps a keep-all publisher from outrunning its slowest keep-all subscription. Cyclone acknowledges what has arrived,
// and a bounded reader of its own would stop every topic of its process; so a subscription that has too much in store
// says so on a topic that only Tandem knows, and publishers that keep all wait until it goes on, leaves or dies.
//
// Stock nodes neither send nor hear this: towards them, publish() waits for what Cyclone waits for.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <set>

#include "entity/entity.hpp"

namespace rmw_cyclonedds {

/// One participant's view: which subscriptions want no more. Thread-safe.
class Flow final : private Sink {
 public:
  /// A subscription with so much in store asks for a pause, and to go on when it has half of it.
  static constexpr std::size_t kMostMessages = 1024;
  static constexpr std::size_t kMostBytes = std::size_t{64} << 20;

  /// Permissions may deny a secured participant the topic: then a line says so, and nobody is waited for.
  /// \throws Error
  Flow(dds_entity_t participant, bool is_secured);

  /// Of a subscription of this participant. Does not block. \return false: could not be told, try again.
  bool tell(const Gid & subscription, bool wants_pause) noexcept;
  /// Waits until no subscription that `writer` is matched with wants a pause. \return false when the time is over.
  bool wait(dds_entity_t writer, std::chrono::nanoseconds timeout);
  /// It is gone.
  void lost(const Gid & subscription) noexcept { note(subscription, false); }

 private:
  void receive(const Gid & publisher, CdrDataPtr data) noexcept override;
  void note(const Gid & subscription, bool wants_pause) noexcept;
  bool is_held_up(dds_entity_t writer);

  std::atomic<std::size_t> paused_count_{0};
  std::mutex mutex_;
  std::condition_variable changed_;
  std::set<Gid> paused_;  ///< guarded by mutex_
  struct Channel {
    Channel(dds_entity_t participant, dds_rhc * hearer);
    const Topic topic;
    const Entity writer;
    const Entity reader;
  };
  std::unique_ptr<const Channel> channel_;  ///< null: denied. The last member: it calls receive()
};

}  // namespace rmw_cyclonedds
