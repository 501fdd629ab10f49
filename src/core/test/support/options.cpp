#include "options.hpp"

namespace tandem::test {
namespace {

template <class Options>
Options common(const std::string & topic, const EndpointOptions & chosen) {
  Options options;
  options.topic = topic;
  options.node = {"/", chosen.node};
  options.user_data = chosen.user_data;
  options.type.name = chosen.type;
  options.type.hash[0] = chosen.hash;
  options.type.abi = chosen.abi;
  options.qos.depth = chosen.depth;
  options.qos.history = chosen.keep_all ? History::kKeepAll : History::kKeepLast;
  options.qos.reliability = chosen.best_effort ? Reliability::kBestEffort : Reliability::kReliable;
  options.qos.durability = chosen.transient ? Durability::kTransientLocal : Durability::kVolatile;
  options.qos.max_blocking_time = chosen.block;
  return options;
}

}  // namespace

PublisherOptions publisher_options(const std::string & topic, const EndpointOptions & chosen) {
  auto options = common<PublisherOptions>(topic, chosen);
  options.max_loans = chosen.loans;
  options.max_samples = chosen.samples;
  options.first_sequence = chosen.first;
  return options;
}

SubscriptionOptions subscription_options(const std::string & topic, const EndpointOptions & chosen) {
  auto options = common<SubscriptionOptions>(topic, chosen);
  options.held_quota = chosen.quota;
  options.min_size = chosen.min_size;
  options.ignore_own_process = chosen.others_only;
  return options;
}

}  // namespace tandem::test
