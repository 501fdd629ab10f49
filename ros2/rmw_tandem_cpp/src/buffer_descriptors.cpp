#include "buffer_descriptors.hpp"

#include <cstring>

namespace tandem_rmw {
namespace {

constexpr char kHasBytes = 'b';
constexpr char kHasNoBytes = 'n';

/// Takes from the front. False: there is not so much.
bool take(std::string_view & from, std::size_t size, std::string_view & part) {
  if (size > from.size()) return false;
  part = from.substr(0, size);
  from.remove_prefix(size);
  return true;
}

}  // namespace

void add_text(std::string & to, std::string_view text) {
  const auto size = static_cast<std::uint32_t>(text.size());
  to.append(reinterpret_cast<const char *>(&size), sizeof size);
  to += text;
}

bool take_text(std::string_view & from, std::string_view & text) {
  std::uint32_t size = 0;
  std::string_view number;
  if (!take(from, sizeof size, number)) return false;
  std::memcpy(&size, number.data(), sizeof size);
  return take(from, size, text);
}

std::string begin_descriptors(bool has_bytes) { return {has_bytes ? kHasBytes : kHasNoBytes}; }

void add(std::string & descriptors, const BufferDescriptor & descriptor) {
  descriptors.append(reinterpret_cast<const char *>(descriptor.subscription.data()), descriptor.subscription.size());
  add_text(descriptors, descriptor.backend);
  add_text(descriptors, descriptor.message);
}

bool has_bytes(std::string_view descriptors) { return descriptors.empty() || descriptors.front() != kHasNoBytes; }

std::optional<BufferDescriptor> find(std::string_view descriptors, const tandem::transport::Gid & subscription) {
  BufferDescriptor found;
  std::string_view gid;
  if (!descriptors.empty()) descriptors.remove_prefix(1);
  while (take(descriptors, found.subscription.size(), gid) && take_text(descriptors, found.backend) &&
         take_text(descriptors, found.message)) {
    std::memcpy(found.subscription.data(), gid.data(), gid.size());
    if (found.subscription == subscription) return found;
  }
  return std::nullopt;
}

}  // namespace tandem_rmw
