#include "segments.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cinttypes>
#include <cstdio>
#include <fstream>
#include <map>
#include <mutex>
#include <set>

namespace rmw_fastrtps {

namespace {

/// Our own mappings. Never destroyed: samples may be given back while the process ends.
struct Registry {
  std::mutex mutex;
  std::map<std::uint64_t, std::weak_ptr<const Segment>> segments;  ///< by file
  std::set<std::uintptr_t> begins;
};

Registry & registry() {
  static auto * const instance = new Registry;
  return *instance;
}

}  // namespace

std::vector<Mapping> data_sharing_mappings() {
  std::vector<Mapping> found;
  const std::lock_guard lock(registry().mutex);
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    const std::size_t path = line.find('/');
    if (path == std::string::npos || line.find("/fast_datasharing_", path) == std::string::npos) {
      continue;
    }
    Mapping mapping;
    if (std::sscanf(line.c_str(), "%" SCNxPTR "-%" SCNxPTR " %*s %" SCNx64 " %*s %" SCNu64, &mapping.begin,
                    &mapping.end, &mapping.offset, &mapping.file) == 4 &&
        registry().begins.count(mapping.begin) == 0) {
      mapping.path = line.substr(path);
      found.push_back(std::move(mapping));
    }
  }
  return found;
}

std::shared_ptr<const Segment> Segment::map(const Mapping & mapping) {
  const std::lock_guard lock(registry().mutex);
  auto & known = registry().segments[mapping.file];
  if (auto segment = known.lock()) {
    return segment;
  }
  const int file = open(mapping.path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    return nullptr;
  }
  struct stat about {};
  const bool is_it = fstat(file, &about) == 0 && about.st_ino == mapping.file && about.st_size > 0;
  const auto size = static_cast<std::size_t>(about.st_size);
  void * const memory = is_it ? mmap(nullptr, size, PROT_READ, MAP_SHARED, file, 0) : MAP_FAILED;
  close(file);
  if (memory == MAP_FAILED) {
    return nullptr;
  }
  registry().begins.insert(reinterpret_cast<std::uintptr_t>(memory));
  std::shared_ptr<const Segment> made(new Segment(mapping.file, static_cast<const std::byte *>(memory), size));
  known = made;
  return made;
}

Segment::~Segment() {
  const std::lock_guard lock(registry().mutex);
  registry().begins.erase(reinterpret_cast<std::uintptr_t>(memory_));
  const auto known = registry().segments.find(file_);
  if (known != registry().segments.end() && known->second.expired()) {
    registry().segments.erase(known);
  }
  munmap(const_cast<std::byte *>(memory_), size_);
}

const std::byte * Segment::at(std::uint64_t offset, std::size_t size) const {
  return offset <= size_ && size <= size_ - offset ? memory_ + offset : nullptr;
}

}  // namespace rmw_fastrtps
