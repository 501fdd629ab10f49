// UDP that answers every reader at its own address, never at a multicast address that several readers share.
#pragma once

#include <fastdds/rtps/transport/ChainingTransportDescriptor.h>

namespace rmw_fastrtps {

/// Fast DDS 2.9 opens the addresses that it has selected only. Of readers that share a multicast address, as those of
/// other vendors do, it selects that; the first heartbeat still goes to the reader's own address, which the statistics
/// of Debian's build then do not know: an assertion ends the process. Without multicast what is used is what was opened.
struct UnicastUdpDescriptor final : eprosima::fastdds::rtps::ChainingTransportDescriptor {
  using ChainingTransportDescriptor::ChainingTransportDescriptor;
  eprosima::fastdds::rtps::TransportInterface * create_transport() const override;
};

}  // namespace rmw_fastrtps
