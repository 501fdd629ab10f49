// How much passes: two looks, one after the other, and what is different.
#pragma once

#include <string>
#include <vector>

#include "view.hpp"

namespace tandem::doctor {

/// Of a topic, or of both channels of a service together.
struct TopicRate {
  std::uint32_t domain = 0;
  std::string name;  ///< "/a", "service /a"
  bool is_service = false;
  std::size_t publishers = 0;     ///< clients of a service
  std::size_t subscriptions = 0;  ///< servers
  double messages = 0;            ///< a second
  double bytes = 0;               ///< a second
  std::uint64_t lost = 0;
  double lost_rate = 0;
  std::uint64_t backlog = 0;  ///< the greatest of its readers'
  std::uint32_t blocks_used = 0;
  std::uint32_t blocks_max = 0;
  std::string means;  ///< the worst of its connections; "-": there is none
};

struct ProcessRate {
  std::uint32_t domain = 0;
  std::string name;
  std::int32_t pid = 0;
  std::string state;
  double out = 0;  ///< messages published a second
  double in = 0;   ///< messages taken a second, without replies
  std::uint64_t lost = 0;
  std::uint64_t memory = 0;
  std::uint64_t in_use = 0;
  std::uint64_t reserved = 0;
};

struct Rates {
  bool is_known = false;          ///< there was a look before
  std::vector<TopicRate> topics;  ///< services only if they have a client
  std::vector<ProcessRate> processes;
};

/// `before` may be null. What was not there before has rates of 0.
Rates compare(const inspection::Report * before, const View & now, double seconds);

enum class Order { kMessages, kBytes, kLost, kName };
const char * to_string(Order order);
void sort(Rates & rates, Order order);

}  // namespace tandem::doctor
