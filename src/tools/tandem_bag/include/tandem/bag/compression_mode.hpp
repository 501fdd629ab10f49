// What `--compression-mode` and `--compression-format` ask for.
#pragma once

#include <string>

#include "tandem/bag/writer.hpp"

namespace tandem::bag {

/// Compresses within the file's chunks, which every reader of MCAP knows, whatever the mode says: "file", "message" or "none".
/// \throws Error for other modes and formats, and for a storage that cannot.
void set_compression(WriterOptions & options, const std::string & mode, const std::string & format);

}  // namespace tandem::bag
