#include "tandem/bag/compression_mode.hpp"

#include <algorithm>
#include <cctype>

namespace tandem::bag {

void set_compression(WriterOptions & options, const std::string & mode, const std::string & format) {
  std::string lower = mode;
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (lower.empty() || lower == "none") {
    if (!format.empty()) {
      throw Error("a compression format needs a compression mode: file or message");
    }
    return;
  }
  if (lower != "file" && lower != "message") {
    throw Error("the compression mode '" + mode + "' is not known; there are none, file and message");
  }
  if (format != "zstd" && format != "lz4") {
    throw Error(format.empty() ? "a compression mode needs a compression format: zstd or lz4"
                               : "the compression format '" + format + "' is not known; there are zstd and lz4");
  }
  if (options.storage_id != "mcap" || options.storage.chunk_size == 0) {
    throw Error("only the storage mcap with chunks compresses");
  }
  options.storage.compression = format == "zstd" ? Compression::kZstd : Compression::kLz4;
}

}  // namespace tandem::bag
