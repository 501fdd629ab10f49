// The plug-in: the bus over OpenSplice, and discovery.
#include <ccpp_dds_dcps.h>

#include <atomic>
#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>

#include "endpoints.hpp"
#include "qos.hpp"
#include "tandem/cdr_bus/context.hpp"
#include "tandem/dds/names.hpp"
#include "tandem/plugin.hpp"

namespace opensplice {
namespace {

using namespace tandem::transport;  // NOLINT: all that this file implements
using tandem::cdr_bus::Bus;
using tandem::cdr_bus::Discovery;
using tandem::cdr_bus::Found;
using tandem::cdr_bus::Request;

constexpr auto kLookAround = std::chrono::milliseconds(250);

/// Takes what is new from one of OpenSplice's readers of discovery and tells of it.
template <class Reader, class Data>
class Watch {
 public:
  Watch(Participant & participant, DDS::Subscriber_ptr builtin, const char * topic, EndpointKind kind)
      : participant_(participant), kind_(kind) {
    DDS::DataReader_var reader = builtin->lookup_datareader(topic);
    reader_ = Reader::_narrow(reader.in());
    if (!reader_.in()) {
      throw Error(std::string(kName) + ": OpenSplice has no reader of " + topic);
    }
  }

  void look(Discovery & discovery) {
    typename Data::Sequence samples;
    DDS::SampleInfoSeq infos;
    if (reader_->take(samples, infos, DDS::LENGTH_UNLIMITED, DDS::ANY_SAMPLE_STATE, DDS::ANY_VIEW_STATE,
                      DDS::ANY_INSTANCE_STATE) != DDS::RETCODE_OK) {
      return;
    }
    for (DDS::ULong i = 0; i < samples.length(); ++i) {
      if (infos[i].instance_state == DDS::ALIVE_INSTANCE_STATE && infos[i].valid_data) {
        tell(discovery, samples[i], infos[i].instance_handle);
      } else if (const auto known = known_.find(infos[i].instance_handle); known != known_.end()) {
        discovery.lost(known->second);
        known_.erase(known);
      }
    }
    reader_->return_loan(samples, infos);
  }

 private:
  void tell(Discovery & discovery, const typename Data::Type & data, DDS::InstanceHandle_t handle) {
    const Gid gid = gid_in(data.user_data, data.key);
    if (is_of_same_participant(participant_.gid(), gid)) {
      return;
    }
    const Found found{kind_, data.topic_name.in(), data.type_name.in(), text_of(data.user_data), qos_of(data), gid};
    if (!is_of_same_process(participant_.gid(), gid) && tandem::dds::from_dds_topic(found.topic)) {
      participant_.has_company();
    }
    known_[handle] = found.gid;
    discovery.found(found);
  }

  Participant & participant_;
  const EndpointKind kind_;
  typename Data::Reader reader_;
  std::map<DDS::InstanceHandle_t, Gid> known_;
};

struct Publications {
  using Type = DDS::PublicationBuiltinTopicData;
  using Sequence = DDS::PublicationBuiltinTopicDataSeq;
  using Reader = DDS::PublicationBuiltinTopicDataDataReader_var;
};
struct Subscriptions {
  using Type = DDS::SubscriptionBuiltinTopicData;
  using Sequence = DDS::SubscriptionBuiltinTopicDataSeq;
  using Reader = DDS::SubscriptionBuiltinTopicDataDataReader_var;
};

class OsplBus final : public Bus {
 public:
  explicit OsplBus(std::uint32_t domain)
      : participant_(std::make_shared<Participant>(domain)),
        builtin_(participant_->participant->get_builtin_subscriber()),
        publications_(*participant_, builtin_.in(), "DCPSPublication", EndpointKind::kPublisher),
        subscriptions_(*participant_, builtin_.in(), "DCPSSubscription", EndpointKind::kSubscription) {}
  ~OsplBus() override { watch(nullptr); }

  Gid gid() const override { return participant_->gid(); }
  std::unique_ptr<tandem::cdr_bus::Writer> create_writer(const Request & request) override {
    return make_writer(participant_, request);
  }
  std::unique_ptr<tandem::cdr_bus::Reader> create_reader(const Request & request,
                                                         std::function<void()> on_data) override {
    return make_reader(participant_, request, std::move(on_data));
  }
  void watch(Discovery * discovery) override {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      stopping_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) {
      thread_.join();
    }
    stopping_ = false;
    if (discovery != nullptr) {
      thread_ = std::thread([this, discovery] { look_around(*discovery); });
    }
  }

 private:
  void look_around(Discovery & discovery) {
    std::unique_lock<std::mutex> lock(mutex_);
    do {
      publications_.look(discovery);
      subscriptions_.look(discovery);
    } while (!changed_.wait_for(lock, kLookAround, [this] { return stopping_; }));
  }

  const std::shared_ptr<Participant> participant_;
  DDS::Subscriber_var builtin_;
  Watch<DDS::PublicationBuiltinTopicDataDataReader, Publications> publications_;
  Watch<DDS::SubscriptionBuiltinTopicDataDataReader, Subscriptions> subscriptions_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool stopping_ = false;  ///< guarded by mutex_
  std::thread thread_;
};

class OsplTransport final : public Transport {
 public:
  const char * name() const override { return kName; }
  std::vector<Limit> limits() const override {
    return {{Feature::kLoans, "messages pass through OpenSplice's own memory"},
            {Feature::kVariableLoans, "messages pass through OpenSplice's own memory"},
            {Feature::kDeadline, "not passed on to OpenSplice"},
            {Feature::kLifespan, "not passed on to OpenSplice"},
            {Feature::kLiveliness, "not passed on to OpenSplice"},
            {Feature::kEvents, "not asked of OpenSplice"},
            {Feature::kTypeEvents, "not asked of OpenSplice"},
            {Feature::kTypeHash, "DDS compares type names; the hash is told, and a difference logged"},
            {Feature::kAttribution, "OpenSplice does not tell the number of a message"},
            {Feature::kDomains, "OpenSplice's network service exists once in a process"},
            {Feature::kRosWire, "OpenSplice tells no GUIDs: messages are exchanged, nodes of others are not listed"}};
  }
  std::shared_ptr<Context> create_context(std::uint32_t domain) override {
    return tandem::cdr_bus::make_context(kName, std::make_shared<OsplBus>(domain));
  }
};

}  // namespace
}  // namespace opensplice

TANDEM_EXPORT_TRANSPORT(opensplice::OsplTransport)
