// Services over any transport: two channels, one for requests and one for replies.
//
//   client                                              server
//   publisher     ── rq/add_two_intsRequest ──►   subscription
//   subscription  ◄── rr/add_two_intsReply  ───   publisher
//
// A channel is a topic whose name ROS 2's conventions give. What it carries has a RequestId beside the message, and a
// subscription to replies takes those only that name it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "tandem/transport.hpp"

namespace tandem::transport {

enum class Channel : std::uint8_t { kTopic, kRequest, kReply };

/// What is carried under this name.
Channel channel_of(std::string_view topic);
/// "rq/add_two_intsRequest" for "/add_two_ints".
std::string request_channel(std::string_view service);
/// "rr/add_two_intsReply" for "/add_two_ints".
std::string reply_channel(std::string_view service);
/// "/add_two_ints" for both; nothing for a topic.
std::optional<std::string> service_of(std::string_view channel);
/// "example_interfaces/srv/AddTwoInts" for its request's and its reply's name; nothing for other types.
std::optional<std::string> service_type_of(std::string_view message_type);

struct ServiceOptions {
  NodeName node;
  std::string service;  ///< fully qualified: "/add_two_ints"
  Qos qos;
};

/// The calling end. Thread-safe. `type` outlives it.
class ServiceClient {
 public:
  /// \throws Error as Context::create_publisher() and create_subscription().
  ServiceClient(Context & context, const ServiceType & type, const ServiceOptions & options);

  /// Lends memory for requests.
  Publisher & requests() { return *requests_; }
  /// Sends a request: a Loan &&, a const void * or an OwnedMessage &, as Publisher::publish(). `sequence` names it if the result
  /// is kOk; its reply may be there before this returns.
  template <class Request>
  PublishResult send(Request && request, std::int64_t & sequence) {
    RequestId id{replies_->gid(), 0};
    const PublishResult result = requests_->publish(std::forward<Request>(request), id);
    sequence = id.sequence;
    return result;
  }
  /// To take from and to wait for. MessageInfo::request names the request. A reply may come twice, and several servers
  /// reply each.
  const std::shared_ptr<Subscription> & replies() const { return replies_; }
  /// Whether a server is there, which a request reaches and whose reply comes back.
  bool is_ready() const { return requests_->subscription_count() != 0 && replies_->publisher_count() != 0; }

 private:
  // In this order: a server that knows who asks knows where to reply.
  const std::shared_ptr<Subscription> replies_;
  const std::shared_ptr<Publisher> requests_;
};

/// The answering end. Thread-safe. `type` outlives it.
class ServiceServer {
 public:
  /// \throws Error as Context::create_publisher() and create_subscription().
  ServiceServer(Context & context, const ServiceType & type, const ServiceOptions & options);

  /// To take from and to wait for. MessageInfo::request is to be handed to reply().
  const std::shared_ptr<Subscription> & requests() const { return requests_; }
  /// Lends memory for replies.
  Publisher & replies() { return *replies_; }
  /// As ServiceClient::send(). kOk also when the client has left.
  template <class Reply>
  PublishResult reply(Reply && reply, RequestId id) {
    return replies_->publish(std::forward<Reply>(reply), id);
  }

 private:
  const std::shared_ptr<Publisher> replies_;
  const std::shared_ptr<Subscription> requests_;
};

}  // namespace tandem::transport
