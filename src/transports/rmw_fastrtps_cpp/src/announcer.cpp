#include "announcer.hpp"

#include <fastdds/dds/publisher/qos/DataWriterQos.hpp>
#include <fastdds/dds/publisher/qos/PublisherQos.hpp>

#include <string>
#include <vector>

#include "data_type.hpp"
#include "participant.hpp"
#include "settings.hpp"

namespace rmw_fastrtps {
namespace {

using eprosima::fastrtps::types::ReturnCode_t;
using tandem::dds::GidWidth;
using tandem::transport::EndpointKind;
using tandem::transport::Error;

/// Of readers and writers.
template <class Qos>
Qos discovery_qos(Qos qos) {
  qos.reliability().kind = dds::RELIABLE_RELIABILITY_QOS;
  qos.durability().kind = dds::TRANSIENT_LOCAL_DURABILITY_QOS;
  qos.endpoint().history_memory_policy = rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
  qos.data_sharing().off();
  const std::string text = tandem::dds::kDiscoveryUserData;
  qos.user_data().assign(text.begin(), text.end());
  return qos;
}

void check(bool is_made, const char * what) {
  if (!is_made) {
    throw Error(std::string(kName) + ": Fast DDS cannot make a " + what + " of topic '" + tandem::dds::kDiscoveryTopic +
                "'");
  }
}

}  // namespace

void Announcer::open(dds::Subscriber & subscriber) {
  {
    const std::lock_guard making(making_);
    const dds::TypeSupport type(new DataType(tandem::dds::kDiscoveryType));
    type.register_type(&participant_);
    topic_ = participant_.create_topic(tandem::dds::kDiscoveryTopic, type.get_type_name(), dds::TOPIC_QOS_DEFAULT);
    check(topic_ != nullptr, "topic");
    dds::DataReaderQos qos = discovery_qos(subscriber.get_default_datareader_qos());
    qos.history().kind = dds::KEEP_ALL_HISTORY_QOS;
    qos.type_consistency().representation.m_value = {dds::XCDR_DATA_REPRESENTATION};
    auto * const reader = subscriber.create_datareader(topic_, qos, this, dds::StatusMask::data_available());
    check(reader != nullptr && reader->enable() == ReturnCode_t::RETCODE_OK, "reader");
  }
  tandem::dds::Announcer::open();
}

void Announcer::close() {
  tandem::dds::Announcer::close();
  for (const auto & [form, writer] : writers_) {
    auto * const publisher = const_cast<dds::Publisher *>(writer->get_publisher());
    publisher->delete_datawriter(writer);
    participant_.delete_publisher(publisher);
  }
  writers_.clear();
}

void Announcer::make_writer(GidWidth form, const char * partition) {
  dds::PublisherQos publisher_qos = participant_.get_default_publisher_qos();
  publisher_qos.entity_factory().autoenable_created_entities = false;
  if (partition != nullptr) {
    publisher_qos.partition().push_back("");  // that of all others
    publisher_qos.partition().push_back(partition);
  }
  dds::Publisher * const publisher = participant_.create_publisher(publisher_qos);
  check(publisher != nullptr, "publisher");
  dds::DataWriterQos qos = discovery_qos(publisher->get_default_datawriter_qos());
  qos.history().kind = dds::KEEP_LAST_HISTORY_QOS;
  qos.history().depth = 1;
  qos.publish_mode().kind = eprosima::fastrtps::SYNCHRONOUS_PUBLISH_MODE;
  qos.representation().m_value = {dds::XCDR_DATA_REPRESENTATION};
  dds::DataWriter * const writer = publisher->create_datawriter(topic_, qos);
  check(writer != nullptr && writer->enable() == ReturnCode_t::RETCODE_OK, "writer");
  writers_.emplace(form, writer);
}

void Announcer::write(GidWidth form, const std::vector<std::uint8_t> & cdr) {
  Outgoing outgoing{nullptr, &cdr};
  writers_.at(form)->write(&outgoing, dds::HANDLE_NIL);
}

void Announcer::place_locked(const Gid & gid, Reader & reader) {
  reader.form = form_of(gid);
  auto & partition = reader.known->m_qos.m_partition;
  partition.clear();
  partition.push_back(partition_of(reader.form));
  rtps::RemoteLocatorList addresses = reader.known->remote_locators();
  if (!addresses.unicast.empty()) {  // multicast reaches readers of both forms
    addresses.multicast.clear();
    reader.known->set_locators(addresses);
  }
}

void Announcer::found(const rtps::ReaderProxyData & reader, const std::string & user_data) {
  const Gid gid = to_gid(reader.guid());
  if (tandem::dds::Announcer::found(EndpointKind::kSubscription, gid, reader.topicName().to_string(), user_data)) {
    const std::lock_guard lock(readers_mutex_);
    Reader & found = readers_[gid];
    found.known = const_cast<rtps::ReaderProxyData *>(&reader);
    place_locked(gid, found);
  }
}

void Announcer::found(const rtps::WriterProxyData & writer, const std::string & user_data) {
  tandem::dds::Announcer::found(EndpointKind::kPublisher, to_gid(writer.guid()), writer.topicName().to_string(),
                                user_data);
}

void Announcer::found_own(const rtps::WriterProxyData & writer) {
  if (places_readers() && writer.topicName() == tandem::dds::kDiscoveryTopic) {
    const std::lock_guard lock(readers_mutex_);
    for (auto & [gid, reader] : readers_) {
      place_locked(gid, reader);
    }
  }
}

void Announcer::lost(const Gid & endpoint) {
  {
    const std::lock_guard lock(readers_mutex_);
    readers_.erase(endpoint);
  }
  tandem::dds::Announcer::lost(endpoint);
}

void Announcer::lost_participant(const Gid & participant) {
  {
    const std::lock_guard lock(readers_mutex_);
    std::erase_if(readers_, [&](const auto & one) { return is_same_participant(one.first, participant); });
  }
  tandem::dds::Announcer::lost_participant(participant);
}

void Announcer::on_data_available(dds::DataReader * reader) {
  dds::LoanableSequence<Incoming> messages;
  dds::SampleInfoSeq infos;
  while (reader->take(messages, infos, 1) == ReturnCode_t::RETCODE_OK) {
    if (infos[0].valid_data) {
      heard(to_gid(infos[0].sample_identity.writer_guid()), messages[0].bytes, messages[0].size);
    }
    reader->return_loan(messages, infos);
  }
}

/// The writers to which readers are to be put.
std::set<GidWidth> Announcer::misplaced() {
  std::set<GidWidth> to;
  const std::lock_guard lock(readers_mutex_);
  for (const auto & [gid, reader] : readers_) {
    const auto form = form_of(gid);
    if (form && form != reader.form) {
      to.insert(*form);
    }
  }
  return to;
}

void Announcer::place_readers() {
  for (const GidWidth form : misplaced()) {
    const auto writer = writers_.find(form);
    if (writer != writers_.end()) {
      writer->second->set_qos(writer->second->get_qos());
    }
  }
}

}  // namespace rmw_fastrtps
