#include "participant.hpp"

#include <utility>

#include "tandem/cdr_bus/context.hpp"
#include "tandem/dds/discovery_info.hpp"
#include "tandem/dds/names.hpp"
#include "tandem/kit/endpoint.hpp"

namespace tandem::cdr_bus {
namespace {

Request discovery_request(bool is_reader) {
  transport::Qos qos;
  qos.durability = transport::Durability::kTransientLocal;
  qos.history = is_reader ? transport::History::kKeepAll : transport::History::kKeepLast;
  qos.depth = 1;
  return {dds::kDiscoveryTopic, dds::kDiscoveryType, &discovery_shape(), qos, dds::kDiscoveryUserData, is_reader};
}

}  // namespace

Participant::Participant(const char * adapter, std::shared_ptr<Bus> bus)
    : adapter_(adapter),
      bus_(std::move(bus)),
      graph_(adapter, bus_->gid(), [this] { announce(); }),
      audience_([this] { follow(); }) {
  if (is_chosen_) {
    announcements_ = bus_->create_writer(discovery_request(false));
  }
  {
    const std::lock_guard<std::mutex> lock(reading_);
    others_ = bus_->create_reader(discovery_request(true), [this] { read_announcements(); });
  }
  read_announcements();
  bus_->watch(this);
}

Participant::~Participant() {
  bus_->watch(nullptr);
  audience_.end();
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
    announcements_->write(dds::encode(entities, discovery_width()));
  }
}

/// Whether somebody is there, and nobody whom it could harm.
bool Participant::may_tell() const {
  const dds::Demand demand = audience_.demand();
  return !demand.wide && !demand.unknown && !audience_.readers().empty();
}

void Participant::follow() {
  if (is_chosen_) {
    return;
  }
  if (audience_.demand().wide && !std::exchange(is_silence_said_, true)) {
    transport::warn(adapter_, "",
                    "nodes of ROS 2 through Humble are on this network, so nobody is told of our nodes; messages are "
                    "exchanged. Set TANDEM_ROS_DISTRO to the distribution that is to be told");
  }
  {
    const std::lock_guard<std::mutex> lock(announcing_);
    if (!may_tell()) {
      announcements_.reset();
    } else if (!announcements_) {
      announced_ = 0;
      try {
        announcements_ = bus_->create_writer(discovery_request(false));
      } catch (const transport::Error & error) {
        transport::warn(adapter_, "", std::string(error.what()) + "; others do not see our nodes");
      }
    }
  }
  announce();
}

void Participant::read_announcements() {
  const std::lock_guard<std::mutex> lock(reading_);
  Message message;
  while (others_ && others_->take(message)) {
    if (const auto width = graph_.entities(message.cdr.data(), message.cdr.size())) {
      audience_.heard(message.writer, *width);
    }
  }
}

void Participant::lost(const Gid & endpoint) {
  graph_.lost(endpoint);
  audience_.lost(endpoint);
}

void Participant::lost_participant(const Gid & participant) {
  graph_.lost_participant(participant);
  audience_.lost_participant(participant);
}

void Participant::found(const Found & endpoint) {
  audience_.found(endpoint.kind, endpoint.gid, endpoint.topic, endpoint.user_data);
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
