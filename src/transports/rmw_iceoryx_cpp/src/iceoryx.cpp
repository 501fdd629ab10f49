// iceoryx as a transport: a service of its own for each publisher, with which the subscriptions that match connect.
#include "ports.hpp"
#include "roudi.hpp"
#include "tandem/plugin.hpp"

namespace iceoryx {
namespace {

using namespace tandem::transport;  // NOLINT: all that this file implements

class IceoryxWire final : public Wire {
 public:
  explicit IceoryxWire(const Surroundings & around) : around_(around) { runtime_->guard(around_.roster); }
  ~IceoryxWire() override { runtime_->unguard(around_.roster); }

  Waking waking() const override { return Waking::kSharedMemory; }
  std::unique_ptr<Sender> open_sender(const SenderOptions & options) override {
    auto sender = make_sender(runtime_, around_.poller, options);
    runtime_->guard(sender->address());  // RouDi may be killed with it
    return sender;
  }
  std::unique_ptr<Receiver> open_receiver(const ReceiverOptions & options) override {
    runtime_->guard(options.publisher.address);
    return make_receiver(runtime_, options);
  }

 private:
  const Surroundings around_;
  const std::shared_ptr<Runtime> runtime_ = Runtime::get();
};

class IceoryxTransport final : public Transport {
 public:
  const char * name() const override { return kName; }
  std::vector<Limit> limits() const override {
    return {{Feature::kVariableLoans, "iceoryx lends memory of fixed size; strings and sequences go as CDR"},
            {Feature::kLiveliness, "its wire carries no assertions of a publisher that it lives"},
            {Feature::kOtherHosts, "iceoryx is shared memory"},
            {Feature::kRosWire, "iceoryx is shared memory"}};
  }
  std::shared_ptr<Context> create_context(std::uint32_t domain) override {
    return make_context<IceoryxWire>(kName, domain);
  }
};

}  // namespace
}  // namespace iceoryx

TANDEM_EXPORT_TRANSPORT(iceoryx::IceoryxTransport)
