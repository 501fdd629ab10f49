// A subscriber of iceoryx: its queue, and the chunks that its user holds.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>

#include "iceoryx_posh/internal/popo/ports/subscriber_port_user.hpp"
#include "message_header.hpp"
#include "runtime.hpp"
#include "tandem/transport.hpp"

namespace iceoryx {

/// Thread-safe. Whoever holds a chunk keeps it alive.
class SubscriberPort : public std::enable_shared_from_this<SubscriberPort> {
 public:
  /// \throws Error when RouDi gives no port.
  SubscriberPort(std::shared_ptr<Runtime> runtime, std::uint32_t domain,
                 const tandem::transport::EndpointInfo & endpoint);
  ~SubscriberPort();
  SubscriberPort(const SubscriberPort &) = delete;
  SubscriberPort & operator=(const SubscriberPort &) = delete;

  /// Tells of data until close().
  void listen(DataListener & listener);
  /// Nothing comes any more; what is held stays.
  void close(DataListener & listener);

  /// The oldest chunk of the queue, to be given back; null: there is none.
  const iox::mepoo::ChunkHeader * pop();
  void give_back(const iox::mepoo::ChunkHeader * chunk);
  bool has_data() const { return !data_.m_chunkReceiverData.m_queue.empty(); }
  std::size_t queued() const { return data_.m_chunkReceiverData.m_queue.size(); }
  std::size_t held() const { return held_.load(std::memory_order_relaxed); }

  /// For publishers.
  std::string address() const;

 private:
  const std::shared_ptr<Runtime> runtime_;
  iox::popo::SubscriberPortData & data_;
  std::mutex mutex_;
  iox::popo::SubscriberPortUser port_;  ///< its lists are guarded by mutex_
  std::atomic<std::size_t> held_{0};
};

}  // namespace iceoryx
