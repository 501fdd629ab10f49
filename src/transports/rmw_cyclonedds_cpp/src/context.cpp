// The plug-in itself, and what Cyclone cannot do.
#include <dds/features.h>

#include "participant/participant.hpp"
#include "tandem/plugin.hpp"
#include "tandem/security.hpp"

namespace rmw_cyclonedds {
namespace {

class Transport final : public transport::Transport {
 public:
  const char * name() const override { return kName; }
  std::vector<transport::Limit> limits() const override {
    using transport::Feature;
    return {{Feature::kLoans, "Cyclone sends messages through the network, serialized"},
            {Feature::kVariableLoans, "Cyclone sends messages through the network, serialized"},
            {Feature::kTypeHash, "DDS compares type names; the hash is told, and a difference logged"},
            {Feature::kTypeEvents, "DDS tells of types that differ only in the log"}};
  }
  std::shared_ptr<transport::Context> create_context(std::uint32_t domain) override {
    return transport::make_context(Participant::make(domain));
  }
};

}  // namespace
}  // namespace rmw_cyclonedds

TANDEM_EXPORT_TRANSPORT(rmw_cyclonedds::Transport)
#ifdef DDS_HAS_SECURITY  // in Cyclone as it was built
TANDEM_EXPORT_SECURITY()
#endif
