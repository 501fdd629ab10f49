// Through a transport's own interface (tandem/transport.hpp), whichever middleware that is.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "link.hpp"
#include "messages.hpp"
#include "spec.hpp"
#include "tandem/plugin.hpp"

namespace lab {
namespace {

namespace transport = tandem::transport;

/// One message of a type, made as a user's program makes it.
class Message {
 public:
  explicit Message(const tandem::MessageType & type)
      : type_(type), memory_(std::aligned_alloc(type.alignment, rounded(type))) {
    if (memory_ == nullptr) throw std::bad_alloc();
    type_.construct(memory_);
  }
  ~Message() {
    type_.destroy(memory_);
    std::free(memory_);
  }
  Message(const Message &) = delete;
  Message & operator=(const Message &) = delete;
  void * get() const { return memory_; }

 private:
  static std::size_t rounded(const tandem::MessageType & type) {
    return (type.size + type.alignment - 1) / type.alignment * type.alignment;
  }
  const tandem::MessageType & type_;
  void * const memory_;
};

class TransportOutlet : public Outlet {
 public:
  TransportOutlet(const Spec & spec, std::shared_ptr<transport::Publisher> publisher)
      : kind_(message_kind(spec)), size_(spec.size), publisher_(std::move(publisher)) {
    if (!spec.loan) {
      message_.emplace(kind_.type());
      payload_ = kind_.prepare(message_->get(), size_);
    } else if (!publisher_->can_loan()) {
      throw Unsupported(fmt::format("{} does not lend messages of type {}", spec.link_name, kind_.type().name));
    }
  }

  Sent send(const Fill & fill) override {
    if (message_) {
      fill(payload_);
      return sent(publisher_->publish(message_->get()));
    }
    auto loan = publisher_->borrow();
    if (!loan) return Sent::kNoLoan;
    fill(kind_.prepare(loan.data(), size_));
    return sent(publisher_->publish(std::move(loan)));
  }
  std::size_t matched() const override { return publisher_->subscription_count(); }
  bool flush(std::chrono::milliseconds timeout) override { return publisher_->wait_for_all_acked(timeout); }
  std::uint64_t copied() const override { return publisher_->copied(); }

 private:
  static Sent sent(transport::PublishResult result) {
    switch (result) {
      case transport::PublishResult::kOk: return Sent::kOk;
      case transport::PublishResult::kTimeout: return Sent::kTimeout;
      case transport::PublishResult::kPoolExhausted:
      case transport::PublishResult::kNoMemory: return Sent::kNoLoan;
      default: throw std::runtime_error(fmt::format("publishing failed: {}", transport::to_string(result)));
    }
  }

  const MessageKind kind_;
  const std::size_t size_;
  const std::shared_ptr<transport::Publisher> publisher_;
  std::optional<Message> message_;  // none: each message is borrowed
  std::span<std::byte> payload_;
};

class TransportInlet : public Inlet {
 public:
  TransportInlet(const MessageKind & kind, std::shared_ptr<transport::Subscription> subscription,
                 std::shared_ptr<transport::WaitSet> wait_set)
      : kind_(kind), subscription_(std::move(subscription)), wait_set_(std::move(wait_set)) {
    wait_set_->attach(subscription_);
  }

  Arrival take() override {
    transport::Sample sample = subscription_->take();
    if (!sample) return {};
    return {kind_.payload(sample.message), std::move(sample.keeper)};
  }
  void wait(std::chrono::nanoseconds timeout) override { wait_set_->wait(timeout); }
  void wake() override { wait_set_->wake(); }
  std::size_t matched() const override { return subscription_->publisher_count(); }
  std::uint64_t copied() const override { return subscription_->copied(); }

 private:
  const MessageKind kind_;
  const std::shared_ptr<transport::Subscription> subscription_;
  const std::shared_ptr<transport::WaitSet> wait_set_;
};

class TransportLink : public Link {
 public:
  explicit TransportLink(const Spec & spec)
      : spec_(spec),
        kind_(message_kind(spec)),
        node_name_{"/", fmt::format("lab_peer_{}", getpid())},
        context_(transport::load(spec.link_name).create_context(spec.domain)),
        node_(context_->create_node(node_name_)) {}

  std::unique_ptr<Outlet> make_outlet(const std::string & topic) override {
    return std::make_unique<TransportOutlet>(spec_, context_->create_publisher(kind_.type(), options(topic)));
  }
  std::unique_ptr<Inlet> make_inlet(const std::string & topic) override {
    auto subscription = context_->create_subscription(kind_.type(), options(topic));
    return std::make_unique<TransportInlet>(kind_, std::move(subscription), context_->create_wait_set());
  }

 private:
  transport::TopicOptions options(const std::string & topic) const {
    transport::TopicOptions made;
    made.node = node_name_;
    made.topic = topic;
    made.qos.history = spec_.keep_all ? transport::History::kKeepAll : transport::History::kKeepLast;
    made.qos.depth = spec_.depth;
    made.qos.reliability = spec_.reliable ? transport::Reliability::kReliable : transport::Reliability::kBestEffort;
    made.qos.durability =
        spec_.transient_local ? transport::Durability::kTransientLocal : transport::Durability::kVolatile;
    made.held_quota = std::max<std::uint32_t>(made.held_quota, static_cast<std::uint32_t>(spec_.hold) + 1);
    made.ignore_local_publications = spec_.role == Role::kJoin;
    return made;
  }

  const Spec & spec_;
  const MessageKind kind_;
  const transport::NodeName node_name_;
  const std::shared_ptr<transport::Context> context_;
  const std::unique_ptr<transport::Node> node_;
};

}  // namespace

std::unique_ptr<Link> make_transport_link(const Spec & spec) { return std::make_unique<TransportLink>(spec); }

}  // namespace lab
