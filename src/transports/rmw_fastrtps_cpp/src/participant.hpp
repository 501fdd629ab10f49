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
#include <set>
#include <string>
#include <vector>

#include "announcer.hpp"
#include "board.hpp"
#include "tandem/dds/graph.hpp"
#include "tandem/message_type.hpp"
#include "tandem/transport.hpp"

namespace rmw_fastrtps {

namespace dds = eprosima::fastdds::dds;
namespace rtps = eprosima::fastrtps::rtps;

Gid to_gid(const rtps::GUID_t & guid);
/// Whether two entities are of one participant.
bool is_same_participant(const Gid & a, const Gid & b);

/// Whether two entities are of one process of one host.
bool is_same_process(const Gid & a, const Gid & b);

class Participant;

/// A topic for as long as an endpoint uses it.
class TopicUse {
 public:
  TopicUse(std::shared_ptr<Participant> participant, const tandem::MessageType & type, const std::string & name);
  ~TopicUse();
  TopicUse(const TopicUse &) = delete;
  TopicUse & operator=(const TopicUse &) = delete;
  dds::Topic * get() const { return topic_; }

 private:
  const std::shared_ptr<Participant> participant_;
  const std::string name_;
  dds::Topic * topic_;
};

/// Thread-safe. Every endpoint keeps it.
class Participant final : private dds::DomainParticipantListener {
 public:
  /// \throws transport::Error when Fast DDS cannot make one.
  explicit Participant(std::uint32_t domain);
  ~Participant() override;
  Participant(const Participant &) = delete;
  Participant & operator=(const Participant &) = delete;

  const Gid & gid() const { return gid_; }
  tandem::dds::Graph & graph() { return *graph_; }
  const std::shared_ptr<Board> & board() const { return board_; }
  dds::Publisher * publisher() const { return publisher_; }
  dds::Subscriber * subscriber() const { return subscriber_; }
  /// One like subscriber(). \throws transport::Error
  dds::Subscriber * create_subscriber();
  void delete_subscriber(dds::Subscriber * subscriber) { participant_->delete_subscriber(subscriber); }

  /// Held while an endpoint is made, enabled or deleted: Fast DDS does not stand two threads that do so at once.
  std::mutex & endpoints_mutex() { return endpoints_mutex_; }

  /// The board of an endpoint's context; null when it has none on this host.
  std::shared_ptr<const BoardView> board_of(const Gid & endpoint);

  /// Whether an endpoint that Fast DDS has matched is of the same definition, as far as it tells.
  bool agrees(const Gid & endpoint, const std::string & type_hash);
  /// An own subscription that hears no publisher of this participant.
  void set_deaf(const Gid & own_subscription);
  bool is_deaf(const Gid & endpoint);
  void forget(const Gid & own_endpoint);

 private:
  friend class TopicUse;
  struct TopicEntry {
    dds::Topic * topic;
    const tandem::MessageType * type;
    int uses;
  };

  dds::Topic * use_topic(const tandem::MessageType & type, const std::string & name);
  void drop_topic(const std::string & name);
  void open_discovery_info();
  void close();

  void on_participant_discovery(dds::DomainParticipant *, rtps::ParticipantDiscoveryInfo && info) override;
  void on_publisher_discovery(dds::DomainParticipant *, rtps::WriterDiscoveryInfo && info) override;
  void on_subscriber_discovery(dds::DomainParticipant *, rtps::ReaderDiscoveryInfo && info) override;
  void on_data_available(dds::DataReader * reader) override;
  template <class ProxyData>
  void discovered(tandem::transport::EndpointKind kind, const ProxyData & data);
  void lost(const rtps::GUID_t & endpoint);

  dds::DomainParticipant * participant_ = nullptr;
  dds::Publisher * publisher_ = nullptr;
  dds::Subscriber * subscriber_ = nullptr;
  Gid gid_{};
  std::shared_ptr<Board> board_;
  std::unique_ptr<tandem::dds::Graph> graph_;

  std::mutex endpoints_mutex_;
  std::mutex topics_mutex_;
  std::map<std::string, TopicEntry> topics_;
  std::map<std::string, const tandem::MessageType *> types_;

  std::unique_ptr<Announcer> announcer_;
  dds::Topic * info_topic_ = nullptr;
  dds::DataReader * info_reader_ = nullptr;

  std::mutex remote_mutex_;
  std::map<Gid, std::string> hashes_;  ///< of other participants' endpoints, where they tell
  std::set<Gid> deaf_;
  std::map<Gid, std::shared_ptr<const BoardView>> boards_;  ///< by participant
};

}  // namespace rmw_fastrtps
