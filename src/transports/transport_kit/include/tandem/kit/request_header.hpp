// How the RequestId of a service's messages travels with their bytes:
//
//   encapsulation   client, sequence        body
//   4 bytes         0, 16 or 24 bytes       aligned as without
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "tandem/transport.hpp"

namespace tandem::transport {

enum class RequestHeader : std::uint8_t {
  kWhole,  ///< 16 bytes of the client's gid, 8 of the sequence
  kShort,  ///< 8 bytes that client_in() makes of the gid, 8 of the sequence: as stock nodes over Cyclone DDS
  kNative  ///< none: the middleware carries it, see Writer::write() and Arrival::request
};

/// Bytes between the encapsulation and the body.
std::size_t size_of(RequestHeader header);

/// The client as a header tells it. Of kShort: both halves of the gid, xor, then 8 zeros; of what is so already, itself.
Gid client_in(RequestHeader header, const Gid & client);

/// `memory` has size_of(header) bytes, then little-endian CDR. Afterwards it begins with the encapsulation and the header.
void write_request_header(RequestHeader header, const RequestId & id, std::byte * memory);

/// Of CDR in either byte order. Nothing when it is too short.
std::optional<RequestId> read_request_header(RequestHeader header, const std::byte * cdr, std::size_t size);

/// Copies CDR without its header to `memory`, which has room for size - size_of(header) bytes. `cdr` has a header.
void copy_without_header(RequestHeader header, const std::byte * cdr, std::size_t size, std::byte * memory);

}  // namespace tandem::transport
