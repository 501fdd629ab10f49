// All of a view for programs: schema/doctor.schema.json.
#pragma once

#include <string>

#include "findings.hpp"

namespace tandem::doctor {

/// `cleaned` is told if it is not null.
std::string to_json(const View & view, const std::vector<Finding> & findings, const inspection::Cleaned * cleaned);

}  // namespace tandem::doctor
