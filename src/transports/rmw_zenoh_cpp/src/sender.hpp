// What a publisher sends over Zenoh: a key of its own, and a note as the attachment of each message.
//
//   tandem/<domain>/<topic>/<publisher>      data, probes
//
// A probe shows a subscription that what is sent to the key reaches it; it is repeated until then.
#pragma once

#include <cstring>
#include <memory>
#include <optional>
#include <string>

#include "tandem/kit/wire.hpp"
#include "tandem_zenoh.h"

namespace rmw_zenoh {

inline constexpr const char * kName = "rmw_zenoh_cpp";

struct Note {
  enum class Kind : std::uint32_t { kData, kProbe };

  std::uint32_t magic = kMagic;
  Kind kind = Kind::kData;
  tandem::transport::Header header;
  tandem::transport::Gid subscription{};  ///< that it is for; nobody's: for all

  static constexpr std::uint32_t kMagic = 0x7464'7a02;  // its last byte is the version
};
static_assert(sizeof(Note) == 40);

/// Nothing when the attachment is no note.
inline std::optional<Note> note_of(const ZnMessage & message) {
  Note note;
  if (message.attachment_size != sizeof note) {
    return std::nullopt;
  }
  std::memcpy(static_cast<void *>(&note), message.attachment, sizeof note);
  return note.magic == Note::kMagic ? std::optional(note) : std::nullopt;
}

/// A topic has any characters, a key expression has not.
std::string key_of(std::uint32_t domain, const tandem::transport::EndpointInfo & publisher);

/// \throws Error.
std::unique_ptr<tandem::transport::Sender> make_sender(const ZnSession * session, std::uint32_t domain,
                                                       const tandem::transport::SenderOptions & options);

}  // namespace rmw_zenoh
