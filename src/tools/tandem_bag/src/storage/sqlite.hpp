// Files of SQLite, as rosbag2 wrote them by default before Jazzy.
#pragma once

#include <memory>

#include "tandem/bag/storage.hpp"

namespace tandem::bag {

/// \throws Error
std::unique_ptr<FileWriter> create_sqlite(const std::filesystem::path & path, const StorageOptions & options);
std::unique_ptr<FileReader> open_sqlite(const std::filesystem::path & path);

}  // namespace tandem::bag
