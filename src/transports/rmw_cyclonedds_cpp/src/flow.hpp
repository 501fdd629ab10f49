// Keeps a keep-all publisher from outrunning its slowest keep-all subscription. Cyclone acknowledges what has arrived, and
// a bounded reader of its own would stop every topic of its process; so a subscription that has too much in store says
// so on a topic that only Tandem knows, and publishers that keep all wait until it says that it goes on, leaves or dies.
//
// The same topic tells of subscriptions that only seem to be there.
//
// Stock nodes neither send nor hear this: towards them, publish() waits for what Cyclone waits for.
#pragma once

#include <dds/dds.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <set>

#include "sink.hpp"

namespace rmw_cyclonedds {

/// One participant's view: which subscriptions want no more. Thread-safe.
class Flow final : public Sink {
 public:
  /// A subscription with so much in store asks for a pause, and to go on when it has half of it.
  static constexpr std::size_t kMostMessages = 1024;
  static constexpr std::size_t kMostBytes = std::size_t{64} << 20;

  /// Others are told through this writer, which ends with its participant.
  void set_writer(dds_entity_t writer, const CdrType & type);

  enum class News : std::uint8_t {
    kGoOn,
    kPause,
    kLeft,  ///< its user has dropped it, but keeps messages, and so its reader exists
  };

  /// Of a subscription of this participant. Does not block. \return false: could not be told, try again.
  bool tell(const Gid & subscription, News news) noexcept;
  /// Waits until no subscription that `writer` is matched with wants a pause. \return false when the time is over.
  bool wait(dds_entity_t writer, std::chrono::nanoseconds timeout);
  /// The subscriptions that `writer` is matched with, of `matched` that Cyclone counts.
  std::size_t count_present(dds_entity_t writer, std::size_t matched);
  /// It is gone.
  void forget(const Gid & subscription) noexcept override;

  void receive(const Gid & publisher, CdrDataPtr data) noexcept override;

 private:
  void note(const Gid & subscription, News news);
  bool is_held_up(dds_entity_t writer);

  dds_entity_t writer_ = 0;
  const CdrType * type_ = nullptr;
  std::atomic<std::size_t> paused_count_{0};
  std::atomic<std::size_t> left_count_{0};
  std::mutex mutex_;
  std::condition_variable changed_;
  std::set<Gid> paused_;  ///< guarded by mutex_
  std::set<Gid> left_;    ///< guarded by mutex_
};

/// The topic's name and type on the wire.
inline constexpr const char * kFlowTopic = "tandem/flow";
inline constexpr const char * kFlowType = "tandem::dds_::Flow_";

}  // namespace rmw_cyclonedds
