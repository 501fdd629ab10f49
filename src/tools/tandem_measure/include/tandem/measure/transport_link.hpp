// A link through a transport's own interface (tandem/transport.hpp), whichever middleware that is.
#pragma once

#include <optional>

#include "tandem/measure/link.hpp"
#include "tandem/message_type.hpp"

namespace tandem::measure {

/// What is to be known of a message type: where its payload lies. A payload may be the whole message.
struct MessageKind {
  const tandem::MessageType & (*type)();
  /// Brings a constructed message to so many bytes of payload and says where they lie.
  std::span<std::byte> (*prepare)(void * message, std::size_t size);
  std::span<const std::byte> (*payload)(const void * message);
};

/// A payload that is the whole message: `data()` is the message.
template <class Message>
MessageKind whole_message() {
  return {&tandem::message_type<Message>,
          [](void * message, std::size_t) {
            return std::span<std::byte>(static_cast<std::byte *>(message), sizeof(Message));
          },
          [](const void * message) {
            return std::span<const std::byte>(static_cast<const std::byte *>(message), sizeof(Message));
          }};
}

enum class Loans : std::uint8_t {
  kNone,           ///< a message of our own is used again and again
  kWherePossible,  ///< each message is borrowed where the transport lends this type, else as kNone
  kAll,            ///< each message is borrowed
};

struct TransportLinkOptions {
  std::string transport;  ///< "rmw_tandem_cpp", for messages to people
  MessageKind kind;
  std::size_t size = 0;  ///< bytes of payload, for kind.prepare
  Loans loans = Loans::kNone;
  transport::NodeName node;
  transport::Qos qos;
  std::uint32_t held_quota = transport::TopicOptions().held_quota;
  bool ignore_local_publications = false;
};

class TransportOutlet : public Outlet {
 public:
  TransportOutlet(const TransportLinkOptions & options, std::shared_ptr<transport::Publisher> publisher);

  /// What the transport said; nothing when it had no message to lend.
  std::optional<transport::PublishResult> publish(const Fill & fill);
  bool can_loan() const { return publisher_->can_loan(); }

  Sent send(const Fill & fill) override;
  std::size_t matched() const override { return publisher_->subscription_count(); }
  bool flush(std::chrono::milliseconds timeout) override { return publisher_->wait_for_all_acked(timeout); }
  std::uint64_t copied() const override { return publisher_->copied(); }

 private:
  const MessageKind kind_;
  const std::size_t size_;
  const std::shared_ptr<transport::Publisher> publisher_;
  const OwnedMessage message_;  ///< of our own, used again and again; null: each message is borrowed
  std::span<std::byte> payload_;
};

class TransportInlet : public Inlet {
 public:
  TransportInlet(const MessageKind & kind, std::shared_ptr<transport::Subscription> subscription)
      : kind_(kind), subscription_(std::move(subscription)) {}

  /// Whoever waits needs it. Several inlets may share one wait-set; attached to it, one wakes for all of them.
  void attach_to(std::shared_ptr<transport::WaitSet> wait_set);

  Arrival take() override;
  void wait(std::chrono::nanoseconds timeout) override { wait_set_->wait(timeout); }
  void wake() override { wait_set_->wake(); }
  std::size_t matched() const override { return subscription_->publisher_count(); }
  std::uint64_t copied() const override { return subscription_->copied(); }

 private:
  const MessageKind kind_;
  const std::shared_ptr<transport::Subscription> subscription_;
  std::shared_ptr<transport::WaitSet> wait_set_;
};

class TransportLink : public Link {
 public:
  /// Its node is in the graph as long as it lives. \throws transport::Error.
  TransportLink(std::shared_ptr<transport::Context> context, TransportLinkOptions options);

  // Both throw transport::Error with a sentence that says which topic and why.
  std::unique_ptr<TransportOutlet> make_transport_outlet(const std::string & topic);
  /// Attached to no wait-set: wait() and wake() are not to be called before attach_to().
  std::unique_ptr<TransportInlet> make_transport_inlet(const std::string & topic);

  /// \throws Unsupported as well when all messages are to be borrowed and the transport lends none of the type.
  std::unique_ptr<Outlet> make_outlet(const std::string & topic) override;
  /// With a wait-set of its own.
  std::unique_ptr<Inlet> make_inlet(const std::string & topic) override;

 private:
  transport::TopicOptions topic_options(const std::string & topic) const;

  std::shared_ptr<transport::Context> context_;
  TransportLinkOptions options_;
  std::unique_ptr<transport::Node> node_;
};

}  // namespace tandem::measure
