#include "common/core_endpoints.hpp"

namespace bench {
namespace {

tandem::TypeIdentity type() {
  tandem::TypeIdentity type;
  type.name = "tandem_benchmark/Bytes";
  return type;
}

tandem::NodeName node() { return {"/", "bench"}; }

}  // namespace

const tandem::Participant & participant() {
  static const tandem::Participant joined = value_or_throw(tandem::Participant::join(0));
  return joined;
}

std::unique_ptr<tandem::Publisher> make_publisher(const std::string & topic, const tandem::Participant & where,
                                                  const tandem::Qos & qos) {
  tandem::PublisherOptions options;
  options.node = node();
  options.topic = topic;
  options.type = type();
  options.qos = qos;
  return value_or_throw(where.create_publisher(options));
}

std::unique_ptr<tandem::Subscription> make_subscription(const std::string & topic, const tandem::Participant & where,
                                                        const tandem::Qos & qos) {
  tandem::SubscriptionOptions options;
  options.node = node();
  options.topic = topic;
  options.type = type();
  options.qos = qos;
  options.min_size = sizeof(Head);
  return value_or_throw(where.create_subscription(options));
}

void send(tandem::Publisher & publisher, std::size_t size, const Head & head) {
  auto loan = publisher.borrow(size);
  if (!loan) {
    throw std::runtime_error(std::string("borrow failed: ") + to_string(loan.error()));
  }
  *static_cast<Head *>(loan->data()) = head;
  const auto sequence = publisher.publish(std::move(*loan));
  if (!sequence) {
    throw std::runtime_error(std::string("publish failed: ") + to_string(sequence.error()));
  }
}

}  // namespace bench
