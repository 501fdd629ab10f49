#include "settings.hpp"

#include <ifaddrs.h>
#include <net/if.h>
#include <sys/socket.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <vector>

#include "shared_memory.hpp"
#include "tandem/kit/endpoint.hpp"

namespace rmw_cyclonedds {
namespace {

namespace transport = tandem::transport;

// Datagrams as large as UDP has them: a tenth of the system calls for large messages. Fragments stay of a packet's size
// (Cyclone's default, so not said here): what a lossy network drops is sent again piece by piece.
//
// Data goes to each reader by unicast: multicast would leave the host even when all readers are here, and is slow on
// wireless networks. Discovery stays multicast, so that other hosts and stock nodes find us without being told.
constexpr const char * kNetwork =
    "<General><AllowMulticast>spdp</AllowMulticast><MaxMessageSize>65500 B</MaxMessageSize></General>";

// The receive buffer holds a burst of several large messages; the kernel cuts it to net.core.rmem_max. A publisher's
// store of what is not yet acknowledged is bounded by its own history: Cyclone's own 500 kB would make keep-last
// publishers wait. What was lost is asked for at once and may be sent again in one go.
constexpr const char * kInternal =
    "<Internal>"
    "<SocketReceiveBufferSize max=\"16 MiB\"/>"
    "<Watermarks><WhcLow>8 MiB</WhcLow><WhcHighInit>256 MiB</WhcHighInit><WhcHigh>256 MiB</WhcHigh>"
    "<WhcAdaptive>false</WhcAdaptive></Watermarks>"
    "<NackDelay>10 ms</NackDelay>"
    "<MaxQueuedRexmitBytes>16 MiB</MaxQueuedRexmitBytes><MaxQueuedRexmitMessages>4096</MaxQueuedRexmitMessages>"
    "</Internal>";

// Loopback knows no multicast: whoever is there is found by knocking at the ports that a host's participants use.
constexpr const char * kLoopback =
    "<General><Interfaces><NetworkInterface name=\"lo\"/></Interfaces><AllowMulticast>false</AllowMulticast></General>";
constexpr const char * kKnock =
    "<ParticipantIndex>auto</ParticipantIndex><MaxAutoParticipantIndex>119</MaxAutoParticipantIndex>";

std::string environment(const char * name) {
  const char * value = std::getenv(name);
  return value != nullptr ? value : "";
}

bool has_multicast() {
  ifaddrs * all = nullptr;
  if (getifaddrs(&all) != 0) {
    return true;  // let Cyclone find out
  }
  bool found = false;
  for (const ifaddrs * one = all; one != nullptr; one = one->ifa_next) {
    const unsigned wanted = IFF_UP | IFF_MULTICAST;
    found = found ||
            (one->ifa_addr != nullptr && one->ifa_addr->sa_family == AF_INET && (one->ifa_flags & wanted) == wanted);
  }
  freeifaddrs(all);
  return found;
}

/// An address or a host's name; what else there might be must not become XML.
bool is_host(const std::string & text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '.' || c == ':' || c == '-' || c == '_' || c == '[' || c == ']';
  });
}

std::vector<std::string> peers_in(const std::string & list) {
  std::vector<std::string> peers;
  for (std::size_t begin = 0; begin < list.size();) {
    const std::size_t end = std::min(list.find(';', begin), list.size());
    const std::string peer = list.substr(begin, end - begin);
    if (is_host(peer)) {
      peers.push_back(peer);
    } else if (!peer.empty()) {
      transport::warn("rmw_cyclonedds_cpp", "", "ROS_STATIC_PEERS: '" + peer + "' is no address and no name; left out");
    }
    begin = end + 1;
  }
  return peers;
}

enum class Range { kOff, kLocalhost, kSubnet };

Range range_of(const Surroundings & here) {
  if (here.localhost_only == "1") {
    return Range::kLocalhost;
  }
  if (here.range == "OFF") {
    return Range::kOff;
  }
  if (here.range == "LOCALHOST") {
    return Range::kLocalhost;
  }
  if (!here.range.empty() && here.range != "SUBNET" && here.range != "SYSTEM_DEFAULT") {
    transport::warn("rmw_cyclonedds_cpp", "",
                    "ROS_AUTOMATIC_DISCOVERY_RANGE=" + here.range +
                        " is unknown; use OFF, LOCALHOST, SUBNET or SYSTEM_DEFAULT. Going on with SUBNET");
  }
  return here.has_multicast ? Range::kSubnet : Range::kLocalhost;
}

std::string discovery(Range range, const Surroundings & here) {
  std::vector<std::string> peers = range == Range::kOff ? std::vector<std::string>() : peers_in(here.static_peers);
  if (range == Range::kLocalhost) {
    peers.emplace_back("localhost");
  }
  if (peers.empty()) {
    return {};
  }
  std::string text = std::string("<Discovery>") + kKnock + "<Peers>";
  for (const std::string & peer : peers) {
    text += "<Peer address=\"" + peer + "\"/>";
  }
  return text + "</Peers></Discovery>";
}

std::string shared_memory(std::uint32_t domain, const Surroundings & here) {
  if (!here.has_shared_memory) {
    return {};
  }
  // A prefix of our own: iceoryx delivers to all of a name, other domains and stock nodes included.
  return "<SharedMemory><Enable>true</Enable><LogLevel>off</LogLevel><Locator>" + here.memory_id +
         "</Locator><Prefix>tandem_" + std::to_string(domain) + "</Prefix></SharedMemory>";
}

std::string fragment(const std::string & text) {
  return text.empty() ? text : "<CycloneDDS><Domain id=\"any\">" + text + "</Domain></CycloneDDS>";
}

void append(std::string & list, const std::string & text) {
  if (!text.empty()) {
    list += (list.empty() ? "" : ",") + text;
  }
}

}  // namespace

Surroundings look_around() {
  Surroundings here;
  here.tuning = tandem::transport::tuning();
  here.user_uri = environment("CYCLONEDDS_URI");
  here.localhost_only = environment("ROS_LOCALHOST_ONLY");
  here.range = environment("ROS_AUTOMATIC_DISCOVERY_RANGE");
  here.static_peers = environment("ROS_STATIC_PEERS");
  here.has_multicast = has_multicast();
  here.has_shared_memory = roudi_runs();
  here.memory_id = roudi_id();
  return here;
}

std::string settings_for(std::uint32_t domain, const Surroundings & here) {
  const Range range = range_of(here);
  std::string list;
  append(list, fragment(discovery(range, here)));
  if (range != Range::kSubnet) {
    append(list, fragment(kLoopback));
  }
  if (here.tuning == tandem::transport::Tuning::kTuned) {
    append(list, fragment(kInternal));
    append(list, fragment(range == Range::kSubnet ? kNetwork
                                                  : "<General><MaxMessageSize>65500 B</MaxMessageSize></General>"));
    append(list, fragment(shared_memory(domain, here)));
  }
  append(list, here.user_uri);
  if (!here.has_shared_memory && here.user_uri.find("SharedMemory") != std::string::npos) {
    transport::warn(
        "rmw_cyclonedds_cpp", "",
        "CYCLONEDDS_URI speaks of shared memory, but no iox-roudi runs; going on without. Start iox-roudi first");
    append(list, fragment("<SharedMemory><Enable>false</Enable></SharedMemory>"));
  }
  return list;
}

}  // namespace rmw_cyclonedds
