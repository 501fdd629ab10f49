#include "participant.hpp"

#include <fastdds/rtps/participant/ParticipantDiscoveryInfo.h>
#include <fastdds/rtps/reader/ReaderDiscoveryInfo.h>
#include <fastdds/rtps/writer/WriterDiscoveryInfo.h>
#include <fastdds/dds/domain/DomainParticipantFactory.hpp>
#include <fastdds/dds/log/Log.hpp>
#include <fastdds/dds/publisher/qos/DataWriterQos.hpp>
#include <fastdds/dds/subscriber/SampleInfo.hpp>

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "data_type.hpp"
#include "security.hpp"
#include "settings.hpp"
#include "tandem/dds/names.hpp"
#include "tandem/kit/endpoint.hpp"

namespace rmw_fastrtps {

using eprosima::fastrtps::types::ReturnCode_t;
using tandem::transport::Durability;
using tandem::transport::EndpointInfo;
using tandem::transport::EndpointKind;
using tandem::transport::Error;
using tandem::transport::History;
using tandem::transport::Liveliness;
using tandem::transport::Reliability;

namespace {

constexpr std::uint32_t kLastDomain = 232;  ///< ports of later ones are beyond 65535; Fast DDS would end the process
constexpr std::size_t kPrefixBytes = 12;
constexpr std::size_t kProcessBytes = 8;  ///< vendor, host, process; then the participant

std::chrono::nanoseconds to_time(const eprosima::fastrtps::Duration_t & time) {
  return time == eprosima::fastrtps::c_TimeInfinite ? tandem::transport::kInfinite
                                                    : std::chrono::nanoseconds(time.to_ns());
}

/// Disabled, so that nothing is discovered before there is somebody to be told.
dds::DomainParticipant * create_disabled(std::uint32_t domain, dds::DomainParticipantListener & listener,
                                         const std::optional<tandem::transport::EnclaveFiles> & files) {
  static std::mutex mutex;  // the setting is the factory's
  const std::lock_guard lock(mutex);
  const auto qos = participant_qos(files);
  auto * const factory = dds::DomainParticipantFactory::get_instance();
  dds::DomainParticipantFactoryQos before;
  factory->get_qos(before);
  dds::DomainParticipantFactoryQos disabled = before;
  disabled.entity_factory().autoenable_created_entities = false;
  factory->set_qos(disabled);
  auto * const participant = factory->create_participant(domain, qos, &listener, dds::StatusMask::none());
  factory->set_qos(before);
  return participant;
}

}  // namespace

Gid to_gid(const rtps::GUID_t & guid) {
  Gid gid;
  std::memcpy(gid.data(), guid.guidPrefix.value, kPrefixBytes);
  std::memcpy(gid.data() + kPrefixBytes, guid.entityId.value, gid.size() - kPrefixBytes);
  return gid;
}

rtps::GUID_t to_guid(const Gid & gid) {
  rtps::GUID_t guid;
  std::memcpy(guid.guidPrefix.value, gid.data(), kPrefixBytes);
  std::memcpy(guid.entityId.value, gid.data() + kPrefixBytes, gid.size() - kPrefixBytes);
  return guid;
}

bool is_same_participant(const Gid & a, const Gid & b) {
  return std::equal(a.begin(), a.begin() + kPrefixBytes, b.begin());
}

Participant::Participant(std::uint32_t domain) : files_(tandem::transport::enclave_files(kName)) {
  if (domain > kLastDomain) {
    throw Error(std::string(kName) + ": domain " + std::to_string(domain) +
                " has no UDP ports; ROS_DOMAIN_ID is 0 to " + std::to_string(kLastDomain));
  }
  if (source() == Source::kTuned || source() == Source::kVendor) {  // a profile may do without UDP
    check_network(domain);
  }
  participant_ = create_disabled(domain, *this, files_);
  if (participant_ == nullptr) {
    throw Error(std::string(kName) + ": Fast DDS cannot make a participant");
  }
  is_secured_ = is_secured(*participant_);
  try {
    if (participant_->enable() != ReturnCode_t::RETCODE_OK) {
      dds::Log::Flush();  // what it says of a certificate is the reason
      throw Error(std::string(kName) + ": Fast DDS cannot make a participant in domain " + std::to_string(domain) +
                  (files_
                       ? " with the files of " + files_->folder +
                             ": are they whole, valid today and for this domain, and signed by their authorities? If so"
                       : "") +
                  ": is a network interface up (the loopback will do), is one of the UDP ports from " +
                  std::to_string(7400 + 250 * domain) + " on free, has /dev/shm room?");
    }
    begin();
    // Endpoints are enabled by us, once all that their listeners need is in place.
    dds::PublisherQos publisher_qos = participant_->get_default_publisher_qos();
    publisher_qos.entity_factory().autoenable_created_entities = false;
    publisher_ = participant_->create_publisher(publisher_qos);
    if (publisher_ == nullptr) {
      throw Error(std::string(kName) + ": Fast DDS cannot make a publisher");
    }
    announcer_->open(*create_subscriber());
  } catch (...) {
    close();
    throw;
  }
}

Participant::~Participant() { close(); }

/// With a secured participant's identity goes another GUID, which it has once it is enabled: the first callback may come
/// before enable() returns.
void Participant::begin() {
  std::call_once(begun_, [this] {
    gid_ = to_gid(participant_->guid());
    graph_ = std::make_unique<tandem::dds::Graph>(kName, gid_, [this] { announcer_->announce(); });
    announcer_ = std::make_unique<Announcer>(*participant_, *graph_, is_secured_, endpoints_mutex_);
  });
}

bool Participant::is_own(const Gid & endpoint) const {
  const std::size_t bytes = is_secured_ ? kPrefixBytes : kProcessBytes;
  return std::equal(endpoint.begin(), endpoint.begin() + static_cast<std::ptrdiff_t>(bytes), gid_.begin());
}

void Participant::close() {
  if (announcer_) {
    announcer_->end();
  }
  participant_->set_listener(nullptr);
  if (announcer_) {
    announcer_->close();
  }
  participant_->delete_contained_entities();
  dds::DomainParticipantFactory::get_instance()->delete_participant(participant_);
}

dds::Subscriber * Participant::create_subscriber() {
  dds::SubscriberQos qos = participant_->get_default_subscriber_qos();
  qos.entity_factory().autoenable_created_entities = false;
  dds::Subscriber * const subscriber = participant_->create_subscriber(qos);
  if (subscriber == nullptr) {
    throw Error(std::string(kName) + ": Fast DDS cannot make a subscriber");
  }
  return subscriber;
}

dds::Topic * Participant::use_topic(const tandem::MessageType & type, const std::string & name) {
  const std::string what = std::string(kName) + ": topic '" + name + "': ";
  const std::string topic_name = tandem::dds::to_dds_topic(name);
  const std::string type_name = tandem::dds::to_dds_type(type.name);
  const dds::TypeSupport known = participant_->find_type(type_name);
  if (known.empty()) {
    dds::TypeSupport(new DataType(type, shares_memory(type))).register_type(participant_);
  } else if (static_cast<const DataType &>(*known).message_type()->hash != type.hash) {
    throw Error(what + "type " + type.name +
                " is in use here with another definition; Fast DDS has one for each context");
  }
  auto * topic = static_cast<dds::Topic *>(participant_->lookup_topicdescription(topic_name));
  if (topic == nullptr) {
    topic = participant_->create_topic(topic_name, type_name, dds::TOPIC_QOS_DEFAULT);
  }
  if (topic == nullptr) {
    throw Error(what + "Fast DDS refuses the name");
  }
  if (topic->get_type_name() != type_name) {
    const std::string & other = topic->get_type_name();
    throw Error(what + "its type is " + tandem::dds::from_dds_type(other).value_or(other) + " here, so it cannot be " +
                type.name + " too; Fast DDS has one for each context");
  }
  return topic;
}

bool Participant::agrees(const Gid & endpoint, const std::string & type_hash) {
  const std::lock_guard lock(hashes_mutex_);
  const auto told = hashes_.find(endpoint);
  return told == hashes_.end() || told->second == type_hash;
}

void Participant::set_hash(const Gid & endpoint, const std::string & type_hash) {
  const std::lock_guard lock(hashes_mutex_);
  hashes_.insert_or_assign(endpoint, type_hash);
}

std::string Participant::advice() const { return files_ ? "; does " + files_->permissions + " allow it?" : ""; }

void Participant::forget(const Gid & endpoint) {
  const std::lock_guard lock(hashes_mutex_);
  hashes_.erase(endpoint);
}

void Participant::on_participant_discovery(dds::DomainParticipant *, rtps::ParticipantDiscoveryInfo && info) {
  begin();
  if (info.status != rtps::ParticipantDiscoveryInfo::REMOVED_PARTICIPANT &&
      info.status != rtps::ParticipantDiscoveryInfo::DROPPED_PARTICIPANT) {
    return;
  }
  const Gid gid = to_gid(info.info.m_guid);
  graph_->lost_participant(gid);
  announcer_->lost_participant(gid);
  const std::lock_guard lock(hashes_mutex_);
  std::erase_if(hashes_, [&gid](const auto & item) { return is_same_participant(item.first, gid); });
}

void Participant::on_publisher_discovery(dds::DomainParticipant *, rtps::WriterDiscoveryInfo && info) {
  begin();
  discovered(EndpointKind::kPublisher, info.info, info.status == rtps::WriterDiscoveryInfo::REMOVED_WRITER);
}

void Participant::on_subscriber_discovery(dds::DomainParticipant *, rtps::ReaderDiscoveryInfo && info) {
  begin();
  discovered(EndpointKind::kSubscription, info.info, info.status == rtps::ReaderDiscoveryInfo::REMOVED_READER);
}

template <class ProxyData>
void Participant::discovered(EndpointKind kind, const ProxyData & data, bool is_gone) {
  const Gid gid = to_gid(data.guid());
  if (is_gone) {
    graph_->lost(gid);
    announcer_->lost(gid);
    forget(gid);
    return;
  }
  if (is_same_participant(gid, gid_)) {
    if constexpr (std::is_same_v<ProxyData, rtps::WriterProxyData>) {
      announcer_->found_own(data);
    }
    return;
  }
  const std::string user_data(data.m_qos.m_userData.begin(), data.m_qos.m_userData.end());
  announcer_->found(data, user_data);
  const auto topic = tandem::dds::from_dds_topic(data.topicName().to_string());
  if (!topic) {
    return;
  }
  EndpointInfo endpoint;
  endpoint.kind = kind;
  endpoint.topic = *topic;
  const std::string type = data.typeName().to_string();
  endpoint.type_name = tandem::dds::from_dds_type(type).value_or(type);
  endpoint.type_hash = tandem::dds::type_hash_in(user_data);
  endpoint.origin = tandem::dds::origin_in(user_data);
  endpoint.qos.depth = 0;  // DDS does not tell
  endpoint.qos.reliability = data.m_qos.m_reliability.kind == dds::RELIABLE_RELIABILITY_QOS ? Reliability::kReliable
                                                                                            : Reliability::kBestEffort;
  endpoint.qos.durability = data.m_qos.m_durability.kind == dds::VOLATILE_DURABILITY_QOS ? Durability::kVolatile
                                                                                         : Durability::kTransientLocal;
  endpoint.qos.deadline = to_time(data.m_qos.m_deadline.period);
  if constexpr (std::is_same_v<ProxyData, rtps::WriterProxyData>) {
    endpoint.qos.lifespan = to_time(data.m_qos.m_lifespan.duration);
  }
  endpoint.qos.liveliness = data.m_qos.m_liveliness.kind == dds::MANUAL_BY_TOPIC_LIVELINESS_QOS
                                ? Liveliness::kManualByTopic
                                : Liveliness::kAutomatic;
  endpoint.qos.lease = to_time(data.m_qos.m_liveliness.lease_duration);
  if (kind == EndpointKind::kPublisher && endpoint.qos.durability == Durability::kTransientLocal) {
    const auto & kept = data.m_qos.m_durabilityService;  // of stock nodes: 1 from Fast DDS, the depth from Cyclone
    endpoint.qos.history = kept.history_kind == dds::KEEP_ALL_HISTORY_QOS ? History::kKeepAll : History::kKeepLast;
    endpoint.qos.depth = static_cast<std::uint32_t>(std::max(kept.history_depth, 1));
  }
  endpoint.gid = gid;
  if (!endpoint.type_hash.empty()) {
    set_hash(gid, endpoint.type_hash);
  }
  graph_->discovered(endpoint);
}

}  // namespace rmw_fastrtps
