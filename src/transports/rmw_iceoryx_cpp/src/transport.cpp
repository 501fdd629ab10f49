// The plug-in: contexts, nodes, and what iceoryx cannot do.
#include "participant.hpp"
#include "publisher.hpp"
#include "roudi.hpp"
#include "subscription.hpp"
#include "tandem/plugin.hpp"

namespace iceoryx {
namespace {

using namespace tandem::transport;  // NOLINT: all that this file implements

class IceoryxNode final : public Node {
 public:
  IceoryxNode(std::shared_ptr<Participant> participant, NodeName name)
      : participant_(std::move(participant)), name_(std::move(name)) {
    participant_->roster().add(name_);
  }
  ~IceoryxNode() override { participant_->roster().remove(name_); }

 private:
  const std::shared_ptr<Participant> participant_;
  const NodeName name_;
};

class IceoryxContext final : public Context {
 public:
  explicit IceoryxContext(std::uint32_t domain) : participant_(std::make_shared<Participant>(domain)) {}

  std::unique_ptr<Node> create_node(const NodeName & name) override {
    return std::make_unique<IceoryxNode>(participant_, name);
  }
  std::shared_ptr<Publisher> create_publisher(const tandem::MessageType & type, const TopicOptions & options) override {
    return std::make_shared<IceoryxPublisher>(participant_, type, entry(EndpointKind::kPublisher, type, options));
  }
  std::shared_ptr<Subscription> create_subscription(const tandem::MessageType & type,
                                                    const TopicOptions & options) override {
    return std::make_shared<IceoryxSubscription>(participant_, type, entry(EndpointKind::kSubscription, type, options),
                                                 options.held_quota);
  }
  std::shared_ptr<WaitSet> create_wait_set() override { return std::make_shared<BellWaitSet>(); }
  GraphSnapshot graph() const override { return participant_->roster().graph(); }

 private:
  static RosterEntry entry(EndpointKind kind, const tandem::MessageType & type, const TopicOptions & options) {
    return {make_endpoint(kName, kind, type, options), {}, options.ignore_local_publications};
  }

  const std::shared_ptr<Participant> participant_;
};

class IceoryxTransport final : public Transport {
 public:
  const char * name() const override { return kName; }
  std::vector<Limit> limits() const override {
    return {{Feature::kVariableLoans, "iceoryx lends memory of fixed size; strings and sequences go as CDR"},
            {Feature::kOtherHosts, "iceoryx is shared memory"},
            {Feature::kRosWire, "iceoryx is shared memory"}};
  }
  std::shared_ptr<Context> create_context(std::uint32_t domain) override {
    return std::make_shared<IceoryxContext>(domain);
  }
};

}  // namespace
}  // namespace iceoryx

TANDEM_EXPORT_TRANSPORT(iceoryx::IceoryxTransport)
