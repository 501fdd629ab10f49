#include "settings.hpp"

#include <fastdds/rtps/transport/UDPv4TransportDescriptor.h>
#include <fastdds/rtps/transport/shared_mem/SharedMemTransportDescriptor.h>
#include <fastrtps/utils/IPLocator.h>
#include <fastrtps/xmlparser/XMLProfileManager.h>
#include <unistd.h>
#include <fastdds/dds/domain/DomainParticipantFactory.hpp>
#include <fastdds/dds/log/Log.hpp>

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <set>
#include <sstream>
#include <string>

#include "plain.hpp"
#include "security.hpp"
#include "tandem/dds/channels.hpp"
#include "tandem/dds/names.hpp"
#include "tandem/kit/endpoint.hpp"
#include "tandem/kit/tuning.hpp"
#include "tandem/service.hpp"

namespace rmw_fastrtps {

using eprosima::fastdds::rtps::SharedMemTransportDescriptor;
using eprosima::fastdds::rtps::UDPv4TransportDescriptor;
using eprosima::fastrtps::Duration_t;
using tandem::MessageType;
using tandem::transport::Channel;
using tandem::transport::channel_of;
using tandem::transport::Durability;
using tandem::transport::EndpointInfo;
using tandem::transport::History;
using tandem::transport::kInfinite;
using tandem::transport::Liveliness;
using tandem::transport::Qos;
using tandem::transport::Reliability;

namespace {

/// Room for the fragments of a few messages of several MB; only what is used is written to.
constexpr std::uint32_t kSegmentBytes = 64 * 1024 * 1024;
constexpr std::uint32_t kPortCapacity = 2048;            ///< fragments that wait at a reader's port
constexpr std::uint32_t kSocketBytes = 4 * 1024 * 1024;  ///< the kernel gives net.core.rmem_max at most
constexpr std::uint32_t kPeersOnAHost = 32;
/// A killed process is noticed after the lease.
constexpr std::int32_t kLeaseSeconds = 10;
constexpr std::int32_t kAnnouncementSeconds = 3;
/// Of keep all: messages that wait for readers, but no more bytes than this.
constexpr std::size_t kKeepAllMessages = 2000;
constexpr std::size_t kKeepAllBytes = 64 * 1024 * 1024;
/// Larger pools than this are not made in shared memory: depth 1000 of 4 MB would fill it.
constexpr std::size_t kMostPoolBytes = 256 * 1024 * 1024;
constexpr std::uint32_t kDeepest = 1'000'000;
constexpr std::int32_t kInFlight = 1000;  ///< messages that a reader may have beyond its depth for a moment
constexpr std::size_t kLarge = 256 * 1024;

const char * variable(const char * name) {
  const char * value = std::getenv(name);
  return value != nullptr ? value : "";
}

/// Fast DDS's complaints in our form, each once.
class Complaints final : public dds::LogConsumer {
 public:
  void Consume(const dds::Log::Entry & entry) override {
    std::string text = entry.message;
    text.erase(text.find_last_not_of(" \n") + 1);
    const std::lock_guard lock(mutex_);
    if (!text.empty() && said_.size() < 100 && said_.insert(text).second) {
      tandem::transport::warn(kName, "", "Fast DDS says: " + text);
    }
  }

 private:
  std::mutex mutex_;
  std::set<std::string> said_;
};

/// \return whether there is a profile file.
bool load_profiles() {
  dds::DomainParticipantFactory * factory = dds::DomainParticipantFactory::get_instance();
  const std::string newer = variable("FASTDDS_DEFAULT_PROFILES_FILE");  // this version knows the older name only
  const std::string older = variable("FASTRTPS_DEFAULT_PROFILES_FILE");
  const std::string & file = newer.empty() ? older : newer;
  if (!file.empty() && access(file.c_str(), R_OK) != 0) {
    tandem::transport::warn(kName, "", "the profile file '" + file + "' cannot be read, so our settings count");
  } else if (!newer.empty() && newer != older &&
             factory->load_XML_profiles_file(newer) != eprosima::fastrtps::types::ReturnCode_t::RETCODE_OK) {
    tandem::transport::warn(kName, "", "the profile file '" + newer + "' has errors; what could be read counts");
  }
  factory->load_profiles();
  return (!file.empty() && access(file.c_str(), R_OK) == 0) || access("DEFAULT_FASTRTPS_PROFILES.xml", R_OK) == 0;
}

Source find_source() {
  dds::Log::ClearConsumers();
  dds::Log::RegisterConsumer(std::make_unique<Complaints>());
  dds::Log::SetVerbosity(dds::Log::Kind::Error);
  const bool has_profiles = load_profiles();
  if (has_profiles) {
    return variable("RMW_FASTRTPS_USE_QOS_FROM_XML") == std::string("1") ? Source::kXmlAll : Source::kXml;
  }
  if (tandem::transport::tuning() == tandem::transport::Tuning::kVendor) {
    return Source::kVendor;
  }
  // Within a process as between processes: by Fast DDS's shortcut a reader that was full once gets the rest no more.
  eprosima::fastrtps::LibrarySettingsAttributes library;
  library.intraprocess_delivery = eprosima::fastrtps::INTRAPROCESS_OFF;
  eprosima::fastrtps::xmlparser::XMLProfileManager::library_settings(library);
  return Source::kTuned;
}

enum class Range : std::uint8_t { kSubnet, kLocalhost };

Range discovery_range() {
  const std::string range = variable("ROS_AUTOMATIC_DISCOVERY_RANGE");
  if (range.empty()) {
    return variable("ROS_LOCALHOST_ONLY") == std::string("1") ? Range::kLocalhost : Range::kSubnet;
  }
  return range == "LOCALHOST" ? Range::kLocalhost : Range::kSubnet;
}

void add_peer(rtps::BuiltinAttributes & builtin, const std::string & host) {
  const auto addresses = rtps::IPLocator::resolveNameDNS(host);
  if (addresses.first.empty()) {
    throw tandem::transport::Error(std::string(kName) + ": ROS_STATIC_PEERS names '" + host +
                                   "', which has no IPv4 address; correct or remove it");
  }
  rtps::Locator_t peer;  // without a port: those of the first participants of the host
  rtps::IPLocator::setIPv4(peer, *addresses.first.begin());
  builtin.initialPeersList.push_back(peer);
}

void apply_discovery(dds::DomainParticipantQos & qos) {
  rtps::BuiltinAttributes & builtin = qos.wire_protocol().builtin;
  std::istringstream peers(variable("ROS_STATIC_PEERS"));
  for (std::string peer; std::getline(peers, peer, ';');) {
    if (!peer.empty()) {
      add_peer(builtin, peer);
    }
  }
  if (discovery_range() == Range::kLocalhost) {
    builtin.metatrafficMulticastLocatorList.clear();
    builtin.metatrafficUnicastLocatorList.push_back(rtps::Locator_t());  // so that no multicast locator is made
    add_peer(builtin, "127.0.0.1");
  } else if (!builtin.initialPeersList.empty()) {
    add_peer(builtin, "239.255.0.1");
  }
}

void tune(dds::DomainParticipantQos & qos) {
  const auto shared_memory = std::make_shared<SharedMemTransportDescriptor>();
  shared_memory->segment_size(kSegmentBytes);
  shared_memory->port_queue_capacity(kPortCapacity);
  const auto udp = std::make_shared<UDPv4TransportDescriptor>();
  udp->sendBufferSize = kSocketBytes;
  udp->receiveBufferSize = kSocketBytes;
  udp->maxInitialPeersRange = kPeersOnAHost;
  qos.transport().use_builtin_transports = false;
  qos.transport().user_transports = {make_private(shared_memory), make_unicast(udp)};
  auto & discovery = qos.wire_protocol().builtin.discovery_config;
  discovery.leaseDuration = Duration_t(kLeaseSeconds, 0);
  discovery.leaseDuration_announcementperiod = Duration_t(kAnnouncementSeconds, 0);
}

/// 0: as it was.
std::int32_t keep_all_samples(const MessageType & type) {
  return source() == Source::kTuned
             ? static_cast<std::int32_t>(std::clamp<std::size_t>(kKeepAllBytes / type.size, 8, kKeepAllMessages))
             : 0;
}

std::int32_t depth_of(const Qos & asked) {
  return static_cast<std::int32_t>(std::min<std::uint32_t>(asked.depth, kDeepest));
}

Duration_t to_limit(std::chrono::nanoseconds time) {
  return time == kInfinite ? eprosima::fastrtps::c_TimeInfinite : to_duration(time);
}

/// What writers and readers have in common.
template <class EndpointQos>
void apply(EndpointQos & qos, const EndpointInfo & endpoint, const Qos & asked, bool secured) {
  qos.reliability().kind =
      asked.reliability == Reliability::kReliable ? dds::RELIABLE_RELIABILITY_QOS : dds::BEST_EFFORT_RELIABILITY_QOS;
  qos.durability().kind = asked.durability == Durability::kTransientLocal ? dds::TRANSIENT_LOCAL_DURABILITY_QOS
                                                                          : dds::VOLATILE_DURABILITY_QOS;
  qos.deadline().period = to_limit(asked.deadline);
  qos.liveliness().kind = asked.liveliness == Liveliness::kManualByTopic ? dds::MANUAL_BY_TOPIC_LIVELINESS_QOS
                                                                         : dds::AUTOMATIC_LIVELINESS_QOS;
  qos.liveliness().lease_duration = to_limit(asked.lease);
  // How often Fast DDS says that the process lives. It wants more often than the lease.
  qos.liveliness().announcement_period = to_limit(asked.lease == kInfinite ? kInfinite : asked.lease * 2 / 3);
  const std::string text = tandem::dds::endpoint_user_data(endpoint.type_hash, endpoint.origin);
  qos.user_data().assign(text.begin(), text.end());
  if (source() != Source::kXmlAll) {
    qos.endpoint().history_memory_policy = rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
  }
  // A full data-sharing reader looks for room all the time, so who keeps all has none. And 2.9's data-sharing is not
  // sound when endpoints come and go (README.md): it must be asked for. It knows no encryption.
  if (source() == Source::kXml || source() == Source::kTuned || asked.history == History::kKeepAll || secured) {
    qos.data_sharing().off();
  }
}

/// `samples` in the history at most; 0 leaves the number as it is.
void limit(dds::ResourceLimitsQosPolicy & limits, std::int32_t samples) {
  limits.max_samples = samples != 0 ? samples : limits.max_samples;
  // What is allocated at once: Fast DDS's own 100 would be 400 MB of a 4 MB type.
  limits.allocated_samples = std::min(limits.allocated_samples, 4);
  limits.max_samples_per_instance = limits.max_samples;
  limits.max_instances = 1;
}

void apply_publication_mode(dds::DataWriterQos & qos) {
  const std::string mode = variable("RMW_FASTRTPS_PUBLICATION_MODE");
  if (mode == "ASYNCHRONOUS") {
    qos.publish_mode().kind = eprosima::fastrtps::ASYNCHRONOUS_PUBLISH_MODE;
  } else if (mode.empty() || mode == "SYNCHRONOUS") {
    qos.publish_mode().kind = eprosima::fastrtps::SYNCHRONOUS_PUBLISH_MODE;
  } else if (mode != "AUTO") {
    qos.publish_mode().kind = eprosima::fastrtps::SYNCHRONOUS_PUBLISH_MODE;
    static std::once_flag said;
    std::call_once(said, [&mode] {
      tandem::transport::warn(kName, "",
                              "RMW_FASTRTPS_PUBLICATION_MODE is '" + mode +
                                  "', which is none of SYNCHRONOUS, ASYNCHRONOUS, AUTO; SYNCHRONOUS is used");
    });
  }
}

}  // namespace

Duration_t to_duration(std::chrono::nanoseconds time) {
  const std::int64_t seconds = std::min<std::int64_t>(time / std::chrono::seconds(1), INT32_MAX - 1);
  return {static_cast<std::int32_t>(seconds), static_cast<std::uint32_t>((time % std::chrono::seconds(1)).count())};
}

Source source() {
  static const Source found = find_source();
  return found;
}

dds::DomainParticipantQos participant_qos(const std::optional<tandem::transport::EnclaveFiles> & files) {
  const Source whose = source();
  dds::DomainParticipantQos qos = dds::DomainParticipantFactory::get_instance()->get_default_participant_qos();
  if (whose == Source::kTuned) {
    tune(qos);
  }
  apply_discovery(qos);
  const std::string text = tandem::dds::participant_user_data();
  qos.user_data().assign(text.begin(), text.end());
  qos.name(tandem::transport::enclave());
  if (files) {
    secure(qos, *files);
  }
  if (whose != Source::kXmlAll) {  // discovery data of any size
    qos.wire_protocol().builtin.readerHistoryMemoryPolicy = rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
    qos.wire_protocol().builtin.writerHistoryMemoryPolicy = rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
  }
  return qos;
}

bool shares_memory(const MessageType & type) {
  return (source() == Source::kVendor || source() == Source::kXmlAll) && is_plain(type);
}

PoolShare pool_share(const MessageType & type) {
  if (source() != Source::kXmlAll) {
    return {1, 0};
  }
  return type.size < kLarge ? PoolShare{16, 8} : PoolShare{4, 4};
}

dds::DataWriterQos writer_qos(const dds::Publisher & publisher, const MessageType & type,
                              const EndpointInfo & endpoint) {
  const Qos asked = tandem::dds::wire_qos(endpoint);
  dds::DataWriterQos qos = publisher.get_default_datawriter_qos();
  publisher.get_datawriter_qos_from_profile(endpoint.topic, qos);  // if there is one of the topic's name
  apply(qos, endpoint, asked, is_secured(*publisher.get_participant()));
  qos.lifespan().duration = to_limit(asked.lifespan);
  const bool keeps_all = asked.history == History::kKeepAll;
  qos.history().kind = keeps_all ? dds::KEEP_ALL_HISTORY_QOS : dds::KEEP_LAST_HISTORY_QOS;
  qos.history().depth = depth_of(asked);
  if (endpoint.qos.durability == Durability::kTransientLocal) {
    // Discovery tells no history but this one: what late joiners may expect.
    qos.durability_service().history_kind = qos.history().kind;
    qos.durability_service().history_depth = qos.history().depth;
    qos.durability_service().hasChanged = true;
  }
  limit(qos.resource_limits(), keeps_all ? keep_all_samples(type) : depth_of(asked));
  if (source() != Source::kXmlAll) {
    apply_publication_mode(qos);
  }
  qos.reliability().max_blocking_time = to_duration(endpoint.qos.max_blocking_time);
  qos.representation().m_value = {dds::XCDR_DATA_REPRESENTATION};
  if (shares_memory(type)) {
    const PoolShare share = pool_share(type);
    auto & extra = qos.resource_limits().extra_samples;
    extra = std::max(extra, static_cast<std::int32_t>(share.loans + share.held + 1));
    const auto kept = static_cast<std::size_t>(qos.resource_limits().max_samples);
    if ((kept + static_cast<std::size_t>(extra)) * type.size > kMostPoolBytes) {
      qos.data_sharing().off();
    }
  }
  // Services keep Fast DDS's own times: with these and many clients on a busy machine, 2.9 answers heartbeats for ever and
  // delivers no more.
  if (source() == Source::kTuned && channel_of(endpoint.topic) == Channel::kTopic) {
    auto & times = qos.reliable_writer_qos().times;
    times.heartbeatPeriod = Duration_t(0, 10'000'000);  // what a full queue dropped comes again soon, 256 at a time
    times.nackResponseDelay = Duration_t(0, 1'000'000);
  }
  return qos;
}

dds::DataReaderQos reader_qos(const dds::Subscriber & subscriber, const MessageType & type,
                              const EndpointInfo & endpoint) {
  const Qos asked = tandem::dds::wire_qos(endpoint);
  dds::DataReaderQos qos = subscriber.get_default_datareader_qos();
  subscriber.get_datareader_qos_from_profile(endpoint.topic, qos);
  apply(qos, endpoint, asked, is_secured(*subscriber.get_participant()));
  // The subscription itself drops the oldest beyond its depth. Fast DDS's own keep-last loses track of a message that is
  // older than the oldest in a full history, and may crash when the reader goes.
  qos.history().kind = dds::KEEP_ALL_HISTORY_QOS;
  // Room for more than a writer has on its way: full of messages that wait for an earlier one, a reader would not take
  // that one either.
  limit(qos.resource_limits(),
        asked.history == History::kKeepAll ? 4 * keep_all_samples(type) : depth_of(asked) + kInFlight);
  qos.type_consistency().representation.m_value = {dds::XCDR_DATA_REPRESENTATION};
  if (source() == Source::kTuned) {
    qos.reliable_reader_qos().times.heartbeatResponseDelay = Duration_t(0, 1'000'000);
  }
  return qos;
}

}  // namespace rmw_fastrtps
