// The transport: contexts over a hub.
#include "tandem/plugin.hpp"

#include "hub.hpp"
#include "publisher.hpp"
#include "subscription.hpp"
#include "tandem/transport_support/bell.hpp"
#include "tandem/transport_support/tuning.hpp"

namespace rmw_zenoh {
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
    return std::make_shared<ZenohPublication>(hub_, type, entry(EndpointKind::kPublisher, type, options));
  }
  std::shared_ptr<Subscription> create_subscription(const tandem::MessageType & type,
                                                    const TopicOptions & options) override {
    return std::make_shared<ZenohReception>(hub_, type, entry(EndpointKind::kSubscription, type, options),
                                            options.held_quota);
  }
  std::shared_ptr<WaitSet> create_wait_set() override { return std::make_shared<BellWaitSet>(); }
  GraphSnapshot graph() const override { return hub_->roster().graph(); }

 private:
  RosterEntry entry(EndpointKind kind, const tandem::MessageType & type, const TopicOptions & options) {
    RosterEntry made{make_endpoint(kName, kind, type, options), "", options.ignore_local_publications};
    made.endpoint.gid = hub_->roster().new_gid();
    return made;
  }

  const std::shared_ptr<Hub> hub_;
};

class ZenohTransport final : public Transport {
 public:
  const char * name() const override { return kName; }
  std::vector<Limit> limits() const override {
    std::vector<Limit> limits = {
        {Feature::kVariableLoans,
         "Zenoh moves bytes without pointers: messages with strings or sequences are serialized"},
        {Feature::kOtherHosts, "who is there, and what matches, goes through files of this host"},
        {Feature::kRosWire, "its keys and attachments are its own, not those of the stock rmw_zenoh_cpp"},
    };
    if (tuning() == Tuning::kVendor) {
      limits.push_back({Feature::kLoans, "with the vendor's settings Zenoh itself copies into shared memory"});
    }
    return limits;
  }
  std::shared_ptr<Context> create_context(std::uint32_t domain) override {
    return std::make_shared<HubContext>(domain);
  }
};

}  // namespace
}  // namespace rmw_zenoh

TANDEM_EXPORT_TRANSPORT(rmw_zenoh::ZenohTransport)
