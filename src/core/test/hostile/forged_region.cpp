#include "forged_region.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#include "folder/folder.hpp"
#include "process/directory.hpp"
#include "process/process.hpp"
#include "roster.hpp"

namespace tandem::test {
namespace {

[[noreturn]] void give_up(const char * what) {
  std::perror(what);
  std::abort();
}

File unnamed(const std::string & folder, std::size_t size) {
  File file(open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  if (!file || ftruncate(file.get(), static_cast<off_t>(size)) != 0) {
    give_up("a file for a forged region");
  }
  return file;
}

void give_name(const File & file, const std::string & path) {
  const std::string descriptor = "/proc/self/fd/" + std::to_string(file.get());
  if (linkat(AT_FDCWD, descriptor.c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW) != 0) {
    give_up(path.c_str());
  }
}

}  // namespace

std::uint32_t ForgedRegion::tag_of(std::uint32_t domain) {
  const auto root = RootFolder::open();
  return root ? (root->key & ~0xffU) | domain : domain;
}

ForgedRegion::ForgedRegion(const Options & options) : options_(options) {
  const char * root = std::getenv("TANDEM_SHM_DIR");
  const std::string folder = std::string(root != nullptr ? root : "") + "/" + std::to_string(options.domain);
  mkdir(folder.c_str(), 0700);
  char name[32];
  std::snprintf(name, sizeof name, "/%016llx.", static_cast<unsigned long long>(options.incarnation));
  path_ = folder + name + "region";
  bell_path_ = folder + name + "bell";
  file_ = unnamed(folder, size_);
  bells_ = unnamed(folder, sizeof(BellPage));
  memory_ = Mapping(file_, size_, Mapping::Access::kWrite);
  if (!memory_ || !lock(file_)) {
    give_up("the mapping of a forged region");
  }
  fill();
  note_fields();
  give_name(bells_, bell_path_);
  give_name(file_, path_);
  announce(options.domain);
}

ForgedRegion::~ForgedRegion() {
  unlink(path_.c_str());
  unlink(bell_path_.c_str());
  announce(options_.domain);
}

void ForgedRegion::describe_entry(std::uint32_t index, EntryKind kind, std::uint64_t number, std::string_view text) {
  const std::uint64_t offset = kTextsAt + index % 3 * kTextSize;
  std::memcpy(at<char>(offset), text.data(), std::min<std::size_t>(text.size(), kTextSize));
  DirectoryEntry & line = entry(index);
  line.version = 2;
  line.kind = static_cast<std::uint32_t>(kind);
  line.domain = tag_of(options_.domain);
  line.number = number;
  line.description = offset;
  line.description_size = static_cast<std::uint32_t>(text.size());
}

void ForgedRegion::fill() {
  auto * head = new (memory_.base()) RegionHeader{};
  head->magic = kRegionMagic;
  head->version = kLayoutVersion;
  head->pid = getpid();
  head->incarnation = options_.incarnation;
  head->reserved_size = std::uint64_t{16} << 20;
  std::strcpy(head->executable, "/forged");
  EndpointInfo endpoint;
  endpoint.topic = options_.topic;
  endpoint.type.name = "test/msg/Words";
  endpoint.qos = options_.qos;
  endpoint.node = {"/", "forged"};
  describe_entry(0, EntryKind::kPublisher, kPublisher, describe(endpoint));
  describe_entry(1, EntryKind::kSubscription, kSubscription, describe(endpoint));
  describe_entry(2, EntryKind::kNode, kNode, describe(endpoint.node));
  entry(0).record = kRecordAt;
  auto * record = new (&publisher()) PublisherRecord{};
  record->number = kPublisher;
  record->ring_size = kRing;
  record->max_blocks = kBlocks;
  record->slots = kSlotsAt;
  record->acks = kAcksAt;
  lane().terms = {
      kLane, kSubscription, options_.leads_to.incarnation, options_.leads_to.number, 10, 0, options_.max_blocks, 8};
  lane().wait_set = kNoWaitSet;
  entry(3).version = 2;
  entry(3).kind = static_cast<std::uint32_t>(EntryKind::kLane);
  entry(3).domain = tag_of(options_.domain);
  entry(3).number = kLane;
  entry(3).description = options_.leads_to.incarnation;
  entry(3).record = kLaneAt;
  head->directory_used = 4;
  head->directory_version = 4;
}

void ForgedRegion::note_fields() {
  const auto note = [this](const void * first, std::uint32_t size, std::uint32_t count = 1) {
    const auto offset = static_cast<std::uint64_t>(static_cast<const std::byte *>(first) - memory_.base());
    for (std::uint32_t i = 0; i < count; ++i) {
      fields_.push_back({offset + std::uint64_t{i} * size, size});
    }
  };
  RegionHeader & head = header();
  note(&head.magic, 8);
  note(&head.version, 4, 2);
  note(&head.incarnation, 8, 2);
  note(&head.executable, 8);
  note(&head.directory_version, 8);
  note(&head.directory_used, 4);
  note(&head.sleeping, 8);
  for (std::uint32_t i = 0; i < 5; ++i) {
    note(&entry(i).version, 8);
    note(&entry(i).kind, 4, 2);
    note(&entry(i).number, 8, 2);
    note(&entry(i).description_size, 4, 2);
    note(&entry(i).record, 8);
  }
  PublisherRecord & record = publisher();
  note(&record.number, 8);
  note(&record.ring_size, 4, 2);
  note(&record.slots, 8, 2);
  note(&record.head, 8);
  note(&record.waiting, 4);
  for (std::uint32_t i = 0; i < kRing; ++i) {
    note(&slot(i), 8, 5);
  }
  note(&ack(0), 8, 8);
  note(&lane().terms, 8, 4);
  note(&lane().terms.depth, 4, 4);
  note(&lane().wait_set, 4, 2);
  note(&lane().cursor, 8, 1 + options_.max_blocks / 64);
}

void ForgedRegion::resize(std::size_t size) {
  size_ = size;
  if (ftruncate(file_.get(), static_cast<off_t>(size)) != 0) {
    give_up("ftruncate of a forged region");
  }
}

void ForgedRegion::resize_bells(std::size_t size) {
  if (ftruncate(bells_.get(), static_cast<off_t>(size)) != 0) {
    give_up("ftruncate of forged bells");
  }
}

void ForgedRegion::poke(std::uint64_t offset, std::uint64_t value, std::uint32_t size) {
  if (offset < memory_.size() && size <= memory_.size() - offset && offset + size <= size_) {
    std::memcpy(memory_.base() + offset, &value, size);
  }
}

void ForgedRegion::hold(std::uint64_t word) {
  for (std::uint32_t i = 0; i < options_.max_blocks / 64 && size_ >= kEnd; ++i) {
    lane().held[i] = word;
  }
}

void ForgedRegion::unlock() {
  struct flock request {};
  request.l_type = F_UNLCK;
  request.l_whence = SEEK_SET;
  fcntl(file_.get(), F_OFD_SETLK, &request);
}

void ForgedRegion::publish(std::uint64_t n) {
  if (size_ < kEnd) {
    return;
  }
  Slot & line = slot(n);
  line.block = n % kBlocks;
  line.offset = message_offset(n % kBlocks);
  line.size = kMessageSize;
  line.source_timestamp = 1;
  line.seq = valid(n);
  publisher().head = n + 1;
}

void ForgedRegion::acknowledge(std::uint64_t incarnation, std::uint64_t number, std::uint64_t first) {
  if (size_ < kEnd) {
    return;
  }
  ack(0).incarnation = incarnation;
  ack(0).first = first;
  ack(0).quota = 8;
  ack(0).lane = number;
}

std::vector<std::uint64_t> lanes_to(std::uint64_t incarnation) {
  const Region & own = Process::instance().region();
  std::vector<std::uint64_t> found;
  for (std::uint32_t i = 0; i < own.header().directory_used; ++i) {
    const DirectoryEntry & line = own.directory()[i];
    if (line.kind == static_cast<std::uint32_t>(EntryKind::kLane) && line.description == incarnation) {
      found.push_back(line.number);
    }
  }
  return found;
}

}  // namespace tandem::test
