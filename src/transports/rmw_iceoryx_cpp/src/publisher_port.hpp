// A publisher's port of iceoryx: its chunks, its history, and the queues of its subscribers.
//
// iceoryx' own Publisher overwrites the messages of slow readers, or waits for them without end (README.md). This class uses
// the parts below it, so each queue is served by itself.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "iceoryx_posh/internal/popo/ports/publisher_port_user.hpp"
#include "ports.hpp"
#include "tandem/kit/chunk_pool.hpp"

namespace iceoryx {

/// Whether a sender keeps more messages for late joiners than iceoryx can. They are then kept as copies.
bool has_long_history(const tandem::transport::SenderOptions & options);

/// Lives until its last chunk is gone. Thread-safe.
///
/// A chunk is allocated, then given back or taken out. Once taken out it is pushed to queues, and at last retired.
class PublisherPort {
 public:
  using PortData = iox::popo::PublisherPortData;
  using Queue = PortData::ChunkQueueData_t;
  using ChunkHeader = iox::mepoo::ChunkHeader;
  using SharedChunk = iox::mepoo::SharedChunk;

  /// \throws Error when RouDi gives no port, or a message of fixed size fits into no pool.
  PublisherPort(std::shared_ptr<Runtime> runtime, const tandem::transport::SenderOptions & options);
  ~PublisherPort() { port_.destroy(); }
  PublisherPort(const PublisherPort &) = delete;
  PublisherPort & operator=(const PublisherPort &) = delete;

  /// A chunk for a message of `size` bytes; null when there is none. `is_fresh` says that no message of this publisher
  /// lies in it.
  ChunkHeader * allocate(std::size_t size, bool & is_fresh);
  /// Frees a chunk that is not sent.
  void give_back(ChunkHeader * chunk);
  /// Passes the ownership of an allocated chunk to the caller.
  SharedChunk take_out(const ChunkHeader * chunk);
  /// Puts a chunk that all queues have into the history. The port lends it again once nobody has it.
  void retire(SharedChunk chunk);
  /// The message of this number in the history; null when it is not there.
  SharedChunk find(std::uint64_t sequence);
  /// Puts a copied message into shared memory again; null when there is no chunk.
  SharedChunk share(const tandem::transport::Header & header, const tandem::transport::Chunk & copy);

  /// The queue of a subscription; null when it is not connected.
  const Queue * queue_of(const tandem::transport::Gid & subscription) const;
  /// Whether a push has room: always, unless the reader keeps all. True also when the queue has gone.
  bool has_room(const Queue * queue) const;
  /// Puts the chunk into the queue. False when its reader keeps all and the queue is full. True also when the queue has gone.
  bool push(const Queue * queue, const SharedChunk & chunk) const;

  void fill_header(ChunkHeader & chunk, const tandem::transport::Header & header) const;
  /// Of the lock that this port shares with its subscribers and RouDi (StuckLocks).
  std::string address() const;
  /// Ordinary memory for copies.
  tandem::transport::ChunkPool & copies() const { return *copies_; }

 private:
  using SendingData = PortData::ChunkSenderData_t;

  SendingData & sending() const { return data_.m_chunkSenderData; }
  std::size_t largest_message() const;
  std::string too_large(std::size_t size) const;

  const std::shared_ptr<Runtime> runtime_;
  const std::string topic_;
  const Gid gid_;
  const std::uint32_t alignment_;
  const std::shared_ptr<tandem::transport::ChunkPool> copies_ = std::make_shared<tandem::transport::ChunkPool>();
  PortData & data_;
  std::mutex mutex_;                   ///< locked before iceoryx' lock
  iox::popo::PublisherPortUser port_;  ///< its lists of chunks are guarded by mutex_
  bool said_too_large_ = false;        ///< guarded by mutex_
};

}  // namespace iceoryx
