// A subscription over a Reader of a bus.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "bus/message_pool.hpp"
#include "tandem/kit/bell.hpp"
#include "tandem/kit/bus.hpp"
#include "tandem/service.hpp"

namespace tandem::transport {

/// Hands out the reader's chunks themselves where Chunk::hold and the quota allow it, copies otherwise. After fork() a
/// child's calls do nothing: it takes no message.
class BusSubscription final : public RingingSubscription {
 public:
  /// \throws Error as make_endpoint() and Bus::create_reader().
  BusSubscription(std::shared_ptr<Bus> bus, const MessageType & type, const TopicOptions & options);
  ~BusSubscription() override;

  bool has_data() const override { return !bus_->is_foreign() && reader_->has_data(); }
  std::size_t publisher_count() const override { return bus_->is_foreign() ? 0 : reader_->matched(); }
  /// Messages that the reader lost, and those that were no messages of the type.
  std::uint64_t lost() const override {
    return channel_ == Channel::kReply ? 0 : reader_->lost() + unreadable_.load(std::memory_order_relaxed);
  }
  std::uint64_t copied() const override { return copied_.load(std::memory_order_relaxed); }
  Gid gid() const override { return reader_->gid(); }
  void set_status_listener(std::function<void()> listener) override {
    if (!bus_->is_foreign()) {
      reader_->set_status_listener(std::move(listener));
    }
  }
  const std::shared_ptr<Bus> & bus() const { return bus_; }

 private:
  Sample do_take() override;
  bool do_take_into(void * message, MessageInfo & info) override;
  Status do_status() const override { return bus_->is_foreign() ? Status{} : reader_->status(); }
  void waiter_changed(Waiter * waiter) noexcept override;
  bool next(Arrival & arrival);
  bool accept(Arrival & arrival);
  bool may_be_kept(const Chunk & chunk) const;
  void keep(std::unique_ptr<Chunk> chunk, Sample & sample);
  bool copy_out(const Chunk & chunk, void * message);
  void count_unreadable(const std::string & reason);
  MessageInfo info_of(const Arrival & arrival) const;

  const std::shared_ptr<Bus> bus_;
  const MessageType & type_;
  const std::string topic_;
  const Channel channel_;
  const Encoding encoding_;
  const std::size_t held_quota_;
  const bool has_deadline_;
  /// Chunks within the quota that users keep. Each of them keeps the counter.
  const std::shared_ptr<std::atomic<std::size_t>> held_ = std::make_shared<std::atomic<std::size_t>>(0);
  std::atomic<std::uint64_t> copied_{0};
  std::atomic<std::uint64_t> unreadable_{0};
  const std::shared_ptr<MessagePool> pool_ = std::make_shared<MessagePool>();
  std::shared_ptr<Reader> reader_;  ///< the last member: it calls ring()
};

}  // namespace tandem::transport
