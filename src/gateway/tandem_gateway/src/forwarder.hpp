// Moves messages of all topics in one direction, in one thread.
//
//   publisher A ─┐                    ┌─► proxy of A
//   publisher B ─┼─► subscription ────┼─► proxy of B
//   (one side)       of the gateway   (other side)
//
// Each publisher of the one side has a proxy, an output, on the other; each message goes to that of its publisher
// (MessageInfo::publisher). The thread never waits for a reader: an output that cannot publish now keeps what it has and
// is tried again, while the other topics go on. When it keeps as much as it may, the oldest message goes, unless its
// publisher keeps all: then its topic is taken from no more, so that in the end that publisher waits, as its QoS says.
#pragma once

#include <atomic>
#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "grade.hpp"
#include "message.hpp"
#include "plan.hpp"

namespace tandem::gateway {

using Clock = std::chrono::steady_clock;

/// Messages carried in one direction of a topic, or of all.
struct Counts {
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;   ///< of their CDR
  std::uint64_t lost = 0;    ///< taken too late, or given up here
  std::uint64_t copied = 0;  ///< by a publisher of this host, instead of being handed over
};

/// The proxy of one publisher.
struct Output {
  std::shared_ptr<transport::Publisher> publisher;  ///< null: not made yet
  transport::Qos qos;
  transport::Qos source_qos;
  transport::NodeName node;
  std::optional<Grade> grade;  ///< of the subscription whose messages count
  std::size_t readers = 0;     ///< that it is going to have
  bool is_open = false;        ///< it has had them, or has waited long enough for them
  Clock::time_point made = Clock::now();
  Clock::time_point not_before{};         ///< it opens
  std::optional<Clock::time_point> gone;  ///< when its source was missed first

  std::deque<Item> queue;
  std::size_t queued_bytes = 0;
  std::int64_t last_stamp = 0;
  /// After a change of `grade`: what is not newer was carried before.
  std::int64_t carried = 0;
  Clock::time_point carried_until{};

  /// The messages of this subscription count from now on.
  void take_from(Grade from);
  /// A new subscription may bring history that was carried before.
  void expect_duplicates();
};

/// A subscription of the gateway.
struct Input {
  std::shared_ptr<transport::Subscription> subscription;
  transport::Qos qos;
  transport::NodeName node;
  std::size_t writers = 0;  ///< that it is going to have
  Clock::time_point made = Clock::now();
  std::optional<Clock::time_point> gone;
  bool is_attached = false;
  std::unique_ptr<Input> successor;  ///< takes over once it is matched with its publishers
};

struct Topic {
  const MessageType * type = nullptr;
  std::map<transport::Gid, Output> outputs;
  std::map<Grade, Input> inputs;
  Counts counts;            ///< without what inputs and outputs count themselves
  Counts past;              ///< of inputs and outputs that are gone
  OwnedMessage spare;       ///< to be read into next
  bool is_stalled = false;  ///< nothing is taken: an output that keeps all is full, or memory is short
};

/// Counts of a topic so far.
Counts total(const Topic & topic, Direction direction);

class Forwarder {
 public:
  /// `on_unknown_publisher` is called, from the thread, when a message of a publisher without an output has come.
  Forwarder(Direction direction, std::shared_ptr<transport::WaitSet> wait_set,
            std::function<void()> on_unknown_publisher);
  ~Forwarder();
  Forwarder(const Forwarder &) = delete;
  Forwarder & operator=(const Forwarder &) = delete;

  Direction direction() const { return direction_; }
  /// Guards topics(). Hold it briefly: messages wait.
  std::mutex & mutex() { return mutex_; }
  std::map<std::string, Topic> & topics() { return topics_; }
  /// After changes: look again.
  void wake();

 private:
  void run();
  bool pass();
  bool serve(Topic & topic);
  bool drain(Topic & topic, Grade grade, Input & input);
  bool take(Topic & topic, Input & input, Item & item);
  bool route(Topic & topic, Item item);
  void flush(Topic & topic, Output & output);
  bool publish(Topic & topic, Output & output, Item & item);
  void enqueue(Topic & topic, Output & output, Item item);
  void drop_unknown_publishers(Topic & topic);
  void attach(Input & input, bool wanted);

  const Direction direction_;
  const std::shared_ptr<transport::WaitSet> wait_set_;
  const std::function<void()> on_unknown_publisher_;
  std::mutex mutex_;
  std::map<std::string, Topic> topics_;
  bool is_waiting_ = false;  ///< some output has something to publish
  std::atomic<bool> stopping_ = false;
  std::thread thread_;
};

}  // namespace tandem::gateway
