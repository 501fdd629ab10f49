// Zenoh's objects, each with its end.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "entity.hpp"
#include "tandem/kit/chunk.hpp"
#include "tandem/kit/roster.hpp"
#include "tandem_zenoh.h"

namespace rmw_zenoh {

template <auto Free>
struct Freed {
  template <class Object>
  void operator()(Object * object) const {
    Free(object);
  }
};

using Config = std::unique_ptr<ZnConfig, Freed<zn_config_free>>;
using Token = std::unique_ptr<ZnToken, Freed<zn_token_free>>;
using TokenWatch = std::unique_ptr<ZnTokenWatch, Freed<zn_unwatch_tokens>>;
using PublisherHandle = std::unique_ptr<ZnPublisher, Freed<zn_publisher_free>>;
using SubscriberHandle = std::unique_ptr<ZnSubscriber, Freed<zn_subscriber_free>>;
using QueryableHandle = std::unique_ptr<ZnQueryable, Freed<zn_queryable_free>>;
using Owner = std::unique_ptr<ZnOwner, Freed<zn_free>>;

/// Calls a function of Zenoh's that takes `arguments`, and room for the reason why it fails, last.
/// \throws Error: "rmw_zenoh_cpp: <what>: <reason>".
template <class Call, class... Arguments>
auto checked(const std::string & what, Call call, Arguments... arguments) {
  char reason[512] = "";
  const auto result = call(arguments..., reason, sizeof reason);
  if (!result) {
    throw Error(std::string(kName) + ": " + what + ": " + reason);
  }
  return result;
}

/// A message that has come.
class ReceivedChunk final : public Chunk {
 public:
  explicit ReceivedChunk(const ZnMessage & raw) : owner(raw.owner) {
    data = const_cast<std::byte *>(reinterpret_cast<const std::byte *>(raw.payload));
    size = raw.size;
  }

  Owner owner;
};

/// A message on its way out.
class SentChunk final : public Chunk {
 public:
  SentChunk(const ZnPayload & raw, std::size_t bytes) : owner(raw.owner) {
    data = reinterpret_cast<std::byte *>(raw.memory);
    size = bytes;
  }

  const Owner owner;
};

/// In the process's memory. Errors: std::bad_alloc.
std::unique_ptr<SentChunk> make_ordinary_chunk(std::size_t size);

/// Of a router, or of the nodes of one context. It is read from the file that `variable` names, as with the stock
/// rmw_zenoh, or has its defaults; then come the settings of ZENOH_CONFIG_OVERRIDE.
/// \throws Error naming the file or the setting.
Config read_config(bool is_router);

class Session {
 public:
  /// Connects to the other contexts of this host through sockets beside the roster, and to all that the configuration
  /// says. \throws Error.
  explicit Session(const Roster & roster);
  explicit Session(const Config & config);
  ~Session() { zn_close(raw_); }
  Session(const Session &) = delete;
  Session & operator=(const Session &) = delete;

  const ZnSession * get() const { return raw_; }
  const std::string & id() const { return id_; }
  /// \throws Error.
  Token declare(const std::string & token) const;

 private:
  ZnSession * raw_ = nullptr;
  std::string id_;
};

}  // namespace rmw_zenoh
