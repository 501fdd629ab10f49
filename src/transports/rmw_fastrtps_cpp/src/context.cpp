// The transport, its contexts and nodes.
#include "participant.hpp"
#include "publisher.hpp"
#include "settings.hpp"
#include "subscription.hpp"
#include "tandem/kit/bell.hpp"
#include "tandem/plugin.hpp"

namespace rmw_fastrtps {
namespace {

using namespace tandem::transport;  // NOLINT: all that this file implements

class FastNode final : public Node {
 public:
  FastNode(std::shared_ptr<Participant> participant, NodeName name)
      : participant_(std::move(participant)), name_(std::move(name)) {
    participant_->graph().add(name_);
  }
  ~FastNode() override { participant_->graph().remove(name_); }

 private:
  const std::shared_ptr<Participant> participant_;
  const NodeName name_;
};

class FastContext final : public Context {
 public:
  explicit FastContext(std::uint32_t domain) : participant_(std::make_shared<Participant>(domain)) {}

  std::unique_ptr<Node> create_node(const NodeName & name) override {
    return std::make_unique<FastNode>(participant_, name);
  }
  std::shared_ptr<Publisher> create_publisher(const tandem::MessageType & type, const TopicOptions & options) override {
    return make_publisher(participant_, type, options);
  }
  std::shared_ptr<Subscription> create_subscription(const tandem::MessageType & type,
                                                    const TopicOptions & options) override {
    return make_subscription(participant_, type, options);
  }
  std::shared_ptr<WaitSet> create_wait_set() override { return std::make_shared<BellWaitSet>(); }
  GraphSnapshot graph() const override { return participant_->graph().snapshot(); }

 private:
  const std::shared_ptr<Participant> participant_;
};

class FastTransport final : public Transport {
 public:
  const char * name() const override { return kName; }
  std::vector<Limit> limits() const override {
    std::vector<Limit> limits = {{Feature::kVariableLoans, "DDS carries strings and sequences serialized"}};
    if (source() != Source::kXmlAll) {
      limits.push_back({Feature::kLoans,
                        "data-sharing of Fast DDS 2.9 is not sound when endpoints come and go; "
                        "a profile that is shipped turns it on"});
    }
    return limits;
  }
  std::shared_ptr<Context> create_context(std::uint32_t domain) override {
    return std::make_shared<FastContext>(domain);
  }
};

}  // namespace
}  // namespace rmw_fastrtps

TANDEM_EXPORT_TRANSPORT(rmw_fastrtps::FastTransport)
