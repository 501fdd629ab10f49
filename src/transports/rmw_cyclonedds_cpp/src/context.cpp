// The plug-in itself: contexts, nodes, and what Cyclone cannot do.
#include <utility>

#include "publisher.hpp"
#include "shared_memory.hpp"
#include "subscription.hpp"
#include "tandem/kit/tuning.hpp"
#include "tandem/plugin.hpp"

namespace rmw_cyclonedds {
namespace {

class Node final : public transport::Node {
 public:
  Node(std::shared_ptr<Participant> participant, transport::NodeName name)
      : participant_(std::move(participant)), name_(std::move(name)) {
    participant_->graph().add(name_);
  }
  ~Node() override { participant_->graph().remove(name_); }

 private:
  const std::shared_ptr<Participant> participant_;
  const transport::NodeName name_;
};

class Context final : public transport::Context {
 public:
  explicit Context(std::uint32_t domain) : participant_(Participant::make(domain)) {}

  std::unique_ptr<transport::Node> create_node(const transport::NodeName & name) override {
    return std::make_unique<Node>(participant_, name);
  }
  std::shared_ptr<transport::Publisher> create_publisher(const tandem::MessageType & type,
                                                         const transport::TopicOptions & options) override {
    return Publisher::make(participant_, type, options);
  }
  std::shared_ptr<transport::Subscription> create_subscription(const tandem::MessageType & type,
                                                               const transport::TopicOptions & options) override {
    return std::make_shared<Subscription>(participant_, type, options);
  }
  std::shared_ptr<transport::WaitSet> create_wait_set() override { return std::make_shared<transport::BellWaitSet>(); }
  transport::GraphSnapshot graph() const override { return participant_->graph().snapshot(); }

 private:
  const std::shared_ptr<Participant> participant_;
};

class Transport final : public transport::Transport {
 public:
  const char * name() const override { return kName; }
  std::vector<transport::Limit> limits() const override {
    using transport::Feature;
    std::vector<transport::Limit> limits = {
        {Feature::kVariableLoans, "Cyclone serializes messages with strings and sequences"},
        {Feature::kTypeHash, "DDS compares type names; the hash is told, and a difference logged"},
    };
    if (!roudi_runs() || transport::tuning() == transport::Tuning::kVendor) {
      limits.push_back({Feature::kLoans, "Cyclone lends memory only while iceoryx's daemon iox-roudi runs"});
    }
    return limits;
  }
  std::shared_ptr<transport::Context> create_context(std::uint32_t domain) override {
    return std::make_shared<Context>(domain);
  }
};

}  // namespace
}  // namespace rmw_cyclonedds

TANDEM_EXPORT_TRANSPORT(rmw_cyclonedds::Transport)
