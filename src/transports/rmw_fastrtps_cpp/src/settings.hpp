// What Fast DDS is set to: by the user's XML profiles, by the environment, else by our tuning.
#pragma once

#include <fastdds/rtps/transport/TransportDescriptorInterface.h>
#include <fastdds/dds/domain/qos/DomainParticipantQos.hpp>
#include <fastdds/dds/publisher/Publisher.hpp>
#include <fastdds/dds/publisher/qos/DataWriterQos.hpp>
#include <fastdds/dds/subscriber/Subscriber.hpp>
#include <fastdds/dds/subscriber/qos/DataReaderQos.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>

#include "tandem/message_type.hpp"
#include "tandem/security.hpp"
#include "tandem/transport.hpp"

namespace rmw_fastrtps {

namespace dds = eprosima::fastdds::dds;
namespace rtps = eprosima::fastrtps::rtps;

inline constexpr const char * kName = "rmw_fastrtps_cpp";

/// Whose settings count.
enum class Source : std::uint8_t {
  kTuned,   ///< ours
  kVendor,  ///< Fast DDS's defaults, as TANDEM_TRANSPORT_TUNING=vendor asks
  kXml,     ///< a profile file's for participants and, of endpoints, what ROS 2 leaves to it
  kXmlAll,  ///< the same with RMW_FASTRTPS_USE_QOS_FROM_XML=1: memory policy, publication mode and data-sharing too
};

/// Reads the environment and the profile file, once per process.
Source source();

/// \throws transport::Error when ROS_STATIC_PEERS names a host that there is not.
dds::DomainParticipantQos participant_qos(const std::optional<tandem::transport::EnclaveFiles> & files);

/// Whether messages of the type may lie in shared memory as they are, by the settings and by what the type is.
bool shares_memory(const tandem::MessageType & type);

/// What of a publisher's samples in shared memory is there for others than its history.
struct PoolShare {
  std::uint32_t loans = 0;  ///< that a user has at most
  std::uint32_t held = 0;   ///< samples that readers may keep, all together
};
PoolShare pool_share(const tandem::MessageType & type);

dds::DataWriterQos writer_qos(const dds::Publisher & publisher, const tandem::MessageType & type,
                              const tandem::transport::EndpointInfo & endpoint);
dds::DataReaderQos reader_qos(const dds::Subscriber & subscriber, const tandem::MessageType & type,
                              const tandem::transport::EndpointInfo & endpoint);

/// At most what Fast DDS can tell from endless.
eprosima::fastrtps::Duration_t to_duration(std::chrono::nanoseconds time);

/// Whether discovery can work at all: Fast DDS itself would say nothing and find nobody.
/// \throws transport::Error when no interface is up, or another program keeps the domain's discovery port to itself.
void check_network(std::uint32_t domain);

/// UDP that answers every reader at its own address, never at a multicast address that several readers share.
std::shared_ptr<eprosima::fastdds::rtps::TransportDescriptorInterface> make_unicast(
    std::shared_ptr<eprosima::fastdds::rtps::TransportDescriptorInterface> udp);

/// Fast DDS's shared memory among processes that use this library, apart from that of other versions of Fast DDS.
std::shared_ptr<eprosima::fastdds::rtps::TransportDescriptorInterface> make_private(
    std::shared_ptr<eprosima::fastdds::rtps::TransportDescriptorInterface> shared_memory);

/// Whether it is an address of that shared memory, on this host.
bool is_in_shared_memory(const rtps::Locator_t & at);

}  // namespace rmw_fastrtps
