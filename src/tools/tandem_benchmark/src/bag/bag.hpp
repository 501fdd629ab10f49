// The contests of bags.
#pragma once

#include "common/contestant.hpp"

namespace bench {

/// Which process of the other side hosts the recorder or the player.
inline constexpr std::size_t kBagHost = 0;

/// The profile of a recorder that does not compress.
inline constexpr const char * kUncompressed = "none";

std::unique_ptr<Contestant> make_bag_write(const std::string & name, const Role & role);
std::unique_ptr<Contestant> make_bag_publish(const std::string & name, const Role & role);
std::unique_ptr<Contestant> make_bag_pace(const Role & role);

}  // namespace bench
