// What all executors share: choosing the next callback, and waiting until there is one.
// A receiver is a subscription, a service or a client.
//
//   collect()    nodes, groups -> entries (receivers, timers, waitables); only after something was added or removed
//   next()       chooses a due timer, a ready waitable or a receiver with data, in turns; marks its group as busy
//   execute()    takes the message and runs the callback without any lock, then marks the group as free
//   wait_next()  one thread at a time waits in the wait-set for all; the others queue for wait_mutex_
//
// Order. Timers, waitables and receivers take turns, and so do receivers among themselves. Of those that are ready,
// subscriptions go before services and clients.
//
// Busy groups. A mutually exclusive group is busy while one of its callbacks runs. Its receivers are then detached
// from the wait-set; otherwise their data would end every wait at once. release() attaches them again. If the wait-set
// names those that have data (names_ready()), one is detached when it is named while its group is busy. If
// not, all receivers of busy groups are detached before each wait.
//
// Timers. A heap orders them by due time. A timer that is due while its group is busy is parked until the group is
// free. One that follows simulated time is left out until it is due: it tells.
//
// Waitables. Each look asks all those whose groups are free, in ask_waitables(), since only they know whether they are
// ready. What is ready stays so until it is chosen. Their guard conditions wake the executor.
//
// Cost. Idle timers cost nothing. Idle receivers cost nothing if the wait-set names those that have data; otherwise
// each look asks all of them. A receiver with a callback for new messages is not in the wait-set: the context's Listener
// waits for it and wakes the executor, and each look asks it. So it asks the queues of messages that are handed over within the
// process, by one load each.
//
// Locks. No user code runs under a lock, but waitables are asked under waitables_mutex_, which next() alone takes. A
// lock's holder may own the last reference to a user's object, whose destructor is user code too, so such references go
// to Executable::garbage and are dropped after the lock is released.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "rclcpp/callback_group.hpp"
#include "rclcpp/context.hpp"
#include "rclcpp/detail/receiver.hpp"
#include "rclcpp/node_interfaces/node_base_interface.hpp"
#include "rclcpp/timer.hpp"
#include "rclcpp/waitable.hpp"
#include "waiting/local_queue.hpp"
#include "waiting/wakeup.hpp"

namespace rclcpp::detail {

/// One callback that is ready, of a timer, a waitable or a receiver. A thread reuses it for one callback after
/// another.
struct Executable {
  std::shared_ptr<TimerBase> timer;
  std::shared_ptr<Waitable> waitable;
  std::shared_ptr<void> data;  ///< of the timer's call, or the waitable's
  std::shared_ptr<Receiver> receiver;
  tandem::transport::Sample sample;      ///< the message that execute() has taken
  std::shared_ptr<CallbackGroup> group;  ///< busy with it if it is mutually exclusive
  std::vector<std::shared_ptr<void>> garbage;

  void clear();
};

/// Thread-safe.
class ExecutorCore {
 public:
  using NodeBase = node_interfaces::NodeBaseInterface;

  explicit ExecutorCore(Context::SharedPtr context);
  ~ExecutorCore();

  // Adding throws std::runtime_error for what is in an executor already, removing for what is not in this one.
  void add_node(const NodeBase::SharedPtr & node);
  void remove_node(const NodeBase::SharedPtr & node);
  void add_group(const CallbackGroup::SharedPtr & group, const NodeBase::SharedPtr & node);
  void remove_group(const CallbackGroup::SharedPtr & group);
  std::vector<CallbackGroup::WeakPtr> groups();
  std::vector<CallbackGroup::WeakPtr> own_groups();
  std::vector<CallbackGroup::WeakPtr> node_groups();
  /// Of a group that is served here, else null.
  NodeBase::SharedPtr node_of(const CallbackGroup::SharedPtr & group);

  /// \param round chooses only what has not run in this round yet; 0: chooses from all.
  /// \return false when nothing is ready.
  bool next(Executable & out, std::uint64_t round = 0);
  /// Like next(), but waits for at most `timeout` (negative: without end), as long as `keep_waiting()` returns true.
  bool wait_next(Executable & out, std::chrono::nanoseconds timeout, const std::function<bool()> & keep_waiting);
  /// Runs what next() or wait_next() has chosen. Passes on what the callback throws.
  void execute(Executable & executable);
  /// The group's callback, chosen by next(), has run, or will not. Null: nothing is to be done.
  void release(const std::shared_ptr<CallbackGroup> & group);

  /// Ends the present or the next wait.
  void cancel() {
    cancelled_ = true;
    wakeup_->wake();
  }
  /// Whether cancel() was called since the last call. For who waits with no state of its own to tell.
  bool take_cancelled() { return cancelled_.exchange(false); }

  /// For executors that choose for themselves: everything that is to be served. What changes from now on is told.
  struct Entities {
    std::vector<std::shared_ptr<Receiver>> receivers;
    std::vector<std::shared_ptr<TimerBase>> timers;
    std::vector<std::shared_ptr<Waitable>> waitables;
  };
  Entities entities();

  std::uint64_t begin_round();
  const std::shared_ptr<Wakeup> & wakeup() const { return wakeup_; }

 private:
  struct ReceiverEntry {
    std::weak_ptr<Receiver> member;
    std::weak_ptr<tandem::transport::Subscription> transport;
    std::shared_ptr<CallbackGroup> group;
    std::shared_ptr<LocalQueue> local = {};  // null for most
    std::uint64_t round = 0;
    bool is_subscription = false;
    bool has_let_pass = false;  // since it was chosen last
    bool attached = false;
    bool listened = false;  // Receiver::is_listened(): never attached, but asked in each look
  };
  struct TimerEntry {
    std::weak_ptr<TimerBase> member;
    std::shared_ptr<CallbackGroup> group;
    std::uint64_t round = 0;
  };
  struct WaitableEntry {
    std::weak_ptr<Waitable> member;
    std::shared_ptr<CallbackGroup> group;
    std::uint64_t round = 0;
    bool ready = false;
  };
  struct DueTimer {
    std::int64_t due;  // ns of the steady clock; the timer may have been reset or cancelled since
    std::size_t timer;
    bool operator<(const DueTimer & other) const { return due > other.due; }
  };

  bool look(Executable & out, std::uint64_t round);                  // as next(), but leaves the garbage
  bool make_wait_set();                                              // under wait_mutex_
  void ask_waitables(std::vector<std::shared_ptr<void>> & garbage);  // under waitables_mutex_

  // All under state_mutex_.
  void collect(std::vector<std::shared_ptr<void>> & garbage);
  std::vector<CallbackGroup::SharedPtr> collect_groups();
  bool next_of_any(Executable & out, std::uint64_t round);
  bool next_timer(Executable & out, std::uint64_t round);
  bool next_waitable(Executable & out, std::uint64_t round);
  bool next_receiver(Executable & out, std::uint64_t round);
  bool next_named(Executable & out, std::uint64_t round);
  bool next_asked(Executable & out, std::uint64_t round);
  static bool lets_others_pass(ReceiverEntry & entry);
  static bool has_data(const ReceiverEntry & entry, std::vector<std::shared_ptr<void>> & garbage);
  bool choose(ReceiverEntry & entry, Executable & out, std::uint64_t round);
  void hold(Executable & out, const std::shared_ptr<CallbackGroup> & group);
  void attach_ready_groups();
  void park(ReceiverEntry & entry);
  void unpark();
  void arrange_timers(std::vector<std::shared_ptr<void>> & garbage);
  void push_timer(std::size_t timer, std::int64_t due);
  std::size_t pop_timer();
  std::int64_t earliest() const;
  static bool is_free(const std::shared_ptr<CallbackGroup> & group) { return group->can_be_taken_from().load(); }

  const Context::SharedPtr context_;
  std::atomic<bool> cancelled_{false};
  const std::shared_ptr<Wakeup> wakeup_ = std::make_shared<Wakeup>();

  std::mutex wait_mutex_;       // held by the thread that waits; taken before state_mutex_
  std::mutex waitables_mutex_;  // held while waitables are asked; taken after wait_mutex_, before state_mutex_
  std::mutex state_mutex_;
  std::vector<std::weak_ptr<NodeBase>> nodes_;
  std::vector<CallbackGroup::WeakPtr> own_groups_;    // added one by one
  std::vector<std::weak_ptr<NodeBase>> group_nodes_;  // whose groups were added one by one
  std::vector<CallbackGroup::WeakPtr> node_groups_;   // of nodes_, as last collected
  std::vector<ReceiverEntry> receivers_;
  std::vector<TimerEntry> timers_;
  std::vector<WaitableEntry> waitables_;
  std::unordered_map<const tandem::transport::Subscription *, std::size_t> by_transport_;  // of receivers_
  std::vector<DueTimer> heap_;                                                             // the next one first
  std::vector<std::size_t> parked_timers_;                                                 // due, their groups busy
  std::vector<std::size_t> parked_;                       // receivers that were named, their groups busy
  std::shared_ptr<tandem::transport::WaitSet> wait_set_;  // made at the first wait; written under both
  std::size_t cursor_ = 0;                                // receivers take turns
  std::size_t waitable_cursor_ = 0;
  std::size_t turn_ = 0;         // the kind that is looked at first
  bool timers_pending_ = false;  // the heap has to be built again
  std::size_t busy_groups_ = 0;
  bool names_ready_ = false;     // wait_set_->names_ready()
  bool attach_pending_ = false;  // some receiver may not be attached although its group is free
  bool any_asked_ = false;       // some receiver is listened to, or gets messages that are handed over
  bool named_first_ = false;     // those and the named ones take turns
  bool blocked_ = false;         // some receiver was left out of the wait because its group was busy
  bool left_out_ = false;        // some waitable was left out because its group was busy
  std::int64_t waitables_due_ = std::numeric_limits<std::int64_t>::max();  // when they want to be asked again
  std::uint64_t last_round_ = 0;
};

}  // namespace rclcpp::detail
