// Senders and receivers of each message type, behind an interface without types.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "interval.hpp"

namespace rclcpp {
class Node;
class QoS;
}  // namespace rclcpp

namespace performance_test {

struct EndpointSetup {
  rclcpp::Node & node;
  std::string topic;
  const rclcpp::QoS & qos;
  bool zero_copy;              ///< loaned messages
  bool fill_payload;           ///< before the send stamp
  std::size_t unbounded_size;  ///< bytes of payload of the types without a bound
};

struct SendRequest {
  std::uint64_t sequence;        ///< from 1
  std::int64_t due_ns;           ///< intended send time, now_ns()
  const Stamp * echo = nullptr;  ///< to send instead of a new stamp
};

enum class SendResult { kSent, kNoLoan, kFailed };

/// A publisher and its message. One thread at a time; matched() from any.
class Sender {
 public:
  virtual ~Sender() = default;
  /// Never throws: the first failure is explained on stderr.
  virtual SendResult send(const SendRequest & request) = 0;
  virtual std::size_t matched() const = 0;
};

class Receiver {
 public:
  virtual ~Receiver() = default;
  virtual std::size_t matched() const = 0;
};

/// Called by the executor of the receiver's node.
using ArrivalHandler = std::function<void(const Arrival &)>;

struct MessageKind {
  const char * name;
  std::size_t (*size)(std::size_t unbounded_size);  ///< bytes of a message with all that it holds
  std::unique_ptr<Sender> (*make_sender)(const EndpointSetup & setup);
  std::unique_ptr<Receiver> (*make_receiver)(const EndpointSetup & setup, ArrivalHandler handler);
};

/// \param name one of message_names().
const MessageKind & find_message(const std::string & name);

// Of the groups in message_names.hpp.
std::vector<MessageKind> array_messages();
std::vector<MessageKind> sequence_messages();
std::vector<MessageKind> struct_messages();
std::vector<MessageKind> point_cloud_messages();

}  // namespace performance_test
