// Fast DDS 2.9 opens the addresses that it has selected only. Of readers that share a multicast address, as those of
// other vendors do, it selects that; the first heartbeat still goes to the reader's own address, which the statistics
// of Debian's build then do not know: an assertion ends the process. Without multicast what is used is what was opened.
#include <fastdds/rtps/network/SenderResource.h>
#include <fastdds/rtps/transport/ChainingTransport.h>
#include <fastdds/rtps/transport/ChainingTransportDescriptor.h>
#include <fastdds/rtps/transport/TransportReceiverInterface.h>
#include <fastdds/rtps/common/LocatorSelector.hpp>

#include <chrono>

#include "settings.hpp"

namespace rmw_fastrtps {

using eprosima::fastdds::rtps::ChainingTransport;
using eprosima::fastdds::rtps::TransportDescriptorInterface;
using eprosima::fastdds::rtps::TransportReceiverInterface;

namespace {

class UnicastUdp final : public ChainingTransport {
 public:
  using ChainingTransport::ChainingTransport;

  eprosima::fastdds::rtps::TransportDescriptorInterface * get_configuration() override {
    return low_level_transport_->get_configuration();
  }

  void select_locators(rtps::LocatorSelector & selector) const override {
    auto & entries = selector.transport_starts();
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (entries[i]->transport_should_process && select(selector, *entries[i])) {
        selector.select(i);
      }
    }
  }

  // Parameters as Fast DDS has them.
  // NOLINTNEXTLINE(readability-function-size)
  bool send(rtps::SenderResource * below, const rtps::octet * bytes, std::uint32_t size, rtps::LocatorsIterator * begin,
            rtps::LocatorsIterator * end, const std::chrono::steady_clock::time_point & deadline) override {
    return below->send(bytes, size, begin, end, deadline);
  }

  void receive(TransportReceiverInterface * above, const rtps::octet * bytes, std::uint32_t size,
               const rtps::Locator_t & local, const rtps::Locator_t & remote) override {
    above->OnDataReceived(bytes, size, local, remote);
  }

 private:
  /// Its own addresses; multicast only where it has none.
  bool select(const rtps::LocatorSelector & selector, rtps::LocatorSelectorEntry & entry) const {
    bool is_selected = false;
    for (std::size_t i = 0; i < entry.unicast.size(); ++i) {
      if (IsLocatorSupported(entry.unicast[i]) && !selector.is_selected(entry.unicast[i])) {
        entry.state.unicast.push_back(i);
        is_selected = true;
      }
    }
    for (std::size_t i = 0; i < entry.multicast.size() && !is_selected && entry.unicast.empty(); ++i) {
      if (IsLocatorSupported(entry.multicast[i])) {
        entry.state.multicast.push_back(i);
        is_selected = true;
      }
    }
    return is_selected;
  }
};

struct Descriptor final : eprosima::fastdds::rtps::ChainingTransportDescriptor {
  using ChainingTransportDescriptor::ChainingTransportDescriptor;
  eprosima::fastdds::rtps::TransportInterface * create_transport() const override { return new UnicastUdp(*this); }
};

}  // namespace

std::shared_ptr<TransportDescriptorInterface> make_unicast(std::shared_ptr<TransportDescriptorInterface> udp) {
  return std::make_shared<Descriptor>(std::move(udp));
}

}  // namespace rmw_fastrtps
