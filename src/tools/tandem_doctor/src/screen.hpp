// What tandem top shows.
#pragma once

#include <string>
#include <vector>

#include "format.hpp"
#include "rates.hpp"

namespace tandem::doctor {

/// The first line: the directory and all together.
std::string headline(const View & view, const Rates & rates, std::size_t width, const Brush & brush);
/// The tables of topics and of processes.
std::vector<std::string> tables(const Rates & rates, std::size_t width, const Brush & brush);

}  // namespace tandem::doctor
