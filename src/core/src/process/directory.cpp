#include "process/directory.hpp"

#include <algorithm>
#include <cstring>

#include "memory/region.hpp"
#include "tandem/heap.hpp"

namespace tandem {

template <class Change>
void Directory::write(std::uint32_t index, Change change) {
  DirectoryEntry & entry = region_.directory()[index];
  const std::uint64_t version = entry.version.load(std::memory_order_relaxed);
  entry.version.store(version + 1, std::memory_order_relaxed);
  change(entry);  // every store in it is a release, so none is seen without the odd version
  // D0: pairs with D1 in Peer::entry.
  entry.version.store(version + 2, std::memory_order_release);
  region_.header().directory_version.fetch_add(1, std::memory_order_release);
}

std::uint32_t Directory::find_free() const {
  const std::uint32_t used = region_.header().directory_used.load(std::memory_order_relaxed);
  std::uint32_t index = first_free_;
  while (index < used && region_.directory()[index].kind.load(std::memory_order_relaxed) != 0) {
    ++index;
  }
  return index;
}

std::optional<std::uint32_t> Directory::add(const Line & line) {
  constexpr auto kRelease = std::memory_order_release;
  RegionHeader & header = region_.header();
  const std::uint32_t used = header.directory_used.load(std::memory_order_relaxed);
  const std::uint32_t index = find_free();
  if (index == kDirectoryEntries) {
    return std::nullopt;
  }
  void * description = nullptr;
  if (!line.description.empty()) {
    description = allocate_shared_memory(line.description.size());
    if (description == nullptr) {
      return std::nullopt;
    }
    std::memcpy(description, line.description.data(), line.description.size());
  }
  // Before the version that write() bumps: who sees the new version must scan as far as the new entry.
  first_free_ = index + 1;
  header.directory_used.store(std::max(used, index + 1), kRelease);
  write(index, [&](DirectoryEntry & entry) {
    entry.domain.store(line.domain, kRelease);
    entry.number.store(line.number, kRelease);
    entry.description.store(description != nullptr ? region_.offset_of(description) : line.leads_to, kRelease);
    entry.description_size.store(static_cast<std::uint32_t>(line.description.size()), kRelease);
    entry.closed.store(0, kRelease);
    entry.record.store(line.record, kRelease);
    entry.kind.store(static_cast<std::uint32_t>(line.kind), kRelease);
  });
  return index;
}

void Directory::close(std::uint32_t index) {
  write(index, [](DirectoryEntry & entry) { entry.closed.store(1, std::memory_order_release); });
}

void Directory::remove(std::uint32_t index) {
  const DirectoryEntry & entry = region_.directory()[index];
  const std::uint64_t description = entry.description.load(std::memory_order_relaxed);
  first_free_ = std::min(first_free_, index);
  const bool has_description = entry.description_size.load(std::memory_order_relaxed) != 0;
  write(index, [](DirectoryEntry & entry) { entry.kind.store(0, std::memory_order_release); });
  if (has_description) {
    deallocate(region_.at<void>(description));
  }
}

void Directory::retag(std::uint32_t from, std::uint32_t to) {
  for (std::uint32_t i = 0; from != to && i < region_.header().directory_used.load(std::memory_order_relaxed); ++i) {
    const DirectoryEntry & entry = region_.directory()[i];
    if (entry.kind.load(std::memory_order_relaxed) != 0 && entry.domain.load(std::memory_order_relaxed) == from) {
      write(i, [to](DirectoryEntry & changed) { changed.domain.store(to, std::memory_order_release); });
    }
  }
}

namespace {

class Writer {
 public:
  template <class T>
  void value(const T & value) {
    bytes.append(reinterpret_cast<const char *>(&value), sizeof value);
  }
  void text(const std::string & text) {
    value(static_cast<std::uint32_t>(text.size()));
    bytes += text;
  }
  std::string bytes;
};

/// Reads what Writer wrote; ok() turns false instead of reading outside.
class Reader {
 public:
  explicit Reader(const std::string & bytes) : bytes_(bytes) {}
  template <class T>
  void value(T & value) {
    if (take(sizeof value)) {
      std::memcpy(&value, bytes_.data() + at_ - sizeof value, sizeof value);
    }
  }
  void text(std::string & text) {
    std::uint32_t size = 0;
    value(size);
    if (take(size)) {
      text.assign(bytes_, at_ - size, size);
    }
  }
  template <class Enum>
  void choice(Enum & choice, Enum last) {
    std::uint8_t number = 0;
    value(number);
    ok_ = ok_ && number <= static_cast<std::uint8_t>(last);
    choice = static_cast<Enum>(ok_ ? number : 0);
  }
  void duration(std::chrono::nanoseconds & duration) {
    std::int64_t count = 0;
    value(count);
    ok_ = ok_ && count > 0;
    duration = std::chrono::nanoseconds(count);
  }
  bool ok() const { return ok_; }

 private:
  bool take(std::size_t size) {
    ok_ = ok_ && size <= bytes_.size() - at_;
    at_ += ok_ ? size : 0;
    return ok_;
  }
  const std::string & bytes_;
  std::size_t at_ = 0;
  bool ok_ = true;
};

}  // namespace

std::string describe(const NodeName & node) {
  Writer writer;
  writer.text(node.name_space);
  writer.text(node.name);
  return writer.bytes;
}

bool parse(const std::string & bytes, NodeName & node) {
  Reader reader(bytes);
  reader.text(node.name_space);
  reader.text(node.name);
  return reader.ok();
}

std::string describe(const EndpointInfo & endpoint) {
  Writer writer;
  writer.text(endpoint.topic);
  writer.text(endpoint.type.name);
  writer.value(endpoint.type.hash);
  writer.value(endpoint.type.abi);
  writer.value(endpoint.qos.history);
  writer.value(endpoint.qos.reliability);
  writer.value(endpoint.qos.durability);
  writer.value(endpoint.qos.depth);
  writer.value(std::int64_t{endpoint.qos.deadline.count()});
  writer.value(std::int64_t{endpoint.qos.lifespan.count()});
  writer.value(endpoint.qos.liveliness);
  writer.value(std::int64_t{endpoint.qos.lease.count()});
  writer.text(endpoint.node.name_space);
  writer.text(endpoint.node.name);
  writer.value(endpoint.origin);
  writer.text(endpoint.user_data);
  return writer.bytes;
}

bool parse(const std::string & bytes, EndpointInfo & endpoint) {
  Reader reader(bytes);
  reader.text(endpoint.topic);
  reader.text(endpoint.type.name);
  reader.value(endpoint.type.hash);
  reader.value(endpoint.type.abi);
  reader.choice(endpoint.qos.history, History::kKeepAll);
  reader.choice(endpoint.qos.reliability, Reliability::kReliable);
  reader.choice(endpoint.qos.durability, Durability::kTransientLocal);
  reader.value(endpoint.qos.depth);
  reader.duration(endpoint.qos.deadline);
  reader.duration(endpoint.qos.lifespan);
  reader.choice(endpoint.qos.liveliness, Liveliness::kManualByTopic);
  reader.duration(endpoint.qos.lease);
  reader.text(endpoint.node.name_space);
  reader.text(endpoint.node.name);
  reader.value(endpoint.origin);
  reader.text(endpoint.user_data);
  return reader.ok();
}

}  // namespace tandem
