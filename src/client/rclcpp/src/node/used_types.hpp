// The types of a node's topics and services: those that others may ask it about.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <mutex>
#include <vector>

#include "tandem/message_type.hpp"

namespace rclcpp::detail {

/// Thread-safe. Types live as long as the process, and are not forgotten when what uses them ends.
class UsedTypes {
 public:
  using Hash = std::array<std::uint8_t, 32>;

  void add(const tandem::MessageType & type) { add(messages_, type); }
  void add(const tandem::ServiceType & type) { add(services_, type); }
  /// Null if no topic has a type of this hash.
  const tandem::MessageType * find_message(const Hash & hash) const { return find(messages_, hash); }
  const tandem::ServiceType * find_service(const Hash & hash) const { return find(services_, hash); }

 private:
  template <class Type>
  void add(std::vector<const Type *> & types, const Type & type) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (std::find(types.begin(), types.end(), &type) == types.end()) types.push_back(&type);
  }
  template <class Type>
  const Type * find(const std::vector<const Type *> & types, const Hash & hash) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = std::find_if(types.begin(), types.end(), [&](const Type * type) { return type->hash == hash; });
    return found == types.end() ? nullptr : *found;
  }

  mutable std::mutex mutex_;
  std::vector<const tandem::MessageType *> messages_;
  std::vector<const tandem::ServiceType *> services_;
};

}  // namespace rclcpp::detail
