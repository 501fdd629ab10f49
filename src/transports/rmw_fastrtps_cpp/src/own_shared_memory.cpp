// Every Fast DDS calls its files in /dev/shm the same, whatever its version: that of Debian ends the process when it opens
// those of a newer one, as a stock ROS 2 on the same host has. So the shared memory of ours has addresses of a kind and
// files of numbers of its own: nobody else opens ours, we open nobody else's, and with them all goes by UDP.

#include <fastdds/rtps/network/SenderResource.h>
#include <fastdds/rtps/transport/ChainingTransport.h>
#include <fastdds/rtps/transport/ChainingTransportDescriptor.h>
#include <fastdds/rtps/transport/TransportReceiverInterface.h>
#include <fastdds/rtps/common/LocatorSelector.hpp>

#include <chrono>

#include "settings.hpp"

namespace rmw_fastrtps {

using eprosima::fastdds::rtps::ChainingTransport;
using eprosima::fastdds::rtps::LocatorList;
using eprosima::fastdds::rtps::Locators;
using eprosima::fastdds::rtps::SendResourceList;
using eprosima::fastdds::rtps::TransportDescriptorInterface;
using eprosima::fastdds::rtps::TransportReceiverInterface;
using rtps::Locator_t;

namespace {

/// A kind must be one that Fast DDS knows, else assertions end the process. Who has no TCP ignores such addresses.
constexpr std::int32_t kKind = LOCATOR_KIND_TCPv6;
constexpr std::uint32_t kFirstPort = 1 << 16;  ///< above those of UDP, by which others number their files

/// The address as Fast DDS's own transport knows it.
Locator_t inside(Locator_t locator) {
  if (locator.kind == kKind) {
    locator.kind = LOCATOR_KIND_SHM;
    locator.port += locator.port != 0 ? kFirstPort : 0;
  }
  return locator;
}

/// The address as participants tell each other.
Locator_t outside(Locator_t locator) {
  if (locator.kind == LOCATOR_KIND_SHM) {
    locator.kind = kKind;
    locator.port -= locator.port >= kFirstPort ? kFirstPort : 0;
  }
  return locator;
}

LocatorList outside(const LocatorList & locators) {
  LocatorList all;
  for (const Locator_t & locator : locators) {
    all.push_back(outside(locator));
  }
  return all;
}

class OwnSharedMemory final : public ChainingTransport {
 public:
  explicit OwnSharedMemory(const eprosima::fastdds::rtps::ChainingTransportDescriptor & descriptor)
      : ChainingTransport(descriptor) {
    transport_kind_ = kKind;
  }

  TransportDescriptorInterface * get_configuration() override { return low_level_transport_->get_configuration(); }

  bool IsLocatorSupported(const Locator_t & at) const override { return at.kind == kKind; }
  bool IsInputChannelOpen(const Locator_t & at) const override {
    return IsLocatorSupported(at) && ChainingTransport::IsInputChannelOpen(inside(at));
  }
  bool is_locator_allowed(const Locator_t & at) const override {
    return IsLocatorSupported(at) && ChainingTransport::is_locator_allowed(inside(at));
  }
  bool is_local_locator(const Locator_t & at) const override {
    return IsLocatorSupported(at) && ChainingTransport::is_local_locator(inside(at));
  }
  bool DoInputLocatorsMatch(const Locator_t & a, const Locator_t & b) const override {
    return ChainingTransport::DoInputLocatorsMatch(inside(a), inside(b));
  }
  bool OpenOutputChannel(SendResourceList & senders, const Locator_t & at) override {
    return IsLocatorSupported(at) && ChainingTransport::OpenOutputChannel(senders, inside(at));
  }
  bool OpenInputChannel(const Locator_t & at, TransportReceiverInterface * above, std::uint32_t size) override {
    return IsLocatorSupported(at) && ChainingTransport::OpenInputChannel(inside(at), above, size);
  }
  bool CloseInputChannel(const Locator_t & at) override {
    return IsLocatorSupported(at) && ChainingTransport::CloseInputChannel(inside(at));
  }
  Locator_t RemoteToMainLocal(const Locator_t & at) const override {
    return outside(ChainingTransport::RemoteToMainLocal(inside(at)));
  }
  LocatorList NormalizeLocator(const Locator_t & at) override {
    return outside(ChainingTransport::NormalizeLocator(inside(at)));
  }
  bool transform_remote_locator(const Locator_t & remote, Locator_t & result) const override {
    if (!IsLocatorSupported(remote) || !ChainingTransport::transform_remote_locator(inside(remote), result)) {
      return false;
    }
    result = outside(result);
    return true;
  }

  void AddDefaultOutputLocator(LocatorList & list) override {
    add(list, [&](LocatorList & own) { ChainingTransport::AddDefaultOutputLocator(own); });
  }
  bool getDefaultMetatrafficMulticastLocators(LocatorList & list, std::uint32_t port) const override {
    return add(list, [&](auto & own) { ChainingTransport::getDefaultMetatrafficMulticastLocators(own, port); });
  }
  bool getDefaultMetatrafficUnicastLocators(LocatorList & list, std::uint32_t port) const override {
    return add(list, [&](auto & own) { ChainingTransport::getDefaultMetatrafficUnicastLocators(own, port); });
  }
  bool getDefaultUnicastLocators(LocatorList & list, std::uint32_t port) const override {
    return add(list, [&](auto & own) { ChainingTransport::getDefaultUnicastLocators(own, port); });
  }
  bool fillMetatrafficMulticastLocator(Locator_t & at, std::uint32_t port) const override { return fill(at, port); }
  bool fillMetatrafficUnicastLocator(Locator_t & at, std::uint32_t port) const override { return fill(at, port); }
  bool fillUnicastLocator(Locator_t & at, std::uint32_t port) const override { return fill(at, port); }
  bool configureInitialPeerLocator(Locator_t & at, const rtps::PortParameters & ports, std::uint32_t domain,
                                   LocatorList & list) const override {
    return add(list, [&](auto & own) {
      Locator_t peer = inside(at);
      ChainingTransport::configureInitialPeerLocator(peer, ports, domain, own);
    });
  }

  void select_locators(rtps::LocatorSelector & selector) const override {
    auto & entries = selector.transport_starts();
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (entries[i]->transport_should_process && select(*entries[i])) {
        selector.select(i);
      }
    }
  }

  // Parameters as Fast DDS has them.
  // NOLINTNEXTLINE(readability-function-size)
  bool send(rtps::SenderResource * below, const rtps::octet * bytes, std::uint32_t size, rtps::LocatorsIterator * begin,
            rtps::LocatorsIterator * end, const std::chrono::steady_clock::time_point & deadline) override {
    LocatorList to;
    for (; *begin != *end; ++*begin) {
      if (IsLocatorSupported(**begin)) {
        to.push_back(inside(**begin));
      }
    }
    Locators first(to.begin());
    Locators last(to.end());
    return below->send(bytes, size, &first, &last, deadline);
  }

  void receive(TransportReceiverInterface * above, const rtps::octet * bytes, std::uint32_t size,
               const Locator_t & local, const Locator_t & remote) override {
    above->OnDataReceived(bytes, size, outside(local), outside(remote));
  }

 private:
  /// Appends what `make` makes. \return whether that is anything.
  template <class Make>
  static bool add(LocatorList & list, Make make) {
    LocatorList own;
    make(own);
    for (const Locator_t & locator : own) {
      list.push_back(outside(locator));
    }
    return own.size() != 0;
  }
  static bool fill(Locator_t & at, std::uint32_t port) {
    at.port = at.port != 0 ? at.port : port;
    return true;
  }
  /// One that lies on this host.
  bool select(rtps::LocatorSelectorEntry & entry) const {
    for (std::size_t i = 0; i < entry.unicast.size(); ++i) {
      if (is_local_locator(entry.unicast[i])) {
        entry.state.unicast.push_back(i);
        return true;
      }
    }
    return false;
  }
};

struct OwnDescriptor final : eprosima::fastdds::rtps::ChainingTransportDescriptor {
  using ChainingTransportDescriptor::ChainingTransportDescriptor;
  eprosima::fastdds::rtps::TransportInterface * create_transport() const override { return new OwnSharedMemory(*this); }
};

}  // namespace

std::shared_ptr<TransportDescriptorInterface> make_own(std::shared_ptr<TransportDescriptorInterface> shared_memory) {
  return std::make_shared<OwnDescriptor>(std::move(shared_memory));
}

}  // namespace rmw_fastrtps
