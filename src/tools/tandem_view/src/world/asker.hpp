// Requests to services of other nodes, without waiting: the answer comes during a later poll().
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <utility>

#include "tandem/owned_message.hpp"
#include "tandem/service.hpp"
#include "tandem/transport.hpp"

namespace tandem::view {

/// Gets the response, or null and a sentence that says why there is none.
using Answer = std::function<void(const void * response, const std::string & why)>;

/// Not thread-safe.
class Asker {
 public:
  using Clock = std::chrono::steady_clock;

  Asker(transport::Context & context, transport::NodeName node) : context_(context), node_(std::move(node)) {}

  /// `answer` is called once, unless this object ends before. \throws transport::Error
  void ask(const std::string & service, const ServiceType & type, OwnedMessage request, Answer answer);
  void poll();
  /// Nobody gets an answer any more.
  void forget() { pending_.clear(); }
  bool is_idle() const { return pending_.empty(); }

 private:
  struct Pending {
    std::string service;
    std::unique_ptr<transport::ServiceClient> client;
    OwnedMessage request;
    Answer answer;
    Clock::time_point deadline;
    std::int64_t sequence = 0;
    bool is_sent = false;
  };
  bool advance(Pending & pending);

  transport::Context & context_;
  const transport::NodeName node_;
  std::list<Pending> pending_;
};

}  // namespace tandem::view
