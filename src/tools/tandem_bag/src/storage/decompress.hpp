// What rosbag2 compresses as a whole: files and messages, with zstd.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace tandem::bag {

/// Decompresses a file into a temporary one. \return its path; the caller removes it. \throws Error
std::filesystem::path decompress_file(const std::filesystem::path & path);

/// Decompresses a message into `out`. \throws Error that names `file`.
void decompress(const std::uint8_t * data, std::size_t size, std::vector<std::uint8_t> & out,
                const std::filesystem::path & file);

}  // namespace tandem::bag
