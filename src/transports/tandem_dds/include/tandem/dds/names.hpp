// ROS 2's conventions on the DDS wire: names of topics and types, user data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tandem/transport.hpp"

namespace tandem::dds {

/// "/a/b" -> "rt/a/b". A service's channels have their names on the wire already: "rq/a/bRequest", "rr/a/bReply".
std::string to_dds_topic(std::string_view topic);
/// "rt/a/b" -> "/a/b", channels as they are; nothing for a topic that is none of ROS's.
std::optional<std::string> from_dds_topic(std::string_view topic);

/// "std_msgs/msg/String" -> "std_msgs::msg::dds_::String_".
std::string to_dds_type(std::string_view type);
std::optional<std::string> from_dds_type(std::string_view type);

/// USER_DATA of the participant that this thread makes (tandem/security.hpp): "enclave=/;".
std::string participant_user_data();
/// USER_DATA of an endpoint: "typehash=RIHS01_<64 hex>;". Of a publisher that passes on another's messages also "origin=<32 hex>;",
/// which stock nodes leave unread.
std::string endpoint_user_data(std::string_view type_hash, const transport::Gid & origin = {});
/// The endpoint as stock nodes tell of theirs: that of a service with the hash of its message, not with the service's.
transport::EndpointInfo as_told(transport::EndpointInfo endpoint, const MessageType & type);
/// EndpointInfo::origin.
transport::Gid origin_in(std::string_view user_data);
/// The "RIHS01_..." in an endpoint's user data; empty when it tells none (Humble) or the text is malformed.
std::string type_hash_in(std::string_view user_data);
/// Whether a reader of ros_discovery_info says that it reads Gids of either width, as ours do.
bool reads_any_width(std::string_view user_data);
/// Whether a participant's user data say that it is a ROS 2 context.
bool is_ros_participant(std::string_view user_data);

/// So many first bytes of an endpoint's Gid name its participant.
constexpr std::size_t kGidPrefix = 12;

/// The bytes of a Gid in ros_discovery_info: 24 through Humble, 16 from Iron.
enum class GidWidth : std::uint8_t { k16 = 16, k24 = 24 };
/// The form in which everybody is told, as TANDEM_ROS_DISTRO chooses it; nothing when it is unset: then each reader is
/// told in its own (audience.hpp). A name that is no distribution of ROS 2 costs a warning and counts as unset.
std::optional<GidWidth> chosen_width();

}  // namespace tandem::dds
