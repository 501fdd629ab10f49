// Users of the core beyond some boundary: of another user of the machine, in another container.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "station.hpp"

namespace tandem::test {

/// Role "other_user": arguments uid, gid, umask (octal), supplementary groups. Needs root.
int run_as_user(const std::vector<std::string> & arguments);
/// Users, and a group, that this machine does not have: others with every run of a test.
uid_t some_user(unsigned number);

/// Role "container": one that shares nothing but TANDEM_SHM_DIR, which has another path there, and is process 1.
/// Arguments: "no_proc" · "time=SECONDS" of a monotonic clock that is ahead. Its first line is "ready", or why not.
int run_container(const std::vector<std::string> & arguments);

/// Role "fork": does what its first argument says (fork_test.cpp).
int run_forks(const std::vector<std::string> & arguments);

/// rm -rf, as far as nobody makes it again meanwhile.
void remove_all(const std::string & path);

/// Sends `count` messages of `size` bytes from "p" of one to "s" of the other: every one arrives, in order.
inline bool flows(Station & from, Station & to, std::uint64_t count = 5, std::size_t size = 10000) {
  return from.publish("p", count, size) && to.await("s", count);
}

/// "p" of one publishes to "s" of the other.
inline bool connect(Station & from, Station & to, const std::string & topic = "topic",
                    const EndpointOptions & options = {.depth = 100}) {
  return from.create_publisher("p", topic, options) && to.create_subscription("s", topic, options) &&
         from.until_matched("p", 1) && to.until_matched("s", 1);
}

constexpr bool is_sanitized() { return TANDEM_SANITIZED; }

}  // namespace tandem::test
