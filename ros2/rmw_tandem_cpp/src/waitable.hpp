// What wait sets wait for: data, events, and guard conditions.
#pragma once

#include <rmw/event_callback_type.h>

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "tandem/content_filter.hpp"
#include "tandem/participant.hpp"
#include "tandem/transport.hpp"

namespace tandem_rmw {

namespace transport = tandem::transport;

/// Never 0, never the same again.
std::uint64_t new_identity();

/// Who is to be woken. Thread-safe.
class Sleepers {
 public:
  void add(const std::shared_ptr<transport::WaitSet> & sleeper);
  void wake();

 private:
  std::mutex mutex_;
  std::vector<std::weak_ptr<transport::WaitSet>> sleepers_;
};

/// A guard condition. One that watches a graph is triggered by each change of it, which who waits for it looks at.
class GuardCondition {
 public:
  explicit GuardCondition(std::optional<tandem::Participant> graph = {});

  void trigger();
  bool is_triggered();
  bool take_trigger() { return is_triggered_.exchange(false); }
  bool watches_graph() const { return graph_.has_value(); }
  Sleepers & sleepers() { return sleepers_; }

  const std::uint64_t identity = new_identity();

 private:
  const std::optional<tandem::Participant> graph_;
  std::atomic<std::uint64_t> seen_;  ///< the graph's version when it was triggered last
  std::atomic<bool> is_triggered_{false};
  Sleepers sleepers_;
};

/// A subscription, and the incoming half of a service or a client. With a callback for new messages, the context's listener
/// fetches them, and they are kept here until they are asked for. Thread-safe.
class Inbox {
 public:
  /// \param has_deadline  that messages arrive is noticed before they are taken
  Inbox(std::shared_ptr<transport::Subscription> subscription, std::size_t depth, bool has_deadline)
      : subscription_(std::move(subscription)),
        depth_(depth),
        has_deadline_(has_deadline),
        is_kept_from_(has_deadline) {}

  /// Messages that it does not match are dropped. Null: all are wanted.
  void set_filter(std::shared_ptr<const tandem::ContentFilter> filter);

  bool has_data();
  transport::Sample take();
  /// Into an object of the type in Tandem's layout.
  bool take_into(const tandem::MessageType & type, void * message, transport::MessageInfo & info);

  transport::Subscription & subscription() { return *subscription_; }
  const std::shared_ptr<transport::Subscription> & shared() const { return subscription_; }
  Sleepers & sleepers() { return sleepers_; }

  /// With a deadline: fetches what is there.
  void note_arrivals();

  // For the listener.
  void begin_listening() {
    is_listened_to_ = true;
    is_kept_from_ = true;
  }
  void end_listening();
  bool is_listened_to() const { return is_listened_to_; }
  /// Takes what is there, of which the latest `depth` are kept. \return how much is kept that this never returned.
  std::size_t fetch();

  /// The wait set that shared() is attached to, by its identity.
  std::atomic<std::uint64_t> attached_to{0};
  const std::uint64_t identity = new_identity();

 private:
  const std::shared_ptr<transport::Subscription> subscription_;
  const std::size_t depth_;
  const bool has_deadline_;
  Sleepers sleepers_;
  /// The next wanted one from the transport. \pre mutex_
  transport::Sample take_wanted();
  /// \pre mutex_
  void keep(transport::Sample && sample);
  /// \pre mutex_
  void fetch_locked();

  std::atomic<bool> is_listened_to_{false};
  std::atomic<bool> is_kept_from_;  ///< something may have been fetched, or there is a filter
  std::mutex mutex_;
  std::shared_ptr<const tandem::ContentFilter> filter_;  ///< guarded by mutex_
  std::deque<transport::Sample> fetched_;                ///< guarded by mutex_
  std::size_t unreported_ = 0;                           ///< guarded by mutex_; of fetched_, the last so many
};

}  // namespace tandem_rmw
