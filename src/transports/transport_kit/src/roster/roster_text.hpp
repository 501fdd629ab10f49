// What participants tell each other about themselves, as text.
#pragma once

#include <string>
#include <vector>

#include "tandem/kit/roster.hpp"

namespace tandem::transport {

/// One participant: a context of a process.
struct Presence {
  std::vector<NodeName> nodes;
  std::vector<RosterEntry> entries;
};

/// Whether a name has neither tabs nor other control characters, so that it is one field.
bool is_plain(const std::string & name);
/// One line for each node and endpoint, fields separated by tabs (names contain none).
std::string to_text(const Presence & presence);
/// Lines that make no sense are left out.
Presence parse(const std::string & text);

}  // namespace tandem::transport
