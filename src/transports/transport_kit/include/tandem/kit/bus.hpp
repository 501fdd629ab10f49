// A Bus: a middleware that finds and matches its endpoints itself. make_context() makes a transport's context of it.
// A middleware that only moves bytes implements a Wire (wire.hpp) instead; the kit makes a Bus of that.
//
// All functions are thread-safe. Objects may end in any order: readers and writers keep what they need of their bus.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "tandem/kit/bell.hpp"
#include "tandem/kit/chunk.hpp"
#include "tandem/kit/request_header.hpp"
#include "tandem/transport.hpp"

namespace tandem::transport {

/// How the bytes of a chunk are a message.
enum class Encoding : std::uint8_t {
  kMemory,  ///< of a type of fixed size: the message itself
  kCdr      ///< with its 4 bytes of encapsulation
};

/// What a middleware lends to a user who fills a message of fixed size.
enum class Loans : std::uint8_t {
  kNone,   ///< nothing: the kit lends ordinary memory, which publish() copies
  kSent,   ///< memory that is sent as it is
  kShared  ///< memory that subscribers of this host see
};

/// The publishing end.
class Writer {
 public:
  virtual ~Writer() = default;
  virtual Loans loans() const { return Loans::kNone; }
  /// Memory for a message that is copied or serialized into it; null when there is none now. Never waits.
  virtual std::unique_ptr<Chunk> allocate(std::size_t size) = 0;
  /// The same for a user, according to loans().
  virtual std::unique_ptr<Chunk> lend(std::size_t size) { return allocate(size); }
  /// Sends a chunk of allocate() or lend(). `id` is null on a topic, and complete on a service's channels, but that with
  /// RequestHeader::kNative the writer chooses a request's sequence. Errors: std::bad_alloc, which means kNoMemory.
  virtual PublishResult write(std::unique_ptr<Chunk> chunk, RequestId * id) = 0;
  /// Copies or serializes a message that the user keeps, and sends it: for a middleware that has memory for a message only
  /// while it sends. std::nullopt makes the kit use allocate() and write(chunk).
  virtual std::optional<PublishResult> write(const MessageType &, const void * /*message*/, RequestId * /*id*/) {
    return std::nullopt;
  }
  virtual std::size_t matched() const = 0;
  /// A negative timeout waits without end. \return false when the time is over.
  virtual bool wait_for_all_acked(std::chrono::nanoseconds timeout) = 0;
  virtual Gid gid() const = 0;
  // Of Feature::kEvents and kLiveliness. Deadlines are watched above it.
  virtual Status status() const { return {}; }
  /// As Publisher's.
  virtual void set_status_listener(std::function<void()>) {}
  virtual void assert_liveliness() {}
  /// As TopicOptions::Origin has it. Set before the first write.
  void set_source_timestamp(std::function<std::int64_t()> source_timestamp) {
    source_timestamp_ = std::move(source_timestamp);
  }

 protected:
  /// For a write on a topic: the time that its message is to bear; 0: the present.
  std::int64_t source_timestamp() const { return source_timestamp_ ? source_timestamp_() : 0; }

 private:
  std::function<std::int64_t()> source_timestamp_;
};

/// A received message.
struct Arrival {
  std::unique_ptr<Chunk> chunk;
  std::int64_t stamp = 0;      ///< ns since the epoch, when it was written
  std::uint64_t sequence = 0;  ///< of its writer, from 0
  Gid writer{};
  RequestId request;                              ///< with RequestHeader::kNative
  std::chrono::nanoseconds lifespan = kInfinite;  ///< its writer's, for a reader that may hand out older messages
};

/// The subscribing end.
class Reader {
 public:
  virtual ~Reader() = default;
  /// The next message. \return false: there is none.
  virtual bool take(Arrival & arrival) = 0;
  virtual bool has_data() const = 0;
  virtual std::size_t matched() const = 0;
  virtual std::uint64_t lost() const = 0;
  virtual Gid gid() const = 0;
  // As Writer's.
  virtual Status status() const { return {}; }
  virtual void set_status_listener(std::function<void()>) {}
  /// Sets the waiter that the user waits with, one of the bus's or another; null when nobody waits.
  virtual void wait_with(Waiter *) noexcept {}
};

/// One participant. Functions that throw throw Error.
class Bus {
 public:
  virtual ~Bus() = default;
  virtual const char * name() const = 0;  ///< of the transport, for log lines and errors
  /// How a topic's messages of a type are encoded. Both ends ask, and must get the same answer.
  virtual Encoding encoding_of(const MessageType & type) const {
    return type.is_fixed_size ? Encoding::kMemory : Encoding::kCdr;
  }
  /// Of a service's messages, which are CDR. Both ends have the same.
  virtual RequestHeader request_header() const { return RequestHeader::kWhole; }
  virtual void add_node(const NodeName & node) = 0;
  virtual void remove_node(const NodeName & node) = 0;
  /// `endpoint` is complete but for its gid. On a service's channels `type` is not of fixed size.
  virtual std::shared_ptr<Writer> create_writer(const MessageType & type, const EndpointInfo & endpoint) = 0;
  /// `on_data` is called after has_data() has become true, until the reader's destructor returns.
  virtual std::shared_ptr<Reader> create_reader(const MessageType & type, const EndpointInfo & endpoint,
                                                bool ignore_local, std::function<void()> on_data) = 0;
  virtual GraphSnapshot graph() const = 0;
  virtual WaiterLease lease_waiter() { return lease_bell(); }
  /// Whether its waiters are rung for its own readers only.
  virtual bool waits_for_its_own() const { return false; }
  virtual bool is_own(const Gid & endpoint) const = 0;  ///< of this participant
  /// Whether this is a child of fork(), which must not touch its parent's bus.
  virtual bool is_foreign() const { return false; }
};

std::shared_ptr<Context> make_context(std::shared_ptr<Bus> bus);

}  // namespace tandem::transport
