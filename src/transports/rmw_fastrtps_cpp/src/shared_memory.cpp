// Every Fast DDS calls its files in /dev/shm the same, whatever its version: that of Debian ends the process when it opens
// those of a newer one, as a stock ROS 2 on the same host has. So Fast DDS's shared memory is used here under addresses
// that no other program knows, with files of numbers of their own: nobody else opens ours, we open nobody else's, and
// what passes between us and them goes by UDP.

#include <fastdds/rtps/network/SenderResource.h>
#include <fastdds/rtps/transport/TransportReceiverInterface.h>
#include <fastdds/rtps/transport/shared_mem/SharedMemTransportDescriptor.h>
#include <fastdds/rtps/common/LocatorSelector.hpp>

#include <algorithm>
#include <chrono>

#include "chained.hpp"
#include "settings.hpp"

namespace rmw_fastrtps {

using eprosima::fastdds::rtps::ChainingTransport;
using eprosima::fastdds::rtps::ChainingTransportDescriptor;
using eprosima::fastdds::rtps::LocatorList;
using eprosima::fastdds::rtps::SendResourceList;
using eprosima::fastdds::rtps::SharedMemTransportDescriptor;
using eprosima::fastdds::rtps::TransportDescriptorInterface;
using eprosima::fastdds::rtps::TransportReceiverInterface;
using rtps::Locator_t;
using rtps::LocatorsIterator;

namespace {

// Fast DDS asserts that it knows a kind. It keeps of a peer's addresses only those of the least cost: that of TCP over
// IPv4 is UDP's. Who has no TCP, as here and by default, leaves such addresses alone.
constexpr std::int32_t kKind = LOCATOR_KIND_TCPv4;
constexpr std::uint32_t kFirstFile = 1 << 16;  ///< above the numbers of UDP's ports, by which others number their files

// Of the address as participants tell each other, where IPv4 has its four bytes: what Fast DDS has in its first three.
constexpr std::size_t kMarkAt = 12;

/// The address as Fast DDS's shared memory knows it; an invalid one if it is not of this kind.
Locator_t to_file(const Locator_t & told) {
  Locator_t file(told.kind == kKind ? LOCATOR_KIND_SHM : LOCATOR_KIND_INVALID, told.port);
  file.port += file.port != 0 ? kFirstFile : 0;
  std::copy_n(told.address + kMarkAt, 3, file.address);
  return file;
}

/// The address as participants tell each other.
Locator_t to_told(const Locator_t & file) {
  Locator_t told(kKind, file.port >= kFirstFile ? file.port - kFirstFile : file.port);
  std::copy_n(file.address, 3, told.address + kMarkAt);
  told.address[kMarkAt + 3] = 1;
  return told;
}

/// What every address of this host begins with.
const Locator_t & this_host() {
  static const Locator_t host = [] {
    LocatorList list;
    const std::unique_ptr<eprosima::fastdds::rtps::TransportInterface> transport(
        SharedMemTransportDescriptor().create_transport());
    transport->getDefaultUnicastLocators(list, 0);
    return to_told(*list.begin());
  }();
  return host;
}

class SharedMemory final : public ChainingTransport {
 public:
  explicit SharedMemory(const ChainingTransportDescriptor & descriptor) : ChainingTransport(descriptor) {
    transport_kind_ = kKind;
  }

  TransportDescriptorInterface * get_configuration() override { return low_level_transport_->get_configuration(); }

  bool IsLocatorSupported(const Locator_t & at) const override { return at.kind == kKind; }
  bool is_locator_allowed(const Locator_t & at) const override { return IsLocatorSupported(at); }
  bool is_local_locator(const Locator_t & at) const override { return is_in_shared_memory(at); }
  bool DoInputLocatorsMatch(const Locator_t & a, const Locator_t & b) const override {
    return a.kind == b.kind && a.port == b.port;
  }
  bool transform_remote_locator(const Locator_t & remote, Locator_t & result) const override {
    if (!is_in_shared_memory(remote)) {
      return false;
    }
    result = remote;
    return true;
  }
  Locator_t RemoteToMainLocal(const Locator_t & remote) const override { return remote; }
  LocatorList NormalizeLocator(const Locator_t & at) override {
    LocatorList list;
    list.push_back(at);
    return list;
  }

  bool IsInputChannelOpen(const Locator_t & at) const override {
    return IsLocatorSupported(at) && ChainingTransport::IsInputChannelOpen(to_file(at));
  }
  bool OpenInputChannel(const Locator_t & at, TransportReceiverInterface * above, std::uint32_t size) override {
    return IsLocatorSupported(at) && ChainingTransport::OpenInputChannel(to_file(at), above, size);
  }
  bool CloseInputChannel(const Locator_t & at) override {
    return IsLocatorSupported(at) && ChainingTransport::CloseInputChannel(to_file(at));
  }
  /// One sender serves every address. Fast DDS does not find its own within the one that chains it.
  bool OpenOutputChannel(SendResourceList & senders, const Locator_t & at) override {
    const auto is_ours = [](const auto & sender) { return sender->kind() == kKind; };
    return IsLocatorSupported(at) && (std::any_of(senders.begin(), senders.end(), is_ours) ||
                                      ChainingTransport::OpenOutputChannel(senders, to_file(at)));
  }

  // As with Fast DDS's own, discovery begins by UDP's multicast.
  void AddDefaultOutputLocator(LocatorList & /*list*/) override {}
  bool getDefaultMetatrafficMulticastLocators(LocatorList & /*list*/, std::uint32_t /*port*/) const override {
    return false;
  }
  bool getDefaultMetatrafficUnicastLocators(LocatorList & list, std::uint32_t port) const override {
    return getDefaultUnicastLocators(list, port);
  }
  bool getDefaultUnicastLocators(LocatorList & list, std::uint32_t port) const override {
    Locator_t at = this_host();
    at.port = port;
    list.push_back(at);
    return true;
  }
  bool fillMetatrafficMulticastLocator(Locator_t & at, std::uint32_t port) const override { return fill(at, port); }
  bool fillMetatrafficUnicastLocator(Locator_t & at, std::uint32_t port) const override { return fill(at, port); }
  bool fillUnicastLocator(Locator_t & at, std::uint32_t port) const override { return fill(at, port); }
  bool configureInitialPeerLocator(Locator_t & /*at*/, const rtps::PortParameters & /*ports*/, std::uint32_t /*domain*/,
                                   LocatorList & /*list*/) const override {
    return false;
  }

  void select_locators(rtps::LocatorSelector & selector) const override {
    auto & entries = selector.transport_starts();
    for (std::size_t i = 0; i < entries.size(); ++i) {
      auto & entry = *entries[i];
      for (std::size_t j = 0; entry.transport_should_process && j < entry.unicast.size(); ++j) {
        if (is_in_shared_memory(entry.unicast[j]) && !selector.is_selected(entry.unicast[j])) {
          entry.state.unicast.push_back(j);
          selector.select(i);
        }
      }
    }
  }

  // Parameters as Fast DDS has them.
  // NOLINTNEXTLINE(readability-function-size)
  bool send(rtps::SenderResource * below, const rtps::octet * bytes, std::uint32_t size, LocatorsIterator * begin,
            LocatorsIterator * end, const std::chrono::steady_clock::time_point & deadline) override {
    MappedLocators first(*begin, to_file);
    MappedLocators last(*end, to_file);
    return below->send(bytes, size, &first, &last, deadline);
  }
  void receive(TransportReceiverInterface * above, const rtps::octet * bytes, std::uint32_t size,
               const Locator_t & local, const Locator_t & remote) override {
    above->OnDataReceived(bytes, size, to_told(local), to_told(remote));
  }

 private:
  static bool fill(Locator_t & at, std::uint32_t port) {
    at.port = at.port != 0 ? at.port : port;
    return true;
  }
};

}  // namespace

bool is_in_shared_memory(const Locator_t & at) {
  return at.kind == kKind && std::equal(at.address, at.address + sizeof at.address, this_host().address);
}

std::shared_ptr<TransportDescriptorInterface> make_private(
    std::shared_ptr<TransportDescriptorInterface> shared_memory) {
  return chain<SharedMemory>(std::move(shared_memory));
}

}  // namespace rmw_fastrtps
