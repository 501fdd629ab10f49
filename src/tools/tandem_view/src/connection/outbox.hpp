// What waits to be sent to one client: bounded, so that one who does not read costs its own messages and nobody's memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace tandem::view {

using Bytes = std::vector<std::uint8_t>;

/// One WebSocket message: `head`, then `body`, which several clients may share.
struct Frame {
  bool is_binary = false;
  std::string head;
  std::shared_ptr<const Bytes> body;
  std::size_t size() const { return head.size() + (body ? body->size() : 0); }
};

/// Thread-safe.
class Outbox {
 public:
  struct Limits {
    std::size_t message_bytes = std::size_t{16} << 20;
    std::size_t message_count = 2000;
    std::size_t control_bytes = std::size_t{64} << 20;
  };
  explicit Outbox(const Limits & limits) : limits_(limits) {}
  Outbox() : Outbox(Limits{}) {}

  /// What may not get lost: descriptions, answers. \return false when there is too much of it: the client is to go.
  bool push_control(Frame frame);
  /// A message of the subscription `key`. The oldest messages make room for it.
  void push_message(Frame frame, std::uint32_t key);
  /// The next one in the order in which they came; nothing when there is none.
  std::optional<Frame> pop();

  /// Bytes of what may not get lost.
  std::size_t control_bytes() const;
  /// By key: messages that were dropped since the last call.
  std::map<std::uint32_t, std::uint64_t> take_drops();

 private:
  struct Entry {
    std::uint64_t number;
    std::uint32_t key;
    Frame frame;
  };
  void drop_oldest();

  const Limits limits_;
  mutable std::mutex mutex_;
  std::uint64_t next_ = 0;
  std::deque<Entry> control_;
  std::deque<Entry> messages_;
  std::size_t control_bytes_ = 0;
  std::size_t message_bytes_ = 0;
  std::map<std::uint32_t, std::uint64_t> drops_;
};

}  // namespace tandem::view
