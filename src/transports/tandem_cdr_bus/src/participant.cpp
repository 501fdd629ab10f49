#include "participant.hpp"

#include "tandem/cdr_bus/context.hpp"
#include "tandem/dds/discovery_info.hpp"
#include "tandem/dds/names.hpp"

namespace tandem::cdr_bus {
namespace {

Request discovery_request(bool is_reader) {
  transport::Qos qos;
  qos.durability = transport::Durability::kTransientLocal;
  qos.history = is_reader ? transport::History::kKeepAll : transport::History::kKeepLast;
  qos.depth = 1;
  return {dds::kDiscoveryTopic, dds::kDiscoveryType, &discovery_shape(), qos, {}, is_reader};
}

}  // namespace

Participant::Participant(const char * adapter, std::shared_ptr<Bus> bus)
    : adapter_(adapter), bus_(std::move(bus)), graph_(adapter, bus_->gid(), [this] { announce(); }) {
  announcements_ = bus_->create_writer(discovery_request(false));
  {
    const std::lock_guard<std::mutex> lock(reading_);
    others_ = bus_->create_reader(discovery_request(true), [this] { read_announcements(); });
  }
  read_announcements();
  bus_->watch(this);
}

Participant::~Participant() {
  bus_->watch(nullptr);
  std::unique_ptr<Reader> last;
  {
    const std::lock_guard<std::mutex> lock(reading_);
    last = std::move(others_);
  }
}  // `last` ends without the lock, for which its callback may wait

void Participant::announce() {
  const std::lock_guard<std::mutex> lock(announcing_);
  const auto [version, entities] = graph_.announcement();
  if (version > announced_ && announcements_) {
    announced_ = version;
    announcements_->write(dds::encode(entities, dds::gid_width()));
  }
}

void Participant::read_announcements() {
  const std::lock_guard<std::mutex> lock(reading_);
  Message message;
  while (others_ && others_->take(message)) {
    graph_.entities(message.cdr.data(), message.cdr.size());
  }
}

void Participant::found(const Found & endpoint) {
  const auto topic = dds::from_dds_topic(endpoint.topic);
  if (!topic) {
    return;
  }
  transport::EndpointInfo info;
  info.kind = endpoint.kind;
  info.topic = *topic;
  info.type_name = dds::from_dds_type(endpoint.type).value_or(endpoint.type);
  info.type_hash = dds::type_hash_in(endpoint.user_data);
  info.qos = endpoint.qos;
  info.gid = endpoint.gid;
  graph_.discovered(info);
}

}  // namespace tandem::cdr_bus
