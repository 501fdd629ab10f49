// The transport, and its bus.
#include "endpoints.hpp"
#include "settings.hpp"
#include "tandem/dds/names.hpp"
#include "tandem/kit/fork_generation.hpp"
#include "tandem/plugin.hpp"

namespace rmw_fastrtps {
namespace {

using namespace tandem::transport;  // NOLINT: all that this file implements

class FastBus final : public Bus {
 public:
  explicit FastBus(std::uint32_t domain) : participant_(std::make_shared<Participant>(domain)) {}
  ~FastBus() override {
    if (is_foreign()) {  // a child of fork() has none of the participant's threads
      new std::shared_ptr<Participant>(std::move(participant_));
    }
  }

  const char * name() const override { return kName; }
  Encoding encoding_of(const tandem::MessageType & type) const override {
    return shares_memory(type) ? Encoding::kMemory : Encoding::kCdr;
  }
  RequestHeader request_header() const override { return RequestHeader::kNative; }
  void add_node(const NodeName & node) override { participant_->graph().add(node); }
  void remove_node(const NodeName & node) override {
    if (!is_foreign()) {
      participant_->graph().remove(node);
    }
  }
  std::shared_ptr<Writer> create_writer(const tandem::MessageType & type, const EndpointInfo & endpoint) override {
    return make_writer(participant_, type, tandem::dds::as_told(endpoint, type));
  }
  std::shared_ptr<Reader> create_reader(const tandem::MessageType & type, const EndpointInfo & endpoint,
                                        bool ignore_local, std::function<void()> on_data) override {
    return make_reader(participant_, type, tandem::dds::as_told(endpoint, type), ignore_local, std::move(on_data));
  }
  GraphSnapshot graph() const override { return participant_->graph().snapshot(); }
  bool is_own(const Gid & endpoint) const override { return participant_->is_own(endpoint); }
  bool is_foreign() const override { return generation_ != fork_generation(); }

 private:
  const std::uint32_t generation_ = fork_generation();
  std::shared_ptr<Participant> participant_;
};

class FastTransport final : public Transport {
 public:
  const char * name() const override { return kName; }
  std::vector<Limit> limits() const override {
    std::vector<Limit> limits = {{Feature::kVariableLoans, "DDS carries strings and sequences serialized"},
                                 {Feature::kTypeEvents, "DDS tells of types that differ only in the log"},
                                 {Feature::kKills,
                                  "what a killed process leaves in Fast DDS's shared memory sometimes hides newcomers "
                                  "for a minute; UDP alone does not"}};
    if (source() != Source::kXmlAll) {
      limits.push_back({Feature::kLoans,
                        "data-sharing of Fast DDS 2.9 is not sound when endpoints come and go; "
                        "a profile that is shipped turns it on"});
    }
    return limits;
  }
  std::shared_ptr<Context> create_context(std::uint32_t domain) override {
    return make_context(std::make_shared<FastBus>(domain));
  }
};

}  // namespace
}  // namespace rmw_fastrtps

TANDEM_EXPORT_TRANSPORT(rmw_fastrtps::FastTransport)
#if HAVE_SECURITY  // of Fast DDS as it was built
TANDEM_EXPORT_SECURITY()
#endif
