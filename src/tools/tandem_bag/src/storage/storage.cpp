// Which storage a file is of, and its options.
#include "tandem/bag/storage.hpp"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <map>
#include <string_view>

#include "storage/mcap.hpp"
#include "storage/sqlite.hpp"

namespace tandem::bag {
namespace {

constexpr std::string_view kMcapMagic = "\x89MCAP0\r\n";
constexpr std::string_view kSqliteMagic = "SQLite format 3";

Error unknown_storage(const std::string & id) {
  return Error("the storage '" + id + "' is not known; there are mcap and sqlite3");
}

StorageOptions profile_options(const std::string & profile) {
  StorageOptions options;
  if (profile == "fastwrite") {
    options.chunk_size = 0;
    options.summary_crc = false;
  } else if (profile == "zstd_fast") {
    options.compression = Compression::kZstd;
    options.level = 1;
    options.chunk_crcs = false;
  } else if (profile == "zstd_small") {
    options.compression = Compression::kZstd;
    options.level = 19;
    options.chunk_size = 4 << 20;
  } else if (!profile.empty() && profile != "none" && profile != "resilient") {
    throw Error("the storage profile '" + profile +
                "' is not known; there are none, fastwrite, zstd_fast, zstd_small "
                "and, of SQLite, resilient");
  }
  return options;
}

/// Sets `value` unless the key is not there.
template <class T>
void read(const YAML::Node & node, const char * key, T & value) {
  if (node[key]) {
    value = node[key].as<T>();
  }
}

/// The same for a key that says what is left out.
void read_not(const YAML::Node & node, const char * key, bool & value) {
  if (node[key]) {
    value = !node[key].as<bool>();
  }
}

std::uint32_t level_of(const std::string & text) {
  static const std::map<std::string, std::uint32_t> levels = {
      {"Fastest", 1}, {"Fast", 2}, {"Default", 0}, {"Slow", 9}, {"Slowest", 19}};
  const auto found = levels.find(text);
  if (found == levels.end()) {
    throw Error("'" + text + "' is no compressionLevel: Fastest, Fast, Default, Slow or Slowest");
  }
  return found->second;
}

Compression compression_of(const std::string & text) {
  static const std::map<std::string, Compression> all = {
      {"None", Compression::kNone}, {"Lz4", Compression::kLz4}, {"Zstd", Compression::kZstd}};
  const auto found = all.find(text);
  if (found == all.end()) {
    throw Error("'" + text + "' is no compression: None, Lz4 or Zstd");
  }
  return found->second;
}

void read_options(const YAML::Node & node, StorageOptions & options) {
  read(node, "chunkSize", options.chunk_size);
  if (node["noChunking"] && node["noChunking"].as<bool>()) {
    options.chunk_size = 0;
  }
  read_not(node, "noChunkCRC", options.chunk_crcs);
  read_not(node, "noMessageIndex", options.message_indexes);
  read_not(node, "noSummaryCRC", options.summary_crc);
  if (node["compression"]) {
    options.compression = compression_of(node["compression"].as<std::string>());
  }
  if (node["compressionLevel"]) {
    options.level = level_of(node["compressionLevel"].as<std::string>());
  }
}

}  // namespace

StorageOptions storage_options(const std::string & profile, const std::filesystem::path & path) {
  StorageOptions options = profile_options(profile);
  if (path.empty()) {
    return options;
  }
  std::ifstream file(path);
  if (!file) {
    throw Error("cannot read the storage options in " + path.string());
  }
  try {
    read_options(YAML::Load(file), options);
  } catch (const YAML::Exception & error) {
    throw Error(path.string() + " cannot be read: " + error.what());
  } catch (const Error & error) {
    throw Error(path.string() + ": " + error.what());
  }
  return options;
}

const char * FileWriter::extension(const std::string & storage_id) {
  if (storage_id == "mcap") {
    return ".mcap";
  }
  if (storage_id == "sqlite3") {
    return ".db3";
  }
  throw unknown_storage(storage_id);
}

std::unique_ptr<FileWriter> FileWriter::create(const std::string & storage_id, const std::filesystem::path & path,
                                               const StorageOptions & options) {
  if (storage_id == "mcap") {
    return create_mcap(path, options);
  }
  if (storage_id == "sqlite3") {
    return create_sqlite(path, options);
  }
  throw unknown_storage(storage_id);
}

std::unique_ptr<FileReader> FileReader::open(const std::filesystem::path & path) {
  std::ifstream file(path, std::ios::binary);
  std::array<char, 16> begin{};
  if (!file || std::filesystem::is_directory(path)) {
    throw Error(fmt::format("cannot read {}: {}", path.string(), std::strerror(file ? EISDIR : errno)));
  }
  file.read(begin.data(), begin.size());
  const std::string_view found(begin.data(), static_cast<std::size_t>(file.gcount()));
  if (found.substr(0, kMcapMagic.size()) == kMcapMagic) {
    return open_mcap(path);
  }
  if (found.substr(0, kSqliteMagic.size()) == kSqliteMagic) {
    return open_sqlite(path);
  }
  throw Error(path.string() +
              (found.empty() ? " is empty" : " is no bag: it begins neither as MCAP nor as SQLite does"));
}

}  // namespace tandem::bag
