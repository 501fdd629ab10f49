// A subscription: a key for each publisher that it is connected to, and a queue that Zenoh's callbacks fill.
#pragma once

#include <atomic>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

#include "hub.hpp"

namespace rmw_zenoh {

using tandem::transport::MessageInfo;
using tandem::transport::Sample;

/// What has come from Zenoh, owned.
class Received {
 public:
  explicit Received(const ZnMessage & raw) : raw_(raw) {}
  ~Received() { zn_free(raw_.owner); }
  Received(Received && other) noexcept : raw_(other.raw_) { other.raw_.owner = nullptr; }
  Received(const Received &) = delete;
  Received & operator=(const Received &) = delete;
  const ZnMessage & operator*() const { return raw_; }

 private:
  ZnMessage raw_;
};

/// The connection to one publisher. The inbox's mutex guards what is not constant.
struct Link {
  Gid publisher{};
  std::string control_key;
  bool is_owed = false;  ///< the publisher waits for this reader
  bool is_joined = false;
  std::uint64_t next = 0;      ///< sequence of the next message if none is lost
  std::uint64_t told = 0;      ///< taken, as the publisher knows
  bool is_gone = false;        ///< what it has sent may still come
  Clock::time_point when{};    ///< to join again, or to forget it
  Clock::duration patience{};  ///< until it is joined again
};

/// The queue. Callbacks share it, since they may outlast the subscription. Thread-safe.
class Inbox {
 public:
  struct Item {
    std::shared_ptr<Link> link;
    Note note;
    Received message;
  };
  Inbox(const tandem::MessageType & type, const tandem::transport::Qos & qos, std::function<void()> ring);

  /// What a callback has got: data, welcome, marker.
  void hear(const std::shared_ptr<Link> & link, const ZnMessage & message, Mail & mail, const Gid & subscription);
  /// The next message, if there is one. When the publisher is to be told what was taken, `told` is that.
  std::optional<Item> take(std::optional<Note> & told);
  bool has_data() const { return size_.load(std::memory_order_acquire) > 0; }
  std::uint64_t lost() const { return lost_.load(std::memory_order_relaxed); }
  /// Rings nobody any more.
  void close();

  mutable std::mutex mutex;

 private:
  bool accept_locked(Link & link, const Note & note);

  const tandem::transport::Qos qos_;
  const std::size_t capacity_;  ///< of a keep-all queue
  std::function<void()> ring_;  ///< guarded by mutex
  std::deque<Item> items_;      ///< guarded by mutex
  std::atomic<std::size_t> size_{0};
  std::atomic<std::uint64_t> lost_{0};
};

class ZenohReception final : public tandem::transport::RingingSubscription, private Endpoint {
 public:
  ZenohReception(std::shared_ptr<Hub> hub, const tandem::MessageType & type, RosterEntry entry,
                 std::uint32_t held_quota);
  ~ZenohReception() override;

  Sample take() override;
  bool take_into(void * message, MessageInfo & info) override;
  bool has_data() const override { return inbox_->has_data(); }
  std::size_t publisher_count() const override { return count_.load(std::memory_order_acquire); }
  std::uint64_t lost() const override { return inbox_->lost(); }
  std::uint64_t copied() const override { return copied_.load(std::memory_order_relaxed); }
  Gid gid() const override { return entry().endpoint.gid; }

 private:
  struct Connection {
    std::shared_ptr<Link> link;
    ZnSubscriber * subscriber;
  };
  class HeldMessage;

  Clock::time_point connect(const std::vector<RosterEntry> & matches) override;
  void handle(const Mail::Item & item) override;
  void open(const RosterEntry & publisher);
  Clock::time_point attend(Connection & connection, bool is_matched);
  void count_locked();
  std::optional<Inbox::Item> next(MessageInfo & info);
  bool read(const ZnMessage & message, void * object);
  bool can_hold(const ZnMessage & message) const;

  const std::shared_ptr<Hub> hub_;
  const tandem::MessageType & type_;
  const std::uint32_t held_quota_;
  const std::shared_ptr<Inbox> inbox_;
  const std::shared_ptr<std::atomic<std::uint32_t>> held_ = std::make_shared<std::atomic<std::uint32_t>>(0);
  std::vector<Connection> connections_;  ///< the hub calls with its mutex held
  std::atomic<std::size_t> count_{0};
  std::atomic<std::uint64_t> copied_{0};
  std::atomic<bool> has_warned_{false};
};

}  // namespace rmw_zenoh
