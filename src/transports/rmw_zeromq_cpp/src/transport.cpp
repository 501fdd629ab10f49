// The plug-in itself.
#include "endpoints.hpp"
#include "tandem/plugin.hpp"
#include "wait_set.hpp"

namespace rmw_zeromq {
namespace {

using namespace tandem::transport;  // NOLINT: all that this file implements

class ZmqNode final : public Node {
 public:
  ZmqNode(std::shared_ptr<Hub> hub, NodeName name) : hub_(std::move(hub)), name_(std::move(name)) {
    hub_->roster().add(name_);
  }
  ~ZmqNode() override { hub_->roster().remove(name_); }

 private:
  const std::shared_ptr<Hub> hub_;
  const NodeName name_;
};

class ZmqContext final : public Context {
 public:
  explicit ZmqContext(std::uint32_t domain) : hub_(std::make_shared<Hub>(domain)) {}
  std::unique_ptr<Node> create_node(const NodeName & name) override { return std::make_unique<ZmqNode>(hub_, name); }
  std::shared_ptr<Publisher> create_publisher(const tandem::MessageType & type, const TopicOptions & options) override {
    check(options);
    return std::make_shared<ZmqPublisher>(hub_, type, options);
  }
  std::shared_ptr<Subscription> create_subscription(const tandem::MessageType & type,
                                                    const TopicOptions & options) override {
    check(options);
    return std::make_shared<ZmqSubscription>(hub_, type, options);
  }
  std::shared_ptr<WaitSet> create_wait_set() override { return std::make_shared<ZmqWaitSet>(hub_); }
  GraphSnapshot graph() const override { return hub_->roster().graph(); }

 private:
  void check(const TopicOptions & options) const {
    if (hub_->is_foreign()) {
      throw Error(std::string(kName) + ": topic '" + options.topic +
                  "': this process was forked from one that made the context; make a new context after fork()");
    }
  }

  const std::shared_ptr<Hub> hub_;
};

class ZmqTransport final : public Transport {
 public:
  const char * name() const override { return kName; }
  std::vector<Limit> limits() const override {
    return {{Feature::kLoans, "messages go through sockets"},
            {Feature::kVariableLoans, "messages go through sockets"},
            {Feature::kOtherHosts, "its endpoints find each other in a folder of this host"},
            {Feature::kRosWire, "it has a wire of its own"}};
  }
  std::shared_ptr<Context> create_context(std::uint32_t domain) override {
    return std::make_shared<ZmqContext>(domain);
  }
};

}  // namespace
}  // namespace rmw_zeromq

TANDEM_EXPORT_TRANSPORT(rmw_zeromq::ZmqTransport)
