// A plug-in that loads; it never makes a context.
#include "tandem/plugin.hpp"

namespace {
class Good : public tandem::transport::Transport {
 public:
  const char * name() const override { return "good"; }
  std::vector<tandem::transport::Limit> limits() const override { return {}; }
  std::shared_ptr<tandem::transport::Context> create_context(std::uint32_t) override { return nullptr; }
};
}  // namespace

TANDEM_EXPORT_TRANSPORT(Good)
