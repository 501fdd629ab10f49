// The one interface between the client library and a middleware. A plug-in library implements it (see plugin.hpp).
//
// Rules for every implementation:
//  * Everything is thread-safe except where a class says otherwise. Objects are destroyed in any order: each keeps what it needs.
//  * Names are fully qualified ("/a/b"); remapping is done above.
//  * Set-up errors throw Error with a sentence for people. Hot-path calls return values.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tandem/loan.hpp"
#include "tandem/message_type.hpp"
#include "tandem/owned_message.hpp"
#include "tandem/status.hpp"
#include "tandem/types.hpp"

namespace tandem::transport {

/// A set-up call failed; what() says what happened, to which topic, and what to do.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

using tandem::Durability;
using tandem::EndpointKind;
using tandem::History;
using tandem::kInfinite;
using tandem::Liveliness;
using tandem::Loan;  ///< its data() is a constructed message; see Publisher::borrow()
using tandem::NodeName;
using tandem::OwnedMessage;
using tandem::Qos;
using tandem::QosPolicy;
using tandem::Reliability;
using tandem::Status;

using Gid = std::array<std::uint8_t, 16>;
/// 32 digits.
std::string to_hex(const Gid & gid);
/// Nothing where the text is none of to_hex().
std::optional<Gid> gid_of(std::string_view digits);

/// Names one request of one client; its reply carries the same.
struct RequestId {
  Gid client{};               ///< of the subscription that the client takes its replies from
  std::int64_t sequence = 0;  ///< never used again by this client
  bool operator==(const RequestId & o) const { return client == o.client && sequence == o.sequence; }
};

struct MessageInfo {
  std::int64_t source_timestamp = 0;    ///< ns since the epoch, when publish was called
  std::int64_t received_timestamp = 0;  ///< ns since the epoch, 0 where taking did not look at the clock
  std::uint64_t sequence = 0;           ///< of its publisher, from 0
  Gid publisher{};
  bool from_intra_process = false;
  RequestId request;  ///< of a request and of a reply
};

enum class PublishResult : std::uint8_t { kOk, kInvalidLoan, kPoolExhausted, kNoMemory, kTimeout, kClosed };
const char * to_string(PublishResult result);

/// A received message: read-only, valid for as long as this object lives.
/// `message` is null when nothing was taken. Give it back by dropping `keeper`.
struct Sample {
  const void * message = nullptr;
  std::size_t size = 0;                ///< bytes at `message`, without those that its sequences and strings own
  std::shared_ptr<const void> keeper;  ///< shares ownership of the message; its get() means nothing to others
  MessageInfo info;
  /// Makes a message of the caller's own, of the sample's type, without copying what is large before somebody writes to it.
  /// It returns null when a copy is better, and may throw std::bad_alloc. Null where the transport cannot.
  OwnedMessage (*own)(const Sample & sample) = nullptr;
  explicit operator bool() const { return message != nullptr; }
};

class TimeWatch;

class Publisher {
 public:
  /// Watches the deadline and the manual liveliness of these.
  explicit Publisher(const Qos & qos = {});
  virtual ~Publisher() = default;
  /// Whether borrow() hands out memory that subscribers of this host see without a copy.
  virtual bool can_loan() const = 0;
  /// A constructed message: of a fixed-size type its content is what an earlier message left there; of a variable-size
  /// type it is as default-constructed, but sequences and strings may keep the room they had.
  /// Empty when the pool is exhausted or memory is full: at once, never waits.
  virtual Loan borrow() = 0;
  /// An empty loan, or that of another publisher, is refused with kInvalidLoan. Ends the loan.
  PublishResult publish(Loan && loan) { return noted(do_publish(std::move(loan), nullptr)); }
  /// Copies the message at most once. Null is refused with kInvalidLoan.
  PublishResult publish(const void * message) { return noted(do_publish(message, nullptr)); }
  /// Takes the message over when the transport can use it in place: `message` is empty then. Else it was copied, or an
  /// error left it as it was.
  PublishResult publish(OwnedMessage & message) { return noted(do_publish(message, nullptr)); }
  /// The same on a service's channels (service.hpp). Of a request the caller gives `id.client`, and gets `id.sequence` when
  /// it was sent; of a reply `id` is the request's. Only the client that it names takes a reply.
  PublishResult publish(Loan && loan, RequestId & id) { return noted(do_publish(std::move(loan), &id)); }
  PublishResult publish(const void * message, RequestId & id) { return noted(do_publish(message, &id)); }
  PublishResult publish(OwnedMessage & message, RequestId & id) { return noted(do_publish(message, &id)); }
  virtual std::size_t subscription_count() const = 0;
  /// Waits until every reliable subscription has received what was published; true at once where publish() delivers.
  /// A negative timeout waits without end. \return false when the time is over.
  virtual bool wait_for_all_acked(std::chrono::nanoseconds timeout) = 0;
  /// What has happened since it was made. System calls: none. Of features that are lacking nothing happens.
  Status status() const;
  /// Is called, from any thread and without a lock, after others have changed status(). What time changes Status::due
  /// tells instead. Null: nobody.
  virtual void set_status_listener(std::function<void()>) {}
  /// With Liveliness::kManualByTopic: it lives for another lease, as it does after each publish().
  void assert_liveliness();
  virtual std::uint64_t failed_borrows() const = 0;
  /// Messages that publish() had to copy or serialize.
  virtual std::uint64_t copied() const = 0;
  virtual Gid gid() const = 0;

 protected:
  /// `id` is null on a topic, and only there.
  virtual PublishResult do_publish(Loan && loan, RequestId * id) = 0;
  virtual PublishResult do_publish(const void * message, RequestId * id) = 0;
  virtual PublishResult do_publish(OwnedMessage & message, RequestId * id) = 0;
  /// As far as the transport knows it, without what the base watches.
  virtual Status do_status() const { return {}; }
  virtual void do_assert_liveliness() {}

 private:
  PublishResult noted(PublishResult result) {
    if (watch_) note();
    return result;
  }
  void note() const;
  const std::shared_ptr<TimeWatch> watch_;  ///< null unless a policy asks for it
};

class Subscription {
 public:
  /// Watches the deadline of these.
  explicit Subscription(const Qos & qos = {});
  virtual ~Subscription() = default;
  Sample take() {
    Sample sample = do_take();
    if (watch_ && sample) note(sample.info);
    return sample;
  }
  /// Takes into an object of the type that the caller owns: deserializes there, or copies. \return false: nothing there.
  bool take_into(void * message, MessageInfo & info) {
    const bool is_taken = do_take_into(message, info);
    if (watch_ && is_taken) note(info);
    return is_taken;
  }
  /// As Publisher::status().
  Status status() const;
  virtual void set_status_listener(std::function<void()>) {}
  virtual bool has_data() const = 0;
  virtual std::size_t publisher_count() const = 0;
  /// On a reply channel 0: what is there for other clients is none of its.
  virtual std::uint64_t lost() const = 0;
  /// Messages that take() had to copy or deserialize.
  virtual std::uint64_t copied() const = 0;
  virtual Gid gid() const = 0;

 protected:
  virtual Sample do_take() = 0;
  virtual bool do_take_into(void * message, MessageInfo & info) = 0;
  /// As Publisher::do_status(); `lost` is set by the base.
  virtual Status do_status() const { return {}; }

 private:
  void note(const MessageInfo & info) const;
  const std::shared_ptr<TimeWatch> watch_;  ///< null unless the deadline is finite
};

/// One thread waits at a time; the other calls come from any thread.
class WaitSet {
 public:
  virtual ~WaitSet() = default;
  /// A subscription is in at most one wait-set; attaching moves it. It may be destroyed while attached.
  virtual void attach(const std::shared_ptr<Subscription> & subscription) = 0;
  virtual void detach(const std::shared_ptr<Subscription> & subscription) = 0;
  /// Until data, wake(), or the timeout (negative: without end). \return false when the time is over.
  virtual bool wait(std::chrono::nanoseconds timeout) = 0;
  /// Ends the present or the next wait(). Async-signal-safe.
  virtual void wake() = 0;
  /// Whether next_ready() names those that have data. Else each has to be asked.
  virtual bool names_ready() const { return false; }
  /// An attached subscription that has data, each in turn; nullptr when none has. To be compared only: it may have been
  /// destroyed meanwhile.
  virtual const Subscription * next_ready() { return nullptr; }
};

struct EndpointInfo {
  EndpointKind kind = EndpointKind::kPublisher;
  std::string topic;
  std::string type_name;
  std::string type_hash;  ///< "RIHS01_…"
  std::uint64_t abi = 0;  ///< MessageType::abi; 0 where the middleware does not tell
  NodeName node;
  Qos qos;
  Gid gid{};
  Gid origin{};           ///< as TopicOptions::origin; zeros where there is none, or the middleware does not tell
  std::string user_data;  ///< as TopicOptions::user_data; empty where the middleware does not tell
};

struct GraphSnapshot {
  std::vector<NodeName> nodes;
  std::vector<EndpointInfo> endpoints;
};

struct TopicOptions {
  NodeName node;
  std::string topic;  ///< or a service's channel, see service.hpp
  Qos qos;
  /// What others see of the endpoint in EndpointInfo::user_data; a kilobyte or two.
  std::string user_data;
  /// Of a service's channel: the service, whose hash is told to others instead of the message's.
  const ServiceType * service = nullptr;
  /// Of a subscription: messages that its user may keep beyond the next takes at the publisher's expense; more are
  /// copied. A tool that watches asks for 1.
  std::uint32_t held_quota = 8;
  /// Of a subscription: nothing comes from publishers of the same Context, nor do the two count each other. Where a
  /// process is the middleware's unit, other contexts of the process are left out as well.
  bool ignore_local_publications = false;
  /// Of a publisher that passes on what one elsewhere has published: that one, and when the message that goes next was
  /// published there (ns since the epoch, 0: unknown), which it keeps as its time. Subscriptions that have had it from a
  /// predecessor are not given it again. A transport that cannot do so leaves it out.
  struct Origin {
    Gid publisher{};
    std::function<std::int64_t()> source_timestamp;
  };
  std::optional<Origin> origin;
};

/// A node's presence in the graph; it ends with this object.
class Node {
 public:
  virtual ~Node() = default;
};

/// A process's presence in one domain.
class Context {
 public:
  virtual ~Context() = default;
  virtual std::unique_ptr<Node> create_node(const NodeName & name) = 0;
  virtual std::shared_ptr<Publisher> create_publisher(const MessageType & type, const TopicOptions & options) = 0;
  virtual std::shared_ptr<Subscription> create_subscription(const MessageType & type, const TopicOptions & options) = 0;
  virtual std::shared_ptr<WaitSet> create_wait_set() = 0;
  virtual GraphSnapshot graph() const = 0;
};

/// What some middlewares cannot do. The conformance suite leaves out what a transport says it lacks, and
/// docs/reference/transports.md lists it.
enum class Feature : std::uint8_t {
  kLoans,           ///< borrow() gives memory that subscribers see without a copy, for types of fixed size
  kVariableLoans,   ///< the same for types with strings and sequences
  kReliable,        ///< a reliable reader within its depth misses nothing
  kKeepAll,         ///< a reliable keep-all publisher waits for its slowest reader
  kTransientLocal,  ///< late joiners get the last messages
  kQosMatching,     ///< incompatible QoS: no match, and a line that says so
  kTypeHash,        ///< same name, other definition: no match, and a line that says so
  kGraph,           ///< nodes and endpoints of other processes are listed
  kOtherHosts,      ///< reaches other hosts
  kRosWire,         ///< exchanges messages with stock ROS 2 nodes
  kAttribution,     ///< MessageInfo tells publisher and sequence
  kDomains,         ///< one process can be in several domains at a time
  kKills,           ///< a process that was killed never keeps later ones from meeting
  kDeadline,        ///< deadlines are offered and requested; each end notices its own
  kLifespan,        ///< messages older than their publisher's lifespan are not taken
  kLiveliness,      ///< publishers assert manual liveliness, subscriptions notice when one does not
  kEvents,          ///< Status tells of matches and incompatible QoS
  kTypeEvents,      ///< and of incompatible types
};

/// One thing a middleware lacks, and why: a half sentence for people ("RouDi's queues drop the oldest").
struct Limit {
  Feature feature;
  const char * reason;
};

/// A middleware. One object per process and plug-in, made by the plug-in, living until the process ends.
class Transport {
 public:
  virtual ~Transport() = default;
  virtual const char * name() const = 0;  ///< "rmw_tandem_cpp"
  /// What this middleware cannot do; everything else of Feature it does.
  virtual std::vector<Limit> limits() const = 0;
  /// \throws Error when the middleware cannot run: a daemon is absent, the network unreachable, a port in use.
  virtual std::shared_ptr<Context> create_context(std::uint32_t domain) = 0;
};

}  // namespace tandem::transport
