// Ctrl-C and SIGTERM: they end a watching command in good order instead of at once.
#pragma once

#include <chrono>
#include <memory>

#include "tandem/transport.hpp"

namespace ros2cli {

/// From here on a signal is remembered, and wakes `wait_set` if one is given.
void watch_for_interrupt(std::shared_ptr<tandem::transport::WaitSet> wait_set = nullptr);

/// Whether one came.
bool is_interrupted();

/// From here on only the next one counts.
void forget_interrupt();

/// Sleeps; a signal ends it within 50 ms. \return false if one came, or if nobody reads the output any more.
bool sleep_for(std::chrono::nanoseconds time);

}  // namespace ros2cli
