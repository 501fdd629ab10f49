#include "announcer.hpp"

#include <fastdds/dds/publisher/qos/DataWriterQos.hpp>
#include <fastdds/dds/publisher/qos/PublisherQos.hpp>

#include <string>
#include <utility>
#include <vector>

#include "data_type.hpp"
#include "participant.hpp"
#include "settings.hpp"
#include "tandem/kit/endpoint.hpp"

namespace rmw_fastrtps {
namespace {

using eprosima::fastrtps::types::ReturnCode_t;
using tandem::dds::GidWidth;
using tandem::transport::EndpointKind;
using tandem::transport::Error;

/// Of the writer that serves these readers.
const char * partition_of(std::optional<GidWidth> form) {
  return !form ? "gids-of-unknown-width" : form == GidWidth::k16 ? "gids-of-16-bytes" : "gids-of-24-bytes";
}

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

void place(rtps::ReaderProxyData & reader, std::optional<GidWidth> form) {
  auto & partition = reader.m_qos.m_partition;
  partition.clear();
  partition.push_back(partition_of(form));
  rtps::RemoteLocatorList addresses = reader.remote_locators();
  if (!addresses.unicast.empty()) {  // multicast reaches readers of both forms
    addresses.multicast.clear();
    reader.set_locators(addresses);
  }
}

void write(dds::DataWriter & writer, const tandem::dds::ParticipantEntities & entities, GidWidth width) {
  const std::vector<std::uint8_t> bytes = tandem::dds::encode(entities, width);
  Outgoing outgoing{nullptr, &bytes};
  writer.write(&outgoing, dds::HANDLE_NIL);
}

}  // namespace

Announcer::Announcer(dds::DomainParticipant & participant, tandem::dds::Graph & graph, std::mutex & making)
    : participant_(participant), graph_(graph), making_(making), audience_([this] { follow(); }) {}

void Announcer::open(dds::Subscriber & subscriber) {
  const std::lock_guard making(making_);
  const std::lock_guard lock(announcing_);
  const dds::TypeSupport type(new DataType(tandem::dds::kDiscoveryType));
  type.register_type(&participant_);
  topic_ = participant_.create_topic(tandem::dds::kDiscoveryTopic, type.get_type_name(), dds::TOPIC_QOS_DEFAULT);
  check(topic_ != nullptr, "topic");
  dds::DataReaderQos qos = discovery_qos(subscriber.get_default_datareader_qos());
  qos.history().kind = dds::KEEP_ALL_HISTORY_QOS;
  qos.type_consistency().representation.m_value = {dds::XCDR_DATA_REPRESENTATION};
  auto * const reader = subscriber.create_datareader(topic_, qos, this, dds::StatusMask::data_available());
  check(reader != nullptr && reader->enable() == ReturnCode_t::RETCODE_OK, "reader");
  make_writer_locked(chosen_.value_or(GidWidth::k16));
}

void Announcer::close() {
  const std::lock_guard lock(announcing_);
  for (const auto & [width, writer] : writers_) {
    auto * const publisher = const_cast<dds::Publisher *>(writer->get_publisher());
    publisher->delete_datawriter(writer);
    participant_.delete_publisher(publisher);
  }
  writers_.clear();
  topic_ = nullptr;
}

void Announcer::make_writer_locked(GidWidth width) {
  dds::PublisherQos publisher_qos = participant_.get_default_publisher_qos();
  publisher_qos.entity_factory().autoenable_created_entities = false;
  if (!chosen_) {
    publisher_qos.partition().push_back("");  // that of all others
    publisher_qos.partition().push_back(partition_of(width));
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
  writers_.emplace(width, writer);
}

void Announcer::announce() {
  const std::lock_guard lock(announcing_);
  const auto [number, entities] = graph_.announcement();
  if (number > announced_ && !writers_.empty()) {
    announced_ = number;
    for (const auto & [width, writer] : writers_) {
      write(*writer, entities, width);
    }
  }
}

void Announcer::found(const rtps::ReaderProxyData & reader, const std::string & user_data) {
  const Gid gid = to_gid(reader.guid());
  const std::string topic = reader.topicName().to_string();
  audience_.found(EndpointKind::kSubscription, gid, topic, user_data);
  if (!chosen_ && topic == tandem::dds::kDiscoveryTopic) {
    const std::lock_guard lock(readers_mutex_);
    Reader & found = readers_[gid];
    found.known = const_cast<rtps::ReaderProxyData *>(&reader);
    place(*found.known, found.form = audience_.form_of(gid));
  }
}

void Announcer::found(const rtps::WriterProxyData & writer, const std::string & user_data) {
  audience_.found(EndpointKind::kPublisher, to_gid(writer.guid()), writer.topicName().to_string(), user_data);
}

void Announcer::found_own(const rtps::WriterProxyData & writer) {
  if (!chosen_ && writer.topicName() == tandem::dds::kDiscoveryTopic) {
    const std::lock_guard lock(readers_mutex_);
    for (auto & [gid, reader] : readers_) {
      place(*reader.known, reader.form = audience_.form_of(gid));
    }
  }
}

void Announcer::lost(const Gid & endpoint) {
  {
    const std::lock_guard lock(readers_mutex_);
    readers_.erase(endpoint);
  }
  audience_.lost(endpoint);
}

void Announcer::lost_participant(const Gid & participant) {
  {
    const std::lock_guard lock(readers_mutex_);
    std::erase_if(readers_, [&](const auto & one) { return is_same_participant(one.first, participant); });
  }
  audience_.lost_participant(participant);
}

void Announcer::on_data_available(dds::DataReader * reader) {
  dds::LoanableSequence<Incoming> messages;
  dds::SampleInfoSeq infos;
  while (reader->take(messages, infos, 1) == ReturnCode_t::RETCODE_OK) {
    if (infos[0].valid_data) {
      if (const auto width = graph_.entities(messages[0].bytes, messages[0].size)) {
        audience_.heard(to_gid(infos[0].sample_identity.writer_guid()), *width);
      }
    }
    reader->return_loan(messages, infos);
  }
}

/// The writers to which readers are to be put.
std::set<GidWidth> Announcer::misplaced() {
  std::set<GidWidth> to;
  const std::lock_guard lock(readers_mutex_);
  for (const auto & [gid, reader] : readers_) {
    const auto form = audience_.form_of(gid);
    if (form && form != reader.form) {
      to.insert(*form);
    }
  }
  return to;
}

/// Serves readers of whom it was not known at first how they read.
void Announcer::follow() {
  const tandem::dds::Demand demand = audience_.demand();
  if (!chosen_ && demand.is_mixed() && !std::exchange(is_mixture_said_, true)) {
    tandem::transport::warn(kName, "",
                            "nodes of ROS 2 through Humble and from Iron on are on this network: "
                            "each is told of our nodes in its own form");
  }
  const std::lock_guard making(making_);
  const std::lock_guard lock(announcing_);
  if (chosen_ || topic_ == nullptr) {
    return;
  }
  try {
    if (demand.wide && writers_.count(GidWidth::k24) == 0) {
      make_writer_locked(GidWidth::k24);
      write(*writers_.at(GidWidth::k24), graph_.announcement().second, GidWidth::k24);
    }
  } catch (const Error & error) {
    tandem::transport::warn(kName, "", std::string(error.what()) + "; nodes through Humble do not see ours");
  }
  for (const GidWidth width : misplaced()) {
    const auto writer = writers_.find(width);
    if (writer != writers_.end()) {
      writer->second->set_qos(writer->second->get_qos());
    }
  }
}

}  // namespace rmw_fastrtps
