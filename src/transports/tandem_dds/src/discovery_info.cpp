#include "tandem/dds/discovery_info.hpp"

#include <algorithm>
#include <cstring>

namespace tandem::dds {
namespace {

constexpr std::size_t kEncapsulation = 4;
constexpr std::size_t kLongestName = 256;
/// Two lengths of strings and two of sequences.
constexpr std::size_t kSmallestNode = 16;

class Writer {
 public:
  explicit Writer(GidWidth width) : width_(static_cast<std::size_t>(width)), bytes_{0, 1, 0, 0} {}

  void gid(const Gid & gid) {
    bytes_.insert(bytes_.end(), gid.begin(), gid.end());
    bytes_.resize(bytes_.size() + width_ - gid.size());
  }

  void gids(const std::vector<Gid> & gids) {
    count(gids.size());
    std::for_each(gids.begin(), gids.end(), [this](const Gid & one) { gid(one); });
  }

  void string(const std::string & text) {
    count(text.size() + 1);
    bytes_.insert(bytes_.end(), text.begin(), text.end());
    bytes_.push_back(0);
  }

  void count(std::size_t value) {
    bytes_.resize((bytes_.size() + 3) & ~std::size_t{3});
    for (unsigned shift = 0; shift < 32; shift += 8) {
      bytes_.push_back(static_cast<std::uint8_t>(value >> shift));
    }
  }

  std::vector<std::uint8_t> take() { return std::move(bytes_); }

 private:
  const std::size_t width_;
  std::vector<std::uint8_t> bytes_;
};

/// Reads as long as all is well; after the first error everything read is empty.
class Reader {
 public:
  Reader(const std::uint8_t * data, std::size_t size, GidWidth width)
      : data_(data + kEncapsulation),
        size_(size - kEncapsulation),
        width_(static_cast<std::size_t>(width)),
        is_little_(data[1] == 1) {}

  Gid gid() {
    Gid gid{};
    if (has(width_)) {
      std::memcpy(gid.data(), data_ + at_, gid.size());
      at_ += width_;
    }
    return gid;
  }

  std::vector<Gid> gids() {
    std::vector<Gid> all(count(width_));
    std::generate(all.begin(), all.end(), [this] { return gid(); });
    return all;
  }

  std::string string() {
    const std::size_t length = count(1);
    std::string text(reinterpret_cast<const char *>(data_ + at_), length);
    at_ += length;
    if (text.empty()) {
      return text;  // without even a NUL: some write the empty string so
    }
    const char last = text.back();
    text.pop_back();
    const bool is_printable = std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c != 0x7f; });
    if (last != 0 || text.size() > kLongestName || !is_printable) {
      fail("a name is too long, unprintable or not terminated");
      return {};
    }
    return text;
  }

  /// How many elements follow, each of at least `element` bytes.
  std::size_t count(std::size_t element) {
    at_ = (at_ + 3) & ~std::size_t{3};
    if (!has(4)) {
      return 0;
    }
    std::uint32_t value = 0;
    for (unsigned i = 0; i < 4; ++i) {
      value |= static_cast<std::uint32_t>(data_[at_ + i]) << (is_little_ ? 8 * i : 24 - 8 * i);
    }
    at_ += 4;
    if (value > (size_ - at_) / element) {
      fail("a length goes beyond the data");
      return 0;
    }
    return value;
  }

  const char * end() {
    if (error_ == nullptr && size_ - at_ > 3) {
      fail("there are bytes behind its end");
    }
    return error_;
  }

  bool is_well() const { return error_ == nullptr; }

 private:
  bool has(std::size_t bytes) {
    if (at_ > size_ || bytes > size_ - at_) {
      fail("it is truncated");
    }
    return is_well();
  }

  void fail(const char * error) {
    error_ = error_ == nullptr ? error : error_;
    at_ = size_;
  }

  const std::uint8_t * data_;
  std::size_t size_;
  std::size_t width_;
  bool is_little_;
  std::size_t at_ = 0;
  const char * error_ = nullptr;
};

tl::expected<ParticipantEntities, std::string> decode_as(const std::uint8_t * data, std::size_t size, GidWidth width) {
  Reader reader(data, size, width);
  ParticipantEntities entities;
  entities.width = width;
  entities.participant = reader.gid();
  const std::size_t nodes = reader.count(kSmallestNode);
  for (std::size_t i = 0; i < nodes && reader.is_well(); ++i) {
    NodeEntities node;
    node.node.name_space = reader.string();
    node.node.name = reader.string();
    node.readers = reader.gids();
    node.writers = reader.gids();
    entities.nodes.push_back(std::move(node));
  }
  if (const char * error = reader.end(); error != nullptr) {
    return tl::make_unexpected(std::string(error));
  }
  return entities;
}

}  // namespace

std::vector<std::uint8_t> encode(const ParticipantEntities & entities, GidWidth width) {
  Writer writer(width);
  writer.gid(entities.participant);
  writer.count(entities.nodes.size());
  for (const NodeEntities & node : entities.nodes) {
    writer.string(node.node.name_space);
    writer.string(node.node.name);
    writer.gids(node.readers);
    writer.gids(node.writers);
  }
  return writer.take();
}

tl::expected<ParticipantEntities, std::string> decode(const void * data, std::size_t size) {
  const auto * bytes = static_cast<const std::uint8_t *>(data);
  if (size < kEncapsulation) {
    return tl::make_unexpected(std::string("it is truncated"));
  }
  if (bytes[0] != 0 || bytes[1] > 1) {
    return tl::make_unexpected(std::string("its encapsulation is not PLAIN_CDR"));
  }
  // Padded with zeros, the wide one never reads as the narrow one: its sequence of nodes would be empty, and bytes left.
  auto narrow = decode_as(bytes, size, GidWidth::k16);
  if (narrow) {
    return narrow;
  }
  auto wide = decode_as(bytes, size, GidWidth::k24);
  return wide ? wide : narrow;
}

}  // namespace tandem::dds
