// The publishing end over a wire.
#pragma once

#include <deque>

#include "tandem/service.hpp"
#include "wire/wire_bus.hpp"

namespace tandem::transport {

/// What is left of a publisher until everything is sent: its end of the wire, and who reads. Thread-safe.
class SendingPort {
 public:
  SendingPort(const MessageType & type, EndpointInfo publisher, std::shared_ptr<ConnectionTable> own);

  /// \throws Error.
  void open(const std::shared_ptr<SendingPort> & self, const MessageType & type, WireBus & bus, RosterEntry & entry);
  Sender & sender() { return *sender_; }
  /// \param stamp 0: now
  PublishResult write(std::unique_ptr<Chunk> chunk, std::int64_t stamp);
  /// To a client alone. `is_there` tells, of one that is not connected, whether it will be: then its replies are kept for it.
  PublishResult reply(std::unique_ptr<Chunk> chunk, const Gid & client, const std::function<bool()> & is_there);
  bool wait_for_all_acked(std::chrono::nanoseconds timeout);
  std::size_t matched() const { return count_.load(std::memory_order_acquire); }
  /// Nothing is published any more.
  void end();
  /// Whether nobody is owed anything.
  bool is_done();
  // As WireEndpoint.
  Clock::time_point connect(WireBus & bus, const RosterEntry & entry, const std::vector<RosterEntry> & matches);
  const StatusBoard::Counterparts & connected() const { return connected_; }

 private:
  struct Subscriber {
    Gid gid;
    std::shared_ptr<ConnectionTable> table;
    Connection * row;
    std::uint64_t status;  ///< of the row, while it is this subscription's
    bool is_owed;          ///< write() waits for it
    bool is_reliable;
    std::uint64_t first;
    std::uint64_t next;  ///< number after its last reply
  };
  /// To a client that is not connected yet.
  struct EarlyReply {
    Gid client;
    std::int64_t stamp;
    std::unique_ptr<Chunk> chunk;
  };
  struct Kept {
    Header header;
    std::shared_ptr<Chunk> chunk;
  };

  bool has_room_locked() const;
  void wake_locked(const Subscriber * only = nullptr) const;
  PublishResult reply_locked(Subscriber & client, std::shared_ptr<Chunk> chunk, std::int64_t stamp);
  void keep_early_locked(EarlyReply reply);
  void reply_early_locked(Subscriber & client);
  bool has_arrived_locked(std::uint64_t next) const;
  bool has_left_locked(const Subscriber & subscriber) const;
  bool admit_locked(const RosterEntry & subscription, const std::shared_ptr<ConnectionTable> & table,
                    ConnectionTable::Found found);
  bool replies() const { return channel_of(publisher_.topic) == Channel::kReply; }
  bool keeps_for_late_joiners() const { return publisher_.qos.durability == Durability::kTransientLocal; }
  std::size_t history_limit() const {
    return publisher_.qos.history == History::kKeepAll ? window_ : publisher_.qos.depth;
  }
  void keep_locked(const Header & header, std::shared_ptr<Chunk> chunk);

  const EndpointInfo publisher_;
  const std::size_t window_;
  const std::shared_ptr<ConnectionTable> own_;
  std::unique_ptr<Sender> sender_;
  bool wakes_ = false;
  std::atomic<std::size_t> count_{0};
  std::mutex mutex_;                     ///< held while the wire sends: messages leave in order
  std::uint64_t next_ = 0;               ///< guarded by mutex_
  std::vector<Subscriber> subscribers_;  ///< guarded by mutex_
  std::deque<Kept> history_;             ///< for late joiners; guarded by mutex_
  std::deque<EarlyReply> early_;         ///< guarded by mutex_
  StatusBoard::Counterparts connected_;  ///< as connect()
  Patience patience_;                    ///< with admit(); guarded by mutex_
};

class WireWriter final : public Writer, private WireEndpoint {
 public:
  WireWriter(std::shared_ptr<WireBus> bus, const MessageType & type, RosterEntry entry);
  ~WireWriter() override;

  Loans loans() const override { return port_->sender().loans(); }
  std::unique_ptr<Chunk> allocate(std::size_t size) override { return port_->sender().allocate(size); }
  std::unique_ptr<Chunk> lend(std::size_t size) override { return port_->sender().lend(size); }
  PublishResult write(std::unique_ptr<Chunk> chunk, RequestId * id) override;
  std::size_t matched() const override { return port_->matched(); }
  bool wait_for_all_acked(std::chrono::nanoseconds timeout) override { return port_->wait_for_all_acked(timeout); }
  Gid gid() const override { return entry_.endpoint.gid; }
  Status status() const override { return board->status(); }
  void set_status_listener(std::function<void()> listener) override { board->set_listener(std::move(listener)); }

 private:
  const RosterEntry & entry() const override { return entry_; }
  Clock::time_point connect(const std::vector<RosterEntry> & matches) override {
    return port_->connect(*bus_, entry_, matches);
  }
  StatusBoard::Counterparts connected() const override { return port_->connected(); }

  const std::shared_ptr<WireBus> bus_;
  RosterEntry entry_;
  const std::shared_ptr<SendingPort> port_;
};

}  // namespace tandem::transport
