// What tests choose of a publisher or a subscription; everything else is the same for all of them.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <tuple>

#include "tandem/participant.hpp"

namespace tandem::test {

using namespace std::chrono_literals;

struct EndpointOptions {
  std::uint32_t depth = 10;
  bool keep_all = false;
  bool best_effort = false;
  bool transient = false;
  std::chrono::milliseconds block = 60s;  ///< how long a publish may wait
  std::string type = "test/msg/Words";
  std::uint8_t hash = 0;  ///< the first byte of the type's
  std::uint64_t abi = 0;
  std::string node = "node";
  std::string user_data;
  // A subscription does without these,
  std::uint32_t loans = 16;
  std::uint32_t samples = kKeepAllDepth;
  std::uint64_t first = 0;  ///< number of the first message
  // and a publisher without these.
  std::uint32_t quota = 8;
  std::size_t min_size = 0;
  bool others_only = false;  ///< never matches publishers of its own process

  /// For encoding.hpp.
  static constexpr auto members() {
    using Self = EndpointOptions;
    return std::tuple(&Self::depth, &Self::keep_all, &Self::best_effort, &Self::transient, &Self::block, &Self::type,
                      &Self::hash, &Self::abi, &Self::node, &Self::user_data, &Self::loans, &Self::samples,
                      &Self::first, &Self::quota, &Self::min_size, &Self::others_only);
  }
};

PublisherOptions publisher_options(const std::string & topic, const EndpointOptions & chosen = {});
SubscriptionOptions subscription_options(const std::string & topic, const EndpointOptions & chosen = {});

}  // namespace tandem::test
