// The containers of messages against those of std: the same calls on both, in turn.
#pragma once

#include <string>
#include <vector>

#include "common/contestant.hpp"

namespace bench {

/// What one pair of series measures. Samples are ns per element, of "containers.<name>.ours" and "containers.<name>.std".
struct ContainerCase {
  std::string name;  ///< "push_back.float"
  std::string what;  ///< "push_back, 4096 float"
  double limit;      ///< of ours / std
};

const std::vector<ContainerCase> & container_cases();

/// Plays all cases; one process is enough.
std::unique_ptr<Contestant> make_containers(const std::string & name, const Role & role);

}  // namespace bench
