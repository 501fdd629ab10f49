// Files of installed packages, such as the meshes of a robot: "package://NAME/PATH".
#pragma once

#include <string>

#include <tl/expected.hpp>

#include "connection/outbox.hpp"

namespace tandem::view {

/// The content. Only what lies in the package's share folder is read; 64 MiB at most.
/// \return an error that says what is wrong.
tl::expected<Bytes, std::string> read_asset(const std::string & uri);

}  // namespace tandem::view
