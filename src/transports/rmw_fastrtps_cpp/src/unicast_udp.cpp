// Fast DDS 2.9 opens the addresses that it has selected only. Of readers that share a multicast address, as those of
// other vendors do, it selects that; the first heartbeat still goes to the reader's own address, which the statistics
// of Debian's build then do not know: an assertion ends the process. Without multicast what is used is what was opened. A
// reader that shared memory serves is reached by that alone: to its other addresses, which were not opened, nothing goes.
#include <fastdds/rtps/network/SenderResource.h>
#include <fastdds/rtps/transport/TransportReceiverInterface.h>
#include <fastdds/rtps/common/LocatorSelector.hpp>

#include <algorithm>
#include <chrono>
#include <set>

#include "chained.hpp"
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

  // Fast DDS calls this and send() with its mutex of the senders locked.
  bool OpenOutputChannel(eprosima::fastdds::rtps::SendResourceList & senders, const rtps::Locator_t & at) override {
    const bool is_open = ChainingTransport::OpenOutputChannel(senders, at);
    if (is_open) {
      open_.insert(at);
    }
    return is_open;
  }

  // Parameters as Fast DDS has them.
  // NOLINTNEXTLINE(readability-function-size)
  bool send(rtps::SenderResource * below, const rtps::octet * bytes, std::uint32_t size, rtps::LocatorsIterator * begin,
            rtps::LocatorsIterator * end, const std::chrono::steady_clock::time_point & deadline) override {
    const auto if_open = [this](const rtps::Locator_t & at) {
      return open_.count(at) != 0 ? at : rtps::Locator_t(LOCATOR_KIND_INVALID, 0);
    };
    MappedLocators first(*begin, if_open);
    MappedLocators last(*end, if_open);
    return below->send(bytes, size, &first, &last, deadline);
  }

  void receive(TransportReceiverInterface * above, const rtps::octet * bytes, std::uint32_t size,
               const rtps::Locator_t & local, const rtps::Locator_t & remote) override {
    above->OnDataReceived(bytes, size, local, remote);
  }

 private:
  /// Its own addresses; multicast only where it has none. Nothing where shared memory serves it.
  bool select(const rtps::LocatorSelector & selector, rtps::LocatorSelectorEntry & entry) const {
    if (std::any_of(entry.unicast.begin(), entry.unicast.end(), is_in_shared_memory)) {
      return false;
    }
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

  std::set<rtps::Locator_t> open_;
};

}  // namespace

std::shared_ptr<TransportDescriptorInterface> make_unicast(std::shared_ptr<TransportDescriptorInterface> udp) {
  return chain<UnicastUdp>(std::move(udp));
}

}  // namespace rmw_fastrtps
