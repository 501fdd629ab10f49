// A publisher of iceoryx: chunks of shared memory are lent, filled, and put into the queues of its readers.
//
// iceoryx' own sending either overwrites what is in a full queue or waits for its reader without end, spinning. Here it
// is done anew over the same data: it waits for readers that keep all, for a limited time, before anything is sent.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "iceoryx_posh/internal/popo/ports/publisher_port_user.hpp"
#include "message_header.hpp"
#include "runtime.hpp"
#include "tandem/transport.hpp"

namespace iceoryx {

using tandem::transport::EndpointInfo;
using tandem::transport::PublishResult;

/// Thread-safe.
class PublisherPort {
 public:
  using Queue = iox::popo::PublisherPortData::ChunkQueueData_t;

  /// \throws Error when RouDi gives no port, or a message of fixed size fits into no pool.
  PublisherPort(std::shared_ptr<Runtime> runtime, std::uint32_t domain, const tandem::MessageType & type,
                const EndpointInfo & endpoint);
  ~PublisherPort();
  PublisherPort(const PublisherPort &) = delete;
  PublisherPort & operator=(const PublisherPort &) = delete;

  /// Memory for a payload of so many bytes, or null. Never waits. `is_message`: it holds an earlier message of
  /// this publisher.
  void * allocate(std::size_t size, bool & is_message);
  void release(void * payload);
  /// Consumes the payload, whatever the result.
  PublishResult send(void * payload);

  /// The queues of readers that match.
  void set_matched(std::set<const Queue *> queues);
  std::string address() const { return runtime_->address_of(&data_); }
  const tandem::MessageType & type() const { return type_; }

 private:
  using Data = iox::popo::PublisherPortData;
  using Time = std::chrono::steady_clock::time_point;
  using Bytes = std::vector<std::byte>;  ///< a MessageHeader and its payload

  bool must_wait(const Queue & queue) const;
  bool has_room() const;
  bool has_newcomer() const;
  std::vector<Queue *> distribute(void * payload, iox::mepoo::SharedChunk & chunk);
  bool push_later(Queue * queue, const iox::mepoo::SharedChunk & chunk, Time end);
  std::vector<Queue *> welcome_newcomers();
  void serve_newcomers(Time end);
  void remember(const void * payload);
  iox::mepoo::SharedChunk take_out(const iox::mepoo::ChunkHeader * chunk);

  const std::shared_ptr<Runtime> runtime_;
  const tandem::MessageType & type_;
  const EndpointInfo endpoint_;
  const std::uint64_t tag_;
  const std::int64_t since_;
  const std::size_t memory_depth_;  ///< of memory_; 0 where iceoryx' own history suffices
  Data & data_;
  iox::popo::PublisherPortUser port_;

  std::mutex send_mutex_;                ///< one sends at a time; taken before iceoryx' lock, and that before the next
  std::deque<Bytes> memory_;             ///< guarded by send_mutex_: for late joiners
  std::set<iox::cxx::UniqueId> served_;  ///< guarded by send_mutex_: queues that have it

  mutable std::mutex mutex_;         ///< the port's lists of chunks; never held while waiting
  std::set<const Queue *> matched_;  ///< guarded by mutex_
  bool said_too_large_ = false;      ///< guarded by mutex_
};

}  // namespace iceoryx
