#include "attachment.hpp"

#include <cstring>
#include <string_view>

namespace rmw_zenoh {
namespace {

/// The end of what is written or read. All numbers are little-endian, and so are the machines that this is built for.
class Cursor {
 public:
  Cursor(const std::uint8_t * data, std::size_t size) : rest_(reinterpret_cast<const char *>(data), size) {}

  template <class Value>
  bool read(Value & value) {
    if (rest_.size() < sizeof value) {
      return false;
    }
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_.remove_prefix(sizeof value);
    return true;
  }
  bool skip(std::string_view text) {
    if (!rest_.starts_with(text)) {
      return false;
    }
    rest_.remove_prefix(text.size());
    return true;
  }
  bool is_at_end() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

constexpr char kGidSize = 16;

}  // namespace

std::array<std::uint8_t, 33> Attachment::bytes() const {
  std::array<std::uint8_t, 33> all;
  std::memcpy(all.data(), &sequence, sizeof sequence);
  std::memcpy(all.data() + 8, &stamp, sizeof stamp);
  all[16] = kGidSize;
  std::memcpy(all.data() + 17, gid.data(), gid.size());
  return all;
}

std::optional<Attachment> Attachment::of(const ZnMessage & message) {
  Cursor cursor(message.attachment, message.attachment_size);
  const bool has_names = cursor.skip("\x0fsequence_number");
  Attachment read;
  const bool is_sound = cursor.read(read.sequence) && (!has_names || cursor.skip("\x10source_timestamp")) &&
                        cursor.read(read.stamp) && (!has_names || cursor.skip("\x0asource_gid")) &&
                        cursor.skip({&kGidSize, 1}) && cursor.read(read.gid) && cursor.is_at_end();
  return is_sound ? std::optional(read) : std::nullopt;
}

}  // namespace rmw_zenoh
