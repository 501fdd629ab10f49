// A plug-in that sees to security itself; it never makes a context.
#include "tandem/plugin.hpp"
#include "tandem/security.hpp"

namespace {
class Secured : public tandem::transport::Transport {
 public:
  const char * name() const override { return "secured"; }
  std::vector<tandem::transport::Limit> limits() const override { return {}; }
  std::shared_ptr<tandem::transport::Context> create_context(std::uint32_t) override {
    tandem::transport::enclave_files(name());
    return nullptr;
  }
};
}  // namespace

TANDEM_EXPORT_TRANSPORT(Secured)
TANDEM_EXPORT_SECURITY()
