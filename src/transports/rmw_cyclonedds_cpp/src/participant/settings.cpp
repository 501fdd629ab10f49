#include "participant/settings.hpp"

#include <ifaddrs.h>
#include <net/if.h>
#include <sys/socket.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <sstream>
#include <vector>

#include "entity/entity.hpp"
#include "tandem/kit/endpoint.hpp"

namespace rmw_cyclonedds {
namespace {

// Datagrams as large as UDP has them: a tenth of the system calls for large messages. Fragments stay of a packet's size
// (Cyclone's default, so not said here): what a lossy network drops is sent again piece by piece.
//
// Data goes to each reader by unicast: multicast would leave the host even when all readers are here, and is slow on
// wireless networks. Discovery stays multicast, so that other hosts and stock nodes find us without being told.
constexpr const char * kDatagrams = "<General><MaxMessageSize>65500 B</MaxMessageSize></General>";
constexpr const char * kUnicast = "<General><AllowMulticast>spdp</AllowMulticast></General>";

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
  std::istringstream rest(list);
  for (std::string peer; std::getline(rest, peer, ';');) {
    if (is_host(peer)) {
      peers.push_back(peer);
    } else if (!peer.empty()) {
      transport::warn(kName, "", "ROS_STATIC_PEERS: '" + peer + "' is no address and no name; left out");
    }
  }
  return peers;
}

enum class Range { kOff, kLocalhost, kSubnet };

Range range_of(const Surroundings & here) {
  if (here.localhost_only == "1" || here.range == "LOCALHOST") {
    return Range::kLocalhost;
  }
  if (here.range == "OFF") {
    return Range::kOff;
  }
  if (!here.range.empty() && here.range != "SUBNET" && here.range != "SYSTEM_DEFAULT") {
    transport::warn(kName, "",
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

void append(std::string & list, const std::string & text) {
  if (!text.empty()) {
    list += (list.empty() ? "" : ",") + text;
  }
}

void append_settings(std::string & list, const std::string & text) {
  append(list, text.empty() ? text : "<CycloneDDS><Domain id=\"any\">" + text + "</Domain></CycloneDDS>");
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
  return here;
}

std::string settings_for(const Surroundings & here) {
  const Range range = range_of(here);
  const bool is_tuned = here.tuning == tandem::transport::Tuning::kTuned;
  std::string list;
  append_settings(list, discovery(range, here));
  append_settings(list, range != Range::kSubnet ? kLoopback : is_tuned ? kUnicast : "");
  append_settings(list, is_tuned ? std::string(kInternal) + kDatagrams : "");
  append(list, here.user_uri);
  if (here.user_uri.find("SharedMemory") != std::string::npos) {
    transport::warn(kName, "",
                    "CYCLONEDDS_URI speaks of shared memory, which is not used here: messages go through the network");
    append_settings(list, "<SharedMemory><Enable>false</Enable></SharedMemory>");
  }
  return list;
}

}  // namespace rmw_cyclonedds
