// A scripted user of the core: one command per line, one answer per line. The same commands work within the test's
// process and in another one, so that a test is written once for both.
//
//   join DOMAIN                  leave                      settle
//   pub NAME TOPIC OPTION...     sub NAME TOPIC OPTION...   set NAME           close NAME
//   publish NAME COUNT SIZE      copy NAME COUNT SIZE       adopt NAME COUNT SIZE
//   borrow NAME COUNT SIZE       drop_loans                 publish_loans NAME
//   take NAME MAX                keep NAME MAX              await NAME COUNT   check    drop
//   lost NAME  matched NAME  failed NAME  forgotten NAME  has_data NAME
//   attach SET NAME              detach SET NAME            wait SET MILLISECONDS   wake SET
//   in_use                       log                        processes
//
// Options: keep_all depth=N best_effort transient block=MS type=NAME hash=N abi=N quota=N loans=N samples=N first=N min=N
// node=NAME others_only
// Answers: "ok", numbers, or "error ...". Messages are those of payload.hpp; their counters rise from 0 per
// publisher, and await wants each publisher's next ones.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "harness.hpp"
#include "tandem/participant.hpp"

namespace tandem::test {

PublisherOptions publisher_options(const std::string & topic, const std::string & options = {});
SubscriptionOptions subscription_options(const std::string & topic, const std::string & options = {});

class Agent {
 public:
  Agent();
  ~Agent();
  std::string execute(const std::string & line);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Role "agent": executes standard input's lines until its end.
int run_agent();

/// An agent here or in a process of its own.
class Station {
 public:
  explicit Station(bool remote) {
    remote ? static_cast<void>(child_.emplace("agent")) : static_cast<void>(agent_.emplace());
  }
  std::string operator()(const std::string & line) { return child_ ? child_->ask(line) : agent_->execute(line); }
  Child & child() { return *child_; }
  /// Ends it as a program that returns from main; 0 when all is well.
  int finish() {
    agent_.reset();
    return child_ ? child_->finish() : 0;
  }
  /// Waits until the answer is `wanted`.
  bool until(const std::string & line, const std::string & wanted) {
    return wait_until([&] { return (*this)(line) == wanted; });
  }

 private:
  std::optional<Child> child_;
  std::optional<Agent> agent_;
};

}  // namespace tandem::test
