#include "shared_samples.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <fstream>
#include <utility>

#include "data_type.hpp"

namespace rmw_fastrtps {

using eprosima::fastrtps::types::ReturnCode_t;
using tandem::transport::Chunk;

namespace {

constexpr std::uint64_t kPlaces = std::uint64_t{1} << 48;  ///< beyond any sample
constexpr std::uint32_t kMostHeld = 8;                     ///< of all readers
constexpr std::uint32_t kMostHeldByOne = 2;

/// All that Fast DDS has made for data-sharing, and ours of the same files. Reads a file of some hundred lines.
std::vector<Mapping> data_sharing_mappings() {
  std::vector<Mapping> found;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    const std::size_t path = line.find('/');
    Mapping mapping;
    std::uint64_t offset = 0;
    if (path != std::string::npos && line.find("/fast_datasharing_", path) != std::string::npos &&
        std::sscanf(line.c_str(), "%" SCNxPTR "-%" SCNxPTR " %*s %" SCNx64 " %*s %" SCNu64, &mapping.begin,
                    &mapping.end, &offset, &mapping.file) == 4) {
      mapping.begin -= offset;
      mapping.path = line.substr(path);
      found.push_back(std::move(mapping));
    }
  }
  return found;
}

struct flock one_lock(short kind, std::uint64_t first, std::uint64_t count) {
  struct flock lock {};
  lock.l_type = kind;
  lock.l_whence = SEEK_SET;
  lock.l_start = static_cast<off_t>(first);
  lock.l_len = static_cast<off_t>(count);
  return lock;
}

}  // namespace

class SampleFile::Held final : public Chunk {
 public:
  Held(std::shared_ptr<SampleFile> file, std::uint64_t offset, std::size_t bytes)
      : file_(std::move(file)), offset_(offset) {
    data = file_->memory_ + offset;
    size = bytes;
    hold = Hold::kWithinQuota;
    alignment = kEncapsulation;  // behind which messages begin, in memory that is aligned well
  }
  ~Held() override {
    file_->lock(F_UNLCK, offset_);
    --file_->held_;
  }

 private:
  const std::shared_ptr<SampleFile> file_;
  const std::uint64_t offset_;
};

std::shared_ptr<SampleFile> SampleFile::open(const Mapping & mapping) {
  const int file = ::open(mapping.path.c_str(), O_RDWR | O_CLOEXEC);
  struct stat about {};
  const bool is_it = file >= 0 && fstat(file, &about) == 0 && about.st_ino == mapping.file && about.st_size > 0;
  const auto size = static_cast<std::size_t>(about.st_size);
  void * const memory = is_it ? mmap(nullptr, size, PROT_READ, MAP_SHARED, file, 0) : MAP_FAILED;
  if (memory == MAP_FAILED) {
    if (file >= 0) {
      close(file);
    }
    return nullptr;
  }
  Mapping whole = mapping;
  whole.end = whole.begin + size;
  return std::shared_ptr<SampleFile>(new SampleFile(std::move(whole), file, static_cast<std::byte *>(memory)));
}

SampleFile::~SampleFile() {
  munmap(memory_, mapping_.end - mapping_.begin);
  close(descriptor_);
}

/// Locks of an open file, not of a process: readers and writers of one process are told apart.
bool SampleFile::lock(short kind, std::uint64_t first, std::uint64_t count) const {
  struct flock asked = one_lock(kind, first, count);
  return fcntl(descriptor_, F_OFD_SETLK, &asked) == 0;
}

bool SampleFile::is_locked(std::uint64_t byte) const {
  struct flock asked = one_lock(F_WRLCK, byte, 1);
  return fcntl(descriptor_, F_OFD_GETLK, &asked) == 0 && asked.l_type != F_UNLCK;
}

void SampleFile::heed(std::uint32_t places) { lock(F_WRLCK, kPlaces + places, kMostHeld + 1 - places); }

bool SampleFile::is_held(const void * sample) const { return is_locked(offset_of(sample)); }

void SampleFile::ask_for_places() {
  if (is_locked(kPlaces + kMostHeld)) {
    for (std::uint32_t i = 0; i < kMostHeld && places_ < kMostHeldByOne; ++i) {
      places_ += lock(F_WRLCK, kPlaces + i) ? 1 : 0;
    }
  }
}

std::unique_ptr<Chunk> SampleFile::hold(const void * sample, std::size_t size) {
  const std::uint64_t offset = offset_of(sample);
  const std::size_t end = mapping_.end - mapping_.begin;
  if (offset > end || size > end - offset) {
    return nullptr;
  }
  if (held_.fetch_add(1) < places_ && lock(F_RDLCK, offset)) {
    return std::make_unique<Held>(shared_from_this(), offset, size);
  }
  --held_;
  return nullptr;
}

std::unique_ptr<Chunk> SampleFiles::hold(const void * sample, std::size_t size) {
  if (is_stale_.exchange(false)) {
    entries_.clear();
    for (Mapping & mapping : data_sharing_mappings()) {
      entries_.push_back({std::move(mapping), nullptr});
    }
  }
  const auto entry = std::find_if(entries_.begin(), entries_.end(),
                                  [sample](const Entry & one) { return one.mapping.contains(sample); });
  if (entry == entries_.end()) {
    return nullptr;
  }
  if (!entry->file && (entry->file = SampleFile::open(entry->mapping))) {
    entry->file->ask_for_places();
  }
  return entry->file ? entry->file->hold(sample, size) : nullptr;
}

LentSamples::LentSamples(dds::DataWriter & writer, const PoolShare & share) : writer_(writer), share_(share) {
  void * sample = nullptr;
  if (writer.loan_sample(sample) != ReturnCode_t::RETCODE_OK) {
    return;  // the type is not lent
  }
  for (const Mapping & mapping : data_sharing_mappings()) {
    if (mapping.contains(sample) && (file_ = SampleFile::open(mapping))) {
      file_->heed(share.held);
    }
  }
  writer.discard_loan(sample);
}

LentSamples::~LentSamples() {
  for (void * sample : parked_) {
    writer_.discard_loan(sample);
  }
}

void * LentSamples::lend(bool to_user, bool & is_fresh) {
  const std::lock_guard lock(mutex_);
  if (to_user && out_ >= share_.loans) {
    return nullptr;
  }
  void * sample = nullptr;
  const auto free = std::find_if(parked_.begin(), parked_.end(), [this](void * one) { return !file_->is_held(one); });
  if (free != parked_.end()) {
    sample = *free;
    parked_.erase(free);
  }
  while (sample == nullptr && writer_.loan_sample(sample) == ReturnCode_t::RETCODE_OK) {
    if (file_->is_held(sample)) {
      parked_.push_back(std::exchange(sample, nullptr));
    }
  }
  if (sample != nullptr) {
    ++out_;
    is_fresh = known_.insert(sample).second;
  }
  return sample;
}

void LentSamples::take_back(void * sample, bool is_written) {
  const std::lock_guard lock(mutex_);
  --out_;
  if (!is_written) {
    writer_.discard_loan(sample);
  }
}

}  // namespace rmw_fastrtps
