// A wire within the process that loses, delays and refuses as it is told, and a fixture over it.
#pragma once

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/eventfd.h>

#include <atomic>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "support.hpp"
#include "tandem/detail/make_message_type.hpp"
#include "tandem/kit/wire.hpp"

namespace tandem::transport {

struct Number {
  std::uint64_t value = 0;
};

inline const MessageType & number() {
  static const Field fields[] = {
      {"value", FieldKind::kUint64, FieldShape::kSingle, 0, 1, kUnbounded, nullptr, nullptr}};
  static const auto type = detail::make_message_type<Number>({"test/msg/Number", {1}, fields, 1});
  return type;
}

/// What the wires of all contexts share.
struct Ether {
  std::mutex mutex;
  std::map<Gid, std::map<Gid, std::shared_ptr<Inbox>>> inboxes;  ///< by publisher and subscription; guarded by mutex
  std::atomic<bool> is_losing{false};
  std::atomic<int> refusals{0};  ///< of admit(), before it says yes
  std::atomic<bool> is_out_of_memory{false};
  std::atomic<bool> is_memory_scarce{false};  ///< users get copies
  std::string refused;                        ///< topic of which admit() says no; guarded by mutex
  std::map<Gid, std::size_t> pushed;          ///< messages, by subscription; guarded by mutex
  std::vector<int>
      connections;  ///< descriptors of receivers that are there: what is written breaks them; guarded by mutex
};

class EtherSender final : public Sender {
 public:
  EtherSender(Ether & ether, const Gid & gid) : ether_(ether), gid_(gid) {}
  bool admit(const RosterEntry & subscription) override {
    {
      const std::lock_guard<std::mutex> lock(ether_.mutex);
      if (ether_.refused == subscription.endpoint.topic) {
        return false;
      }
    }
    return ether_.refusals-- <= 0;
  }
  void dismiss(const Gid &) override {}
  PublishResult send(const Header & header, std::shared_ptr<Chunk> chunk, const Gid * only) override {
    if (ether_.is_out_of_memory) {
      return PublishResult::kNoMemory;
    }
    for (const auto & [subscription, inbox] : all()) {
      if (only == nullptr || subscription == *only) {
        push(*inbox, header, *chunk);
        const std::lock_guard<std::mutex> lock(ether_.mutex);
        ++ether_.pushed[subscription];
      }
    }
    return PublishResult::kOk;
  }
  void send_to(const Gid & subscription, const Header & header, std::shared_ptr<Chunk> chunk) override {
    push(*find(subscription), header, *chunk);
  }

 private:
  std::map<Gid, std::shared_ptr<Inbox>> all() {
    const std::lock_guard<std::mutex> lock(ether_.mutex);
    return ether_.inboxes[gid_];
  }
  std::shared_ptr<Inbox> find(const Gid & subscription) {
    const auto found = all();
    const auto one = found.find(subscription);
    return one == found.end() ? nullptr : one->second;
  }
  void push(Inbox & inbox, const Header & header, const Chunk & chunk) const {
    if (!ether_.is_losing) {
      auto copy = make_heap_chunk(chunk.size);
      std::memcpy(copy->data, chunk.data, chunk.size);
      copy->hold = ether_.is_memory_scarce ? Chunk::Hold::kNever : copy->hold;
      inbox.push(header, std::move(copy));
    }
  }

  Ether & ether_;
  const Gid gid_;
};

class EtherReceiver final : public Receiver {
 public:
  EtherReceiver(Ether & ether, const Gid & publisher, const Gid & subscription)
      : ether_(ether), publisher_(publisher), subscription_(subscription), breaker_(eventfd(0, EFD_CLOEXEC)) {
    ether_.connections.push_back(breaker_.get());
  }
  ~EtherReceiver() override {
    const std::lock_guard<std::mutex> lock(ether_.mutex);
    ether_.inboxes[publisher_].erase(subscription_);
    std::erase(ether_.connections, breaker_.get());
  }
  int fd() const override { return breaker_.get(); }
  bool receive() override {
    pollfd ready{breaker_.get(), POLLIN, 0};
    return poll(&ready, 1, 0) == 0;
  }

 private:
  Ether & ether_;
  const Gid publisher_;
  const Gid subscription_;
  const Descriptor breaker_;
};

class EtherWire final : public Wire {
 public:
  explicit EtherWire(Ether & ether) : ether_(ether) {}
  Waking waking() const override { return Waking::kSharedMemory; }
  std::unique_ptr<Sender> open_sender(const SenderOptions & options) override {
    return std::make_unique<EtherSender>(ether_, options.entry.endpoint.gid);
  }
  std::unique_ptr<Receiver> open_receiver(const ReceiverOptions & options) override {
    const Gid & publisher = options.publisher.endpoint.gid;
    const Gid & own = options.entry.endpoint.gid;
    const std::lock_guard<std::mutex> lock(ether_.mutex);
    ether_.inboxes[publisher][own] = options.inbox;
    return std::make_unique<EtherReceiver>(ether_, publisher, own);
  }

 private:
  Ether & ether_;
};

class OverAWire : public testing::Test {
 protected:
  std::shared_ptr<Context> context() {
    return make_context(
        make_bus("test", 1, [this](const Surroundings &) { return std::make_unique<EtherWire>(ether_); }));
  }
  static TopicOptions options(History history = History::kKeepLast) {
    TopicOptions result;
    result.node = {"/", "test"};
    result.topic = "/a";
    result.qos.history = history;
    result.qos.max_blocking_time = std::chrono::milliseconds(20);
    return result;
  }
  void connect(History history = History::kKeepLast) {
    publisher_ = here_->create_publisher(number(), options(history));
    subscription_ = there_->create_subscription(number(), options(history));
  }
  bool is_matched() const { return publisher_->subscription_count() == 1 && subscription_->publisher_count() == 1; }
  PublishResult publish(std::uint64_t value) {
    const Number message{value};
    return publisher_->publish(&message);
  }
  std::uint64_t take() {
    Sample sample;
    EXPECT_TRUE(eventually([&] { return static_cast<bool>(sample = subscription_->take()); }));
    return sample ? static_cast<const Number *>(sample.message)->value : 0;
  }

  const SharedMemoryFolder folder_;
  Ether ether_;
  std::shared_ptr<Context> here_ = context();
  std::shared_ptr<Context> there_ = context();
  std::shared_ptr<Publisher> publisher_;
  std::shared_ptr<Subscription> subscription_;
};

}  // namespace tandem::transport
