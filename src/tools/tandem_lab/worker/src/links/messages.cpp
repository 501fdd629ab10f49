// See messages.hpp.
#include "links/messages.hpp"

#include <fmt/format.h>

#include <sensor_msgs/msg/image.hpp>
#include <sensor_msgs/msg/point_cloud2.hpp>
#include <stdexcept>
#include <tandem_lab/msg/bytes.hpp>
#include <tandem_lab/msg/fixed16.hpp>
#include <tandem_lab/msg/fixed16k.hpp>
#include <tandem_lab/msg/fixed1k.hpp>
#include <tandem_lab/msg/fixed1m.hpp>
#include <tandem_lab/msg/fixed256.hpp>
#include <tandem_lab/msg/fixed256k.hpp>
#include <tandem_lab/msg/fixed4k.hpp>
#include <tandem_lab/msg/fixed4m.hpp>
#include <tandem_lab/msg/fixed64.hpp>
#include <tandem_lab/msg/fixed64k.hpp>
#include <tandem_lab/msg/fixed8m.hpp>

namespace lab {
namespace {

using tandem::measure::MessageKind;

constexpr std::size_t kPointSize = 16;  // x, y, z, intensity

template <class Message>
void describe(Message &, std::size_t) {}

void describe(sensor_msgs::msg::Image & image, std::size_t size) {
  image.header.frame_id = "camera";
  image.encoding = "mono8";
  image.height = 1;
  image.width = image.step = static_cast<std::uint32_t>(size);
}

void describe(sensor_msgs::msg::PointCloud2 & cloud, std::size_t size) {
  cloud.header.frame_id = "lidar";
  cloud.height = 1;
  cloud.width = static_cast<std::uint32_t>(size / kPointSize);
  cloud.point_step = kPointSize;
  cloud.row_step = static_cast<std::uint32_t>(size);
  cloud.is_dense = true;
  cloud.fields.resize(4);
  const char * const names[] = {"x", "y", "z", "intensity"};
  for (std::size_t i = 0; i < 4; ++i) {
    cloud.fields[i].name = names[i];
    cloud.fields[i].offset = static_cast<std::uint32_t>(i * sizeof(float));
    cloud.fields[i].datatype = sensor_msgs::msg::PointField::FLOAT32;
    cloud.fields[i].count = 1;
  }
}

template <class Message>
MessageKind kind_of() {
  return {&tandem::message_type<Message>,
          [](void * memory, std::size_t size) {
            auto & message = *static_cast<Message *>(memory);
            describe(message, size);
            if constexpr (requires { message.data.resize(size); }) message.data.resize(size);
            return std::as_writable_bytes(std::span(message.data.data(), message.data.size()));
          },
          [](const void * memory) {
            const auto & message = *static_cast<const Message *>(memory);
            return std::as_bytes(std::span(message.data.data(), message.data.size()));
          }};
}

MessageKind fixed_kind(std::size_t size) {
  switch (size) {
    case 16: return kind_of<tandem_lab::msg::Fixed16>();
    case 64: return kind_of<tandem_lab::msg::Fixed64>();
    case 256: return kind_of<tandem_lab::msg::Fixed256>();
    case 1 << 10: return kind_of<tandem_lab::msg::Fixed1k>();
    case 4 << 10: return kind_of<tandem_lab::msg::Fixed4k>();
    case 16 << 10: return kind_of<tandem_lab::msg::Fixed16k>();
    case 64 << 10: return kind_of<tandem_lab::msg::Fixed64k>();
    case 256 << 10: return kind_of<tandem_lab::msg::Fixed256k>();
    case 1 << 20: return kind_of<tandem_lab::msg::Fixed1m>();
    case 4 << 20: return kind_of<tandem_lab::msg::Fixed4m>();
    case 8 << 20: return kind_of<tandem_lab::msg::Fixed8m>();
    default:
      throw std::runtime_error(
          fmt::format("field 'size': there is no fixed message of {} bytes; there are 16, 64, 256 bytes, 1, 4, 16, 64, "
                      "256 KiB, 1, 4, 8 MiB",
                      size));
  }
}

}  // namespace

tandem::measure::MessageKind message_kind(const Spec & spec) {
  switch (spec.content) {
    case Content::kFixed: return fixed_kind(spec.size);
    case Content::kImage: return kind_of<sensor_msgs::msg::Image>();
    case Content::kPointCloud: return kind_of<sensor_msgs::msg::PointCloud2>();
    default: return kind_of<tandem_lab::msg::Bytes>();
  }
}

}  // namespace lab
