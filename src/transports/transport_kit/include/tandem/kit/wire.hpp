// A Wire: a middleware that moves bytes and no more. The kit makes a Bus of it: it finds the participants of the host,
// matches them, and adds history, flow control, acknowledgements and loss counts.
//
//   publisher                                      subscription
//
//   Wire::open_sender()                            Wire::open_receiver(), for each publisher that matches
//   Sender::admit(), until it says yes   <-------  "connected"       a row of shared memory that the kit keeps
//   Sender::send(), to all or to one     ------->  Inbox::push(), or Receiver::take()
//   room for more                        <-------  "taken"           in the same row
//
// A wire need not report what it loses: the kit finds the gaps in the messages' sequence numbers.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tandem/kit/bus.hpp"
#include "tandem/kit/poller.hpp"
#include "tandem/kit/roster.hpp"

namespace tandem::transport {

/// Is sent with each message.
struct Header {
  std::uint64_t sequence = 0;  ///< number of the message, from 0
  std::int64_t stamp = 0;      ///< ns since the epoch, when it was published
};

/// The publisher's end. One thread at a time calls it, except where a function is thread-safe.
class Sender {
 public:
  virtual ~Sender() = default;
  /// As Writer. Thread-safe.
  virtual Loans loans() const { return Loans::kNone; }
  virtual std::unique_ptr<Chunk> allocate(std::size_t size) { return make_heap_chunk(size); }
  virtual std::unique_ptr<Chunk> lend(std::size_t size) { return allocate(size); }
  /// RosterEntry::address of the publisher.
  virtual std::string address() const { return {}; }
  /// All subscriptions that match, before they connect and for as long as they are there.
  virtual void expect(const std::vector<RosterEntry> & /*matches*/) {}
  /// Whether later messages reach the subscription, which has connected. If not, the kit asks again.
  virtual bool admit(const RosterEntry & subscription) = 0;
  /// A subscription that was admitted has left.
  virtual void dismiss(const Gid & subscription) = 0;
  /// Sends a message to all subscriptions that are admitted, or to one of them: a reply to its client.
  virtual PublishResult send(const Header & header, std::shared_ptr<Chunk> chunk, const Gid * only) = 0;
  /// Sends a message of the history to one subscription. Not called if keeps_history().
  virtual void send_to(const Gid &, const Header &, std::shared_ptr<Chunk>) {}
  /// Whether admit() gives late joiners their history. SenderOptions::window then bounds the history, too.
  virtual bool keeps_history() const { return false; }
  /// Whether every message that was sent lies where its subscriptions take it.
  virtual bool delivers() const { return false; }
  /// Sends messages that had to wait. Called after SenderOptions::on_room was called.
  virtual void flush() {}
  /// Whether no message waits.
  virtual bool is_idle() const { return true; }
};

/// Where a wire puts what a subscription receives from one publisher. Thread-safe. The caller must not hold a lock that
/// the Receiver's destructor takes.
class Inbox {
 public:
  virtual ~Inbox() = default;
  virtual void push(const Header & header, std::unique_ptr<Chunk> chunk) = 0;
};

/// The subscription's end: the connection to one publisher. The destructor disconnects.
class Receiver {
 public:
  virtual ~Receiver() = default;
  /// Takes the next message. For wires that keep a queue of their own and push nothing into the inbox.
  virtual bool take(Header &, std::unique_ptr<Chunk> &) { return false; }
  virtual bool has_data() const { return false; }
  /// The descriptor that is readable when receive() has something to do; -1 when there is none. The thread that waits
  /// calls receive().
  virtual int fd() const { return -1; }
  /// Pushes all that has arrived into the inbox. One thread at a time. \return false when nothing more will come.
  virtual bool receive() { return true; }
};

struct SenderOptions {
  const MessageType & type;
  const RosterEntry & entry;
  std::size_t window = 0;         ///< messages that a reader may be behind at most
  std::function<void()> on_room;  ///< the sender calls it, from any thread, when flush() may send more
};

struct ReceiverOptions {
  const MessageType & type;
  const RosterEntry & entry;
  const RosterEntry & publisher;
  std::shared_ptr<Inbox> inbox;
};

/// How a thread that waits learns of data.
enum class Waking : std::uint8_t {
  kDescriptor,   ///< Receiver::fd()
  kSharedMemory  ///< the publisher's kit wakes it after Sender::send()
};

/// One participant. Thread-safe.
class Wire {
 public:
  virtual ~Wire() = default;
  virtual Waking waking() const { return Waking::kDescriptor; }
  /// A participant has left or was killed.
  virtual void peer_has_left() {}
  /// \throws Error.
  virtual std::unique_ptr<Sender> open_sender(const SenderOptions & options) = 0;
  /// Null when the publisher cannot be reached now: the kit tries again. \throws Error when it never can: the kit logs it.
  virtual std::unique_ptr<Receiver> open_receiver(const ReceiverOptions & options) = 0;
};

/// What a wire is constructed with. All of it outlives the wire.
struct Surroundings {
  std::uint32_t domain;
  Roster & roster;
  Poller & poller;
};

/// `make_wire` is called once. \throws Error.
std::shared_ptr<Bus> make_bus(const char * name, std::uint32_t domain,
                              const std::function<std::unique_ptr<Wire>(const Surroundings &)> & make_wire);

/// A context over a wire W, which is made of its Surroundings. \throws Error.
template <class W>
std::shared_ptr<Context> make_context(const char * name, std::uint32_t domain) {
  return make_context(make_bus(name, domain, [](const Surroundings & around) { return std::make_unique<W>(around); }));
}

/// A file of the roster's folder for a publisher: its participant's id, its number, and `ending`.
std::string file_of(const Gid & publisher, const std::string & ending);

}  // namespace tandem::transport
