// Keeps a keep-all publisher from outrunning its slowest keep-all subscription. Cyclone acknowledges what has arrived,
// and a bounded reader of its own would stop every topic of its process; so a subscription that has too much in store
// says so on a topic that only Tandem knows, and publishers that keep all wait until it goes on, leaves or dies.
//
// The same topic tells of subscriptions that only seem to be there, and of publishers of chunks that are known: a chunk
// that is faster than discovery would be lost.
//
// Stock nodes neither send nor hear this: towards them, publish() waits for what Cyclone waits for.
#pragma once

#include <dds/dds.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <set>
#include <utility>

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
    kLeft,   ///< its user has dropped it, but keeps messages, and so its reader exists
    kKnows,  ///< its participant knows the publisher `of`, so that chunks of that one reach it
  };

  /// Of a subscription of this participant; kKnows, of this participant. Does not block.
  /// \return false: could not be told, try again.
  bool tell(const Gid & subscription, News news, const Gid & of = {}) noexcept;
  /// Waits until no subscription that `writer` is matched with wants a pause. \return false when the time is over.
  bool wait(dds_entity_t writer, std::chrono::nanoseconds timeout);
  /// The subscriptions that `writer` is matched with, of `matched` that Cyclone counts, without those that have left.
  std::size_t count_present(dds_entity_t writer, std::size_t matched);
  /// The same of a writer of chunks: those that take chunks count once they know it.
  std::size_t count_ready(dds_entity_t writer, const Gid & publisher);
  /// Grows with each piece of news.
  std::uint64_t version() const { return version_.load(std::memory_order_acquire); }
  /// Of a publisher of this participant that ends, and of a participant that is gone.
  void forget_own(const Gid & publisher);
  void forget_participant(const Gid & participant);
  /// It is gone.
  void forget(const Gid & subscription) noexcept override;

  void receive(const Gid & publisher, CdrDataPtr data) noexcept override;

 private:
  void note(const Gid & subscription, News news, const Gid & of);
  void publish_counts_locked();
  bool is_held_up(dds_entity_t writer);

  dds_entity_t writer_ = 0;
  const CdrType * type_ = nullptr;
  std::atomic<std::size_t> paused_count_{0};
  std::atomic<std::size_t> left_count_{0};
  std::atomic<std::uint64_t> version_{0};
  std::mutex mutex_;
  std::condition_variable changed_;
  std::set<Gid> paused_;                 ///< guarded by mutex_
  std::set<Gid> left_;                   ///< guarded by mutex_
  std::set<std::pair<Gid, Gid>> knows_;  ///< guarded by mutex_: which publisher is known to which participant
};

/// In the user data of subscriptions that take chunks.
inline constexpr const char * kTakesChunks = "tandem_chunks=1;";

/// The topic's name and type on the wire.
inline constexpr const char * kFlowTopic = "tandem/flow";
inline constexpr const char * kFlowType = "tandem::dds_::Flow_";

}  // namespace rmw_cyclonedds
