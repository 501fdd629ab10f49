// A publisher of iceoryx2's, and what it lends.
#pragma once

#include <algorithm>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_set>

#include "tandem/kit/tuning.hpp"
#include "tandem/kit/wire.hpp"
#include "tandem_iceoryx2.h"

namespace iceoryx2 {

using tandem::transport::Chunk;
using tandem::transport::Durability;
using tandem::transport::Error;
using tandem::transport::Gid;
using tandem::transport::Header;
using tandem::transport::History;
using tandem::transport::Qos;
using tandem::transport::SenderOptions;
using tandem::transport::to_hex;
using tandem::transport::Tuning;
using tandem::transport::tuning;

inline constexpr const char * kName = "rmw_iceoryx2_cpp";
/// Loans that are out at most: those of users, and one for each thread that publishes.
inline constexpr std::size_t kMaxLoaned = 16 + 64;
inline constexpr std::size_t kMaxSubscribers = 64;
/// Samples that a subscription holds at most. More are copied.
inline constexpr std::size_t kMaxHeld = 8;
/// What the memory of a publisher of small messages starts from.
inline constexpr std::size_t kLeastBytes = std::size_t{4} << 20;
inline constexpr std::size_t kInitialSize = 4096;  // of messages whose size is not fixed

/// One for each publisher; of replies one for each client as well.
inline std::string service_of(const Gid & publisher, const Gid * client = nullptr) {
  return "tandem/" + to_hex(publisher) + (client != nullptr ? "/" + to_hex(*client) : "");
}

inline std::size_t alignment_of(const tandem::MessageType & type) { return std::max<std::size_t>(type.alignment, 64); }

/// iceoryx2's publisher, which lives until the last loan is gone. Thread-safe.
class Port {
 public:
  Port(const Iox2Node * node, const SenderOptions & options, const Gid * client = nullptr) {
    const tandem::MessageType & type = options.type;
    const Qos & qos = options.entry.endpoint.qos;
    const bool is_tuned = tuning() == Tuning::kTuned;
    const std::string name = service_of(options.entry.endpoint.gid, client);
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

}  // namespace iceoryx2
