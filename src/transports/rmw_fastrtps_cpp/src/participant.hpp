// A context's presence in DDS: one participant, its topics, and what it discovers.
#pragma once

#include <fastdds/dds/domain/DomainParticipant.hpp>
#include <fastdds/dds/domain/DomainParticipantListener.hpp>
#include <fastdds/dds/publisher/DataWriter.hpp>
#include <fastdds/dds/publisher/Publisher.hpp>
#include <fastdds/dds/subscriber/DataReader.hpp>
#include <fastdds/dds/subscriber/Subscriber.hpp>
#include <fastdds/dds/topic/Topic.hpp>

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "announcer.hpp"
#include "tandem/dds/graph.hpp"
#include "tandem/message_type.hpp"
#include "tandem/security.hpp"
#include "tandem/transport.hpp"

namespace rmw_fastrtps {

using tandem::transport::Gid;

Gid to_gid(const rtps::GUID_t & guid);
rtps::GUID_t to_guid(const Gid & gid);
/// Whether two entities are of one participant.
bool is_same_participant(const Gid & a, const Gid & b);

/// Thread-safe. Every endpoint keeps it.
class Participant final : private dds::DomainParticipantListener {
 public:
  /// \throws transport::Error when Fast DDS cannot make one.
  explicit Participant(std::uint32_t domain);
  ~Participant() override;
  Participant(const Participant &) = delete;
  Participant & operator=(const Participant &) = delete;

  const Gid & gid() const { return gid_; }
  /// Whether it is of this process; of secured participants: of this one.
  bool is_own(const Gid & endpoint) const;
  tandem::dds::Graph & graph() { return *graph_; }
  dds::Publisher * publisher() const { return publisher_; }
  /// One whose readers are enabled by who makes them. \throws transport::Error
  dds::Subscriber * create_subscriber();
  void delete_subscriber(dds::Subscriber * subscriber) { participant_->delete_subscriber(subscriber); }

  /// Held while an endpoint is made, enabled or deleted: Fast DDS does not stand two threads that do so at once.
  std::mutex & endpoints_mutex() { return endpoints_mutex_; }
  /// A topic, until it is dropped after its last endpoint. With endpoints_mutex() held. \throws transport::Error
  dds::Topic * use_topic(const tandem::MessageType & type, const std::string & name);
  void drop_topic(dds::Topic * topic) { participant_->delete_topic(topic); }

  /// Whether an endpoint that Fast DDS has matched is of the same definition, as far as it tells.
  bool agrees(const Gid & endpoint, const std::string & type_hash);
  /// What an endpoint tells. An own subscription that hears no own publisher has one that none has: the empty one.
  void set_hash(const Gid & endpoint, const std::string & type_hash);
  void forget(const Gid & endpoint);

  /// What to say behind "Fast DDS cannot make": that permissions may be the reason. Empty without security.
  std::string advice() const;

 private:
  void begin();
  void close();

  void on_participant_discovery(dds::DomainParticipant *, rtps::ParticipantDiscoveryInfo && info) override;
  void on_publisher_discovery(dds::DomainParticipant *, rtps::WriterDiscoveryInfo && info) override;
  void on_subscriber_discovery(dds::DomainParticipant *, rtps::ReaderDiscoveryInfo && info) override;
  template <class ProxyData>
  void discovered(tandem::transport::EndpointKind kind, const ProxyData & data, bool is_gone);

  const std::optional<tandem::transport::EnclaveFiles> files_;
  dds::DomainParticipant * participant_ = nullptr;
  dds::Publisher * publisher_ = nullptr;
  bool is_secured_ = false;
  std::once_flag begun_;
  Gid gid_{};
  std::unique_ptr<tandem::dds::Graph> graph_;
  std::mutex endpoints_mutex_;
  std::unique_ptr<Announcer> announcer_;

  std::mutex hashes_mutex_;
  std::map<Gid, std::string> hashes_;
};

}  // namespace rmw_fastrtps
