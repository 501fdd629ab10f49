// A region's state, its header and its directory.
#include "inspect/inspect_region.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>

#include "folder/descriptor_socket.hpp"
#include "system/clock.hpp"

namespace tandem::inspection {
namespace {

constexpr std::size_t kMostDamage = 8;

/// False, with a reason, when the file is no region of this version.
bool read_header(const RecordReader & reader, Region & region) {
  Copy<RegionHeader> header;
  if (!reader.read(0, header.get(), offsetof(RegionHeader, incarnation)) || header->magic != kRegionMagic) {
    region.reason = "it is not a region of Tandem";
    return false;
  }
  region.version = header->version;
  region.pid = header->pid;
  if (header->version != kLayoutVersion) {
    region.reason = "its layout is version " + std::to_string(header->version) + ", this program's is version " +
                    std::to_string(kLayoutVersion);
    return false;
  }
  if (!reader.read(0, header.get(), sizeof(RegionHeader)) || header->incarnation != region.incarnation) {
    region.reason = "its name and its content are those of two regions";
    return false;
  }
  struct stat status {};
  region.same_pid_namespace =
      stat("/proc/self/ns/pid", &status) == 0 && status.st_ino == header->pid_namespace && header->pid > 0;
  region.executable.assign(header->executable, strnlen(header->executable, sizeof header->executable));
  region.created = header->created;
  region.since_housekeeping = static_cast<double>(now_ns(CLOCK_MONOTONIC)) * 1e-9 -
                              static_cast<double>(header->last_housekeeping.load()) * 1e-9;
  region.reserved = header->reserved_size;
  region.heap_in_use = header->heap_in_use;
  region.directory_used = std::min<std::uint32_t>(header->directory_used, kDirectoryEntries);
  region.directory_size = kDirectoryEntries;
  return true;
}

template <class T>
void append(std::vector<T> & to, std::vector<T> & from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

/// An entry counts if it was the same before and after all that it leads to was read: it is a sequence lock.
void read_directory(const RecordReader & reader, std::uint32_t tag, Region & region) {
  const std::uint32_t used = region.directory_used;
  Copy<DirectoryEntry> directory(used);
  if (!reader.read(kDirectoryOffset, directory.get(), used * sizeof(DirectoryEntry))) {
    region.damage.emplace_back("its directory lies beyond the end of the file");
    return;
  }
  for (std::uint32_t i = 0; i < used; ++i) {
    for (int attempt = 0; attempt < 3; ++attempt) {
      const std::uint64_t version = directory[i].version;
      const DirectoryEntry & line = directory[i];
      const bool is_ours = line.kind != static_cast<std::uint32_t>(EntryKind::kFree) && line.domain == tag;
      if (version % 2 == 0 && !is_ours) {
        break;
      }
      Region found;
      found.incarnation = region.incarnation;
      found.reserved = region.reserved;
      if (version % 2 == 0) {
        reader.read_entry({static_cast<EntryKind>(line.kind.load()), line.domain, line.number, line.description,
                           line.description_size, line.closed != 0, line.record},
                          found);
      }
      if (!reader.read(kDirectoryOffset + i * sizeof(DirectoryEntry), &directory[i], sizeof(DirectoryEntry))) {
        break;
      }
      if (version % 2 == 0 && directory[i].version == version) {
        append(region.nodes, found.nodes);
        append(region.publishers, found.publishers);
        append(region.subscriptions, found.subscriptions);
        append(region.lanes, found.lanes);
        append(region.damage, found.damage);
        break;
      }
    }
  }
  region.damage.resize(std::min(region.damage.size(), kMostDamage));
}

/// What a file is that cannot be opened.
void set_state(Region & region, const std::string & reason) {
  region.reason = reason;
  struct stat status {};
  const bool is_listed = lstat(region.path.c_str(), &status) == 0;
  region.user = status.st_uid;
  if (is_listed && S_ISSOCK(status.st_mode)) {
    const bool is_dead = descriptor_socket::is_abandoned(region.path);
    region.state = is_dead ? State::kDead : State::kUnreachable;
    region.reason = is_dead ? "its names were deleted, and its owner has ended" : reason;
  } else {
    region.state = !is_listed || S_ISREG(status.st_mode) ? State::kForeign : State::kDamaged;
  }
}

State state_of(const Region & region, bool is_held, bool is_whole) {
  if (!is_held) {
    return State::kDead;
  }
  if (is_whole) {
    return State::kAlive;
  }
  return region.version != 0 && region.version != kLayoutVersion ? State::kOtherVersion : State::kDamaged;
}

}  // namespace

RootFolder look_at_root(const std::string & directory, std::string & objection) {
  return RootFolder::look(!directory.empty() ? directory : chosen_root(), objection);
}

Region read_region(const Folder & folder, std::uint64_t incarnation, std::uint32_t tag) {
  const std::string path = folder.region_path(incarnation);
  std::string reason;
  if (const tandem::File file = folder.open_file(path, false, reason)) {
    return read_region(file, path, incarnation, tag);
  }
  Region region;
  region.path = path;
  region.incarnation = incarnation;
  set_state(region, reason);
  return region;
}

Region read_region(const tandem::File & file, const std::string & path, std::uint64_t incarnation, std::uint32_t tag) {
  Region region;
  region.path = path;
  region.incarnation = incarnation;
  struct stat status {};
  fstat(file.get(), &status);
  region.user = status.st_uid;
  region.length = static_cast<std::uint64_t>(status.st_size);
  region.memory = static_cast<std::uint64_t>(status.st_blocks) * 512;
  const RecordReader reader(file);
  const bool is_whole = read_header(reader, region);
  if (is_whole) {
    read_directory(reader, tag, region);
  }
  region.state = state_of(region, is_locked(file), is_whole);
  return region;
}

}  // namespace tandem::inspection
