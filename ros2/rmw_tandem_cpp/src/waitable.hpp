// What wait sets wait for: data, events, and guard conditions.
#pragma once

#include <rmw/event_callback_type.h>

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "tandem/content_filter.hpp"
#include "tandem/participant.hpp"
#include "tandem/transport.hpp"

namespace tandem_rmw {

namespace transport = tandem::transport;

/// Never 0, never the same again.
std::uint64_t new_identity();

/// Grows whenever something in a wait set's list ends, is attached elsewhere, or is asked from now on. While it does not, and
/// the list is the same as before, all of it is as it was.
extern std::atomic<std::uint64_t> list_changes;

/// What has come that is no message of an attached subscription.
enum News : unsigned { kTriggers = 1, kEventNews = 2, kGraphChange = 4, kListChange = 8 };

/// A wait set, as those see it that wake it. Thread-safe.
class Sleeper {
 public:
  explicit Sleeper(std::shared_ptr<transport::WaitSet> wait_set) : wait_set_(std::move(wait_set)) {}

  void wake(News news) {
    const bool was_woken = (news_.fetch_or(news) & news) != 0;  // and has not looked since
    if (!was_woken) wait_set_->wake();
  }
  /// Looks at all of it before it sleeps.
  void keep_news(unsigned news) { news_ |= news; }
  /// What wake() and keep_news() have told since this was asked. It is seen afterwards.
  unsigned take_news() { return news_.load(std::memory_order_relaxed) != 0 ? news_.exchange(0) : 0; }

 private:
  const std::shared_ptr<transport::WaitSet> wait_set_;
  std::atomic<unsigned> news_{0};  ///< seq_cst, as what it tells of: one of the two sides sees the other
};

/// Who is to be woken. Thread-safe.
class Sleepers {
 public:
  void add(const std::shared_ptr<Sleeper> & sleeper);
  void wake(News news);

 private:
  std::mutex mutex_;
  std::vector<std::weak_ptr<Sleeper>> sleepers_;
};

/// Changes of a context's graph, and the wait sets that wait for one. Thread-safe.
class GraphWatch {
 public:
  explicit GraphWatch(tandem::Participant participant) : participant_(std::move(participant)) {}

  std::uint64_t version() const { return participant_.graph_version(); }
  /// The wait set is woken by each change from now on.
  void add(const std::shared_ptr<Sleeper> & sleeper);

 private:
  const tandem::Participant participant_;
  const std::shared_ptr<Sleepers> sleepers_ = std::make_shared<Sleepers>();
  std::once_flag once_;
  std::shared_ptr<tandem::Notifier> watcher_;  ///< from the first sleeper on
};

/// A guard condition. One that watches a graph is triggered by each change of it, which who waits for it looks at.
class GuardCondition {
 public:
  explicit GuardCondition(GraphWatch * graph = nullptr);
  ~GuardCondition() { ++list_changes; }
  GuardCondition(const GuardCondition &) = delete;
  GuardCondition & operator=(const GuardCondition &) = delete;

  void trigger();
  /// Notes whether the graph has changed.
  void look_at_graph();
  bool take_trigger() { return is_triggered_ && is_triggered_.exchange(false); }
  GraphWatch * graph() const { return graph_; }
  Sleepers & sleepers() { return sleepers_; }

  const std::uint64_t identity = new_identity();

 private:
  GraphWatch * const graph_;
  std::atomic<std::uint64_t> seen_;  ///< the graph's version when it was triggered last
  std::atomic<bool> is_triggered_{false};
  Sleepers sleepers_;
};

/// What rmw_subscription_set_content_filter() has set.
struct Filter {
  std::string expression;
  std::vector<std::string> parameters;
  tandem::ContentFilter compiled;
};

/// A subscription, and the incoming half of a service or a client. With a callback for new messages, the context's listener
/// fetches them, and they are kept here until they are asked for. Thread-safe.
class Inbox {
 public:
  struct Options {
    std::size_t depth;  ///< messages kept here, at most
    bool keeps_all;     ///< further ones stay where they are; else they take the place of the oldest
    bool has_deadline;  ///< that messages arrive is noticed before they are taken
  };
  Inbox(std::shared_ptr<transport::Subscription> subscription, const Options & options)
      : subscription_(std::move(subscription)), options_(options), is_kept_from_(options.has_deadline) {}
  ~Inbox() { ++list_changes; }
  Inbox(const Inbox &) = delete;
  Inbox & operator=(const Inbox &) = delete;

  /// Messages that it does not match are dropped, also of those that were fetched before. Null: all are wanted.
  void set_filter(std::shared_ptr<const Filter> filter);
  std::shared_ptr<const Filter> filter();

  bool has_data();
  transport::Sample take();
  /// Into an object of the type in Tandem's layout.
  bool take_into(const tandem::MessageType & type, void * message, transport::MessageInfo & info);
  /// With a deadline: fetches what is there, and wakes who waits for it.
  void note_arrivals() noexcept;

  Sleepers & sleepers() { return sleepers_; }
  /// Messages wake this wait set, and no other, unless the listener fetches them. \param identity  the wait set's
  void attach_to(transport::WaitSet & wait_set, std::uint64_t identity);
  /// Unless it is attached elsewhere meanwhile.
  void detach_from(transport::WaitSet & wait_set, std::uint64_t identity);
  /// Whether has_data() is to be asked: the transport's wait set does not name all that has something.
  bool is_asked() const { return is_kept_from_; }
  /// By which the transport's wait set names it.
  const transport::Subscription * name() const { return subscription_.get(); }

  /// Null: none any more; then none is being called when this returns, unless by this thread. A callback is told at once of
  /// what is there already and was told to none before. \param listener  whose thread calls tell() when it is woken
  void set_callback(rmw_event_callback_t callback, const void * user_data,
                    const std::shared_ptr<transport::WaitSet> & listener);
  /// Fetches what is there, and tells the callback how much is kept that none was told of. \throws std::bad_alloc: some of
  /// it was not fetched.
  void tell();
  /// Held while a callback is called; taken before all other locks.
  const std::shared_ptr<std::recursive_mutex> & calling() const { return calling_; }

  const std::uint64_t identity = new_identity();

 private:
  // All with mutex_.
  /// The next wanted one from the transport.
  transport::Sample take_wanted();
  void keep(transport::Sample && sample);
  /// Takes what is there, as far as it can be kept. \return whether there was anything.
  bool fetch();
  /// After messages were taken from here.
  void fetch_more();

  const std::shared_ptr<transport::Subscription> subscription_;
  const Options options_;
  Sleepers sleepers_;

  const std::shared_ptr<std::recursive_mutex> calling_ = std::make_shared<std::recursive_mutex>();
  rmw_event_callback_t callback_ = nullptr;  // guarded by calling_, as user_data_
  const void * user_data_ = nullptr;

  std::atomic<bool> is_kept_from_;                ///< something may have been fetched, or there is a filter
  std::atomic<std::uint64_t> attached_to_{0};     ///< the wait set, by its identity; written with mutex_
  std::mutex mutex_;                              // guards what follows
  std::shared_ptr<transport::WaitSet> listener_;  ///< that the subscription is attached to; null without a callback
  std::shared_ptr<const Filter> filter_;
  std::deque<transport::Sample> fetched_;
  std::size_t unreported_ = 0;  ///< of fetched_, the last so many
  bool is_full_ = false;  ///< what is there is not fetched, nor looked for by the listener, until something is taken
};

}  // namespace tandem_rmw
