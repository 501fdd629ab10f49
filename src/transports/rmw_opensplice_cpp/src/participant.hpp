// What endpoints keep of their participant: OpenSplice's entities, and gids, which travel in user data.
#pragma once

#include <ccpp_dds_dcps.h>

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "domain.hpp"
#include "tandem/cdr_bus/bus.hpp"
#include "tandem/cdr_bus/deaf_readers.hpp"
#include "type_description.hpp"

namespace opensplice {

/// Thread-safe.
class Participant {
 public:
  /// \throws Error
  explicit Participant(std::uint32_t domain);
  ~Participant();
  Participant(const Participant &) = delete;
  Participant & operator=(const Participant &) = delete;

  /// OpenSplice tells nobody the GUID of an entity, so each gets one of ours, which travels in its user data.
  tandem::cdr_bus::Gid new_gid();
  const tandem::cdr_bus::Gid & gid() const { return gid_; }

  /// There are endpoints of other processes, to which this one says when it leaves.
  void has_company() { has_company_ = true; }

  tandem::cdr_bus::DeafReaders & deaf_readers() { return deaf_; }

  /// The topic of a request; it lives for as long as the participant. OpenSplice has one type for each topic in a process:
  /// endpoints of another type find each other in this process only, and a warning says so. \throws Error
  DDS::Topic_ptr topic(const tandem::cdr_bus::Request & request);

 private:
  DDS::Topic_ptr topic_locked(const std::string & name, const Type & type, const tandem::transport::Qos & qos);

  const DomainLease lease_;
  tandem::cdr_bus::Gid gid_{};
  std::atomic<std::uint32_t> entities_{0};
  std::atomic<bool> has_company_{false};
  tandem::cdr_bus::DeafReaders deaf_;
  std::mutex topics_mutex_;
  std::map<std::string, DDS::Topic_var> topics_;  ///< guarded by topics_mutex_

 public:
  DDS::DomainParticipant_var participant;
  DDS::Publisher_var publisher;
  DDS::Subscriber_var subscriber;
};

/// Whether both are of one participant; of one process.
bool is_of_same_participant(const tandem::cdr_bus::Gid & a, const tandem::cdr_bus::Gid & b);
bool is_of_same_process(const tandem::cdr_bus::Gid & a, const tandem::cdr_bus::Gid & b);

/// "gid=<32 hex digits>;", for user data.
std::string gid_text(const tandem::cdr_bus::Gid & gid);
/// The gid in an endpoint's user data; of one that tells none, made of its key.
tandem::cdr_bus::Gid gid_in(const DDS::UserDataQosPolicy & user_data, const DDS::BuiltinTopicKey_t & key);
std::string text_of(const DDS::UserDataQosPolicy & user_data);
void set_user_data(DDS::UserDataQosPolicy & policy, const std::string & text);

}  // namespace opensplice
