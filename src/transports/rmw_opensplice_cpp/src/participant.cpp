#include "participant.hpp"

#include <algorithm>
#include <chrono>
#include <random>
#include <thread>

#include "cdr_type.hpp"
#include "qos.hpp"
#include "tandem/dds/names.hpp"
#include "tandem/kit/endpoint.hpp"

namespace opensplice {

using tandem::cdr_bus::Gid;
using tandem::cdr_bus::Request;
using tandem::transport::Error;

namespace {

// A gid: the process, the participant in it, the entity in that.
constexpr std::size_t kProcess = 8;
constexpr std::size_t kPrefix = 12;
constexpr std::uint32_t kParticipantEntity = 0x1c1;
constexpr const char * kGid = "gid=";
/// With its last participant OpenSplice's network ends at once. What is under way by then is lost: that endpoints have left,
/// which others would notice 10 s later, and the last messages. A round of heartbeats and acknowledgements is 0.1 s.
constexpr auto kFarewell = std::chrono::milliseconds(300);
/// Before the name of a topic whose type is not that of the process: no name of ROS's.
constexpr const char * kOtherType = "other_type/";

void set_number(Gid & gid, std::size_t at, std::uint32_t number) {
  for (std::size_t i = 0; i < sizeof number; ++i) {
    gid[at + i] = static_cast<std::uint8_t>(number >> (24 - 8 * i));
  }
}

Gid new_participant_gid() {
  static const Gid process = [] {
    Gid gid{};
    std::random_device source;
    for (std::size_t i = 0; i < kProcess; ++i) {
      gid[i] = static_cast<std::uint8_t>(source());
    }
    return gid;
  }();
  static std::atomic<std::uint32_t> participants{0};
  Gid gid = process;
  set_number(gid, kProcess, ++participants);
  set_number(gid, kPrefix, kParticipantEntity);
  return gid;
}

std::string topic_error(const Request & request, const std::string & what) {
  return std::string(kName) + ": topic '" + request.topic + "': " + what;
}

}  // namespace

Participant::Participant(std::uint32_t domain) : lease_(domain), gid_(new_participant_gid()) {
  DDS::DomainParticipantFactory_var factory = DDS::DomainParticipantFactory::get_instance();
  DDS::DomainParticipantQos qos;
  factory->get_default_participant_qos(qos);
  set_user_data(qos.user_data, tandem::dds::participant_user_data());
  // The number is in the settings; with another one OpenSplice would wait for a domain that never comes.
  participant = factory->create_participant(DDS::DOMAIN_ID_DEFAULT, qos, nullptr, DDS::STATUS_MASK_NONE);
  if (!participant.in()) {
    throw Error(std::string(kName) + ": OpenSplice makes no participant of domain " + std::to_string(domain) +
                ". Is OSPL_HOME set (`source release.com`)? Its ospl-error.log says more");
  }
  try {
    check_domain(domain, static_cast<std::uint32_t>(participant->get_domain_id()));
  } catch (const Error &) {
    factory->delete_participant(participant.in());
    throw;
  }
  publisher = participant->create_publisher(PUBLISHER_QOS_DEFAULT, nullptr, DDS::STATUS_MASK_NONE);
  subscriber = participant->create_subscriber(SUBSCRIBER_QOS_DEFAULT, nullptr, DDS::STATUS_MASK_NONE);
  if (!publisher.in() || !subscriber.in()) {
    throw Error(std::string(kName) + ": OpenSplice has no memory for a publisher and a subscriber");
  }
}

Participant::~Participant() {
  topics_.clear();
  participant->delete_contained_entities();
  if (has_company_) {
    std::this_thread::sleep_for(kFarewell);
  }
  DDS::DomainParticipantFactory_var factory = DDS::DomainParticipantFactory::get_instance();
  factory->delete_participant(participant.in());
}

Gid Participant::new_gid() {
  Gid gid = gid_;
  set_number(gid, kPrefix, ++entities_ << 8);
  return gid;
}

DDS::Topic_ptr Participant::topic(const Request & request) {
  const Type & type = type_of(request.type, *request.shape);
  const std::lock_guard<std::mutex> lock(topics_mutex_);
  const DDS::TypeSupport_var support(new CdrTypeSupport(type));
  if (support->register_type(participant.in(), type.name.c_str()) != DDS::RETCODE_OK) {
    throw Error(topic_error(request, "OpenSplice has another definition of the type " + type.name));
  }
  DDS::Topic_ptr topic = topic_locked(request.topic, type, request.qos);
  if (topic == nullptr) {
    throw Error(topic_error(request, "OpenSplice does not make it"));
  }
  const DDS::String_var known = topic->get_type_name();
  if (type.name == known.in()) {
    return topic;
  }
  const auto ros_name = [](const std::string & name) { return tandem::dds::from_dds_type(name).value_or(name); };
  tandem::transport::warn(kName, tandem::dds::from_dds_topic(request.topic).value_or(request.topic),
                          "its type in this process is " + ros_name(known.in()) +
                              ", and OpenSplice has one for each topic. Endpoints of type " + ros_name(type.name) +
                              " reach nobody outside this process");
  std::string other = kOtherType + type.name + "/" + request.topic;
  std::replace(other.begin(), other.end(), ':', '_');
  topic = topic_locked(other, type, request.qos);
  if (topic == nullptr) {
    throw Error(topic_error(request, "OpenSplice does not make it for a second type, " + type.name));
  }
  return topic;
}

/// Null when OpenSplice refuses. The type of what is there may be another.
DDS::Topic_ptr Participant::topic_locked(const std::string & name, const Type & type,
                                         const tandem::transport::Qos & qos) {
  DDS::Topic_var & topic = topics_[name];
  if (!topic.in()) {
    topic = participant->create_topic(name.c_str(), type.name.c_str(), topic_qos(qos, *participant.in()), nullptr,
                                      DDS::STATUS_MASK_NONE);
  }
  if (!topic.in()) {
    // Somebody was first, with another depth or type.
    topic = participant->find_topic(name.c_str(), {0, 0});
  }
  return topic.in();
}

bool is_of_same_participant(const Gid & a, const Gid & b) {
  return std::equal(a.begin(), a.begin() + kPrefix, b.begin());
}
bool is_of_same_process(const Gid & a, const Gid & b) { return std::equal(a.begin(), a.begin() + kProcess, b.begin()); }

std::string gid_text(const Gid & gid) { return kGid + tandem::transport::to_hex(gid) + ";"; }

Gid gid_in(const DDS::UserDataQosPolicy & user_data, const DDS::BuiltinTopicKey_t & key) {
  const std::string text = text_of(user_data);
  const std::size_t at = text.find(kGid);
  constexpr std::size_t kDigits = 2 * std::tuple_size_v<Gid>;
  const std::string digits = at == std::string::npos ? "" : text.substr(at + std::string(kGid).size(), kDigits);
  if (const auto told = tandem::transport::gid_of(digits)) {
    return *told;
  }
  Gid gid{};
  for (std::size_t i = 0; i < kPrefix; ++i) {
    gid[i] = static_cast<std::uint8_t>(static_cast<std::uint32_t>(key[i / 4]) >> (24 - 8 * (i % 4)));
  }
  return gid;
}

std::string text_of(const DDS::UserDataQosPolicy & user_data) {
  std::string text;
  for (DDS::ULong i = 0; i < user_data.value.length(); ++i) {
    text += static_cast<char>(user_data.value[i]);
  }
  return text;
}

void set_user_data(DDS::UserDataQosPolicy & policy, const std::string & text) {
  policy.value.length(static_cast<DDS::ULong>(text.size()));
  for (DDS::ULong i = 0; i < policy.value.length(); ++i) {
    policy.value[i] = static_cast<DDS::Octet>(text[i]);
  }
}

}  // namespace opensplice
