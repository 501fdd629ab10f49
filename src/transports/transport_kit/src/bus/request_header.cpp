#include "tandem/kit/request_header.hpp"

#include <algorithm>
#include <cstring>

namespace tandem::transport {
namespace {

constexpr std::size_t kEncapsulation = 4;
constexpr std::size_t kWord = sizeof(std::uint64_t);

using Word = std::array<std::uint8_t, kWord>;

/// In the order in which a little-endian machine has them.
Word read_word(const std::byte * from, bool is_little_endian) {
  Word word;
  std::memcpy(word.data(), from, word.size());
  if (!is_little_endian) {
    std::reverse(word.begin(), word.end());
  }
  return word;
}

}  // namespace

std::size_t size_of(RequestHeader header) {
  switch (header) {
    case RequestHeader::kWhole: return 3 * kWord;
    case RequestHeader::kShort: return 2 * kWord;
    case RequestHeader::kNative: break;
  }
  return 0;
}

Gid client_in(RequestHeader header, const Gid & client) {
  if (header != RequestHeader::kShort) {
    return client;
  }
  Gid folded{};
  for (std::size_t i = 0; i < kWord; ++i) {
    folded[i] = client[i] ^ client[i + kWord];
  }
  return folded;
}

void write_request_header(RequestHeader header, const RequestId & id, std::byte * memory) {
  const std::size_t size = size_of(header);
  if (size == 0) {
    return;
  }
  std::memcpy(memory, memory + size, kEncapsulation);
  const Gid client = client_in(header, id.client);
  std::memcpy(memory + kEncapsulation, client.data(), size - kWord);
  std::memcpy(memory + kEncapsulation + size - kWord, &id.sequence, kWord);
}

std::optional<RequestId> read_request_header(RequestHeader header, const std::byte * cdr, std::size_t size) {
  const std::size_t length = size_of(header);
  if (size < kEncapsulation + length) {
    return std::nullopt;
  }
  RequestId id;
  if (length == 0) {
    return id;
  }
  const bool is_little_endian = (std::to_integer<unsigned>(cdr[1]) & 1u) != 0;
  const std::byte * const begin = cdr + kEncapsulation;
  if (header == RequestHeader::kShort) {
    const Word client = read_word(begin, is_little_endian);  // a number for those who write it
    std::copy(client.begin(), client.end(), id.client.begin());
  } else {
    std::memcpy(id.client.data(), begin, id.client.size());
  }
  const Word sequence = read_word(begin + length - kWord, is_little_endian);
  std::memcpy(&id.sequence, sequence.data(), sequence.size());
  return id;
}

void copy_without_header(RequestHeader header, const std::byte * cdr, std::size_t size, std::byte * memory) {
  const std::size_t behind = kEncapsulation + size_of(header);
  std::memcpy(memory, cdr, kEncapsulation);
  std::memcpy(memory + kEncapsulation, cdr + behind, size - behind);
}

}  // namespace tandem::transport
