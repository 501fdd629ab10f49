// Endpoints of tandem_core as the benchmarks use them.
#pragma once

#include <string>

#include "common/contestant.hpp"
#include "tandem/participant.hpp"

namespace bench {

/// Throws std::runtime_error with the failure's message.
template <class T, class Error>
T value_or_throw(tandem::Result<T, Error> && result) {
  if (!result) {
    throw std::runtime_error(result.error().message);
  }
  return std::move(*result);
}

/// This process's presence in domain 0.
const tandem::Participant & participant();

/// By default reliable, volatile, KEEP_LAST 10: what ROS users have.
std::unique_ptr<tandem::Publisher> make_publisher(const std::string & topic,
                                                  const tandem::Participant & where = participant(),
                                                  const tandem::Qos & qos = {});
std::unique_ptr<tandem::Subscription> make_subscription(const std::string & topic,
                                                        const tandem::Participant & where = participant(),
                                                        const tandem::Qos & qos = {});

/// Borrows `size` bytes, writes the head into them and publishes.
void send(tandem::Publisher & publisher, std::size_t size, const Head & head);

inline const Head & head_of(const tandem::Sample & sample) { return *static_cast<const Head *>(sample.data()); }

}  // namespace bench
