// Another process of the test: this very program, started anew in one of a few roles.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

namespace conformance {

inline constexpr std::chrono::seconds kPeerLease{1};

/// Starts, talks to and ends a peer. Its standard input is held open; when that closes the peer ends.
class Peer {
 public:
  explicit Peer(std::vector<std::string> role_and_arguments);
  ~Peer();
  Peer(const Peer &) = delete;
  Peer & operator=(const Peer &) = delete;

  /// Waits until the peer has said this line. \return false when it ended or the limit is over.
  bool says(const std::string & line);
  void kill();
  /// Asks it to end and waits. \return its exit status, or -1 when it did not end by itself.
  int finish();

 private:
  pid_t pid_ = -1;
  int to_ = -1;
  int from_ = -1;
  std::string heard_;
};

/// The peer's side: runs a role until the standard input closes. TYPE is small, large or report.
///   echo TYPE TOPIC REPLY   sends back what comes, keep last; says "ready" once both have a match
///   echo_history TOPIC REPLY   the same, transient local and keep all; says "ready" at once
///   flood TYPE TOPIC        publishes 0, 1, 2, ... as fast as it can
///   drink TOPIC             a keep-all subscription that takes nothing; says "matched"
///   node NAMESPACE NAME TOPIC   is there; says "ready"
///   serve TYPE SERVICE      replies to each request; says "ready"
///   call SERVICE            calls without end; says "calling" after the first reply
///   other_type TOPIC        publishes and subscribes to another type there; says "ready"
///   live TOPIC              a publisher within kPeerLease, automatic; publishes nothing
///   assert TOPIC            the same, manual: asserts that it lives
/// \return the exit status.
int run_peer(const std::vector<std::string> & role_and_arguments);

}  // namespace conformance
