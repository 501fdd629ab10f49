// One channel of a service that is carried: the requests to its server, or the replies from it.
//
//   client ── request ──► ServiceServer ── requests channel ──► ServiceClient ── request ──► server
//   (one side)            of the gateway                        of the gateway          (other side)
//   client ◄── reply ──── ServiceServer ◄── replies channel ─── ServiceClient ◄── reply ──── server
//
// A request goes on under a number of the gateway's client; Calls has whose it is, so that its reply, the first if there
// are several, goes to the one who asked.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "forwarding/calls.hpp"
#include "forwarding/message.hpp"
#include "tandem/service.hpp"

namespace tandem::gateway {

/// The gateway's ends of one service.
struct CarriedService {
  const ServiceType * type;
  std::shared_ptr<transport::ServiceServer> server;
  std::shared_ptr<transport::ServiceClient> client;  ///< null: nobody calls
  std::shared_ptr<Calls> calls;
};

/// Moved by a forwarder's thread; Forwarder::mutex() guards it.
class ServiceChannel {
 public:
  /// \param kind kRequest or kReply \param direction in which its messages go
  ServiceChannel(transport::Channel kind, Direction direction, CarriedService ends)
      : kind_(kind), direction_(direction), ends_(std::move(ends)) {}

  transport::Channel kind() const { return kind_; }
  const CarriedService & ends() const { return ends_; }
  /// From now on it has this client; null: nobody calls.
  void connect(std::shared_ptr<transport::ServiceClient> client);
  /// Whether nothing is on its way here.
  bool is_idle() const;
  /// Whether requests wait for a client.
  bool needs_client() const { return !ends_.client && !queue_.empty(); }
  Counts counts() const;

  struct Progress {
    bool has_more = false;      ///< it has had its turn
    bool must_retry = false;    ///< messages wait
    bool needs_client = false;  ///< since now
  };
  Progress forward(transport::WaitSet & wait_set);

 private:
  const MessageType & type() const {
    return *(kind_ == transport::Channel::kRequest ? ends_.type->request : ends_.type->response);
  }
  std::shared_ptr<transport::Subscription> source() const;
  bool may_send();
  void flush();
  bool address(QueuedMessage & reply) const;
  transport::PublishResult send(QueuedMessage & message);

  using Clock = std::chrono::steady_clock;
  const transport::Channel kind_;
  const Direction direction_;
  CarriedService ends_;
  MessageQueue queue_;
  OwnedMessage spare_;  ///< the next message is read into it
  Counts counts_;
  std::uint64_t lost_before_ = 0;                   ///< by sources that are gone
  bool is_attached_ = false;                        ///< its source, to the forwarder's wait-set
  std::optional<Clock::time_point> waiting_since_;  ///< for the server to match
};

}  // namespace tandem::gateway
