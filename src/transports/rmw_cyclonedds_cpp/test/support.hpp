// What the tests share: the transport as it is built here, other processes, waiting.
#pragma once

#include <gtest/gtest.h>
#include <sys/types.h>

#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "../../tandem_transport/test/transport_test.hpp"
#include "tandem/transport.hpp"

namespace cyclonedds_test {

namespace transport = tandem::transport;

/// Domains that nobody else tests in.
inline constexpr std::uint32_t kDomain = 31;

/// Generous: the machine may be many times slower than ours.
inline constexpr std::chrono::seconds kLimit{60};

using tandem::test::eventually;

transport::Transport & transport_under_test();
transport::TopicOptions on(const std::string & topic, const transport::Qos & qos);
transport::Qos keep_last(std::uint32_t depth);
transport::Qos keep_all();

/// Sets variables of the environment for as long as it lives; an empty value unsets.
class Environment {
 public:
  explicit Environment(const std::map<std::string, std::string> & values);
  ~Environment();
  Environment(const Environment &) = delete;
  Environment & operator=(const Environment &) = delete;

 private:
  std::map<std::string, std::string> before_;
};

/// This program in another process, doing what `run_role` of the words says; killed at the latest with this object.
class Peer {
 public:
  explicit Peer(std::vector<std::string> words);
  ~Peer();
  Peer(const Peer &) = delete;
  Peer & operator=(const Peer &) = delete;
  /// Its exit status, waiting for it. -1: none in time.
  int wait();

 private:
  pid_t pid_ = -1;
};

/// Roles: `publish_large TOPIC COUNT`, `config`, `fork`. \return the exit status
int run_role(const std::vector<std::string> & words);
/// The role `fork` (test_fork.cpp).
int run_fork();

}  // namespace cyclonedds_test
