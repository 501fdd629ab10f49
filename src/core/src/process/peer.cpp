#include "process/peer.hpp"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "memory/guard.hpp"
#include "system/fence.hpp"
#include "system/futex.hpp"
#include "system/log_later.hpp"

namespace tandem {

#if defined(__SANITIZE_THREAD__)
std::atomic<std::byte *> own_region_base = nullptr;
std::atomic<std::uint64_t> own_incarnation = 0;
#endif

namespace {

/// What a region's owner says of itself, in any version. Empty where there is nothing.
struct Preamble {
  explicit Preamble(const File & file) {
    alignas(RegionHeader) std::byte bytes[sizeof(RegionHeader)] = {};
    if (pread(file.get(), bytes, offsetof(RegionHeader, directory_version), 0) < 0) {
      return;
    }
    const auto & header = *reinterpret_cast<const RegionHeader *>(bytes);
    magic = header.magic;
    version = header.version;
    pid = header.pid;
    incarnation = header.incarnation;
    reserved = header.reserved_size;
    executable.assign(header.executable, strnlen(header.executable, sizeof header.executable));
    std::replace_if(
        executable.begin(), executable.end(), [](unsigned char c) { return c < ' '; }, '?');
  }

  /// Why a region of this name cannot be read; empty if it can.
  std::string objection(std::uint64_t name) const {
    if (__builtin_bswap64(magic) == kRegionMagic) {
      return "it was written by a machine of another byte order";
    }
    if (magic != kRegionMagic) {
      return "it is not a region of Tandem";
    }
    if (version != kLayoutVersion) {
      return "process " + std::to_string(pid) + " (" + executable + ") has version " + std::to_string(version) +
             " of the memory layout and this process has version " + std::to_string(kLayoutVersion) +
             ", so no messages pass between them: run the same version of Tandem in both";
    }
    if (incarnation != name || reserved < kHeapOffset || reserved > kGreatestRegion) {
      return "its header is damaged";
    }
    return {};
  }

  std::uint64_t magic = 0;
  std::uint32_t version = 0;
  std::int32_t pid = 0;
  std::uint64_t incarnation = 0;
  std::uint64_t reserved = 0;
  std::string executable;
};

}  // namespace

std::shared_ptr<Peer> Peer::open(const Folder & folder, std::uint64_t incarnation, std::string & reason) {
  std::shared_ptr<Peer> peer(new Peer);
  peer->path_ = folder.region_path(incarnation);
  peer->file_ = folder.open_file(peer->path_, false, reason);
  if (!peer->file_) {
    return nullptr;
  }
  const Preamble preamble(peer->file_);  // read once: a peer that lies could change it
  reason = preamble.objection(incarnation);
  if (reason.empty() && file_size(peer->file_) < kHeapOffset) {
    reason = "it is shorter than its header and directory";
  }
  if (!reason.empty()) {
    return nullptr;
  }
  peer->front_ = Mapping(peer->file_, kHeapOffset, Mapping::Access::kRead);
  if (!peer->front_) {
    reason = "it cannot be mapped: " + error_text(errno);
    return nullptr;
  }
  guard::watch(peer->front_.base(), kHeapOffset, false, &peer->broken_);
  peer->header_ = reinterpret_cast<const RegionHeader *>(peer->front_.base());
  peer->incarnation_ = incarnation;
  peer->pid_ = preamble.pid;
  peer->reserved_ = preamble.reserved;
  peer->executable_ = preamble.executable;
  reason.clear();
  return peer;
}

Peer::~Peer() {
  for (const Mapping * mapping : {&front_, &whole_, &bells_}) {
    if (*mapping) {
      guard::unwatch(mapping->base());
    }
  }
}

/// Without bells it hears of everything a second late, at worst.
void Peer::look_for_bells(const Folder & folder) {
  wants_bells_ = true;
  std::string reason;
  const File file = has_bells() ? File() : folder.open_file(folder.bell_path(incarnation_), true, reason);
  if (!file || file_size(file) < sizeof(BellPage)) {
    return;
  }
  if (bells_) {
    // In the same place, because others may be about to ring.
    if (mmap(bells_.base(), sizeof(BellPage), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file.get(), 0) ==
        MAP_FAILED) {
      return;
    }
  } else {
    bells_ = Mapping(file, sizeof(BellPage), Mapping::Access::kWrite);
    if (!bells_) {
      return;
    }
    guard::watch(bells_.base(), sizeof(BellPage), true, &bells_broken_);
  }
  bells_broken_.store(false, std::memory_order_release);
}

bool Peer::probe() {
  if (!is_dead() && !is_locked(file_)) {
    dead_.store(true, std::memory_order_relaxed);
  }
  return !is_dead();
}

void Peer::mark_broken(const std::string & why) {
  broken_.store(true, std::memory_order_relaxed);
  if (!is_break_told_.exchange(true)) {
    log_later(LogLevel::kWarning, "process " + std::to_string(pid_) + " (" + executable_ +
                                      ") is ignored from now on: " + why + " (" + path_ + "). Restart it");
  }
}

std::uint64_t Peer::directory_version() const { return header_->directory_version.load(std::memory_order_acquire); }

void Peer::leave_hint(std::uint32_t bell, std::uint32_t hint) const {
  if (has_bells()) {
    tandem::leave_hint(reinterpret_cast<BellPage *>(bells_.base())->bells[bell], hint);
  }
}

void Peer::ring_bell(std::uint32_t bell) const {
  if (has_bells()) {
    ring(reinterpret_cast<BellPage *>(bells_.base())->bells[bell].word);
  }
}

std::uint32_t Peer::directory_used() const {
  return std::min(header_->directory_used.load(std::memory_order_acquire), kDirectoryEntries);
}

Entry Peer::entry(std::uint32_t index) const {
  const DirectoryEntry & line = this->line(index);
  // D1: pairs with the owner's release of an even version (Directory::write).
  Entry entry;
  entry.version = line.version.load(std::memory_order_acquire);
  entry.kind = static_cast<EntryKind>(line.kind.load(std::memory_order_acquire));
  entry.domain = line.domain.load(std::memory_order_acquire);
  entry.number = line.number.load(std::memory_order_acquire);
  entry.description = line.description.load(std::memory_order_acquire);
  entry.description_size = line.description_size.load(std::memory_order_acquire);
  entry.closed = line.closed.load(std::memory_order_acquire) != 0;
  entry.record = line.record.load(std::memory_order_acquire);
  entry.changing = entry.version % 2 != 0 || line.version.load(std::memory_order_relaxed) != entry.version;
  return entry;
}

Entry Peer::find(std::uint64_t number) const {
  full_fence();
  const std::uint32_t used = directory_used();
  for (std::uint32_t i = 0; i < used; ++i) {
    const Entry entry = this->entry(i);
    if (entry.number == number && !entry.changing && entry.kind != EntryKind::kFree) {
      return entry;
    }
  }
  return {};
}

std::string Peer::read_description(const Entry & entry) const {
  if (entry.description_size == 0 || entry.description_size > kMaxDescription) {
    return {};
  }
  std::string bytes(entry.description_size, '\0');
  const ssize_t got = pread(file_.get(), bytes.data(), bytes.size(), static_cast<off_t>(entry.description));
  return got == static_cast<ssize_t>(bytes.size()) ? bytes : std::string{};
}

bool Peer::map() {
  if (base_ != nullptr) {
    return true;
  }
#if defined(__SANITIZE_THREAD__)
  if (incarnation_ == own_incarnation.load()) {
    base_ = own_region_base.load();
    return true;
  }
#endif
  whole_ = Mapping(file_, reserved_, Mapping::Access::kRead);
  if (!whole_) {
    if (const int error = errno; unmapped_line_.is_due()) {
      log_later(LogLevel::kWarning, "the region " + path_ + " cannot be mapped yet, so no messages pass: " +
                                        error_text(error) + ". " + remedy(error, "the shared memory directory"));
    }
    return false;
  }
  guard::watch(whole_.base(), reserved_, false, &broken_);
  base_ = whole_.base();
  return true;
}

/// Several threads may look at once, and the last to store may have been the first to look: who has asked believes what
/// it was told, not what is stored.
std::uint64_t Peer::look_at_size() {
  const std::uint64_t now = std::min<std::uint64_t>(file_size(file_), reserved_);
  known_size_.store(now, std::memory_order_relaxed);
  return now;
}

const std::byte * Peer::at_grown(std::uint64_t offset, std::uint64_t size) {
  const std::uint64_t now = look_at_size();
  if (base_ == nullptr || offset < kHeapOffset || size > now || offset > now - size) {
    return nullptr;
  }
  return base_ + offset;
}

}  // namespace tandem
