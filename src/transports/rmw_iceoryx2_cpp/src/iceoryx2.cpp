// iceoryx2 as a transport: a service of its own for each publisher, with which the subscriptions that match connect.
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <functional>
#include <limits>
#include <mutex>
#include <unordered_set>

#include "tandem/kit/tuning.hpp"
#include "tandem/kit/wire.hpp"
#include "tandem/plugin.hpp"
#include "tandem/service.hpp"
#include "tandem_iceoryx2.h"

namespace {

using namespace tandem::transport;  // NOLINT: all that this file implements

constexpr const char * kName = "rmw_iceoryx2_cpp";
/// Loans that are out at most: those of users, and one for each thread that publishes.
constexpr std::size_t kMaxLoaned = 16 + 64;
constexpr std::size_t kMaxSubscribers = 64;
/// Samples that a subscription holds at most. More are copied.
constexpr std::size_t kMaxHeld = 8;
/// What the memory of a publisher of small messages starts from.
constexpr std::size_t kLeastBytes = std::size_t{4} << 20;
constexpr std::size_t kInitialSize = 4096;  // of messages whose size is not fixed
constexpr std::size_t kLongestRoot = 90;    // names of up to 164 characters follow

std::string service_of(const Gid & publisher) { return "tandem/" + to_hex(publisher); }

std::size_t alignment_of(const tandem::MessageType & type) { return std::max<std::size_t>(type.alignment, 64); }

/// iceoryx2's publisher, which lives until the last loan is gone. Thread-safe.
class Port {
 public:
  Port(const Iox2Node * node, const SenderOptions & options) {
    const tandem::MessageType & type = options.type;
    const Qos & qos = options.entry.endpoint.qos;
    const bool is_tuned = tuning() == Tuning::kTuned;
    const std::string name = service_of(options.entry.endpoint.gid);
    Iox2Service service{};
    service.name = name.c_str();
    service.alignment = alignment_of(type);
    service.initial_size = type.is_fixed_size ? type.size : kInitialSize;
    service.grows = !type.is_fixed_size;
    if (qos.durability == Durability::kTransientLocal) {
      service.history = qos.history == History::kKeepAll ? options.window : qos.depth;
    }
    service.max_buffer = options.window + service.history;
    service.max_borrowed = kMaxHeld + 2;
    service.max_loaned = kMaxLoaned;
    // Room for four readers that take nothing, and for many that do.
    service.max_chunks = 5 * options.window + 2 * service.history + 256;
    if (type.is_fixed_size) {
      service.max_chunks = std::max(service.max_chunks, kLeastBytes / (type.size + 128));
    }
    service.max_subscribers = is_tuned ? kMaxSubscribers : 0;
    char reason[256] = "";
    raw_ = iox2_publisher_new(node, &service, reason, sizeof reason);
    if (raw_ == nullptr) {
      throw Error(std::string(kName) + ": no publisher can be made for topic '" + options.entry.endpoint.topic +
                  "': " + reason + ". Is there room in /dev/shm, and are few enough files open (ulimit -n)?");
    }
  }
  ~Port() { iox2_publisher_free(raw_); }
  Port(const Port &) = delete;
  Port & operator=(const Port &) = delete;

  Iox2Publisher * get() const { return raw_; }

  /// Memory that has held a message before still does.
  bool is_new(const std::uint8_t * payload) {
    const std::lock_guard<std::mutex> lock(mutex_);
    return known_.insert(payload).second;
  }

 private:
  Iox2Publisher * raw_ = nullptr;
  std::mutex mutex_;
  std::unordered_set<const std::uint8_t *> known_;  ///< guarded by mutex_
};

class LentChunk final : public Chunk {
 public:
  explicit LentChunk(std::shared_ptr<Port> port) : port_(std::move(port)) {}
  ~LentChunk() override {
    if (is_valid_) {
      iox2_loan_drop(&raw_);
    }
  }

  bool allocate(std::size_t bytes) {
    is_valid_ = iox2_loan(port_->get(), bytes, &raw_);
    if (is_valid_) {
      data = reinterpret_cast<std::byte *>(raw_.payload);
      size = bytes;
      is_fresh = port_->is_new(raw_.payload);
    }
    return is_valid_;
  }

  bool send(const Header & header) {
    *raw_.header = {header.sequence, header.stamp};
    is_valid_ = false;
    return iox2_loan_send(&raw_);
  }

 private:
  const std::shared_ptr<Port> port_;
  Iox2Chunk raw_;
  bool is_valid_ = false;
};

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
  PublishResult send(const Header & header, std::shared_ptr<Chunk> chunk, const Gid * /*only*/) override {
    return static_cast<LentChunk &>(*chunk).send(header) ? PublishResult::kOk : PublishResult::kNoMemory;
  }

 private:
  const std::shared_ptr<Port> port_;
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
    return std::make_unique<Iox2Sender>(node_, options);
  }

  std::unique_ptr<Receiver> open_receiver(const ReceiverOptions & options) override {
    const Qos & qos = options.entry.endpoint.qos;
    // A client finds its replies among those of others, which must not push them out.
    const bool keeps_all =
        qos.history == History::kKeepAll || channel_of(options.entry.endpoint.topic) == Channel::kReply;
    std::size_t buffer = keeps_all ? std::numeric_limits<std::size_t>::max() : qos.depth;
    std::size_t history = qos.durability == Durability::kTransientLocal ? buffer : 0;
    char reason[256] = "";
    Iox2Subscriber * const raw =
        iox2_subscriber_new(node_, service_of(options.publisher.endpoint.gid).c_str(), alignment_of(options.type),
                            &buffer, &history, reason, sizeof reason);
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
        {Feature::kOtherHosts, "iceoryx2 is shared memory of one host"},
        {Feature::kRosWire, "iceoryx2 is shared memory of one host"},
    };
  }
  std::shared_ptr<Context> create_context(std::uint32_t domain) override {
    return make_context<Iox2Wire>(kName, domain);
  }
};

}  // namespace

TANDEM_EXPORT_TRANSPORT(Iox2Transport)
