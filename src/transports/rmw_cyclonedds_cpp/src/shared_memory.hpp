// iceoryx below Cyclone: its daemon RouDi hands out shared memory to the processes of a host.
#pragma once

#include <cstdint>
#include <mutex>
#include <set>
#include <string>

#include "tandem/message_type.hpp"
#include "tandem/transport.hpp"

namespace rmw_cyclonedds {

/// Whether RouDi listens, and keeps up with it. Without it, iceoryx would wait for a minute and then end the process.
bool roudi_runs();

/// Which RouDi: processes that see the same one have the same text, others another one.
std::string roudi_id();

/// From now on what iceoryx reports is no reason to end the process, except where it cannot go on. The first call
/// counts.
void tame_iceoryx();

/// Whether an endpoint's messages may travel as they lie in memory. Cyclone has neither keep all nor history there.
bool may_share_memory(const tandem::MessageType & type, const tandem::transport::TopicOptions & options);

/// The chunks that a publisher has had. Thread-safe.
class KnownChunks {
 public:
  /// Makes the chunk's memory a message. What an earlier message of this publisher's left in it stays.
  void construct(const tandem::MessageType & type, void * chunk);

 private:
  std::mutex mutex_;
  std::set<const void *> chunks_;  ///< guarded by mutex_
};

// The header that Cyclone puts before a chunk has room for a key's hash, which our topics do not have.

/// Marks a chunk on its way: whose message it holds, and which one.
struct ChunkLabel {
  std::uint64_t sequence;
  std::uint64_t type;
};
std::uint64_t label_of(const tandem::MessageType & type);
ChunkLabel read_label(const void * chunk);
/// Bytes of the message in the chunk, as its publisher tells.
std::uint32_t chunk_size(const void * chunk);

}  // namespace rmw_cyclonedds
