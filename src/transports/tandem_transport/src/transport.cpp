// Words for the results of the interface's calls, and for gids.
#include "tandem/transport.hpp"

#include <charconv>

namespace tandem::transport {

const char * to_string(PublishResult result) {
  switch (result) {
    case PublishResult::kOk: return "ok";
    case PublishResult::kInvalidLoan: return "the loan is empty, already published, or of another publisher";
    case PublishResult::kPoolExhausted: return "every message of the pool is on loan, owed to a reader or kept by one";
    case PublishResult::kNoMemory: return "the memory for messages is full";
    case PublishResult::kTimeout: return "a reliable keep-all reader stayed full for max_blocking_time";
    case PublishResult::kClosed: return "the publisher is closed";
  }
  return "unknown result";
}

std::string to_hex(const Gid & gid) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : gid) {
    text += {kDigits[byte >> 4], kDigits[byte & 15]};
  }
  return text;
}

std::optional<Gid> gid_of(std::string_view digits) {
  Gid gid{};
  if (digits.size() != 2 * gid.size() || digits.find_first_not_of("0123456789abcdef") != std::string_view::npos) {
    return std::nullopt;
  }
  for (std::size_t i = 0; i < gid.size(); ++i) {
    std::from_chars(digits.data() + 2 * i, digits.data() + 2 * i + 2, gid[i], 16);
  }
  return gid;
}

}  // namespace tandem::transport
