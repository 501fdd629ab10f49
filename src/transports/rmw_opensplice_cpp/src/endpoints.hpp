// Writers and readers of CDR on OpenSplice's topics.
#pragma once

#include <ccpp_dds_dcps.h>

#include <functional>
#include <memory>
#include <string>

#include "tandem/cdr_bus/bus.hpp"

namespace opensplice {

inline constexpr const char * kName = "rmw_opensplice_cpp";

/// What endpoints keep of their participant. Thread-safe.
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

  DDS::DomainParticipant_var participant;
  DDS::Publisher_var publisher;
  DDS::Subscriber_var subscriber;

 private:
  tandem::cdr_bus::Gid gid_{};
  std::atomic<std::uint32_t> entities_{0};
};

/// "gid=<32 hex digits>;", for user data.
std::string gid_text(const tandem::cdr_bus::Gid & gid);
/// The gid in an endpoint's user data; of one that tells none, made of its key.
tandem::cdr_bus::Gid gid_in(const std::string & user_data, const DDS::BuiltinTopicKey_t & key);
std::string text_of(const DDS::UserDataQosPolicy & user_data);

/// \throws Error
std::unique_ptr<tandem::cdr_bus::Writer> make_writer(std::shared_ptr<Participant> participant,
                                                     const tandem::cdr_bus::Request & request);
std::unique_ptr<tandem::cdr_bus::Reader> make_reader(std::shared_ptr<Participant> participant,
                                                     const tandem::cdr_bus::Request & request,
                                                     std::function<void()> on_data);

}  // namespace opensplice
