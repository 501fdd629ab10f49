#include "connext_bus.hpp"

#include <cstdlib>
#include <iterator>
#include <mutex>
#include <type_traits>
#include <vector>

#include "endpoints.hpp"
#include "qos.hpp"
#include "tandem/dds/names.hpp"

namespace connext {
namespace {

using tandem::cdr_bus::Bus;
using tandem::cdr_bus::Discovery;
using tandem::cdr_bus::Found;
using tandem::cdr_bus::Gid;
using tandem::cdr_bus::Request;
using tandem::transport::EndpointKind;
using tandem::transport::Error;

/// Whom discovery is told to; shared with Connext's listeners.
struct Observer {
  std::mutex mutex;
  Discovery * discovery = nullptr;  ///< guarded by mutex
};

Found found_of(EndpointKind kind, const Gid & gid, const auto & data) {
  const auto bytes = data.user_data().value();
  return {kind, data.topic_name(), data.type_name(), std::string(bytes.begin(), bytes.end()), qos_of(data), gid};
}

template <class Data>
class BuiltinListener final : public dds::sub::NoOpDataReaderListener<Data> {
 public:
  explicit BuiltinListener(std::shared_ptr<Observer> observer) : observer_(std::move(observer)) {}
  void on_data_available(dds::sub::DataReader<Data> & reader) override { read(reader); }

  void read(dds::sub::DataReader<Data> & reader) {
    const std::lock_guard<std::mutex> lock(observer_->mutex);
    if (observer_->discovery == nullptr) {
      return;  // what is there stays for watch()
    }
    for (const auto & sample : reader.take()) {
      const Gid gid = gid_of(sample.info().instance_handle());
      const bool is_there = sample.info().state().instance_state() == dds::sub::status::InstanceState::alive();
      tell(gid, sample, is_there && sample.info().valid());
    }
  }

 private:
  void tell(const Gid & gid, const auto & sample, bool is_there) {
    if constexpr (std::is_same_v<Data, dds::topic::ParticipantBuiltinTopicData>) {
      if (!is_there) {
        observer_->discovery->lost_participant(gid);
      }
    } else {
      constexpr bool kIsPublication = std::is_same_v<Data, dds::topic::PublicationBuiltinTopicData>;
      if (is_there) {
        observer_->discovery->found(
            found_of(kIsPublication ? EndpointKind::kPublisher : EndpointKind::kSubscription, gid, sample.data()));
      } else {
        observer_->discovery->lost(gid);
      }
    }
  }

  const std::shared_ptr<Observer> observer_;
};

/// One of the three readers of discovery. Connext tells it of other participants only.
template <class Data>
class BuiltinReader {
 public:
  BuiltinReader(dds::domain::DomainParticipant & participant, const std::string & topic,
                const std::shared_ptr<Observer> & observer)
      : listener_(std::make_shared<BuiltinListener<Data>>(observer)) {
    std::vector<dds::sub::DataReader<Data>> found;
    dds::sub::find<dds::sub::DataReader<Data>>(dds::sub::builtin_subscriber(participant), topic,
                                               std::back_inserter(found));
    if (found.empty()) {
      throw Error(std::string(kName) + ": Connext has no reader of discovery: " + topic);
    }
    reader_ = found.front();
    reader_.set_listener(listener_, dds::core::status::StatusMask::data_available());
  }
  ~BuiltinReader() { reader_.set_listener(nullptr); }
  BuiltinReader(const BuiltinReader &) = delete;
  BuiltinReader & operator=(const BuiltinReader &) = delete;
  void look() { listener_->read(reader_); }

 private:
  const std::shared_ptr<BuiltinListener<Data>> listener_;
  dds::sub::DataReader<Data> reader_ = dds::core::null;
};

dds::domain::DomainParticipant make_participant(std::uint32_t domain) {
  dds::domain::qos::DomainParticipantQos qos;
  // With types advertised on both sides, final does not match what others call appendable: advertise none.
  rti::core::policy::DomainParticipantResourceLimits limits;
  limits.type_code_max_serialized_length(0).type_object_max_serialized_length(0);
  qos << user_data(tandem::dds::participant_user_data()) << limits;
  return dds::domain::DomainParticipant(static_cast<std::int32_t>(domain), qos);
}

class ConnextBus final : public Bus {
 public:
  explicit ConnextBus(std::uint32_t domain)
      : entities_(std::make_shared<Entities>(make_participant(domain))),
        participants_(entities_->participant, dds::topic::participant_topic_name(), observer_),
        publications_(entities_->participant, dds::topic::publication_topic_name(), observer_),
        subscriptions_(entities_->participant, dds::topic::subscription_topic_name(), observer_) {}

  Gid gid() const override { return gid_of(entities_->participant.instance_handle()); }
  std::unique_ptr<tandem::cdr_bus::Writer> create_writer(const Request & request) override {
    return checked(request.topic, [&] { return make_writer(entities_, request); });
  }
  std::unique_ptr<tandem::cdr_bus::Reader> create_reader(const Request & request,
                                                         std::function<void()> on_data) override {
    return checked(request.topic, [&] { return make_reader(entities_, request, std::move(on_data)); });
  }
  void watch(Discovery * discovery) override {
    {
      const std::lock_guard<std::mutex> lock(observer_->mutex);
      observer_->discovery = discovery;
    }
    participants_.look();
    publications_.look();
    subscriptions_.look();
  }

 private:
  /// Connext's exceptions are made ours.
  template <class Make>
  static auto checked(const std::string & topic, Make make) -> decltype(make()) {
    try {
      return make();
    } catch (const Error &) {
      throw;
    } catch (const std::exception & error) {
      throw Error(std::string(kName) + ": topic '" + topic + "': Connext makes no endpoint: " + error.what());
    }
  }

  const std::shared_ptr<Observer> observer_ = std::make_shared<Observer>();
  const std::shared_ptr<Entities> entities_;
  BuiltinReader<dds::topic::ParticipantBuiltinTopicData> participants_;
  BuiltinReader<dds::topic::PublicationBuiltinTopicData> publications_;
  BuiltinReader<dds::topic::SubscriptionBuiltinTopicData> subscriptions_;
};

}  // namespace

std::shared_ptr<Bus> make_bus(std::uint32_t domain) {
  try {
    return std::make_shared<ConnextBus>(domain);
  } catch (const Error &) {
    throw;
  } catch (const std::exception & error) {
    throw Error(no_participant(domain, error.what(), std::getenv("RTI_LICENSE_FILE")));
  }
}

}  // namespace connext
