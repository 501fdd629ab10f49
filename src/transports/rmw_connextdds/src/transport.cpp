// The plug-in.
#include "connext_bus.hpp"
#include "tandem/cdr_bus/context.hpp"
#include "tandem/plugin.hpp"

namespace connext {
namespace {

using namespace tandem::transport;  // NOLINT: all that this file implements

class ConnextTransport final : public Transport {
 public:
  const char * name() const override { return kName; }
  std::vector<Limit> limits() const override {
    return {{Feature::kLoans, "messages pass through Connext's DynamicData"},
            {Feature::kVariableLoans, "messages pass through Connext's DynamicData"},
            {Feature::kDeadline, "not passed on to Connext"},
            {Feature::kLifespan, "not passed on to Connext"},
            {Feature::kLiveliness, "not passed on to Connext"},
            {Feature::kEvents, "not asked of Connext"},
            {Feature::kTypeEvents, "not asked of Connext"},
            {Feature::kTypeHash, "DDS compares type names; the hash is told, and a difference logged"}};
  }
  std::shared_ptr<Context> create_context(std::uint32_t domain) override {
    return tandem::cdr_bus::make_context(kName, make_bus(domain));
  }
};

}  // namespace
}  // namespace connext

TANDEM_EXPORT_TRANSPORT(connext::ConnextTransport)
