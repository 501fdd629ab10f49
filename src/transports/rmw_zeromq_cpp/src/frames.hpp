// Memory of outgoing messages, used again once libzmq has sent it: large ones would otherwise be mapped anew, page by
// page, for each message.
//
//   Frame | Header | payload, aligned to 64
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include <zmq.hpp>

#include "tandem/message_type.hpp"
#include "wire.hpp"

namespace rmw_zeromq {

class FramePool;

/// The first bytes of the memory.
struct Frame {
  std::shared_ptr<FramePool> pool;  ///< while it is out
  std::size_t capacity = 0;         ///< of the payload

  void * payload() { return reinterpret_cast<std::byte *>(this) + kPayload; }
  static constexpr std::size_t kPayload = 128;
};
static_assert(sizeof(Frame) + sizeof(Header) <= Frame::kPayload);

/// Thread-safe. Frames may outlive their publisher.
class FramePool : public std::enable_shared_from_this<FramePool> {
 public:
  /// Frames of a type of fixed size hold a constructed message each.
  FramePool(const tandem::MessageType & type, bool is_reusing) : type_(type), is_reusing_(is_reusing) {}
  ~FramePool();
  FramePool(const FramePool &) = delete;
  FramePool & operator=(const FramePool &) = delete;

  /// A frame with room for `size` bytes; give_back() or to_message() ends the loan. Errors: std::bad_alloc.
  Frame * take(std::size_t size);
  static void give_back(Frame * frame) noexcept;
  /// The frame as a message that gives it back when it is sent.
  static zmq::message_t to_message(Frame * frame, std::size_t size);

  /// A message with room for header and payload: a frame, or memory of libzmq's where that is as good.
  /// Errors: std::bad_alloc.
  zmq::message_t make(std::size_t size);

  std::atomic<std::size_t> lent{0};  ///< to the user

 private:
  static constexpr std::size_t kMaxIdle = 16;
  static constexpr std::size_t kMaxIdleBytes = std::size_t{64} << 20;
  /// Up to here malloc is quick.
  static constexpr std::size_t kSmall = 16 * 1024;

  static void destroy(Frame * frame) noexcept;

  const tandem::MessageType & type_;
  const bool is_reusing_;
  std::mutex mutex_;
  std::vector<Frame *> idle_;   ///< guarded by mutex_
  std::size_t idle_bytes_ = 0;  ///< guarded by mutex_
};

}  // namespace rmw_zeromq
