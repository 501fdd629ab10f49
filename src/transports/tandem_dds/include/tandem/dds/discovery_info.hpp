// The message of topic `ros_discovery_info`: which nodes a participant has, and which endpoints belong to them.
#pragma once

#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "tandem/dds/names.hpp"
#include "tandem/transport.hpp"

namespace tandem::dds {

inline constexpr const char * kDiscoveryTopic = "ros_discovery_info";
inline constexpr const char * kDiscoveryType = "rmw_dds_common::msg::dds_::ParticipantEntitiesInfo_";
/// USER_DATA of our endpoints: the hash, as nodes from Iron on have it, and that we read Gids of either width.
inline constexpr const char * kDiscoveryUserData =
    "typehash=RIHS01_91a0593bacdcc50ea9bdcf849a938b128412cc1ea821245c663bcd26f83c295e;gids=any;";

/// A DDS GUID: 12 bytes of its participant, 4 of the entity.
using transport::Gid;

struct NodeEntities {
  transport::NodeName node;
  std::vector<Gid> readers;
  std::vector<Gid> writers;
};

struct ParticipantEntities {
  Gid participant{};  ///< its last 4 bytes: 00 00 01 c1
  std::vector<NodeEntities> nodes;
  GidWidth width = GidWidth::k16;  ///< of what was decoded; encode() is told another way
};

/// CDR with its 4 bytes of encapsulation. Gids are padded with zeros to the width.
std::vector<std::uint8_t> encode(const ParticipantEntities & entities, GidWidth width);

/// Reads either width, whichever fits the bytes, and either byte order (PLAIN_CDR). Names are printable ASCII, <= 256.
/// \return an error that says what is wrong. Bad input never allocates more than it has bytes for.
tl::expected<ParticipantEntities, std::string> decode(const void * data, std::size_t size);

}  // namespace tandem::dds
