// Subscriptions to the topics that somebody looks at: one for each topic, however many look.
//
// A reader disturbs no publisher, see tandem/tools/watching.hpp. It is looked at by poll(), every few milliseconds.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "connection/outbox.hpp"
#include "tandem/transport.hpp"
#include "world/catalogue.hpp"
#include "world/timing.hpp"

namespace tandem::view {

/// A message on its way to those who look at its topic. Valid during the call that gets it.
class Delivery {
 public:
  Delivery(const transport::Sample & sample, const MessageType & type, std::int64_t time)
      : sample_(sample), type_(type), time_(time) {}
  const void * message() const { return sample_.message; }
  const MessageType & type() const { return type_; }
  /// ns since the epoch, when it was published.
  std::int64_t time() const { return time_; }
  /// The message in CDR, made once for all.
  const std::shared_ptr<const Bytes> & cdr();

 private:
  const transport::Sample & sample_;
  const MessageType & type_;
  const std::int64_t time_;
  std::shared_ptr<const Bytes> cdr_;
};

using Consumer = std::function<void(Delivery &)>;

/// Who looks; the subscription ends with the last of a topic.
using Look = std::shared_ptr<void>;

/// What passed on a topic while somebody looked.
struct Flow {
  double messages = 0;     ///< a second
  double bytes = 0;        ///< a second, in CDR
  std::uint64_t lost = 0;  ///< overwritten before this program took them
};

class Reader;

/// Not thread-safe.
class Readers {
 public:
  Readers(transport::Context & context, transport::NodeName node, bool is_shared_memory)
      : context_(context), node_(std::move(node)), is_shared_memory_(is_shared_memory) {}
  ~Readers();
  Readers(const Readers &) = delete;
  Readers & operator=(const Readers &) = delete;

  /// \throws tandem::tools::Error if messages of the channel cannot be read here, transport::Error if it cannot be
  /// subscribed to. A new consumer of a latched topic gets what its publishers have kept.
  Look look(const Channel & channel, Consumer consumer);
  /// Takes all that has come, and hands it on.
  void poll();
  bool is_idle() const { return readers_.empty(); }
  /// Null if nobody looks at the channel.
  Timing * timing(std::uint32_t channel);
  const Flow * flow(std::uint32_t channel);
  /// Hands the message that was taken last to `consumer`, if it is still there.
  void show_newest(std::uint32_t channel, const Consumer & consumer);
  /// Call it once a second: what passed since the last call.
  void measure(double seconds);

 private:
  std::shared_ptr<Reader> find(std::uint32_t channel) const;

  transport::Context & context_;
  const transport::NodeName node_;
  const bool is_shared_memory_;
  std::map<std::uint32_t, std::weak_ptr<Reader>> readers_;  // by channel
};

}  // namespace tandem::view
