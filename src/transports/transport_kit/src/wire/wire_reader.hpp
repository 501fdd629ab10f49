// The subscribing end over a wire.
#pragma once

#include <set>

#include "wire/arrival_queue.hpp"

namespace tandem::transport {

class WireReader final : public Reader, private WireEndpoint {
 public:
  WireReader(std::shared_ptr<WireBus> bus, const MessageType & type, RosterEntry entry, std::function<void()> on_data);
  ~WireReader() override;

  bool take(Arrival & arrival) override { return queue_->take(arrival); }
  void wait_with(Waiter * waiter) noexcept override;
  bool has_data() const override { return queue_->has_data(); }
  std::size_t matched() const override;
  std::uint64_t lost() const override { return queue_->lost(); }
  Gid gid() const override { return entry_.endpoint.gid; }
  Status status() const override {
    Status status = board->status();
    status.alive = status.matched;
    return status;
  }
  void set_status_listener(std::function<void()> listener) override { board->set_listener(std::move(listener)); }

 private:
  const RosterEntry & entry() const override { return entry_; }
  Clock::time_point connect(const std::vector<RosterEntry> & matches) override;
  StatusBoard::Counterparts connected() const override;
  bool is_connected(Link & link) const;
  bool open(const RosterEntry & publisher);
  Clock::time_point tell_of_silent(const std::vector<RosterEntry> & matches);
  void close(const std::shared_ptr<Link> & link);
  std::vector<std::shared_ptr<Link>> ended(const std::vector<RosterEntry> & matches, Clock::time_point & next);

  const std::shared_ptr<WireBus> bus_;
  const MessageType & type_;
  const RosterEntry entry_;
  const std::shared_ptr<ArrivalQueue> queue_;
  Patience patience_;        ///< with open(); as connect()
  bool has_warned_ = false;  ///< as connect()
  std::set<Gid> silent_;     ///< publishers that were warned of; as connect()
};

}  // namespace tandem::transport
