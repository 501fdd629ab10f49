// The shared memory that Fast DDS's data-sharing writers keep their samples in, as this process has it mapped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "board.hpp"

namespace rmw_fastrtps {

/// One mapping of /proc/self/maps.
struct Mapping {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  std::uint64_t offset = 0;  ///< of `begin` in the file
  std::uint64_t file = 0;    ///< inode
  std::string path;

  bool contains(const void * address) const {
    const auto value = reinterpret_cast<std::uintptr_t>(address);
    return begin <= value && value < end;
  }
  Block block_at(const void * address) const {
    return {file, reinterpret_cast<std::uintptr_t>(address) - begin + offset};
  }
};

/// Those that Fast DDS has made for data-sharing. Reads a file of some hundred lines.
std::vector<Mapping> data_sharing_mappings();

/// A writer's samples, mapped once more for as long as somebody looks at one: Fast DDS unmaps its own when the writer
/// goes. One for each file and process.
class Segment {
 public:
  /// \return null when the file is gone, or is another one by now.
  static std::shared_ptr<const Segment> map(const Mapping & mapping);
  ~Segment();
  Segment(const Segment &) = delete;
  Segment & operator=(const Segment &) = delete;

  /// \return null when what is there does not end within the file.
  const std::byte * at(std::uint64_t offset, std::size_t size) const;

 private:
  Segment(std::uint64_t file, const std::byte * memory, std::size_t size) : file_(file), memory_(memory), size_(size) {}
  const std::uint64_t file_;
  const std::byte * const memory_;
  const std::size_t size_;
};

}  // namespace rmw_fastrtps
