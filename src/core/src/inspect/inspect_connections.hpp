// Who is connected to whom by what means, from what both sides say.
#pragma once

#include "tandem/inspect.hpp"

namespace tandem::inspection {

/// Each publisher with each subscription of its topic, both alive.
std::vector<Connection> connect(const Domain & domain);

}  // namespace tandem::inspection
