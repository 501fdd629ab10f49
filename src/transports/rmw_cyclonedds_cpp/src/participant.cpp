#include "participant.hpp"

#include <array>
#include <cstring>
#include <utility>

#include "log.hpp"
#include "qos.hpp"
#include "tandem/dds/discovery_info.hpp"
#include "tandem/dds/names.hpp"

namespace rmw_cyclonedds {
namespace {

using tandem::dds::Audience;
using tandem::dds::Graph;
using transport::EndpointInfo;
using transport::EndpointKind;

/// ros_discovery_info: other participants tell of their nodes.
class DiscoverySink final : public Sink {
 public:
  DiscoverySink(std::shared_ptr<Graph> graph, std::shared_ptr<Audience> audience)
      : graph_(std::move(graph)), audience_(std::move(audience)) {}
  void receive(const Gid & publisher, CdrDataPtr data) noexcept override {
    try {
      if (const auto width = graph_->entities(data->bytes(), data->size)) {
        audience_->heard(publisher, *width);
      }
    } catch (const std::bad_alloc &) {  // its nodes stay unlisted
    }
  }

 private:
  const std::shared_ptr<Graph> graph_;
  const std::shared_ptr<Audience> audience_;
};

/// An endpoint of ROS's. \return false: it is none.
bool to_endpoint(const dds_builtintopic_endpoint_t & found, EndpointKind kind, EndpointInfo & endpoint) {
  const auto topic = tandem::dds::from_dds_topic(found.topic_name);
  if (!topic) {
    return false;
  }
  endpoint.kind = kind;
  endpoint.topic = *topic;
  endpoint.type_name = tandem::dds::from_dds_type(found.type_name).value_or(found.type_name);
  endpoint.type_hash = tandem::dds::type_hash_in(user_data(found.qos));
  endpoint.qos = from_dds(found.qos);
  endpoint.gid = to_gid(found.key);
  return true;
}

}  // namespace

dds_entity_t checked(dds_entity_t entity, const std::string & what) {
  if (entity < 0) {
    throw transport::Error(std::string(kName) + ": " + what + " cannot be made: " + dds_strretcode(entity));
  }
  return entity;
}

Gid gid_of(dds_entity_t entity) {
  dds_guid_t guid{};
  dds_get_guid(entity, &guid);
  return to_gid(guid);
}

Topic::Topic(const Participant & participant, const std::string & name, CdrType * type) : type_(type) {
  ddsi_sertype * interned = type;
  entity_ = dds_create_topic_sertype(participant.entity(), name.c_str(), &interned, nullptr, nullptr, nullptr);
  if (entity_ < 0) {
    ddsi_sertype_unref(type);
  }
  checked(entity_, "topic '" + name + "'");
  type_ = static_cast<CdrType *>(interned);
}

Topic::~Topic() { dds_delete(entity_); }

std::shared_ptr<Participant> Participant::make(std::uint32_t domain) {
  return std::make_shared<Participant>(Domain::join(domain));
}

Participant::Participant(std::shared_ptr<const Domain> domain) : domain_(std::move(domain)) {
  const QosPtr qos = make_qos();
  set_user_data(qos.get(), tandem::dds::participant_user_data());
  entity_ = checked(dds_create_participant(domain_->number(), qos.get(), nullptr),
                    "a participant of domain " + std::to_string(domain_->number()));
  try {
    gid_ = gid_of(entity_);
    graph_ = std::make_shared<Graph>(kName, gid_, [this] { announcer_->announce(); });
    open_discovery_info();
    open_flow();
    open_builtin_topics();
    announcer_->open();
  } catch (...) {
    close();
    throw;
  }
}

Participant::~Participant() { close(); }

void Participant::close() {
  // First those that call us back.
  for (const dds_entity_t reader : {participants_, publications_, subscriptions_}) {
    dds_delete(reader);
  }
  if (announcer_) {
    announcer_->end();
  }
  discovery_topic_.reset();
  dds_delete(entity_);
}

void Participant::open_discovery_info() {
  discovery_topic_ = std::make_unique<Topic>(*this, tandem::dds::kDiscoveryTopic,
                                             make_type(tandem::dds::kDiscoveryType, nullptr, false));
  announcer_ = std::make_unique<Announcer>(entity_, discovery_topic_->entity(), discovery_topic_->type(), *graph_);
  transport::Qos qos;
  qos.durability = transport::Durability::kTransientLocal;
  qos.history = transport::History::kKeepAll;
  checked(
      create_reader(entity_, discovery_topic_->entity(), reader_qos(qos, tandem::dds::kDiscoveryUserData, true).get(),
                    std::make_shared<DiscoverySink>(graph_, announcer_->audience())),
      "a reader of the graph");
}

void Participant::open_flow() {
  const Topic topic(*this, kFlowTopic, make_type(kFlowType, nullptr, false));
  transport::Qos qos;
  qos.depth = 1000;
  qos.durability = transport::Durability::kTransientLocal;  // news may come before the one that they are for is known
  qos.max_blocking_time = std::chrono::nanoseconds(0);      // it is told from threads that must not wait
  const dds_entity_t writer =
      checked(dds_create_writer(entity_, topic.entity(), writer_qos(qos, "").get(), nullptr), "a writer of the flow");
  flow_->set_writer(writer, topic.type());
  checked(create_reader(entity_, topic.entity(), reader_qos(qos, "", true).get(), flow_), "a reader of the flow");
}

void Participant::open_builtin_topics() {
  const std::unique_ptr<dds_listener_t, void (*)(dds_listener_t *)> listener(dds_create_listener(this),
                                                                             dds_delete_listener);
  dds_lset_data_available(listener.get(), on_data);
  const auto open = [&](dds_entity_t topic) {
    return checked(dds_create_reader(entity_, topic, nullptr, listener.get()), "a reader of discovery");
  };
  participants_ = open(DDS_BUILTIN_TOPIC_DCPSPARTICIPANT);
  publications_ = open(DDS_BUILTIN_TOPIC_DCPSPUBLICATION);
  subscriptions_ = open(DDS_BUILTIN_TOPIC_DCPSSUBSCRIPTION);
  for (const dds_entity_t reader : {participants_, publications_, subscriptions_}) {
    read_builtin(reader);
  }
}

void Participant::on_data(dds_entity_t reader, void * self) {
  try {
    static_cast<Participant *>(self)->read_builtin(reader);
  } catch (const std::bad_alloc &) {  // they stay unlisted
  }
}

void Participant::read_builtin(dds_entity_t reader) {
  // Which of the three: Cyclone may call back before their names are stored here.
  const dds_entity_t topic = dds_get_topic(reader);
  constexpr std::size_t kAtOnce = 16;
  std::array<void *, kAtOnce> samples{};
  std::array<dds_sample_info_t, kAtOnce> infos{};
  for (;;) {
    samples.fill(nullptr);
    const dds_return_t count = dds_take(reader, samples.data(), infos.data(), kAtOnce, kAtOnce);
    if (count <= 0) {
      return;
    }
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
      const bool is_there = infos[i].instance_state == DDS_IST_ALIVE && infos[i].valid_data;
      if (topic == DDS_BUILTIN_TOPIC_DCPSPARTICIPANT) {
        const auto & found = *static_cast<const dds_builtintopic_participant_t *>(samples[i]);
        if (!is_there) {
          graph_->lost_participant(to_gid(found.key));
          announcer_->audience()->lost_participant(to_gid(found.key));
          flow_->forget_participant(to_gid(found.key));
        }
        continue;
      }
      const auto & found = *static_cast<const dds_builtintopic_endpoint_t *>(samples[i]);
      const auto kind =
          topic == DDS_BUILTIN_TOPIC_DCPSPUBLICATION ? EndpointKind::kPublisher : EndpointKind::kSubscription;
      if (!is_there) {
        graph_->lost(to_gid(found.key));
        announcer_->audience()->lost(to_gid(found.key));
        flow_->forget(to_gid(found.key));
      } else if (to_gid(found.participant_key) != gid_) {
        found_endpoint(kind, found);
      }
    }
    dds_return_loan(reader, samples.data(), count);
  }
}

/// Of another participant.
void Participant::found_endpoint(EndpointKind kind, const dds_builtintopic_endpoint_t & found) {
  announcer_->found(kind, found);
  EndpointInfo endpoint;
  if (!to_endpoint(found, kind, endpoint)) {
    return;
  }
  graph_->discovered(endpoint);
  if (kind == EndpointKind::kPublisher && domain_->shares_memory()) {
    flow_->tell(gid_, Flow::News::kKnows, endpoint.gid);
  }
}

}  // namespace rmw_cyclonedds
