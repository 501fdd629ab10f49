// The part of sending and receiving that depends on the message's type: as little as possible.
#pragma once

#include <algorithm>
#include <cstdio>
#include <rclcpp/node.hpp>
#include <span>
#include <utility>

#include "messages.hpp"
#include "payload.hpp"

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
inline constexpr bool has_variable_size = requires(Message m) {
  m.bounded_sequence;
}
|| requires(Message m) { m.unbounded_sequence; }
|| requires(Message m) { m.unbounded_string; };

/// Bounded sequences are full, unbounded ones have `unbounded_size` bytes.
template <class Message>
void set_size(Message & m, std::size_t unbounded_size) {
  if constexpr (requires { m.bounded_sequence; }) {
    m.bounded_sequence.resize(m.bounded_sequence.max_size());
  } else if constexpr (has_variable_size<Message>) {
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
  if constexpr (has_variable_size<Message>) {
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

/// What goes into each message besides its stamp.
struct Content {
  explicit Content(const EndpointSetup & setup) : fill(setup.fill_payload), unbounded_size(setup.unbounded_size) {}
  const bool fill;
  const std::size_t unbounded_size;
};

template <class Message>
void prepare(Message & message, const SendRequest & request, const Content & content) {
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

/// Runs `publish`, which may throw; says on stderr why it failed, once for each sender.
template <class Publish>
SendResult attempt(bool & explained, Publish && publish) {
  try {
    return publish();
  } catch (const std::exception & error) {
    if (!std::exchange(explained, true)) std::fprintf(stderr, "perf_test: publishing failed: %s\n", error.what());
    return SendResult::kFailed;
  }
}

/// publish(const T &): the middleware copies the message once.
template <class Message>
class CopySender : public Sender {
 public:
  explicit CopySender(const EndpointSetup & setup)
      : publisher_(setup.node.create_publisher<Message>(setup.topic, setup.qos)), content_(setup) {}

  SendResult send(const SendRequest & request) override {
    return attempt(explained_, [&] {
      prepare(*message_, request, content_);
      publisher_->publish(*message_);
      return SendResult::kSent;
    });
  }
  std::size_t matched() const override { return publisher_->get_subscription_count(); }

 private:
  const std::shared_ptr<rclcpp::Publisher<Message>> publisher_;
  const std::unique_ptr<Message> message_ = std::make_unique<Message>();
  const Content content_;
  bool explained_ = false;
};

/// Loaned messages: nothing is copied.
template <class Message>
class LoanSender : public Sender {
 public:
  explicit LoanSender(const EndpointSetup & setup)
      : publisher_(setup.node.create_publisher_hbmem<Message>(setup.topic, setup.qos)), content_(setup) {}

  SendResult send(const SendRequest & request) override {
    return attempt(explained_, [&] {
      auto loan = publisher_->borrow_loaned_message();
      if (!loan.is_valid()) return SendResult::kNoLoan;
      prepare(loan.get(), request, content_);
      publisher_->publish(std::move(loan));
      return SendResult::kSent;
    });
  }
  std::size_t matched() const override { return publisher_->get_subscription_count(); }

 private:
  const std::shared_ptr<rclcpp::PublisherHbmem<Message>> publisher_;
  const Content content_;
  bool explained_ = false;
};

/// Sees the message where it is, in either case.
template <class Message>
class TypedReceiver : public Receiver {
 public:
  TypedReceiver(const EndpointSetup & setup, ArrivalHandler handler) {
    const auto callback = [handler = std::move(handler)](std::shared_ptr<const Message> message,
                                                         const rclcpp::MessageInfo & info) {
      Arrival arrival{now_ns(), {message->time, message->id}, {}, {}, sizeof(Message)};
      std::copy_n(info.get_rmw_message_info().publisher_gid.data, arrival.publisher.size(), arrival.publisher.begin());
      arrival.payload = payload_of(*message);
      if constexpr (has_variable_size<Message>) arrival.size += arrival.payload.size();
      handler(arrival);
    };
    if (setup.zero_copy) {
      subscription_ = setup.node.create_subscription_hbmem<Message>(setup.topic, setup.qos, callback);
    } else {
      subscription_ = setup.node.create_subscription<Message>(setup.topic, setup.qos, callback);
    }
  }
  std::size_t matched() const override { return subscription_->get_publisher_count(); }

 private:
  std::shared_ptr<rclcpp::SubscriptionBase> subscription_;
};

template <class Message>
MessageKind message_kind(const char * name) {
  return {name,
          [](std::size_t unbounded_size) {
            if constexpr (requires(Message m) { m.bounded_sequence; }) {
              return sizeof(Message) + decltype(Message::bounded_sequence)::max_size();
            }
            return sizeof(Message) + (has_variable_size<Message> ? unbounded_size : 0);
          },
          [](const EndpointSetup & setup) -> std::unique_ptr<Sender> {
            if (setup.zero_copy) return std::make_unique<LoanSender<Message>>(setup);
            return std::make_unique<CopySender<Message>>(setup);
          },
          [](const EndpointSetup & setup, ArrivalHandler handler) -> std::unique_ptr<Receiver> {
            return std::make_unique<TypedReceiver<Message>>(setup, std::move(handler));
          }};
}

#define PERFORMANCE_TEST_KIND(TYPE) message_kind<performance_test::msg::TYPE>(#TYPE),

}  // namespace performance_test
