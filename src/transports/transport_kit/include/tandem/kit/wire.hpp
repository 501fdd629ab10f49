// What a middleware implements that moves bytes and no more. The kit makes a Bus of it: it finds the participants of the
// host, matches them, and adds history, flow control, acknowledgements and loss counts.
//
//   publisher                                      subscription
//
//   Wire::open_sender()                            Wire::open_receiver(), for each publisher that matches
//   Sender::admit(), until it says yes   <-------  "connected"       a row of shared memory that the kit keeps
//   Sender::send(), to all or to one     ------->  Inbox::push(), or Receiver::take()
//   room for more                        <-------  "taken"           in the same row
//
// What a wire loses it loses without a word: the numbers of the messages tell.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "tandem/kit/bus.hpp"
#include "tandem/kit/poller.hpp"
#include "tandem/kit/roster.hpp"

namespace tandem::transport {

/// Goes with each message.
struct Header {
  std::uint64_t sequence = 0;
  std::int64_t stamp = 0;
};

/// The publisher's end. What is not said to be thread-safe is called by one thread at a time.
class Sender {
 public:
  virtual ~Sender() = default;
  /// As Writer. Thread-safe.
  virtual Loans loans() const { return Loans::kNone; }
  virtual std::unique_ptr<Chunk> allocate(std::size_t size) { return make_heap_chunk(size); }
  virtual std::unique_ptr<Chunk> lend(std::size_t size) { return allocate(size); }
  /// RosterEntry::address of the publisher.
  virtual std::string address() const { return {}; }
  /// Whether what is sent from now on reaches the subscription, which has connected. If not, it is asked again.
  virtual bool admit(const RosterEntry & subscription) = 0;
  /// A subscription that was admitted has left.
  virtual void dismiss(const Gid & subscription) = 0;
  /// To all that are admitted.
  virtual PublishResult send(const Header & header, std::shared_ptr<Chunk> chunk) = 0;
  /// To one, for its history, unless keeps_history().
  virtual void send_to(const Gid &, const Header &, std::shared_ptr<Chunk>) {}
  /// Whether admit() gives late joiners their history. Then `window` of the options holds for that, too.
  virtual bool keeps_history() const { return false; }
  /// Whether what was sent lies where the subscription takes it.
  virtual bool delivers() const { return false; }
  /// Sends what had to wait, when SenderOptions::on_room was called.
  virtual void flush() {}
  /// Whether nothing waits.
  virtual bool is_idle() const { return true; }
};

/// A connection of a subscription with a publisher, as the wire sees it. Thread-safe; wires call it without locks of
/// theirs that Receiver's destructor takes.
class Inbox {
 public:
  virtual ~Inbox() = default;
  virtual void push(const Header & header, std::unique_ptr<Chunk> chunk) = 0;
  /// The publisher's words reach it, where Sender::admit() cannot know that. It is not asked again then.
  virtual void reached() = 0;
};

/// The subscription's end: the connection to one publisher. Ends when nothing more is wanted.
class Receiver {
 public:
  virtual ~Receiver() = default;
  /// Of a wire that queues what arrives in places of its own, and pushes nothing.
  virtual bool take(Header &, std::unique_ptr<Chunk> &) { return false; }
  virtual bool has_data() const { return false; }
  /// Of a wire that has a descriptor: receive() is called when it is readable, by whoever waits. -1: there is none.
  virtual int fd() const { return -1; }
  /// Pushes what has come. One thread at a time. \return false when nothing more will come.
  virtual bool receive() { return true; }
};

struct SenderOptions {
  const MessageType & type;
  const RosterEntry & entry;
  std::size_t window = 0;         ///< messages that a reader may be behind at most
  std::function<void()> on_room;  ///< to be called, from any thread, when flush() may do something
};

struct ReceiverOptions {
  const MessageType & type;
  const RosterEntry & entry;
  const RosterEntry & publisher;
  std::shared_ptr<Inbox> inbox;
};

/// How somebody who waits learns of data.
enum class Waking : std::uint8_t {
  kDescriptor,   ///< Receiver::fd()
  kCallback,     ///< a thread of the middleware pushes
  kSharedMemory  ///< the kit of the publisher wakes, after Sender::send()
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
  /// Null when the publisher cannot be reached now: it is tried again. \throws Error when it never can: people are told.
  virtual std::unique_ptr<Receiver> open_receiver(const ReceiverOptions & options) = 0;
};

/// What a wire finds when it is made.
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
