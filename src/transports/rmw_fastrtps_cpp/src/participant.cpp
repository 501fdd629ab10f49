#include "participant.hpp"

#include <fastdds/rtps/participant/ParticipantDiscoveryInfo.h>
#include <fastdds/rtps/reader/ReaderDiscoveryInfo.h>
#include <fastdds/rtps/writer/WriterDiscoveryInfo.h>
#include <fastdds/dds/domain/DomainParticipantFactory.hpp>
#include <fastdds/dds/publisher/qos/DataWriterQos.hpp>
#include <fastdds/dds/subscriber/SampleInfo.hpp>

#include <algorithm>
#include <cstring>

#include "data_type.hpp"
#include "network.hpp"
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
using tandem::transport::Reliability;

namespace {

constexpr std::uint32_t kLastDomain = 232;  ///< ports of later ones are beyond 65535; Fast DDS would end the process
constexpr std::size_t kPrefixBytes = 12;
constexpr std::size_t kProcessBytes = 8;  ///< vendor, host, process; then the participant

Gid participant_of(Gid gid) {
  std::fill(gid.begin() + kPrefixBytes, gid.end(), std::uint8_t{0});
  return gid;
}

template <class Bytes>
std::string text_of(const Bytes & bytes) {
  return {bytes.begin(), bytes.end()};
}

/// Disabled, so that nothing is discovered before there is somebody to be told.
dds::DomainParticipant * create_disabled(std::uint32_t domain, dds::DomainParticipantListener & listener) {
  static std::mutex mutex;  // the setting is the factory's
  const std::lock_guard lock(mutex);
  const auto qos = participant_qos();
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

dds::DataReaderQos discovery_reader_qos(const dds::Subscriber & subscriber) {
  dds::DataReaderQos qos = subscriber.get_default_datareader_qos();
  qos.history().kind = dds::KEEP_ALL_HISTORY_QOS;
  qos.reliability().kind = dds::RELIABLE_RELIABILITY_QOS;
  qos.durability().kind = dds::TRANSIENT_LOCAL_DURABILITY_QOS;
  qos.endpoint().history_memory_policy = rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
  qos.data_sharing().off();
  qos.type_consistency().representation.m_value = {dds::XCDR_DATA_REPRESENTATION};
  const std::string text = tandem::dds::kDiscoveryUserData;
  qos.user_data().assign(text.begin(), text.end());
  return qos;
}

}  // namespace

Gid to_gid(const rtps::GUID_t & guid) {
  Gid gid;
  std::memcpy(gid.data(), guid.guidPrefix.value, kPrefixBytes);
  std::memcpy(gid.data() + kPrefixBytes, guid.entityId.value, gid.size() - kPrefixBytes);
  return gid;
}

bool is_same_participant(const Gid & a, const Gid & b) {
  return std::equal(a.begin(), a.begin() + kPrefixBytes, b.begin());
}

bool is_same_process(const Gid & a, const Gid & b) {
  return std::equal(a.begin(), a.begin() + kProcessBytes, b.begin());
}

TopicUse::TopicUse(std::shared_ptr<Participant> participant, const tandem::MessageType & type, const std::string & name)
    : participant_(std::move(participant)), name_(name), topic_(participant_->use_topic(type, name)) {}

TopicUse::~TopicUse() { participant_->drop_topic(name_); }

Participant::Participant(std::uint32_t domain) {
  if (domain > kLastDomain) {
    throw Error(std::string(kName) + ": domain " + std::to_string(domain) +
                " has no UDP ports; ROS_DOMAIN_ID is 0 to " + std::to_string(kLastDomain));
  }
  if (source() == Source::kTuned || source() == Source::kVendor) {  // a profile may do without UDP
    check_network(domain);
  }
  participant_ = create_disabled(domain, *this);
  if (participant_ == nullptr) {
    throw Error(std::string(kName) + ": Fast DDS cannot make a participant");
  }
  gid_ = to_gid(participant_->guid());
  try {
    board_ = std::make_shared<Board>(gid_);
    graph_ = std::make_unique<tandem::dds::Graph>(kName, gid_, [this] { announcer_->announce(); });
    announcer_ = std::make_unique<Announcer>(*participant_, *graph_, endpoints_mutex_);
    if (participant_->enable() != ReturnCode_t::RETCODE_OK) {
      throw Error(std::string(kName) + ": Fast DDS cannot make a participant in domain " + std::to_string(domain) +
                  ": is a network interface up (the loopback will do), is one of the UDP ports from " +
                  std::to_string(7400 + 250 * domain) + " on free, has /dev/shm room?");
    }
    // Endpoints are enabled by us, once all that their listeners need is in place.
    dds::PublisherQos publisher_qos = participant_->get_default_publisher_qos();
    publisher_qos.entity_factory().autoenable_created_entities = false;
    publisher_ = participant_->create_publisher(publisher_qos);
    if (publisher_ == nullptr) {
      throw Error(std::string(kName) + ": Fast DDS cannot make a publisher");
    }
    subscriber_ = create_subscriber();
    open_discovery_info();
  } catch (...) {
    close();
    throw;
  }
}

Participant::~Participant() { close(); }

void Participant::close() {
  if (announcer_) {
    announcer_->end();
  }
  participant_->set_listener(nullptr);
  if (announcer_) {
    announcer_->close();
  }
  if (info_reader_ != nullptr) {
    subscriber_->delete_datareader(info_reader_);
  }
  if (info_topic_ != nullptr) {
    participant_->delete_topic(info_topic_);
  }
  participant_->delete_contained_entities();
  dds::DomainParticipantFactory::get_instance()->delete_participant(participant_);
}

void Participant::open_discovery_info() {
  const dds::TypeSupport type(new BytesDataType(tandem::dds::kDiscoveryType));
  type.register_type(participant_);
  info_topic_ = participant_->create_topic(tandem::dds::kDiscoveryTopic, type.get_type_name(), dds::TOPIC_QOS_DEFAULT);
  if (info_topic_ != nullptr) {
    info_reader_ = subscriber_->create_datareader(info_topic_, discovery_reader_qos(*subscriber_), this,
                                                  dds::StatusMask::data_available());
  }
  if (info_reader_ == nullptr || info_reader_->enable() != ReturnCode_t::RETCODE_OK) {
    throw Error(std::string(kName) + ": Fast DDS cannot make a reader of topic '" + tandem::dds::kDiscoveryTopic + "'");
  }
  announcer_->open(*info_topic_);
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
  const std::lock_guard lock(topics_mutex_);
  const auto known_type = types_.find(type.name);
  if (known_type != types_.end() && known_type->second->hash != type.hash) {
    throw Error(std::string(kName) + ": topic '" + name + "': type " + type.name +
                " is in use here with another definition; Fast DDS has one for each context");
  }
  if (known_type == types_.end()) {
    dds::TypeSupport(new MessageDataType(type)).register_type(participant_);
    types_.emplace(type.name, &type);
  }
  auto entry = topics_.find(name);
  if (entry == topics_.end()) {
    dds::Topic * const topic = participant_->create_topic(tandem::dds::to_dds_topic(name),
                                                          tandem::dds::to_dds_type(type.name), dds::TOPIC_QOS_DEFAULT);
    if (topic == nullptr) {
      throw Error(std::string(kName) + ": topic '" + name + "': Fast DDS refuses the name");
    }
    entry = topics_.emplace(name, TopicEntry{topic, &type, 0}).first;
  } else if (std::strcmp(entry->second.type->name, type.name) != 0) {
    throw Error(std::string(kName) + ": topic '" + name + "': its type is " + entry->second.type->name +
                " here, so it cannot be " + type.name + " too; Fast DDS has one for each context");
  }
  ++entry->second.uses;
  return entry->second.topic;
}

void Participant::drop_topic(const std::string & name) {
  const std::lock_guard lock(topics_mutex_);
  const auto entry = topics_.find(name);
  if (--entry->second.uses == 0) {
    participant_->delete_topic(entry->second.topic);
    topics_.erase(entry);
  }
}

std::shared_ptr<const BoardView> Participant::board_of(const Gid & endpoint) {
  const Gid key = participant_of(endpoint);
  const std::lock_guard lock(remote_mutex_);
  auto & board = boards_[key];
  if (!board) {
    board = BoardView::open(key);
  }
  return board;
}

bool Participant::agrees(const Gid & endpoint, const std::string & type_hash) {
  const std::lock_guard lock(remote_mutex_);
  const auto told = hashes_.find(endpoint);
  return told == hashes_.end() || told->second == type_hash;
}

void Participant::set_deaf(const Gid & own_subscription) {
  const std::lock_guard lock(remote_mutex_);
  deaf_.insert(own_subscription);
}

bool Participant::is_deaf(const Gid & endpoint) {
  const std::lock_guard lock(remote_mutex_);
  return deaf_.count(endpoint) != 0;
}

void Participant::forget(const Gid & own_endpoint) {
  const std::lock_guard lock(remote_mutex_);
  deaf_.erase(own_endpoint);
}

void Participant::on_participant_discovery(dds::DomainParticipant *, rtps::ParticipantDiscoveryInfo && info) {
  if (info.status != rtps::ParticipantDiscoveryInfo::REMOVED_PARTICIPANT &&
      info.status != rtps::ParticipantDiscoveryInfo::DROPPED_PARTICIPANT) {
    return;
  }
  const Gid gid = to_gid(info.info.m_guid);
  graph_->lost_participant(gid);
  announcer_->lost_participant(gid);
  const std::lock_guard lock(remote_mutex_);
  boards_.erase(participant_of(gid));
  std::erase_if(hashes_, [&gid](const auto & item) { return is_same_participant(item.first, gid); });
}

void Participant::on_publisher_discovery(dds::DomainParticipant *, rtps::WriterDiscoveryInfo && info) {
  if (info.status == rtps::WriterDiscoveryInfo::REMOVED_WRITER) {
    lost(info.info.guid());
  } else {
    discovered(EndpointKind::kPublisher, info.info);
  }
}

void Participant::on_subscriber_discovery(dds::DomainParticipant *, rtps::ReaderDiscoveryInfo && info) {
  if (info.status == rtps::ReaderDiscoveryInfo::REMOVED_READER) {
    lost(info.info.guid());
  } else {
    discovered(EndpointKind::kSubscription, info.info);
  }
}

template <class ProxyData>
void Participant::discovered(EndpointKind kind, const ProxyData & data) {
  const Gid gid = to_gid(data.guid());
  if (is_same_participant(gid, gid_)) {
    if constexpr (std::is_same_v<ProxyData, rtps::WriterProxyData>) {
      announcer_->found_own(data);
    }
    return;
  }
  const std::string user_data = text_of(data.m_qos.m_userData);
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
  endpoint.qos.depth = 0;  // DDS does not tell
  endpoint.qos.reliability = data.m_qos.m_reliability.kind == dds::RELIABLE_RELIABILITY_QOS ? Reliability::kReliable
                                                                                            : Reliability::kBestEffort;
  endpoint.qos.durability = data.m_qos.m_durability.kind == dds::VOLATILE_DURABILITY_QOS ? Durability::kVolatile
                                                                                         : Durability::kTransientLocal;
  if (kind == EndpointKind::kPublisher && endpoint.qos.durability == Durability::kTransientLocal) {
    const auto & kept = data.m_qos.m_durabilityService;  // of stock nodes: 1 from Fast DDS, the depth from Cyclone
    endpoint.qos.history = kept.history_kind == dds::KEEP_ALL_HISTORY_QOS ? History::kKeepAll : History::kKeepLast;
    endpoint.qos.depth = static_cast<std::uint32_t>(std::max(kept.history_depth, 1));
  }
  endpoint.gid = gid;
  if (!endpoint.type_hash.empty()) {
    const std::lock_guard lock(remote_mutex_);
    hashes_.insert_or_assign(gid, endpoint.type_hash);
  }
  graph_->discovered(endpoint);
}

void Participant::lost(const rtps::GUID_t & endpoint) {
  const Gid gid = to_gid(endpoint);
  graph_->lost(gid);
  announcer_->lost(gid);
  const std::lock_guard lock(remote_mutex_);
  hashes_.erase(gid);
}

void Participant::on_data_available(dds::DataReader * reader) {
  std::vector<std::uint8_t> bytes;
  dds::SampleInfo info;
  while (reader->take_next_sample(&bytes, &info) == ReturnCode_t::RETCODE_OK) {
    if (info.valid_data) {
      if (const auto width = graph_->entities(bytes.data(), bytes.size())) {
        announcer_->heard(to_gid(info.sample_identity.writer_guid()), *width);
      }
    }
  }
}

}  // namespace rmw_fastrtps
