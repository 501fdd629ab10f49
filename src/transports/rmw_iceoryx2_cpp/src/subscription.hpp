// A subscription: one of iceoryx2's subscribers for each publisher that it is connected to.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

#include "hub.hpp"

namespace rmw_iceoryx2 {

using tandem::transport::MessageInfo;
using tandem::transport::Sample;

class Iox2Reception final : public tandem::transport::Subscription, private Endpoint {
 public:
  Iox2Reception(std::shared_ptr<Hub> hub, const tandem::MessageType & type, RosterEntry entry,
                std::uint32_t held_quota);
  ~Iox2Reception() override;

  Sample take() override;
  bool take_into(void * message, MessageInfo & info) override;
  bool has_data() const override;
  std::size_t publisher_count() const override { return count_.load(std::memory_order_acquire); }
  std::uint64_t lost() const override { return lost_.load(std::memory_order_relaxed); }
  std::uint64_t copied() const override { return copied_.load(std::memory_order_relaxed); }
  Gid gid() const override { return entry().endpoint.gid; }

  /// The bell, of the hub's board, that publishers ring from now on; 0: none.
  void set_bell(std::uint32_t bell);
  bool rings(std::uint32_t bell) const { return bell_.load(std::memory_order_relaxed) == bell; }
  const Hub & hub() const { return *hub_; }

 private:
  struct Link;
  class HeldSample;

  void connect(const std::vector<RosterEntry> & matches) override;
  std::unique_ptr<Link> join(const RosterEntry & publisher);
  void leave(Link & link);
  bool take_chunk(Iox2Chunk & chunk, MessageInfo & info);
  void account(Link & link, std::uint64_t sequence);
  bool read(const Iox2Chunk & chunk, void * message);
  void warn_once(const std::string & text);

  const std::shared_ptr<Hub> hub_;
  const tandem::MessageType & type_;
  const std::uint32_t held_quota_;
  const std::shared_ptr<std::atomic<std::uint32_t>> held_ = std::make_shared<std::atomic<std::uint32_t>>(0);
  std::atomic<std::uint32_t> bell_{0};
  std::atomic<std::size_t> count_{0};
  std::atomic<std::uint64_t> lost_{0};
  std::atomic<std::uint64_t> copied_{0};
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<Link>> links_;  ///< guarded by mutex_
  std::size_t turn_ = 0;                      ///< guarded by mutex_
  std::set<std::string> warned_;              ///< guarded by mutex_
};

}  // namespace rmw_iceoryx2
