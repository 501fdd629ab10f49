// A sender with a connection of its own for each subscription, where each may have no room for a while.
#pragma once

#include <deque>
#include <map>

#include "tandem/kit/wire.hpp"

namespace tandem::transport {

/// One connection. Not thread-safe.
class OutgoingLink {
 public:
  enum class Result : std::uint8_t {
    kSent,
    kLater,   ///< nothing of it is sent
    kPartly,  ///< the rest goes with the next call, which is for the same message
    kBroken   ///< nothing can be sent any more
  };
  virtual ~OutgoingLink() = default;
  /// Never waits. After kLater and kPartly it sees to it that SenderOptions::on_room is called.
  virtual Result send(const Header & header, const std::shared_ptr<Chunk> & chunk) = 0;
};

/// Keeps what has to wait: everything for subscriptions that are owed everything, for others as many as they want.
class LinkSender : public Sender {
 public:
  explicit LinkSender(const SenderOptions & options) : publisher_(options.entry.endpoint), window_(options.window) {}

  bool admit(const RosterEntry & subscription) final;
  void dismiss(const Gid & subscription) final { links_.erase(subscription); }
  PublishResult send(const Header & header, std::shared_ptr<Chunk> chunk, const Gid * only) override;
  void send_to(const Gid & subscription, const Header & header, std::shared_ptr<Chunk> chunk) final;
  void flush() override;
  bool is_idle() const final;

 protected:
  /// Called once for each message, before it goes to the links.
  virtual void prepare(const Header &, Chunk &) {}
  /// The connection that a subscription has made; null when it is not there yet.
  virtual std::unique_ptr<OutgoingLink> accept(const Gid & subscription) = 0;

 private:
  struct Waiting {
    Header header;
    std::shared_ptr<Chunk> chunk;
  };
  struct Queue {
    std::unique_ptr<OutgoingLink> link;  ///< null once it is broken
    std::size_t bound;                   ///< messages that may wait; 0: as many as there are
    bool is_partly_sent = false;         ///< the first
    std::deque<Waiting> waiting;
  };
  std::size_t bound_of(const EndpointInfo & subscription) const;
  static void flush(Queue & queue);
  static void push(Queue & queue, const Header & header, std::shared_ptr<Chunk> chunk, std::size_t bound);

  const EndpointInfo publisher_;
  const std::size_t window_;
  std::map<Gid, Queue> links_;
};

}  // namespace tandem::transport
