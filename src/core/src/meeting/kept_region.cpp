#include "tandem/kept_region.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "folder/folder.hpp"
#include "inspect/inspect_region.hpp"
#include "layout/layout.hpp"

namespace tandem::inspection {
namespace {

/// Whether the bytes lie in the mapping, behind the directory.
bool holds(const Mapping & mapping, std::uint64_t offset, std::uint64_t size) {
  return offset >= kHeapOffset && offset <= mapping.size() && size <= mapping.size() - offset;
}

}  // namespace

struct KeptRegion::Impl {
  tandem::File file;
  std::string path;
  std::uint64_t incarnation = 0;
  std::uint32_t tag = 0;
  Mapping mapping;  // made when messages are asked for
};

KeptRegion::KeptRegion(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
KeptRegion::~KeptRegion() = default;

bool KeptRegion::is_alive() const { return is_locked(impl_->file); }
Region KeptRegion::read() const { return read_region(impl_->file, impl_->path, impl_->incarnation, impl_->tag); }
const void * KeptRegion::memory() const { return impl_->mapping.base(); }
std::size_t KeptRegion::memory_size() const { return impl_->mapping.size(); }

std::vector<KeptRegion::Message> KeptRegion::messages(const Publisher & publisher) {
  std::vector<Message> found;
  if (!impl_->mapping) {
    impl_->mapping = Mapping(impl_->file, file_size(impl_->file), Mapping::Access::kRead);
  }
  const RecordReader reader(impl_->file);
  Copy<PublisherRecord> record;
  if (!impl_->mapping || !reader.read(publisher.record, record.get(), sizeof(PublisherRecord)) ||
      record->number != publisher.info.id.number || !is_plausible(record->ring_size, record->max_blocks)) {
    return found;
  }
  const std::uint64_t size = record->ring_size;
  Copy<Slot> slots(size);
  if (!reader.read(record->slots, slots.get(), size * sizeof(Slot))) {
    return found;
  }
  // The head is stored behind the slot, so the owner may have died between the two.
  const std::uint64_t end = record->head + 1;
  for (std::uint64_t n = end - std::min(size, end); n != end; ++n) {
    const Slot & slot = slots[n & (size - 1)];
    if (slot.seq == valid(n) && holds(impl_->mapping, slot.offset, slot.size)) {
      found.push_back({n, slot.source_timestamp, impl_->mapping.base() + slot.offset, slot.size});
    }
  }
  return found;
}

struct RegionKeeper::Impl {
  RootFolder root;
  std::uint32_t domain;
  std::map<std::uint64_t, std::unique_ptr<KeptRegion>> kept;
  std::set<std::uint64_t> told;  // dead, and perhaps still listed
};

RegionKeeper::RegionKeeper(const std::string & directory, std::uint32_t domain) : impl_(new Impl{{}, domain, {}, {}}) {
  std::string objection;
  impl_->root = look_at_root(directory, objection);
  look();
}
RegionKeeper::~RegionKeeper() = default;

std::vector<std::unique_ptr<KeptRegion>> RegionKeeper::look() {
  std::vector<std::unique_ptr<KeptRegion>> dead;
  for (auto entry = impl_->kept.begin(); entry != impl_->kept.end();) {
    if (entry->second->is_alive()) {
      ++entry;
      continue;
    }
    impl_->told.insert(entry->first);
    dead.push_back(std::move(entry->second));
    entry = impl_->kept.erase(entry);
  }
  std::string objection;
  const Folder folder = Folder::look(impl_->root, impl_->domain, objection);
  const auto listed = folder.list();
  std::erase_if(impl_->told, [&](auto one) { return std::find(listed.begin(), listed.end(), one) == listed.end(); });
  for (const std::uint64_t incarnation : listed) {
    if (impl_->kept.count(incarnation) != 0 || impl_->told.count(incarnation) != 0) {
      continue;
    }
    auto made = std::make_unique<KeptRegion::Impl>();
    std::string reason;
    made->path = folder.region_path(incarnation);
    made->file = folder.open_file(made->path, false, reason);
    made->incarnation = incarnation;
    made->tag = tag_of(impl_->root.key, impl_->domain);
    if (made->file) {
      impl_->kept.emplace(incarnation, std::unique_ptr<KeptRegion>(new KeptRegion(std::move(made))));
    }
  }
  return dead;
}

}  // namespace tandem::inspection
