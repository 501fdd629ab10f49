// Zenoh as a transport: the session, the subscription's end, and the plug-in.
#include <filesystem>

#include "sender.hpp"
#include "tandem/kit/tuning.hpp"
#include "tandem/plugin.hpp"

namespace rmw_zenoh {
namespace {

using namespace tandem::transport;  // NOLINT: all that this file implements

constexpr const char * kSocket = ".sock";

class ReceivedChunk final : public Chunk {
 public:
  explicit ReceivedChunk(const ZnMessage & raw) : owner_(raw.owner) {
    data = const_cast<std::byte *>(reinterpret_cast<const std::byte *>(raw.payload));
    size = raw.size;
    hold = raw.is_shared ? Hold::kWithinQuota : Hold::kNever;
  }
  ~ReceivedChunk() override { zn_free(owner_); }

 private:
  ZnOwner * const owner_;
};

/// What a key's callback knows. Callbacks may outlast the subscription.
struct Listener {
  std::shared_ptr<Inbox> inbox;
  Gid subscription;

  void hear(const ZnMessage & message) const {
    auto chunk = std::make_unique<ReceivedChunk>(message);
    const auto note = note_of(message);
    if (!note || (note->subscription != Gid{} && note->subscription != subscription)) {
      return;
    }
    if (note->kind == Note::Kind::kProbe) {
      inbox->reached();
    } else {
      inbox->push(note->header, std::move(chunk));
    }
  }
};

class ZenohReceiver final : public Receiver {
 public:
  ZenohReceiver(const ZnSession * session, std::uint32_t domain, const ReceiverOptions & options) {
    const ZnCallback callback = {
        [](void * context, const ZnMessage * message) { static_cast<Listener *>(context)->hear(*message); },
        [](void * context) { delete static_cast<Listener *>(context); },
        new Listener{options.inbox, options.entry.endpoint.gid}};
    char reason[256] = "";
    subscriber_ =
        zn_subscriber_new(session, key_of(domain, options.publisher.endpoint).c_str(), callback, reason, sizeof reason);
    if (subscriber_ == nullptr) {
      throw Error(std::string("no connection to a publisher: ") + reason);
    }
  }
  ~ZenohReceiver() override { zn_subscriber_free(subscriber_); }

 private:
  ZnSubscriber * subscriber_;
};

class ZenohWire final : public Wire {
 public:
  explicit ZenohWire(const Surroundings & around) : domain_(around.domain) {
    char reason[512] = "";
    session_ = zn_open(configuration(around.roster).c_str(), reason, sizeof reason);
    if (session_ == nullptr) {
      throw Error(std::string(kName) + ": Zenoh opens no session for domain " + std::to_string(domain_) + ": " +
                  reason + ". Can UNIX sockets be made in the folder of TANDEM_SHM_DIR?");
    }
  }
  ~ZenohWire() override { zn_close(session_); }

  Waking waking() const override { return Waking::kCallback; }
  std::unique_ptr<Sender> open_sender(const SenderOptions & options) override {
    return make_sender(session_, domain_, options);
  }
  std::unique_ptr<Receiver> open_receiver(const ReceiverOptions & options) override {
    return std::make_unique<ZenohReceiver>(session_, domain_, options);
  }

 private:
  /// Every participant listens at a socket in the roster's folder and connects to those that were there before it. So all
  /// know each other, and nothing is looked for on any network.
  static std::string configuration(const Roster & roster) {
    const bool is_tuned = tuning() == Tuning::kTuned;
    const auto locator = [&roster](const std::string & id) {
      return "\"unixsock-stream/" + roster.path_of(id + kSocket) + "\"";
    };
    std::string others;
    std::error_code ignored;
    for (const auto & file : std::filesystem::directory_iterator(roster.path_of("."), ignored)) {
      const std::filesystem::path name = file.path().filename();
      if (name.extension() == ".lock" && name.stem().string() != roster.id() && !name.stem().has_extension()) {
        others += (others.empty() ? "" : ",") + locator(name.stem().string());
      }
    }
    return R"({mode: "peer", listen: {endpoints: [)" + locator(roster.id()) + R"(]}, connect: {endpoints: [)" + others +
           R"(], exit_on_failure: false, timeout_ms: -1,
               retry: {period_init_ms: 10, period_max_ms: 4000, period_increase_factor: 2}},
               open: {return_conditions: {connect_scouted: false, declares: false}},
               scouting: {multicast: {enabled: false}, gossip: {enabled: false}},
               transport: {shared_memory: {enabled: true, transport_optimization: {enabled: )" +
           (is_tuned ? "false" : "true") + "}}}}";
  }

  const std::uint32_t domain_;
  ZnSession * session_ = nullptr;
};

class ZenohTransport final : public Transport {
 public:
  const char * name() const override { return kName; }
  std::vector<Limit> limits() const override {
    std::vector<Limit> limits = {
        {Feature::kVariableLoans,
         "Zenoh moves bytes without pointers: messages with strings or sequences are serialized"},
        {Feature::kLiveliness, "its wire carries no assertions of a publisher that it lives"},
        {Feature::kOtherHosts, "who is there, and what matches, goes through files of this host"},
        {Feature::kRosWire, "its keys and attachments are its own, not those of the stock rmw_zenoh_cpp"},
    };
    if (tuning() == Tuning::kVendor) {
      limits.push_back({Feature::kLoans, "with the vendor's settings Zenoh itself copies into shared memory"});
    }
    return limits;
  }
  std::shared_ptr<Context> create_context(std::uint32_t domain) override {
    return make_context<ZenohWire>(kName, domain);
  }
};

}  // namespace
}  // namespace rmw_zenoh

TANDEM_EXPORT_TRANSPORT(rmw_zenoh::ZenohTransport)
