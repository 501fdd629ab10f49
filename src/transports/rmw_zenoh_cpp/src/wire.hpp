// What travels over Zenoh beside payloads: a note, as the attachment of every message.
//
//   tandem/<domain>/<topic>/<publisher>      data, history, welcome, marker      from the publisher
//   tandem/<domain>/<topic>/<publisher>/c    join, confirm, taken, received      to the publisher
//
//   subscription                          publisher
//     declares the key
//     join (again until welcome)  ----->
//                                 <-----  welcome, history        the key leads here: nothing after it is missed
//     confirm                     ----->  counts the subscription
//                                 <-----  data ...
//     taken (keep all only)       ----->  may publish more
//                                 <-----  marker                  wait_for_all_acked()
//     received                    ----->
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>

#include "tandem/message_type.hpp"
#include "tandem/transport_support/endpoint.hpp"
#include "tandem_zenoh.h"

namespace rmw_zenoh {

using tandem::transport::Gid;

inline constexpr const char * kName = "rmw_zenoh_cpp";

enum class Kind : std::uint32_t { kData, kHistory, kWelcome, kMarker, kJoin, kConfirm, kTaken, kReceived };

struct Note {
  std::uint32_t magic = kMagic;
  Kind kind = Kind::kData;
  /// Data, history: of the message. Welcome: of the first that is owed. Marker, taken, received: of the next message.
  /// Join: how much history is wanted.
  std::uint64_t sequence = 0;
  std::int64_t timestamp = 0;
  Gid subscription{};  ///< that it is for, or from; nobody's in data and marker

  static constexpr std::uint32_t kMagic = 0x7464'7a01;  // its last byte is the version
  const std::uint8_t * bytes() const { return reinterpret_cast<const std::uint8_t *>(this); }
};
static_assert(sizeof(Note) == 40);

/// Nothing when the attachment is no note.
inline std::optional<Note> note_of(const ZnMessage & message) {
  Note note;
  if (message.attachment_size != sizeof note) {
    return std::nullopt;
  }
  std::memcpy(&note, message.attachment, sizeof note);
  return note.magic == Note::kMagic ? std::optional(note) : std::nullopt;
}

/// A topic has any characters, a key expression has not.
std::string key_of(std::uint32_t domain, const std::string & topic, const Gid & publisher);
inline std::string control_key_of(const std::string & key) { return key + "/c"; }

/// Messages that a keep-all reader may be behind, and that a queue without depth holds.
inline std::size_t capacity_of(const tandem::MessageType & type) {
  const std::size_t size = type.is_fixed_size ? type.size : std::size_t{256} << 10;
  return std::clamp<std::size_t>((std::size_t{64} << 20) / (size + 128), 16, 1000);
}

}  // namespace rmw_zenoh
