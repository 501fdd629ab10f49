#include "connection/assets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>

#include "tandem/ament_prefixes.hpp"

namespace tandem::view {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kScheme = "package://";
constexpr std::uintmax_t kMostBytes = std::uintmax_t{64} << 20;

bool is_package_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(),
                                      [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '-'; });
}

/// Whether it stays in its folder. Links in there were put by whoever installed it, and are followed.
bool is_confined(const fs::path & path) {
  const fs::path plain = path.lexically_normal();
  return !path.has_root_path() && !plain.empty() && *plain.begin() != "..";
}

}  // namespace

tl::expected<Bytes, std::string> read_asset(const std::string & uri) {
  const auto refuse = [](std::string why) { return tl::unexpected<std::string>(std::move(why)); };
  if (!uri.starts_with(kScheme)) {
    return refuse("only files of installed packages are handed out: package://NAME/PATH");
  }
  const std::string rest = uri.substr(kScheme.size());
  const std::string package = rest.substr(0, rest.find('/'));
  if (!is_package_name(package) || package.size() == rest.size() || rest.find('\0') != std::string::npos) {
    return refuse(fmt::format("'{}' is no package://NAME/PATH", uri));
  }
  for (const fs::path & prefix : ament_prefixes(reinterpret_cast<const void *>(&read_asset))) {
    std::error_code error;
    const fs::path folder = prefix / "share" / package;
    if (!fs::is_directory(folder, error)) {
      continue;
    }
    const fs::path path = rest.substr(package.size() + 1);
    const fs::path file = folder / path;
    if (!is_confined(path) || !fs::is_regular_file(file, error)) {
      return refuse(fmt::format("there is no such file in the share folder of {}", package));
    }
    if (fs::file_size(file, error) > kMostBytes || error) {
      return refuse(fmt::format("{} is larger than {} MiB", uri, kMostBytes >> 20));
    }
    std::ifstream stream(file, std::ios::binary);
    return Bytes{std::istreambuf_iterator<char>(stream), {}};
  }
  return refuse(fmt::format("there is no package '{}' among those installed", package));
}

}  // namespace tandem::view
