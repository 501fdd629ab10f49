// See transport_link.hpp.
#include "tandem/measure/transport_link.hpp"

#include <string>
#include <utility>

namespace tandem::measure {
namespace {

bool is_lent(Loans loans, const transport::Publisher & publisher) {
  return loans == Loans::kAll || (loans == Loans::kWherePossible && publisher.can_loan());
}

}  // namespace

TransportOutlet::TransportOutlet(const TransportLinkOptions & options, std::shared_ptr<transport::Publisher> publisher)
    : kind_(options.kind),
      size_(options.size),
      publisher_(std::move(publisher)),
      message_(is_lent(options.loans, *publisher_) ? OwnedMessage() : make_message(kind_.type())) {
  if (message_) payload_ = kind_.prepare(message_.get(), size_);
}

std::optional<transport::PublishResult> TransportOutlet::publish(const Fill & fill) {
  if (message_) {
    fill(payload_);
    return publisher_->publish(message_.get());
  }
  auto loan = publisher_->borrow();
  if (!loan) return std::nullopt;
  fill(kind_.prepare(loan.data(), size_));
  return publisher_->publish(std::move(loan));
}

Sent TransportOutlet::send(const Fill & fill) {
  const auto result = publish(fill);
  if (!result) return Sent::kNoLoan;
  switch (*result) {
    case transport::PublishResult::kOk: return Sent::kOk;
    case transport::PublishResult::kTimeout: return Sent::kTimeout;
    case transport::PublishResult::kPoolExhausted:
    case transport::PublishResult::kNoMemory: return Sent::kNoLoan;
    default: throw std::runtime_error(std::string("publishing failed: ") + transport::to_string(*result));
  }
}

void TransportInlet::attach_to(std::shared_ptr<transport::WaitSet> wait_set) {
  wait_set_ = std::move(wait_set);
  wait_set_->attach(subscription_);
}

Arrival TransportInlet::take() {
  transport::Sample sample = subscription_->take();
  if (!sample) return {};
  return {kind_.payload(sample.message), std::move(sample.keeper), sample.info.publisher};
}

TransportLink::TransportLink(std::shared_ptr<transport::Context> context, TransportLinkOptions options)
    : context_(std::move(context)), options_(std::move(options)), node_(context_->create_node(options_.node)) {}

std::unique_ptr<TransportOutlet> TransportLink::make_transport_outlet(const std::string & topic) {
  return std::make_unique<TransportOutlet>(options_,
                                           context_->create_publisher(options_.kind.type(), topic_options(topic)));
}

std::unique_ptr<TransportInlet> TransportLink::make_transport_inlet(const std::string & topic) {
  return std::make_unique<TransportInlet>(options_.kind,
                                          context_->create_subscription(options_.kind.type(), topic_options(topic)));
}

std::unique_ptr<Outlet> TransportLink::make_outlet(const std::string & topic) {
  auto outlet = make_transport_outlet(topic);
  if (options_.loans == Loans::kAll && !outlet->can_loan()) {
    throw Unsupported(options_.transport + " does not lend messages of type " + options_.kind.type().name);
  }
  return outlet;
}

std::unique_ptr<Inlet> TransportLink::make_inlet(const std::string & topic) {
  auto inlet = make_transport_inlet(topic);
  inlet->attach_to(context_->create_wait_set());
  return inlet;
}

transport::TopicOptions TransportLink::topic_options(const std::string & topic) const {
  transport::TopicOptions made;
  made.node = options_.node;
  made.topic = topic;
  made.qos = options_.qos;
  made.held_quota = options_.held_quota;
  made.ignore_local_publications = options_.ignore_local_publications;
  return made;
}

}  // namespace tandem::measure
