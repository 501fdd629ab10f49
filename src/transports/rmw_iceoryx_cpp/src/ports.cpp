#include "ports.hpp"

#include <time.h>

#include <cstdio>
#include <string>

namespace iceoryx {
namespace {

using tandem::transport::Durability;
using tandem::transport::History;

constexpr std::size_t kMaxWord = 80;  // all words of a request to RouDi share 512 bytes

std::string hash_of(const std::string & text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) {
    hash = (hash ^ static_cast<std::uint8_t>(c)) * 0x100000001b3;
  }
  char hex[17];
  std::snprintf(hex, sizeof hex, "%016llx", static_cast<unsigned long long>(hash));
  return hex;
}

std::string shortened(const std::string & text) {
  return text.size() <= kMaxWord ? text : text.substr(0, kMaxWord - 17) + "~" + hash_of(text);
}

iox::capro::IdString_t word(const std::string & text) {
  return iox::capro::IdString_t(iox::cxx::TruncateToCapacity, shortened(text));
}

}  // namespace

iox::capro::ServiceDescription service_of(std::uint32_t domain, const tandem::transport::EndpointInfo & endpoint) {
  const std::string definition = endpoint.type_name + endpoint.type_hash + std::to_string(endpoint.abi);
  return {word("tandem"), word(std::to_string(domain) + "/" + hash_of(definition)), word(endpoint.topic)};
}

std::size_t history_of(const tandem::transport::Qos & qos) {
  if (qos.durability == Durability::kVolatile) {
    return 0;
  }
  return qos.history == History::kKeepAll ? kKeepAllLimit : qos.depth;
}

std::int64_t monotonic_now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1'000'000'000LL + time.tv_nsec;
}

}  // namespace iceoryx
