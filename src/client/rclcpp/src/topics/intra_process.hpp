// Handing messages over within a context, as the pointers that they are.
//
//   IntraProcess   one per context: the subscriptions and publishers with the setting; matches them when one comes or goes
//   LocalWriter    a publisher's side: to whom its messages are handed over, and the handing over
//   LocalQueue     a subscription's side (local_queue.hpp)
//
// A pair is handed over if both have the setting, of one topic and type, and compatible QoS, and if nothing in their QoS needs
// the middleware: no history for late joiners, no lifespan, no deadline, no manual liveliness (is_plain()). All others go by
// the middleware, which needs no copy either.
//
// Both ends exist in the middleware too, and match there. A publisher publishes there only while others listen
// (has_others()). Its readers here then get the message a second time, and ignore it by its publisher's GID.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "rclcpp/detail/intra_process_taker.hpp"
#include "rclcpp/qos.hpp"
#include "tandem/transport.hpp"
#include "waiting/local_queue.hpp"

namespace rclcpp::detail {

class LocalWriter;

/// Thread-safe.
class IntraProcess : public std::enable_shared_from_this<IntraProcess> {
 public:
  struct Reader {
    std::string topic;
    QoS qos{10};
    const tandem::MessageType * type;
    std::shared_ptr<LocalQueue> queue;  ///< null: it gets nothing here, and is only counted
    tandem::transport::Gid gid{};
  };
  using Readers = std::vector<std::shared_ptr<const Reader>>;

  struct WriterOptions {
    std::string topic;
    QoS qos{10};
    const tandem::MessageType * type;
    std::shared_ptr<tandem::transport::Context> context;
    std::shared_ptr<tandem::transport::Publisher> transport;
  };

  /// Whether QoS asks for nothing that only the middleware does.
  static bool is_plain(const QoS & qos);

  /// Counted, and handed to, for as long as the pointer that is returned lives.
  std::shared_ptr<const void> add(Reader reader);
  std::shared_ptr<LocalWriter> add(const WriterOptions & options);

  /// Subscriptions with the setting that a publisher of this QoS can reach.
  std::size_t count(const std::string & topic, const QoS & qos) const;

 private:
  void remove(const std::shared_ptr<const Reader> & reader);
  void match(LocalWriter & writer);  // under mutex_
  void match_topic(const std::string & topic);

  mutable std::mutex mutex_;
  std::vector<std::shared_ptr<const Reader>> readers_;
  std::vector<std::weak_ptr<LocalWriter>> writers_;
};

/// A publisher's side. Thread-safe. Messages of one thread keep their order.
class LocalWriter {
 public:
  using Reader = IntraProcess::Reader;
  using Readers = IntraProcess::Readers;

  explicit LocalWriter(const IntraProcess::WriterOptions & options)
      : options_(options), gid_(options.transport->gid()) {}

  /// Who gets messages here; null: nobody. Costs one look at a flag then.
  std::shared_ptr<const Readers> readers() const;
  // They hand a message over to the readers and publish it by the middleware for others, if there are any. Of those who
  // own, all but the last get copies; the others share one object.
  tandem::transport::PublishResult publish(const Readers & readers, const void * message);
  tandem::transport::PublishResult publish(const Readers & readers, tandem::OwnedMessage message);
  /// Its readers share the loan's memory, unless they keep many loans already or there are others. \pre it is not empty
  tandem::transport::PublishResult publish(const Readers & readers, tandem::Loan && loan);
  /// Those who do not take its type get a message.
  tandem::transport::PublishResult publish(const Readers & readers, OwnedCustom custom, const CustomType & type);

  /// Whether the subscription takes objects of the type as they are.
  static bool takes(const Reader & reader, const CustomType & type);

  /// Messages that were copied for more than one reader.
  std::uint64_t copied() const { return copied_.load(std::memory_order_relaxed); }

 private:
  friend class IntraProcess;
  using Clock = std::chrono::steady_clock;

  const tandem::MessageType & type() const { return *options_.type; }
  void set_readers(Readers && readers);
  bool has_others(const Readers & readers) const;
  bool has_foreign_readers(const Readers & readers) const;
  tandem::transport::PublishResult publish_to(const Readers & readers, tandem::OwnedMessage message, bool others);
  tandem::transport::MessageInfo next_info();
  tandem::OwnedMessage copy(const void * message);
  void share(const Readers & readers, tandem::transport::Sample && sample);
  template <class Owned, class Copy>
  void hand_over(const Readers & readers, Owned object, Copy copy);
  bool hand_over_loan(const Readers & readers, tandem::Loan & loan);

  const IntraProcess::WriterOptions options_;
  const tandem::transport::Gid gid_;
  std::atomic<std::uint64_t> sequence_{0};
  std::atomic<std::uint64_t> copied_{0};
  const std::shared_ptr<std::atomic<int>> kept_loans_ = std::make_shared<std::atomic<int>>(0);
  std::atomic<bool> has_readers_{false};
  mutable std::atomic<bool> is_settled_{true};  // all readers have matched in the middleware
  mutable std::mutex mutex_;                    // guards what follows
  std::shared_ptr<const Readers> readers_;
  Clock::time_point settles_at_;
};

}  // namespace rclcpp::detail
