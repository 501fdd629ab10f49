// The pools of shared memory that RouDi makes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace iceoryx {

struct Pool {
  std::uint64_t size;   ///< bytes of a chunk, iceoryx' header not counted
  std::uint64_t count;  ///< chunks
};

/// Pools for messages from 256 bytes to 64 MB that take `budget` bytes together, or a little less. The largest are left
/// out where the budget has not room for some of each.
std::vector<Pool> pools_for(std::uint64_t budget);

/// A quarter of what is free in /dev/shm, 1 GB at most: RouDi fills all of it with zeros when it starts.
std::uint64_t budget_here();

/// The text of a configuration file for iox-roudi.
std::string to_toml(const std::vector<Pool> & pools);

}  // namespace iceoryx
