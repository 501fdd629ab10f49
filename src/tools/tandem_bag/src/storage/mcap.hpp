// Files of MCAP.
#pragma once

#include <array>
#include <cerrno>
#include <memory>
#include <string>

#include "tandem/bag/storage.hpp"
#include "tandem_mcap.h"

namespace tandem::bag {

/// \throws Error, also when Tandem was built without MCAP.
std::unique_ptr<FileWriter> create_mcap(const std::filesystem::path & path, const StorageOptions & options);
std::unique_ptr<FileReader> open_mcap(const std::filesystem::path & path);

inline std::string string_of(tandem_mcap_text text) { return {text.data, text.size}; }

}  // namespace tandem::bag
