// Participants, and gids in user data.
#include <random>

#include "endpoints.hpp"
#include "tandem/dds/names.hpp"
#include "tandem/kit/endpoint.hpp"

namespace opensplice {

using tandem::cdr_bus::Gid;
using tandem::transport::Error;

namespace {

constexpr std::size_t kPrefix = 12;  // bytes of a gid that name the participant
constexpr const char * kGid = "gid=";

void set_number(Gid & gid, std::uint32_t number) {
  for (std::size_t i = 0; i < sizeof number; ++i) {
    gid[kPrefix + i] = static_cast<std::uint8_t>(number >> (24 - 8 * i));
  }
}

DDS::octSeq octets(const std::string & text) {
  DDS::octSeq bytes;
  bytes.length(static_cast<DDS::ULong>(text.size()));
  for (DDS::ULong i = 0; i < bytes.length(); ++i) {
    bytes[i] = static_cast<DDS::Octet>(text[i]);
  }
  return bytes;
}

}  // namespace

Participant::Participant(std::uint32_t domain) {
  std::random_device source;
  for (std::size_t i = 0; i < kPrefix; ++i) {
    gid_[i] = static_cast<std::uint8_t>(source());
  }
  set_number(gid_, 0x1c1);
  DDS::DomainParticipantFactory_var factory = DDS::DomainParticipantFactory::get_instance();
  DDS::DomainParticipantQos qos;
  factory->get_default_participant_qos(qos);
  qos.user_data.value = octets(tandem::dds::participant_user_data());
  participant = factory->create_participant(static_cast<DDS::DomainId_t>(domain), qos, nullptr, DDS::STATUS_MASK_NONE);
  if (!participant.in()) {
    throw Error(std::string(kName) + ": OpenSplice makes no participant of domain " + std::to_string(domain) +
                ". Are OSPL_HOME and OSPL_URI set (`source release.com`), and does the domain run?");
  }
  publisher = participant->create_publisher(DDS::PUBLISHER_QOS_DEFAULT, nullptr, DDS::STATUS_MASK_NONE);
  subscriber = participant->create_subscriber(DDS::SUBSCRIBER_QOS_DEFAULT, nullptr, DDS::STATUS_MASK_NONE);
  if (!publisher.in() || !subscriber.in()) {
    throw Error(std::string(kName) + ": OpenSplice has no memory for a publisher and a subscriber");
  }
}

Participant::~Participant() {
  participant->delete_contained_entities();
  DDS::DomainParticipantFactory_var factory = DDS::DomainParticipantFactory::get_instance();
  factory->delete_participant(participant.in());
}

Gid Participant::new_gid() {
  Gid gid = gid_;
  set_number(gid, ++entities_ << 8);
  return gid;
}

std::string gid_text(const Gid & gid) { return kGid + tandem::transport::to_hex(gid) + ";"; }

Gid gid_in(const std::string & user_data, const DDS::BuiltinTopicKey_t & key) {
  Gid gid{};
  const std::size_t at = user_data.find(kGid);
  constexpr std::size_t kDigits = 2 * std::tuple_size_v<Gid>;
  const std::string digits = at == std::string::npos ? "" : user_data.substr(at + std::string(kGid).size(), kDigits);
  if (digits.size() == kDigits && digits.find_first_not_of("0123456789abcdef") == std::string::npos) {
    for (std::size_t i = 0; i < gid.size(); ++i) {
      gid[i] = static_cast<std::uint8_t>(std::stoul(digits.substr(2 * i, 2), nullptr, 16));
    }
    return gid;
  }
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

}  // namespace opensplice
