// The part of sending and receiving that depends on the message's type: as little as possible.
#pragma once

#include <algorithm>
#include <rclcpp/node.hpp>
#include <span>
#include <utility>

#include "communication/messages.hpp"
#include "measuring/measure.hpp"

namespace performance_test {

/// The one sequence or string of a message of variable size.
template <class Message>
auto & sequence_of(Message & m) {
  if constexpr (requires { m.bounded_sequence; }) {
    return m.bounded_sequence;
  } else if constexpr (requires { m.unbounded_sequence; }) {
    return m.unbounded_sequence;
  } else {
    return m.unbounded_string;
  }
}

template <class Message>
inline constexpr bool kHasVariableSize = requires(Message m) {
  m.bounded_sequence;
}
|| requires(Message m) { m.unbounded_sequence; }
|| requires(Message m) { m.unbounded_string; };

/// Bounded sequences are full, unbounded ones have `unbounded_size` bytes.
template <class Message>
void set_size(Message & m, std::size_t unbounded_size) {
  if constexpr (requires { m.bounded_sequence; }) {
    m.bounded_sequence.resize(m.bounded_sequence.max_size());
  } else if constexpr (kHasVariableSize<Message>) {
    sequence_of(m).resize(unbounded_size);
  }
}

/// A field, or consecutive fields without gaps, that fill_payload() may write: \return its bytes.
/// Bytes between fields would not survive a copy of the message.
template <class Message>
auto payload_of(Message & m) {
  using Byte = std::conditional_t<std::is_const_v<Message>, const std::byte, std::byte>;
  const auto bytes = [](auto & first, std::size_t size) {
    return std::span<Byte>(reinterpret_cast<Byte *>(&first), size);
  };
  if constexpr (kHasVariableSize<Message>) {
    auto & sequence = sequence_of(m);
    return std::span<Byte>(reinterpret_cast<Byte *>(sequence.data()), sequence.size());
  } else if constexpr (requires { m.array; }) {
    return bytes(m.array, sizeof(m.array));
  } else if constexpr (requires { m.data; }) {
    return bytes(m.data, sizeof(m.data));
  } else if constexpr (requires { m.structs; }) {
    return bytes(m.structs, sizeof(m.structs));
  } else if constexpr (requires { m.octet1; }) {
    static_assert(offsetof(Message, time) == 16);
    return bytes(m, offsetof(Message, time));
  } else if constexpr (requires { m.position_covariance; }) {
    return bytes(m.position_covariance, sizeof(m.position_covariance));
  } else if constexpr (requires { m.track_shape; }) {
    return bytes(m.track_shape, sizeof(m.track_shape));
  } else if constexpr (requires { m.field_of_view; }) {
    static_assert(offsetof(Message, range) - offsetof(Message, field_of_view) == 12);
    return bytes(m.field_of_view, 16);
  } else {
    return bytes(m.position, sizeof(m.position));
  }
}

template <class Message>
void prepare(void * memory, const SendRequest & request, const Content & content) {
  auto & message = *static_cast<Message *>(memory);
  set_size(message, content.unbounded_size);
  if (content.fill) fill_payload(payload_of(message), request.sequence);
  if (request.echo != nullptr) {
    message.time = request.echo->time;
    message.id = request.echo->id;
    return;
  }
  const std::int64_t now = now_ns();
  message.time = now;
  message.id = make_id(request.sequence, now - request.due_ns);
}

template <class Message>
void read(const void * memory, Arrival & arrival) {
  const auto & message = *static_cast<const Message *>(memory);
  arrival.stamp = {message.time, message.id};
  arrival.payload = payload_of(message);
  arrival.size = sizeof(Message) + (kHasVariableSize<Message> ? arrival.payload.size() : 0);
}

template <class PublisherT>
class RclcppWriter : public Writer {
 public:
  RclcppWriter(std::shared_ptr<rclcpp::Node> node, std::shared_ptr<PublisherT> publisher)
      : publisher_(std::move(publisher)), node_(std::move(node)) {}
  bool can_loan() const override { return publisher_->can_loan_messages(); }
  std::size_t matched() const override { return publisher_->get_subscription_count(); }

 protected:
  const std::shared_ptr<PublisherT> publisher_;

 private:
  const std::shared_ptr<rclcpp::Node> node_;
};

/// publish(const T &): the middleware copies or serializes the message once.
template <class Message>
class CopyWriter : public RclcppWriter<rclcpp::Publisher<Message>> {
 public:
  using RclcppWriter<rclcpp::Publisher<Message>>::RclcppWriter;
  bool send(const Filling & fill) override {
    fill(message_.get());
    this->publisher_->publish(*message_);
    return true;
  }

 private:
  const std::unique_ptr<Message> message_{new Message};
};

/// Loaned messages: nothing is copied.
template <class Message>
class LoanWriter : public RclcppWriter<rclcpp::PublisherHbmem<Message>> {
 public:
  using RclcppWriter<rclcpp::PublisherHbmem<Message>>::RclcppWriter;
  bool send(const Filling & fill) override {
    auto loan = this->publisher_->borrow_loaned_message();
    if (!loan.is_valid()) return false;
    fill(&loan.get());
    this->publisher_->publish(std::move(loan));
    return true;
  }
};

template <class Message>
std::unique_ptr<Writer> make_writer(const std::shared_ptr<rclcpp::Node> & node, const std::string & topic,
                                    const rclcpp::QoS & qos, bool zero_copy) {
  if (zero_copy) {
    return std::make_unique<LoanWriter<Message>>(node, node->create_publisher_hbmem<Message>(topic, qos));
  }
  return std::make_unique<CopyWriter<Message>>(node, node->create_publisher<Message>(topic, qos));
}

/// Sees the message where it lies, be it lent or not.
template <class Message>
std::shared_ptr<rclcpp::SubscriptionBase> make_subscription(rclcpp::Node & node, const std::string & topic,
                                                            const rclcpp::QoS & qos, const MessageHandler & handler) {
  return node.create_subscription<Message>(
      topic, qos, [handler](std::shared_ptr<const Message> message, const rclcpp::MessageInfo & info) {
        PublisherId publisher;
        std::copy_n(info.get_rmw_message_info().publisher_gid.data, publisher.size(), publisher.begin());
        handler(message.get(), publisher);
      });
}

template <class Message>
MessageKind message_kind(const char * name) {
  MessageKind kind;
  kind.name = name;
  kind.on_link = tandem::measure::whole_message<Message>();
  kind.size = [](std::size_t unbounded_size) {
    if constexpr (requires(Message m) { m.bounded_sequence; }) {
      return sizeof(Message) + decltype(Message::bounded_sequence)::max_size();
    }
    return sizeof(Message) + (kHasVariableSize<Message> ? unbounded_size : 0);
  };
  kind.make = [] { return std::shared_ptr<void>(std::unique_ptr<Message>(new Message)); };
  kind.prepare = &prepare<Message>;
  kind.read = &read<Message>;
  kind.make_writer = &make_writer<Message>;
  kind.make_subscription = &make_subscription<Message>;
  kind.take = [](rclcpp::SubscriptionBase & subscription, void * message, rclcpp::MessageInfo & info) {
    return static_cast<rclcpp::Subscription<Message> &>(subscription).take(*static_cast<Message *>(message), info);
  };
  return kind;
}

#define PERFORMANCE_TEST_KIND(TYPE) message_kind<performance_test::msg::TYPE>(#TYPE),

}  // namespace performance_test
