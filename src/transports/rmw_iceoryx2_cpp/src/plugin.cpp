// The transport: contexts over a hub.
#include "tandem/plugin.hpp"

#include "hub.hpp"
#include "publisher.hpp"
#include "subscription.hpp"
#include "tandem/transport_support/endpoint.hpp"
#include "wait_set.hpp"

namespace rmw_iceoryx2 {
namespace {

using namespace tandem::transport;  // NOLINT: all that this file implements

class HubNode final : public Node {
 public:
  HubNode(std::shared_ptr<Hub> hub, NodeName name) : hub_(std::move(hub)), name_(std::move(name)) {
    hub_->roster().add(name_);
  }
  ~HubNode() override { hub_->roster().remove(name_); }

 private:
  const std::shared_ptr<Hub> hub_;
  const NodeName name_;
};

class HubContext final : public Context {
 public:
  explicit HubContext(std::uint32_t domain) : hub_(std::make_shared<Hub>(domain)) {}

  std::unique_ptr<Node> create_node(const NodeName & name) override { return std::make_unique<HubNode>(hub_, name); }
  std::shared_ptr<Publisher> create_publisher(const tandem::MessageType & type, const TopicOptions & options) override {
    return std::make_shared<Iox2Publication>(hub_, type, entry(EndpointKind::kPublisher, type, options));
  }
  std::shared_ptr<Subscription> create_subscription(const tandem::MessageType & type,
                                                    const TopicOptions & options) override {
    return std::make_shared<Iox2Reception>(hub_, type, entry(EndpointKind::kSubscription, type, options),
                                           options.held_quota);
  }
  std::shared_ptr<WaitSet> create_wait_set() override { return std::make_shared<BoardWaitSet>(hub_); }
  GraphSnapshot graph() const override { return hub_->roster().graph(); }

 private:
  RosterEntry entry(EndpointKind kind, const tandem::MessageType & type, const TopicOptions & options) {
    RosterEntry made{make_endpoint(kName, kind, type, options), "", options.ignore_local_publications};
    made.endpoint.gid = hub_->roster().new_gid();
    return made;
  }

  const std::shared_ptr<Hub> hub_;
};

class Iox2Transport final : public Transport {
 public:
  const char * name() const override { return kName; }
  std::vector<Limit> limits() const override {
    return {
        {Feature::kVariableLoans,
         "iceoryx2 moves bytes without pointers: messages with strings or sequences are "
         "serialized into a loan"},
        {Feature::kOtherHosts, "iceoryx2 is shared memory of one host"},
        {Feature::kRosWire, "iceoryx2 is shared memory of one host"},
    };
  }
  std::shared_ptr<Context> create_context(std::uint32_t domain) override {
    return std::make_shared<HubContext>(domain);
  }
};

}  // namespace
}  // namespace rmw_iceoryx2

TANDEM_EXPORT_TRANSPORT(rmw_iceoryx2::Iox2Transport)
