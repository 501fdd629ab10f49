// TANDEM_NETWORK: sees to it that this host has a gateway to the network.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

namespace rmw_tandem {

/// One for each context. Does nothing unless TANDEM_NETWORK=fastdds or cyclonedds is in the environment.
class Network {
 public:
  explicit Network(std::uint32_t domain) : domain_(domain) {}
  ~Network();
  Network(const Network &) = delete;
  Network & operator=(const Network &) = delete;

  /// Starts tandem-gateway of this prefix for the domain, unless one runs; it ends by itself 10 s after the last node. From then
  /// on, as long as this object lives, a thread starts another one when the gateway was killed or has crashed; not when
  /// it was ended. To be called when a node or an endpoint has been made, not by whoever only looks at the graph: a
  /// gateway that is about to end gives up its lock and looks once more, so that it sees the newcomer, or the newcomer
  /// sees no lock. Does something at the first call only. Thread-safe. Errors: none; what goes wrong costs a line, and
  /// this host's topics go on.
  void want() noexcept;

 private:
  void watch(const std::string & network);

  const std::uint32_t domain_;
  std::atomic<bool> is_wanted_ = false;
  std::mutex mutex_;
  bool is_ending_ = false;  // under mutex_
  std::condition_variable ending_;
  std::thread watching_;
};

}  // namespace rmw_tandem
