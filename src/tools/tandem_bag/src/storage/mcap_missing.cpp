// In place of mcap_reader.cpp and mcap_writer.cpp where the Rust library was not built.
#include "storage/mcap.hpp"

namespace tandem::bag {
namespace {

[[noreturn]] void refuse(const std::filesystem::path & path) {
  throw Error(path.string() +
              ": this Tandem was built without MCAP. Install cargo ('apt-get install cargo-web rustc-web') and run "
              "'make build' again, or use '--storage sqlite3'");
}

}  // namespace

std::unique_ptr<FileWriter> create_mcap(const std::filesystem::path & path, const StorageOptions &) { refuse(path); }
std::unique_ptr<FileReader> open_mcap(const std::filesystem::path & path) { refuse(path); }

}  // namespace tandem::bag
