// What an executor serves when there is data.
#ifndef RCLCPP__DETAIL__RECEIVER_HPP_
#define RCLCPP__DETAIL__RECEIVER_HPP_

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "rclcpp/macros.hpp"
#include "rclcpp/visibility_control.hpp"
#include "tandem/transport.hpp"

namespace tandem {
class ContentFilter;
}

namespace rclcpp {

class CallbackGroup;
class Context;

namespace detail {

class Intake;
class Listener;
class LocalQueue;
class Wakeup;

/// What a receiver is made of.
struct ReceiverParts {
  std::shared_ptr<tandem::transport::Subscription> transport;
  std::weak_ptr<CallbackGroup> group;
  std::shared_ptr<Context> context;
  const tandem::MessageType * type;  ///< of its messages
  std::string name;                  ///< for people: "subscription '/topic'"
  std::size_t depth;                 ///< of its history; 0: it keeps all
  bool drops_oldest;  ///< when its history is full; else its publisher waits or its middleware keeps them
  std::shared_ptr<LocalQueue> local = {};  ///< what is handed over within the process; null: nothing is
};

/// A subscription, a service (its requests) or a client (its replies). Thread-safe.
///
/// Most take from the transport, and executors and wait-sets wait for them there. Once one has a callback for new messages,
/// it is listened to: the context's Listener waits for it, and its messages wait in its Intake.
///
/// What is handed over within the process waits in a queue of its own, and is taken first.
class RCLCPP_PUBLIC Receiver {
 public:
  RCLCPP_DISABLE_COPY(Receiver)

  /// Tells the group's executor that it has gone.
  virtual ~Receiver();

  /// Where its messages come from; what a wait-set waits for, unless it is listened to.
  const std::shared_ptr<tandem::transport::Subscription> & transport() const { return transport_; }
  /// Takes the next message. \return false when there is none: another thread has taken it.
  virtual bool take_sample(tandem::transport::Sample & sample);
  /// Calls the user's callback with it.
  virtual void execute(tandem::transport::Sample & sample) = 0;
  bool has_data() const;

  /// Null for most.
  const std::shared_ptr<LocalQueue> & local() const { return local_; }
  /// Whether its messages wait in the Intake. From then on it stays so.
  bool is_listened() const;
  /// Who waits for it in a WaitSet, to be woken; null: nobody.
  void set_waiter(const std::shared_ptr<Wakeup> & waiter);
  /// An executor had attached its transport to a wait-set of its own: gives it back.
  void listen_again();

  /// Sets or, by null, takes away the callback for new messages. It is called with their number, at first with that of
  /// those that are there already, by the thread that sets it or by that of the Listener; what it throws is logged.
  /// After shutdown, when nothing new comes, it has no effect. Messages that are handed over are told by the thread that
  /// publishes.
  void set_on_new(std::function<void(size_t)> callback);
  // The same for one of the two ways alone.
  void set_on_new_from_transport(std::function<void(size_t)> callback);
  void set_on_new_from_local(std::function<void(size_t)> callback);
  /// As set_on_new_from_transport(). `what` is new, such as "message". \throws std::invalid_argument when the callback is null.
  void set_on_new_or_refuse(const char * what, std::function<void(size_t)> callback);
  /// Messages in the Intake, and those that were handed over.
  size_t queued() const;

  /// Whether a WaitSet has it. \return the state before.
  bool exchange_in_use_by_wait_set_state(bool in_use_state) { return in_use_.exchange(in_use_state); }

 protected:
  explicit Receiver(ReceiverParts && parts);

  /// From now on only messages that it matches are taken; null: all.
  void set_filter(std::shared_ptr<const tandem::ContentFilter> filter);
  bool is_filtered() const { return is_filtered_.load(std::memory_order_relaxed); }
  const tandem::MessageType & type() const { return *type_; }
  /// Takes the next message into an object of its type. \return false when there is none.
  bool take_message(void * message, tandem::transport::MessageInfo & info);

 private:
  bool take_from_transport(tandem::transport::Sample & sample);
  bool take_from_local(tandem::transport::Sample & sample);
  bool is_wanted(const void * message, const tandem::transport::MessageInfo & info) const;
  bool passes(const void * message) const;
  std::shared_ptr<Intake> listen();
  void wake_waiters();

  const std::shared_ptr<tandem::transport::Subscription> transport_;
  const std::weak_ptr<CallbackGroup> group_;
  const std::shared_ptr<Context> context_;
  const tandem::MessageType * const type_;
  const std::string name_;
  const std::size_t depth_;
  const bool drops_oldest_;
  const std::shared_ptr<LocalQueue> local_;
  std::atomic<Intake *> intake_{nullptr};  // null for most, for ever
  std::atomic<bool> is_filtered_{false};
  std::atomic<bool> in_use_{false};
  mutable std::mutex mutex_;  // guards what follows
  std::shared_ptr<const tandem::ContentFilter> filter_;
  std::shared_ptr<Intake> intake_owner_;
  std::shared_ptr<Listener> listener_;
  std::weak_ptr<Wakeup> waiter_;
};

}  // namespace detail
}  // namespace rclcpp

#endif  // RCLCPP__DETAIL__RECEIVER_HPP_
