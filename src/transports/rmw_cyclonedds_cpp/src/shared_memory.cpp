#include "shared_memory.hpp"

#include <dds/ddsi/ddsi_shm_transport.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iceoryx_hoofs/error_handling/error_handling.hpp>
#include <memory>
#include <mutex>

#include "tandem/kit/endpoint.hpp"

namespace rmw_cyclonedds {
namespace {

namespace transport = tandem::transport;

constexpr const char * kDoor = "/tmp/roudi";  ///< where iceoryx 2.0's RouDi takes registrations
constexpr int kPatience = 500;                ///< ms
constexpr const char * kManagement = "/dev/shm/iceoryx_mgmt";

void on_error(iox::Error error, const std::function<void()> & /*callback*/, iox::ErrorLevel level) {
  if (level == iox::ErrorLevel::FATAL) {
    transport::warn("rmw_cyclonedds_cpp", "",
                    std::string("iceoryx cannot go on: ") + iox::ErrorHandler::toString(error) +
                        ". Does iox-roudi run, and has it room (its limits, its configuration)?");
    std::terminate();  // what it would return to is not prepared for that
  }
  // Else the call fails, and its caller knows: no chunk is free, or none is large enough.
}

}  // namespace

bool roudi_runs() {
  // A container may see the door but not the house.
  if (access(kManagement, R_OK | W_OK) != 0) {
    return false;
  }
  const int knock = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (knock < 0) {
    return false;
  }
  sockaddr_un door{};
  door.sun_family = AF_UNIX;
  std::strncpy(door.sun_path, kDoor, sizeof door.sun_path - 1);
  // A RouDi that was killed leaves its file behind, but nobody who listens.
  // One that hangs (iceoryx 2.0 does where a client was killed with a lock in its hand) has its queue full.
  pollfd queue{knock, POLLOUT, 0};
  const bool is_open = connect(knock, reinterpret_cast<const sockaddr *>(&door), sizeof door) == 0 &&
                       poll(&queue, 1, kPatience) == 1 && (queue.revents & POLLOUT) != 0;
  close(knock);
  return is_open;
}

std::string roudi_id() {
  struct stat door {};
  if (stat(kDoor, &door) != 0) {
    return {};
  }
  const std::uint64_t number = door.st_ino * 1'000'003 ^ static_cast<std::uint64_t>(door.st_dev) ^
                               (static_cast<std::uint64_t>(door.st_ctim.tv_nsec) << 32);
  std::string text;
  for (unsigned i = 0; i < 16; ++i) {
    char part[4];
    std::snprintf(part, sizeof part, "%s%02x", i > 0 ? ":" : "",
                  static_cast<unsigned>(i < 8 ? number >> (8 * i) & 0xff : 0));
    text += part;
  }
  return text;
}

void tame_iceoryx() {
  static std::once_flag once;
  std::call_once(once, [] {
    // Never put back: iceoryx may report until the process ends.
    static auto * const guard = new iox::cxx::GenericRAII(iox::ErrorHandler::setTemporaryErrorHandler(on_error));
    static_cast<void>(guard);
  });
}

bool may_share_memory(const tandem::MessageType & type, const transport::TopicOptions & options) {
  return type.is_fixed_size && type.alignment <= IOX_C_CHUNK_DEFAULT_USER_PAYLOAD_ALIGNMENT &&
         options.qos.history == transport::History::kKeepLast &&
         options.qos.durability == transport::Durability::kVolatile && !options.ignore_local_publications;
}

std::uint64_t label_of(const tandem::MessageType & type) {
  std::uint64_t hash = 0;
  std::memcpy(&hash, type.hash.data(), sizeof hash);
  return hash ^ (type.abi * 0x9e3779b97f4a7c15u) ^ type.size;
}

ChunkLabel read_label(const void * chunk) {
  ChunkLabel label;
  static_assert(sizeof label == sizeof(ddsi_keyhash_t));
  std::memcpy(&label, iceoryx_header_from_chunk(chunk)->keyhash.value, sizeof label);
  return label;
}

std::uint32_t chunk_size(const void * chunk) { return iceoryx_header_from_chunk(chunk)->data_size; }

void KnownChunks::construct(const tandem::MessageType & type, void * chunk) {
  constexpr std::size_t kMost = 1000;
  bool is_new = false;
  {
    const std::lock_guard lock(mutex_);
    if (chunks_.size() >= kMost) {
      chunks_.clear();
    }
    is_new = chunks_.insert(chunk).second;
  }
  // A chunk keeps its header from one use to the next; others may have used it since.
  if (is_new || read_label(chunk).type != label_of(type)) {
    type.construct(chunk);
    const ChunkLabel label{0, label_of(type)};
    std::memcpy(iceoryx_header_from_chunk(chunk)->keyhash.value, &label, sizeof label);
  }
}

}  // namespace rmw_cyclonedds
