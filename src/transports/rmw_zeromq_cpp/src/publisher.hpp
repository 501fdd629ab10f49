// The publisher: a ROUTER socket, its readers, what is owed to each of them.
#pragma once

#include <condition_variable>
#include <deque>
#include <list>
#include <string>

#include "frames.hpp"
#include "hub.hpp"
#include "wire.hpp"

namespace rmw_zeromq {

using tandem::transport::PublishResult;

/// Thread-safe. See poller.hpp for Z1.
class PublisherBody final : public Endpoint {
 public:
  /// Bound, and announced once hub.add() has been called. \throws Error when no address can be bound.
  PublisherBody(Hub & hub, const tandem::MessageType & type, RosterEntry entry);

  void open(std::uint32_t number);
  /// Says farewell. \return false when something is still owed: hub.keep() sends it.
  bool close();

  /// The message of `size` bytes of payload; its header is written here.
  PublishResult publish(zmq::message_t frame, Encoding encoding, std::int64_t stamp);
  bool wait_until_acked(std::chrono::nanoseconds timeout);
  std::size_t reader_count() const;
  const std::shared_ptr<FramePool> & frames() const { return frames_; }

  const RosterEntry & entry() const override { return entry_; }
  void serve(std::uint32_t part) override;
  void match() override;
  bool tick() override;

 private:
  struct Waiting {
    zmq::message_t frame;
    bool is_message;  ///< not a word about the connection: may be overwritten
  };
  struct Reader {
    std::string id;  ///< routing id
    Gid gid{};
    bool must_wait = false;
    bool is_reliable = false;
    bool is_in_roster = false;
    std::chrono::steady_clock::time_point since;
    std::size_t bound = 0;    ///< messages that may wait
    std::uint64_t taken = 0;  ///< it has taken everything before
    std::uint64_t asked = 0;
    std::uint64_t answered = 0;  ///< it has received everything before
    std::deque<Waiting> waiting;
  };

  void bind(Hub & hub);
  /// Z1, for both directions: receives, and sends what has got room meanwhile.
  void settle_locked();
  void receive_locked();
  void admit_locked(const zmq::message_t & id);
  void hear_locked(const zmq::message_t & id, const Header & header);
  void send_locked(Reader & reader, zmq::message_t frame, bool is_message);
  void tell_locked(Reader & reader, Kind kind, std::uint64_t sequence);
  /// \return false when it does not fit now.
  bool try_send_locked(const Reader & reader, zmq::message_t & frame);
  /// What does not fit now stays. \return whether everything is sent.
  bool flush_locked(Reader & reader);
  bool has_room_locked() const;
  std::size_t owed_locked(const Introduction & reader) const;
  void warn_once(const std::string & text);

  RosterEntry entry_;
  const std::shared_ptr<FramePool> frames_;
  const std::uint16_t window_;  ///< messages that a keep-all reader may be behind
  Hub * hub_;                   ///< null once closed
  mutable std::mutex mutex_;
  std::condition_variable changed_;  ///< a reader has taken, answered or left
  zmq::socket_t socket_;
  std::list<Reader> readers_;
  std::deque<zmq::message_t> history_;  ///< for late joiners
  std::uint64_t next_ = 0;
  bool is_closed_ = false;
  bool has_warned_ = false;
};

}  // namespace rmw_zeromq
