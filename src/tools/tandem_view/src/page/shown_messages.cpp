#include "page/shown_messages.hpp"

#include <fmt/format.h>

#include <string_view>

#include "page/picture.hpp"
#include "page/points.hpp"
#include "sensor_msgs/msg/compressed_image.hpp"
#include "tandem/introspection.hpp"
#include "tandem/tools/json.hpp"

namespace tandem::view {
namespace {

using sensor_msgs::msg::CompressedImage;
using sensor_msgs::msg::Image;
using sensor_msgs::msg::LaserScan;
using sensor_msgs::msg::PointCloud2;
using Result = tl::expected<Frame, std::string>;

constexpr std::uint8_t kPicture = 0x80;
constexpr std::uint8_t kCompressed = 0x81;
constexpr std::uint8_t kPoints = 0x82;
constexpr std::size_t kMostElements = 100;  // of an array in a tree
constexpr std::size_t kMostCompressed = std::size_t{16} << 20;

struct Head {
  std::uint32_t watch;
  std::uint64_t time;
  std::uint64_t skipped;

  Frame frame(std::uint8_t opcode) const {
    Frame frame;
    frame.is_binary = true;
    append_u64(append_u32(append_u8(frame.head, opcode), watch), time);
    append_u32(frame.head, static_cast<std::uint32_t>(skipped));
    return frame;
  }
};

/// By what it is: the type found by name is another object than this program's.
template <class Message>
bool is(const MessageType & type) {
  const MessageType & ours = message_type<Message>();
  return type.hash == ours.hash && type.abi == ours.abi && std::string_view(type.name) == ours.name;
}

template <class Message>
const Message & as_message(const Delivery & delivery) {
  return *static_cast<const Message *>(delivery.message());
}

Result tree(const Delivery & delivery, const Head & head) {
  const Json message = {{"op", "tandem.message"},
                        {"id", head.watch},
                        {"time", static_cast<double>(delivery.time()) * 1e-6},
                        {"skipped", head.skipped},
                        {"message", tools::to_json(value_of(delivery.type(), delivery.message()), {kMostElements})}};
  return Frame{false, to_text(message), nullptr};
}

Result picture(const Delivery & delivery, const Head & head, const ShownOptions & options) {
  const auto & image = as_message<Image>(delivery);
  auto made = picture_of(image, options.width, options.height);
  if (!made) {
    return tl::unexpected(made.error());
  }
  Frame frame = head.frame(kPicture);
  append_u32(append_u32(frame.head, made->width), made->height);
  append_u32(append_u32(frame.head, image.width), image.height);
  frame.head += made->pixels;
  return frame;
}

Result compressed(const Delivery & delivery, const Head & head) {
  const auto & image = as_message<CompressedImage>(delivery);
  if (image.data.size() > kMostCompressed) {
    return tl::unexpected(fmt::format("a compressed image of {} bytes is too large to be shown", image.data.size()));
  }
  const std::string format(image.format);
  Frame frame = head.frame(kCompressed);
  append_u32(frame.head, static_cast<std::uint32_t>(format.size())) += format;
  frame.head.append(reinterpret_cast<const char *>(image.data.data()), image.data.size());
  return frame;
}

Result cloud(const Delivery & delivery, const Head & head, const ShownOptions & options) {
  const auto made = is<LaserScan>(delivery.type())
                        ? tl::expected<Points, std::string>(points_of(as_message<LaserScan>(delivery), options.points))
                        : points_of(as_message<PointCloud2>(delivery), options.points);
  if (!made) {
    return tl::unexpected(made.error());
  }
  Frame frame = head.frame(kPoints);
  append_u32(append_u32(append_u32(frame.head, made->count), made->total), made->are_coloured ? 1 : 0);
  frame.head += made->values;
  return frame;
}

}  // namespace

bool can_show(const std::string & as, const Channel & channel) {
  if (channel.type == nullptr) {
    return false;
  }
  const MessageType & type = *channel.type;
  return as == "tree" || (as == "picture" && (is<Image>(type) || is<CompressedImage>(type))) ||
         (as == "points" && (is<PointCloud2>(type) || is<LaserScan>(type)));
}

Result shown_message(const std::string & as, const Delivery & delivery, std::uint32_t watch, std::uint64_t skipped,
                     const ShownOptions & options) {
  const Head head{watch, static_cast<std::uint64_t>(delivery.time()), skipped};
  if (as == "picture") {
    return is<Image>(delivery.type()) ? picture(delivery, head, options) : compressed(delivery, head);
  }
  return as == "points" ? cloud(delivery, head, options) : tree(delivery, head);
}

}  // namespace tandem::view
