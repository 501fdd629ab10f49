#include "sender.hpp"

#include <algorithm>
#include <atomic>
#include <deque>
#include <mutex>
#include <new>

#include "tandem/kit/tuning.hpp"

namespace rmw_zenoh {

using namespace tandem::transport;  // NOLINT: all that this file implements

namespace {

/// From this size on a message that is copied anyway is copied into shared memory: below, sending its bytes is quicker.
constexpr std::size_t kShareFrom = 8192;
/// Messages that a pool has room for, and its least and largest size. It is locked in RAM.
constexpr std::size_t kPoolMessages = 16;
constexpr std::size_t kLeastPool = std::size_t{1} << 20;
constexpr std::size_t kLargestPool = std::size_t{512} << 20;
/// Zenoh's watchdog takes a message that nobody holds for 100 ms for lost, even when it is still on its way: so the last
/// ones are held here.
constexpr std::size_t kLeastRecent = 6;
constexpr std::size_t kMostRecent = 256;
constexpr std::size_t kRecentBytes = std::size_t{256} << 10;

class ZenohChunk final : public Chunk {
 public:
  ZenohChunk(const ZnPayload & raw, std::size_t bytes) : owner(raw.owner) {
    data = reinterpret_cast<std::byte *>(raw.memory);
    size = bytes;
    is_fresh = true;
  }
  ~ZenohChunk() override { zn_free(owner); }

  ZnOwner * const owner;
};

/// Shared memory that is made when it is needed, and made anew when messages have outgrown it. Thread-safe.
class SharedPool {
 public:
  explicit SharedPool(std::string topic) : topic_(std::move(topic)) {}
  ~SharedPool() { zn_pool_free(raw_); }
  SharedPool(const SharedPool &) = delete;
  SharedPool & operator=(const SharedPool &) = delete;

  bool is_usable() const { return is_usable_.load(std::memory_order_relaxed); }

  /// Null when it is used up or cannot be had.
  std::unique_ptr<Chunk> allocate(std::size_t size) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!is_usable() || ((raw_ == nullptr || size > designed_) && !grow_locked(size))) {
      return nullptr;
    }
    ZnPayload raw{};
    return zn_allocate(raw_, size, &raw) ? std::make_unique<ZenohChunk>(raw, size) : nullptr;
  }

 private:
  bool grow_locked(std::size_t size) {
    char reason[256] = "";
    const std::size_t wanted = std::clamp(kPoolMessages * (size + 128), kLeastPool, kLargestPool);
    ZnPool * const larger = zn_pool_new(wanted, reason, sizeof reason);
    if (larger == nullptr) {
      is_usable_ = false;
      warn(kName, topic_,
           "no shared memory of " + std::to_string(wanted >> 20) + " MiB can be had, messages are copied: " + reason +
               ". Zenoh locks it in RAM: raise `ulimit -l`, or make room in /dev/shm");
      return false;
    }
    zn_pool_free(std::exchange(raw_, larger));
    designed_ = std::max(size, kLeastPool / kPoolMessages - 128);
    return true;
  }

  const std::string topic_;
  std::atomic<bool> is_usable_{true};
  std::mutex mutex_;
  ZnPool * raw_ = nullptr;    ///< guarded by mutex_
  std::size_t designed_ = 0;  ///< for messages of this size; guarded by mutex_
};

/// Messages of fixed size are lent in Zenoh's shared memory; large ones of other types are serialized there.
class ZenohSender final : public Sender {
 public:
  ZenohSender(const ZnSession * session, std::uint32_t domain, const SenderOptions & options)
      : is_tuned_(tuning() == Tuning::kTuned), pool_(options.entry.endpoint.topic) {
    const EndpointInfo & info = options.entry.endpoint;
    const bool blocks = info.qos.reliability == Reliability::kReliable;
    char reason[256] = "";
    publisher_ = zn_publisher_new(session, key_of(domain, info).c_str(), blocks, is_tuned_, reason, sizeof reason);
    if (publisher_ == nullptr) {
      throw Error(std::string(kName) + ": no publisher can be made for topic '" + info.topic + "': " + reason);
    }
    if (is_tuned_ && options.type.is_fixed_size && options.type.size >= kShareFrom) {
      pool_.allocate(options.type.size);  // locking it in RAM takes its time: now rather than at the first message
    }
  }
  ~ZenohSender() override { zn_publisher_free(publisher_); }

  Loans loans() const override { return is_tuned_ && pool_.is_usable() ? Loans::kShared : Loans::kNone; }

  std::unique_ptr<Chunk> lend(std::size_t size) override {
    auto chunk = pool_.allocate(size);
    return chunk ? std::move(chunk) : ordinary(size);  // readers hold it all
  }

  std::unique_ptr<Chunk> allocate(std::size_t size) override {
    auto chunk = is_tuned_ && size >= kShareFrom ? pool_.allocate(size) : nullptr;
    return chunk ? std::move(chunk) : ordinary(size);
  }

  bool admit(const RosterEntry & subscription) override {
    Note probe;
    probe.kind = Note::Kind::kProbe;
    probe.subscription = subscription.endpoint.gid;
    put(probe, nullptr);
    return false;  // the subscription says when it has come
  }
  void dismiss(const Gid &) override {}

  PublishResult send(const Header & header, std::shared_ptr<Chunk> chunk, const Gid * only) override {
    Note note;
    note.header = header;
    note.subscription = only != nullptr ? *only : note.subscription;
    if (!put(note, chunk.get())) {
      return PublishResult::kClosed;
    }
    if (is_tuned_) {
      const std::size_t limit = std::clamp(kRecentBytes / (chunk->size + 1), kLeastRecent, kMostRecent);
      recent_.push_back(std::move(chunk));
      while (recent_.size() > limit) {
        recent_.pop_front();
      }
    }
    return PublishResult::kOk;
  }

  void send_to(const Gid & subscription, const Header & header, std::shared_ptr<Chunk> chunk) override {
    Note note;
    note.header = header;
    note.subscription = subscription;
    put(note, chunk.get());
  }

 private:
  static std::unique_ptr<Chunk> ordinary(std::size_t size) {
    ZnPayload raw{};
    return zn_allocate(nullptr, size, &raw) ? std::make_unique<ZenohChunk>(raw, size) : nullptr;
  }

  bool put(const Note & note, const Chunk * chunk) {
    ZnOwner * const owner = chunk == nullptr ? nullptr : static_cast<const ZenohChunk *>(chunk)->owner;
    return zn_put(publisher_, owner, reinterpret_cast<const std::uint8_t *>(&note), sizeof note);
  }

  const bool is_tuned_;
  SharedPool pool_;
  ZnPublisher * publisher_ = nullptr;
  std::deque<std::shared_ptr<Chunk>> recent_;
};

}  // namespace

std::string key_of(std::uint32_t domain, const EndpointInfo & publisher) {
  const std::string & topic = publisher.topic;
  std::string key = "tandem/" + std::to_string(domain);
  for (const char c : "/" + topic.substr(topic.starts_with('/') ? 1 : 0)) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    if (is_plain || (c == '/' && key.back() != '/')) {
      key += c;
    } else {
      char code[4];
      std::snprintf(code, sizeof code, "%%%02X", static_cast<unsigned char>(c));
      key += code;
    }
  }
  return key + (key.back() == '/' ? "%/" : "/") + to_hex(publisher.gid);
}

std::unique_ptr<Sender> make_sender(const ZnSession * session, std::uint32_t domain, const SenderOptions & options) {
  return std::make_unique<ZenohSender>(session, domain, options);
}

}  // namespace rmw_zenoh
