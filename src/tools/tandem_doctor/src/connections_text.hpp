// The topics and services of a domain as tandem doctor prints them: who sends to whom, and how they fare.
#pragma once

#include <string>

#include "format.hpp"
#include "traffic.hpp"

namespace tandem::doctor {

/// Lines of at most `width` characters where that is possible.
std::string to_text(const inspection::Domain & domain, const Traffic & traffic, std::size_t width, const Brush & brush);

}  // namespace tandem::doctor
