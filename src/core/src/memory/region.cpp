#include "memory/region.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <new>

#include "memory/guard.hpp"
#include "system/clock.hpp"
#include "system/futex.hpp"
#include "system/log_later.hpp"

namespace tandem {
namespace {

constexpr std::size_t kPage = 4096;
constexpr std::size_t kLeastReservation = std::size_t{8} << 20;

std::uint64_t random_incarnation() {
  std::uint64_t value = 0;
  while (value == 0) {
    if (getrandom(&value, sizeof value, 0) != sizeof value) {
      value = 0;
    }
  }
  return value;
}

/// TANDEM_REGION_SIZE in MiB, else what the file system can hold, at most 4 GiB.
std::size_t reservation(const std::string & directory) {
  if (const char * text = std::getenv("TANDEM_REGION_SIZE"); text != nullptr && *text != '\0') {
    char * end = nullptr;
    const unsigned long long mebibytes = std::strtoull(text, &end, 10);
    if (*end == '\0' && mebibytes >= 8 && mebibytes <= (1U << 20)) {
      return static_cast<std::size_t>(mebibytes) << 20;
    }
    log_later(LogLevel::kWarning, std::string("TANDEM_REGION_SIZE=") + text +
                                      " is not a number of MiB from 8 to 1048576: "
                                      "the default is used");
  }
  std::size_t size = sizeof(void *) == 8 ? std::size_t{4} << 30 : std::size_t{16} << 20;
  struct statvfs status {};
  if (statvfs(directory.c_str(), &status) == 0 && status.f_blocks > 0) {
    size = std::min<std::size_t>(size, static_cast<std::size_t>(status.f_blocks) * status.f_frsize);
  }
  return std::max(size / kPage * kPage, kLeastReservation);
}

tl::unexpected<Failure<JoinError>> no_memory(const std::string & directory, int error) {
  return tl::make_unexpected(Failure<JoinError>{
      JoinError::kNoMemory,
      "no shared memory can be made in " + directory + ": " + error_text(error) + ". " + remedy(error, directory)});
}

File unnamed_file(const RootFolder & root, mode_t mode) {
  File file(open(root.path.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, mode));
  if (file) {
    root.share(file, mode);
  }
  return file;
}

}  // namespace

Result<std::unique_ptr<Region>, JoinError> Region::create(const RootFolder & root) {
  std::unique_ptr<Region> region(new Region);
  region->file_ = unnamed_file(root, root.region_mode());
  region->bell_file_ = unnamed_file(root, root.file_mode);
  // The bells have memory too, or ringing one would be a fault once the file system is full.
  if (!region->file_ || !region->bell_file_ || !provide(region->bell_file_, 0, sizeof(BellPage))) {
    return no_memory(root.path, errno);
  }
  // The address space of a machine with few bits must hold the regions of many peers.
  std::size_t size = reservation(root.path);
  for (; size >= kLeastReservation && !region->memory_; size /= 2) {
    region->memory_ = Mapping(region->file_, size / kPage * kPage, Mapping::Access::kWrite);
  }
  region->bells_ = Mapping(region->bell_file_, sizeof(BellPage), Mapping::Access::kWrite);
  if (!region->memory_ || !region->bells_ || !lock(region->file_) || !lock(region->bell_file_)) {
    return no_memory(root.path, errno);
  }
  if (!region->commit(0, kHeapOffset)) {
    return no_memory(root.path, region->refusal());
  }
  region->fill_header();
  region->provide_views("/proc/self/fd/" + std::to_string(region->file_.get()),
                        "/proc/self/fd/" + std::to_string(region->bell_file_.get()));
  guard::watch(region->bells_.base(), sizeof(BellPage), true, &region->bells_broken_);
  return region;
}

Region::~Region() {
  if (bells_) {
    guard::unwatch(bells_.base());
  }
}

void Region::fill_header() {
  auto * header = new (base()) RegionHeader{};
  header->magic = kRegionMagic;
  header->version = kLayoutVersion;
  header->pid = getpid();
  header->incarnation = random_incarnation();
  header->reserved_size = reserved();
  struct stat status {};
  header->pid_namespace = stat("/proc/self/ns/pid", &status) == 0 ? status.st_ino : 0;
  header->created = now_ns(CLOCK_REALTIME);
  header->last_housekeeping = now_ns(CLOCK_MONOTONIC);
  const ssize_t length = readlink("/proc/self/exe", header->executable, sizeof header->executable - 1);
  header->executable[length > 0 ? length : 0] = '\0';
}

bool Region::commit(std::size_t offset, std::size_t size) {
  const std::size_t end = offset + size;
  if (!provide(file_, offset, size)) {
    refusal_.store(errno, std::memory_order_relaxed);
    decommit(offset, size);
    return false;
  }
  refusal_.store(0, std::memory_order_relaxed);
  std::size_t before = committed();
  while (before < end && !committed_.compare_exchange_weak(before, end, std::memory_order_relaxed)) {
  }
  return true;
}

void Region::decommit(std::size_t offset, std::size_t size) {
  fallocate(file_.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(offset),
            static_cast<off_t>(size));
}

void Region::provide_views(const std::string & region_path, const std::string & bell_path) {
  if (!view_) {
    view_ = File(open(region_path.c_str(), O_RDONLY | O_CLOEXEC));
  }
  if (!bell_view_) {
    bell_view_ = File(open(bell_path.c_str(), O_RDWR | O_CLOEXEC));
  }
}

void Region::restore_bells() {
  if (file_size(bell_file_) >= sizeof(BellPage) && !bells_broken_) {
    return;
  }
  if (bells_broken_) {
    for (auto & bell : bells().bells) {
      ring(bell.word);  // who sleeps on the memory that stood in
    }
  }
  if (ftruncate(bell_file_.get(), sizeof(BellPage)) == 0 &&
      mmap(bells_.base(), sizeof(BellPage), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, bell_file_.get(), 0) !=
          MAP_FAILED) {
    bells_broken_ = false;
  }
}

void Region::make_private() {
  const std::size_t size = committed();
  if (!view_ || mmap(base(), size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, view_.get(), 0) == MAP_FAILED ||
      (size < reserved() && mmap(base() + size, reserved() - size, PROT_NONE,
                                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0) == MAP_FAILED)) {
    // Without /proc there may be no second description: the child must not keep the parent's lock alive.
    mmap(base(), reserved(), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
  }
  mmap(bells_.base(), sizeof(BellPage), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  file_ = File();
  bell_file_ = File();
}

}  // namespace tandem
