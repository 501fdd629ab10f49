// What Fast DDS is set to: by the user's XML profiles, by the environment, else by our tuning.
#pragma once

#include <fastdds/dds/domain/qos/DomainParticipantQos.hpp>
#include <fastdds/dds/publisher/Publisher.hpp>
#include <fastdds/dds/publisher/qos/DataWriterQos.hpp>
#include <fastdds/dds/subscriber/Subscriber.hpp>
#include <fastdds/dds/subscriber/qos/DataReaderQos.hpp>

#include <cstdint>

#include "tandem/message_type.hpp"
#include "tandem/transport.hpp"

namespace rmw_fastrtps {

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
eprosima::fastdds::dds::DomainParticipantQos participant_qos();

/// What of a publisher's pool is there for others than its history. All 0 where samples are not lent.
struct PoolShare {
  std::uint32_t loans = 0;           ///< that borrow() hands out at most
  std::uint32_t held = 0;            ///< samples that readers may keep unread-over, all together
  std::uint32_t held_by_reader = 0;  ///< by one of them
};
PoolShare pool_share(const tandem::MessageType & type);

eprosima::fastdds::dds::DataWriterQos writer_qos(const eprosima::fastdds::dds::Publisher & publisher,
                                                 const tandem::MessageType & type,
                                                 const tandem::transport::TopicOptions & options);
eprosima::fastdds::dds::DataReaderQos reader_qos(const eprosima::fastdds::dds::Subscriber & subscriber,
                                                 const tandem::MessageType & type,
                                                 const tandem::transport::TopicOptions & options);

}  // namespace rmw_fastrtps
