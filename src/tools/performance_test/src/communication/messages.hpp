// What is to be known of each message type, without the type.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "communication/communication.hpp"
#include "measuring/interval.hpp"
#include "tandem/measure/transport_link.hpp"

namespace rclcpp {
class MessageInfo;
class Node;
class QoS;
class SubscriptionBase;
}  // namespace rclcpp

namespace performance_test {

struct SendRequest {
  std::uint64_t sequence;        ///< from 1
  std::int64_t due_ns;           ///< intended send time, now_ns()
  const Stamp * echo = nullptr;  ///< to send instead of a new stamp
};

/// What goes into each message besides its stamp.
struct Content {
  bool fill;                   ///< the payload, before the send stamp
  std::size_t unbounded_size;  ///< bytes of payload of the types without a bound
};

struct MessageKind {
  const char * name;
  tandem::measure::MessageKind on_link;             ///< the payload of a link is the whole message
  std::size_t (*size)(std::size_t unbounded_size);  ///< bytes of a message with all that it holds
  std::shared_ptr<void> (*make)();
  /// Sizes, fills and stamps a message.
  void (*prepare)(void * message, const SendRequest & request, const Content & content);
  /// All that the message tells of an arrival: the other members are the caller's.
  void (*read)(const void * message, Arrival & arrival);

  // Through rclcpp. The writer keeps its node.
  std::unique_ptr<Writer> (*make_writer)(const std::shared_ptr<rclcpp::Node> & node, const std::string & topic,
                                         const rclcpp::QoS & qos, bool zero_copy);
  std::shared_ptr<rclcpp::SubscriptionBase> (*make_subscription)(rclcpp::Node & node, const std::string & topic,
                                                                 const rclcpp::QoS & qos,
                                                                 const MessageHandler & handler);
  bool (*take)(rclcpp::SubscriptionBase & subscription, void * message, rclcpp::MessageInfo & info);
};

/// \param name one of message_names().
const MessageKind & find_message(const std::string & name);

// Of the groups in message_names.hpp.
std::vector<MessageKind> array_messages();
std::vector<MessageKind> sequence_messages();
std::vector<MessageKind> struct_messages();
std::vector<MessageKind> point_cloud_messages();

}  // namespace performance_test
