// What tandem doctor prints for people.
#pragma once

#include <string>

#include "findings.hpp"
#include "format.hpp"

namespace tandem::doctor {

/// Lines of at most `width` characters where that is possible.
std::string to_text(const View & view, const std::vector<Finding> & findings, std::size_t width, const Brush & brush);
std::string to_text(const inspection::Cleaned & cleaned);

}  // namespace tandem::doctor
