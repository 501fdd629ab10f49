// The two ends of one connection: every matched pair of a publisher and a subscription has a stream socket of its own.
//
//   Greeting | Header payload | Header payload | ...      from the publisher to the subscription
//   sequence | sequence | ...                             back: everything before it has arrived; only when asked for,
//                                                         by a Header without payload whose size is kQuestion
//
// Nothing here waits and nothing locks: the hub's mutex guards all of it.
#pragma once

#include <deque>
#include <memory>

#include "tandem/message_type.hpp"
#include "tandem/transport.hpp"
#include "tandem/transport_support/descriptor.hpp"

namespace unixsocket {

using tandem::transport::Descriptor;
using tandem::transport::Gid;

inline constexpr const char * kName = "rmw_unixsocket_cpp";

/// Messages that a keep-all end keeps; beyond it a publisher waits (reliable) or loses the oldest.
inline constexpr std::size_t kKeepAllLimit = 1000;

/// The longest CDR of a message: more is taken for a broken connection.
inline constexpr std::size_t kMaxPayload = std::size_t{1} << 30;

/// Memory of one message, or its CDR.
class Payload {
 public:
  Payload(std::size_t size, std::size_t alignment);
  ~Payload();
  Payload(const Payload &) = delete;
  Payload & operator=(const Payload &) = delete;
  std::byte * data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  std::byte * data_;
  std::size_t size_;
  std::size_t alignment_;
};

struct Message {
  std::uint64_t sequence = 0;
  std::int64_t stamp = 0;
  std::shared_ptr<const Payload> payload;  ///< null: the question whether everything before has arrived
};

/// The publisher's end: what is still to be sent.
class Outgoing {
 public:
  struct Setup {
    Gid publisher;
    Gid subscription;
    std::size_t bound;     ///< messages that may wait
    bool owes_everything;  ///< the publisher waits rather than dropping
    bool is_reliable;      ///< both sides are
    std::uint64_t first;   ///< sequence of the first message
  };
  Outgoing(Descriptor connection, const Setup & setup) : connection_(std::move(connection)), setup_(setup) {}

  int fd() const { return connection_.get(); }
  const Setup & setup() const { return setup_; }
  bool greet();
  /// Drops the oldest message that is not half sent when more than the bound would wait.
  void push(const Message & message);
  /// For the history of a late joiner: without bound.
  void push_history(const Message & message) { queue_.push_back(message); }
  /// Asks whether everything before `sequence` has arrived; is_acked() tells once the answer is there.
  void ask(std::uint64_t sequence);
  bool is_acked(std::uint64_t sequence) const { return acked_ >= sequence; }
  /// Sends what the socket takes now. \return false when the connection is broken.
  bool flush();
  /// Reads answers. \return false when the other side has closed.
  bool listen();
  bool is_idle() const { return queue_.empty(); }
  bool is_full() const { return setup_.owes_everything && queue_.size() >= kKeepAllLimit; }

  bool orphaned = false;   ///< its publisher is gone: ends when all is sent
  bool wants_out = false;  ///< EPOLLOUT is asked for

 private:
  Descriptor connection_;
  Setup setup_;
  std::deque<Message> queue_;
  std::size_t sent_ = 0;  ///< bytes of the first message (with its header)
  std::uint64_t asked_ = 0;
  std::uint64_t acked_ = 0;
  std::byte answer_[sizeof(std::uint64_t)] = {};
  std::size_t got_ = 0;  ///< bytes of the present answer
};

/// The subscription's end: what has arrived of the present message.
class Incoming {
 public:
  enum class Status { kMessage, kGreeting, kQuestion, kNothing, kBroken };
  explicit Incoming(Descriptor connection) : connection_(std::move(connection)) {}

  int fd() const { return connection_.get(); }
  /// The next whole message (or the greeting), if it is there.
  Status read(Message & message);
  /// After the greeting: what the messages look like.
  void expect(const tandem::MessageType & type) { type_ = &type; }
  /// Tells the publisher that everything before `sequence` has arrived.
  void answer(std::uint64_t sequence) const;
  const Gid & publisher() const { return publisher_; }
  const Gid & subscription() const { return subscription_; }

  std::uint64_t next = 0;  ///< sequence of the next message if none is lost
  bool paused = false;     ///< its subscription is full

 private:
  Status fill(void * memory, std::size_t size);
  Status read_greeting();

  Descriptor connection_;
  Gid publisher_{};
  Gid subscription_{};
  bool greeted_ = false;
  const tandem::MessageType * type_ = nullptr;
  std::byte head_[64] = {};
  std::size_t got_ = 0;
  std::shared_ptr<Payload> payload_;  ///< set once the header is complete
  Message message_;
};

}  // namespace unixsocket
