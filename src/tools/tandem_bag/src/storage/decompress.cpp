#include "storage/decompress.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>
#include <zstd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>

#include "tandem/bag/metadata.hpp"

namespace tandem::bag {
namespace {

constexpr std::size_t kLargest = std::size_t{1} << 31;  // of a message: larger sizes are not believed

struct FreeStream {
  void operator()(ZSTD_DStream * stream) const { ZSTD_freeDStream(stream); }
};

void write_all(int file, const char * data, std::size_t size) {
  for (std::size_t done = 0; done < size;) {
    const ssize_t count = ::write(file, data + done, size - done);
    if (count < 0 && errno != EINTR) {
      throw Error(fmt::format("cannot decompress into the folder for temporary files: {}", std::strerror(errno)));
    }
    done += count > 0 ? static_cast<std::size_t>(count) : 0;
  }
}

void decompress_stream(std::istream & from, int to, const std::filesystem::path & path) {
  const std::unique_ptr<ZSTD_DStream, FreeStream> stream(ZSTD_createDStream());
  std::vector<char> in(ZSTD_DStreamInSize());
  std::vector<char> out(ZSTD_DStreamOutSize());
  std::size_t left = 0;
  while (from.read(in.data(), static_cast<std::streamsize>(in.size())), from.gcount() > 0) {
    ZSTD_inBuffer input{in.data(), static_cast<std::size_t>(from.gcount()), 0};
    while (input.pos < input.size) {
      ZSTD_outBuffer output{out.data(), out.size(), 0};
      left = ZSTD_decompressStream(stream.get(), &output, &input);
      if (ZSTD_isError(left) != 0) {
        throw Error(fmt::format("cannot decompress {}: {}", path.string(), ZSTD_getErrorName(left)));
      }
      write_all(to, out.data(), output.pos);
    }
  }
  if (left != 0) {
    throw Error(fmt::format("cannot decompress {}: it ends too early", path.string()));
  }
}

}  // namespace

std::filesystem::path decompress_file(const std::filesystem::path & path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    throw Error(fmt::format("cannot read {}: {}", path.string(), std::strerror(errno)));
  }
  std::string name = (std::filesystem::temp_directory_path() / "tandem_bag_XXXXXX").string();
  const int made = mkostemp(name.data(), O_CLOEXEC);
  if (made < 0) {
    throw Error(fmt::format("cannot make a temporary file for {}: {}", path.string(), std::strerror(errno)));
  }
  try {
    decompress_stream(file, made, path);
  } catch (const Error &) {
    unlink(name.c_str());
    close(made);
    throw;
  }
  close(made);
  return name;
}

void decompress(const std::uint8_t * data, std::size_t size, std::vector<std::uint8_t> & out,
                const std::filesystem::path & file) {
  const unsigned long long length = ZSTD_getFrameContentSize(data, size);
  if (length == ZSTD_CONTENTSIZE_ERROR || length == ZSTD_CONTENTSIZE_UNKNOWN || length > kLargest) {
    throw Error(fmt::format("{}: a message is not compressed as the bag says", file.string()));
  }
  out.resize(length);
  const std::size_t result = ZSTD_decompress(out.data(), out.size(), data, size);
  if (ZSTD_isError(result) != 0) {
    throw Error(fmt::format("{}: a message cannot be decompressed: {}", file.string(), ZSTD_getErrorName(result)));
  }
}

}  // namespace tandem::bag
