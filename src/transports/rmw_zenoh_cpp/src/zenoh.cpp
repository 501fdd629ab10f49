// The plug-in itself, and what ROS 2 over Zenoh cannot do.
#include "participant.hpp"
#include "tandem/plugin.hpp"

namespace rmw_zenoh {
namespace {

class ZenohTransport final : public Transport {
 public:
  const char * name() const override { return kName; }
  std::vector<Limit> limits() const override {
    return {
        {Feature::kLoans, "messages are CDR, as stock nodes read them"},
        {Feature::kVariableLoans, "messages are CDR, as stock nodes read them"},
        {Feature::kKeepAll, "a publisher waits for the network, not for readers"},
        {Feature::kQosMatching, "as with stock nodes, any publisher reaches any subscription of its type"},
        {Feature::kLiveliness, "its wire carries no assertions of a publisher that it lives"},
    };
  }
  std::shared_ptr<Context> create_context(std::uint32_t domain) override {
    return make_context(Participant::make(domain));
  }
};

}  // namespace
}  // namespace rmw_zenoh

TANDEM_EXPORT_TRANSPORT(rmw_zenoh::ZenohTransport)
