#include "participant/participant.hpp"

#include <array>
#include <new>
#include <string>

#include "entity/qos.hpp"
#include "participant/security.hpp"
#include "tandem/dds/names.hpp"

namespace rmw_cyclonedds {
namespace {

using transport::EndpointKind;

using Files = std::optional<transport::EnclaveFiles>;

std::string describe(std::uint32_t domain, const Files & files) {
  return "a participant of domain " + std::to_string(domain) + (files ? " with the files of " + files->folder : "");
}

dds_entity_t create_participant(std::uint32_t domain, const Files & files) {
  const QosPtr qos = make_qos();
  set_user_data(qos.get(), tandem::dds::participant_user_data());
  if (files) {
    secure(*qos, *files);
  }
  return dds_create_participant(domain, qos.get(), nullptr);
}

dds_entity_t create_builtin_reader(dds_entity_t participant, dds_entity_t topic, dds_on_data_available_fn on_data,
                                   void * self) {
  const std::unique_ptr<dds_listener_t, void (*)(dds_listener_t *)> listener(dds_create_listener(self),
                                                                             dds_delete_listener);
  dds_lset_data_available(listener.get(), on_data);
  return dds_create_reader(participant, topic, nullptr, listener.get());
}

}  // namespace

std::shared_ptr<Participant> Participant::make(std::uint32_t domain) {
  return {new Participant(domain), [](const Participant * ended) {
            if (!ended->is_foreign()) {
              delete ended;
            }
          }};
}

Participant::Participant(std::uint32_t domain)
    : domain_(domain, files_.has_value()),
      entity_(create_participant(domain, files_), describe(domain, files_)),
      participants_(create_builtin_reader(id(), DDS_BUILTIN_TOPIC_DCPSPARTICIPANT, on_data, this),
                    "a reader of participants"),
      publications_(create_builtin_reader(id(), DDS_BUILTIN_TOPIC_DCPSPUBLICATION, on_data, this),
                    "a reader of publications"),
      subscriptions_(create_builtin_reader(id(), DDS_BUILTIN_TOPIC_DCPSSUBSCRIPTION, on_data, this),
                     "a reader of subscriptions") {
  domain_.has_participant();
  domain_.note_receivers(announcer_.type());
  for (const Entity * const reader : {&participants_, &publications_, &subscriptions_}) {
    read_builtin(reader->id());
  }
  announcer_.open();
}

void Participant::announce() {
  if (!is_foreign()) {
    announcer_.announce();
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
  const bool is_participant = topic == DDS_BUILTIN_TOPIC_DCPSPARTICIPANT;
  constexpr std::size_t kAtOnce = 16;
  std::array<void *, kAtOnce> samples{};
  std::array<dds_sample_info_t, kAtOnce> infos{};
  dds_return_t count = 0;
  while ((count = dds_take(reader, samples.data(), infos.data(), kAtOnce, kAtOnce)) > 0) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
      const bool is_there = infos[i].instance_state == DDS_IST_ALIVE && infos[i].valid_data;
      if (is_there && !is_participant) {
        found(topic == DDS_BUILTIN_TOPIC_DCPSPUBLICATION ? EndpointKind::kPublisher : EndpointKind::kSubscription,
              *static_cast<const dds_builtintopic_endpoint_t *>(samples[i]));
      } else if (!is_there) {  // both kinds of samples begin with their key
        lost(to_gid(*static_cast<const dds_guid_t *>(samples[i])), is_participant);
      }
    }
    dds_return_loan(reader, samples.data(), count);
    samples.fill(nullptr);
  }
}

void Participant::lost(const Gid & gone, bool is_participant) {
  if (is_participant) {
    graph_.lost_participant(gone);
    announcer_.lost_participant(gone);
  } else {
    graph_.lost(gone);
    announcer_.lost(gone);
    flow_.lost(gone);
  }
}

void Participant::found(EndpointKind kind, const dds_builtintopic_endpoint_t & endpoint) {
  if (to_gid(endpoint.participant_key) == gid_) {
    return;
  }
  announcer_.found(kind, endpoint);
  if (const auto topic = tandem::dds::from_dds_topic(endpoint.topic_name)) {
    const std::string told = user_data(endpoint.qos);
    graph_.discovered({kind,
                       *topic,
                       tandem::dds::from_dds_type(endpoint.type_name).value_or(endpoint.type_name),
                       tandem::dds::type_hash_in(told),
                       0,
                       {},
                       from_dds(endpoint.qos),
                       to_gid(endpoint.key),
                       tandem::dds::origin_in(told)});
  }
}

}  // namespace rmw_cyclonedds
