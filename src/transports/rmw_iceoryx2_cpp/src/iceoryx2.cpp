// iceoryx2 as a transport: a service of its own for each publisher, with which the subscriptions that match connect.
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>

#include "port.hpp"
#include "tandem/plugin.hpp"
#include "tandem/service.hpp"

namespace iceoryx2 {
namespace {

using namespace tandem::transport;  // NOLINT: all that this file implements

constexpr std::size_t kLongestRoot = 90;  // names of up to 164 characters follow

class Iox2Sender final : public Sender {
 public:
  Iox2Sender(const Iox2Node * node, const SenderOptions & options) : port_(std::make_shared<Port>(node, options)) {}

  Loans loans() const override { return Loans::kShared; }
  std::unique_ptr<Chunk> allocate(std::size_t size) override {
    auto chunk = std::make_unique<LentChunk>(port_);
    return chunk->allocate(size) ? std::move(chunk) : nullptr;
  }
  bool keeps_history() const override { return true; }
  bool delivers() const override { return true; }
  bool admit(const RosterEntry &) override {
    iox2_publisher_update(port_->get());
    return true;
  }
  void dismiss(const Gid &) override { iox2_publisher_update(port_->get()); }
  PublishResult send(const Header & header, std::shared_ptr<Chunk> chunk, const Gid *) override {
    return static_cast<LentChunk &>(*chunk).send(header) ? PublishResult::kOk : PublishResult::kNoMemory;
  }

 private:
  const std::shared_ptr<Port> port_;
};

/// Replies are copied to a port for each client: in one port they would push each other out of the clients' buffers.
class Iox2ReplySender final : public Sender {
 public:
  Iox2ReplySender(const Iox2Node * node, const SenderOptions & options)
      : node_(node), type_(options.type), entry_(options.entry), window_(options.window) {}

  bool delivers() const override { return true; }
  void expect(const std::vector<RosterEntry> & matches) override {
    std::map<Gid, std::shared_ptr<Port>> expected;
    for (const RosterEntry & match : matches) {
      const Gid & client = match.endpoint.gid;
      const auto known = ports_.find(client);
      auto port = known != ports_.end() ? known->second : open(client);
      if (port) {
        expected.emplace(client, std::move(port));
      }
    }
    ports_ = std::move(expected);
  }
  bool admit(const RosterEntry & subscription) override { return update(subscription.endpoint.gid); }
  void dismiss(const Gid & subscription) override { update(subscription); }
  PublishResult send(const Header & header, std::shared_ptr<Chunk> chunk, const Gid * only) override {
    const auto port = only != nullptr ? ports_.find(*only) : ports_.end();
    if (port == ports_.end()) {
      return PublishResult::kOk;
    }
    LentChunk lent(port->second);
    if (!lent.allocate(chunk->size)) {
      return PublishResult::kPoolExhausted;
    }
    std::memcpy(lent.data, chunk->data, chunk->size);
    return lent.send(header) ? PublishResult::kOk : PublishResult::kNoMemory;
  }

 private:
  std::shared_ptr<Port> open(const Gid & client) {
    try {
      return std::make_shared<Port>(node_, SenderOptions{type_, entry_, window_, nullptr}, &client);
    } catch (const Error & error) {
      if (!std::exchange(has_warned_, true)) {
        warn(kName, entry_.endpoint.topic, error.what());
      }
      return nullptr;
    }
  }
  bool update(const Gid & client) {
    const auto port = ports_.find(client);
    if (port != ports_.end()) {
      iox2_publisher_update(port->second->get());
    }
    return port != ports_.end();
  }

  const Iox2Node * const node_;
  const tandem::MessageType & type_;
  const RosterEntry entry_;
  const std::size_t window_;
  std::map<Gid, std::shared_ptr<Port>> ports_;  ///< by client
  bool has_warned_ = false;
};

class TakenChunk final : public Chunk {
 public:
  explicit TakenChunk(std::shared_ptr<std::atomic<std::size_t>> held) : held_(std::move(held)) {}
  ~TakenChunk() override {
    if (is_valid_) {
      iox2_sample_drop(&raw_);
      held_->fetch_sub(1, std::memory_order_relaxed);
    }
  }

  bool take(const Iox2Subscriber * from, Header & header) {
    is_valid_ = iox2_take(from, &raw_);
    if (is_valid_) {
      data = reinterpret_cast<std::byte *>(raw_.payload);
      size = raw_.size;
      hold = held_->fetch_add(1, std::memory_order_relaxed) < kMaxHeld ? Hold::kWithinQuota : Hold::kNever;
      header = {raw_.header->sequence, raw_.header->timestamp};
    }
    return is_valid_;
  }

 private:
  const std::shared_ptr<std::atomic<std::size_t>> held_;
  Iox2Chunk raw_;
  bool is_valid_ = false;
};

class Iox2Receiver final : public Receiver {
 public:
  explicit Iox2Receiver(Iox2Subscriber * raw) : raw_(raw) {}
  ~Iox2Receiver() override { iox2_subscriber_free(raw_); }

  bool has_data() const override { return iox2_has_samples(raw_); }
  bool take(Header & header, std::unique_ptr<Chunk> & chunk) override {
    auto taken = std::make_unique<TakenChunk>(held_);
    const bool is_there = taken->take(raw_, header);
    chunk = is_there ? std::move(taken) : nullptr;
    return is_there;
  }

 private:
  Iox2Subscriber * const raw_;
  const std::shared_ptr<std::atomic<std::size_t>> held_ = std::make_shared<std::atomic<std::size_t>>(0);
};

class Iox2Wire final : public Wire {
 public:
  explicit Iox2Wire(const Surroundings & around) : roster_(around.roster) { make_node(around.domain); }
  ~Iox2Wire() override { iox2_node_free(node_, is_alone()); }

  Waking waking() const override { return Waking::kSharedMemory; }
  void peer_has_left() override { iox2_node_clean_up(node_); }

  std::unique_ptr<Sender> open_sender(const SenderOptions & options) override {
    if (is_reply(options.entry)) {
      return std::make_unique<Iox2ReplySender>(node_, options);
    }
    return std::make_unique<Iox2Sender>(node_, options);
  }

  std::unique_ptr<Receiver> open_receiver(const ReceiverOptions & options) override {
    const Qos & qos = options.entry.endpoint.qos;
    const Gid * const client = is_reply(options.entry) ? &options.entry.endpoint.gid : nullptr;
    std::size_t buffer = qos.history == History::kKeepAll ? std::numeric_limits<std::size_t>::max() : qos.depth;
    std::size_t history = qos.durability == Durability::kTransientLocal ? buffer : 0;
    char reason[256] = "";
    Iox2Subscriber * const raw =
        iox2_subscriber_new(node_, service_of(options.publisher.endpoint.gid, client).c_str(),
                            alignment_of(options.type), &buffer, &history, reason, sizeof reason);
    if (raw != nullptr) {
      return std::make_unique<Iox2Receiver>(raw);
    }
    if (std::strcmp(reason, "DoesNotExist") != 0 && !has_warned_.exchange(true)) {
      warn(kName, options.entry.endpoint.topic,
           std::string("no connection to a publisher: ") + reason + "; it is tried again");
    }
    return nullptr;
  }

 private:
  /// iceoryx2's files lie in the roster's folder, and its names in /dev/shm begin with a number made of that folder's, so
  /// that folders and domains are apart.
  void make_node(std::uint32_t domain) {
    std::error_code ignored;
    const auto folder = std::filesystem::canonical(roster_.path_of("."), ignored);
    const std::string root = (folder / "iceoryx2").string();
    if (root.size() > kLongestRoot) {  // iceoryx2 ends the process over names that become too long
      throw Error(std::string(kName) + ": the path " + root + " is too long for iceoryx2, which takes " +
                  std::to_string(kLongestRoot) + " characters. Set TANDEM_SHM_DIR to a shorter one");
    }
    std::filesystem::create_directory(root, ignored);
    const std::string prefix =
        "tandem_iceoryx2_" + std::to_string(std::hash<std::string>()(root) % 1'000'000'000'000) + "_";
    char reason[256] = "";
    node_ = iox2_node_new(root.c_str(), prefix.c_str(), reason, sizeof reason);
    if (node_ == nullptr) {
      throw Error(
          std::string(kName) + ": iceoryx2 makes no node for domain " + std::to_string(domain) + " in " + root + ": " +
          reason +
          ". Is there room in /dev/shm, may this user write there, and has TANDEM_SHM_DIR plain characters only?");
    }
  }

  static bool is_reply(const RosterEntry & entry) { return channel_of(entry.endpoint.topic) == Channel::kReply; }

  bool is_alone() const {
    std::error_code ignored;
    for (const auto & file : std::filesystem::directory_iterator(roster_.path_of("."), ignored)) {
      if (file.path().extension() == ".lock" && file.path().stem() != roster_.id()) {
        return false;
      }
    }
    return true;
  }

  Roster & roster_;
  Iox2Node * node_ = nullptr;
  std::atomic<bool> has_warned_{false};
};

class Iox2Transport final : public Transport {
 public:
  const char * name() const override { return kName; }
  std::vector<Limit> limits() const override {
    return {
        {Feature::kVariableLoans,
         "iceoryx2 moves bytes without pointers: messages with strings or sequences are "
         "serialized into a loan"},
        {Feature::kLiveliness, "its wire carries no assertions of a publisher that it lives"},
        {Feature::kOtherHosts, "iceoryx2 is shared memory of one host"},
        {Feature::kRosWire, "iceoryx2 is shared memory of one host"},
    };
  }
  std::shared_ptr<Context> create_context(std::uint32_t domain) override {
    return make_context<Iox2Wire>(kName, domain);
  }
};

}  // namespace
}  // namespace iceoryx2

TANDEM_EXPORT_TRANSPORT(iceoryx2::Iox2Transport)
