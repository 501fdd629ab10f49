#include "page/points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <string_view>

#include "sensor_msgs/msg/point_field.hpp"

namespace tandem::view {
namespace {

using sensor_msgs::msg::LaserScan;
using sensor_msgs::msg::PointCloud2;
using sensor_msgs::msg::PointField;

std::uint32_t size_of(std::uint8_t datatype) {
  switch (datatype) {
    case PointField::INT8:
    case PointField::UINT8: return 1;
    case PointField::INT16:
    case PointField::UINT16: return 2;
    case PointField::INT32:
    case PointField::UINT32:
    case PointField::FLOAT32: return 4;
    case PointField::FLOAT64: return 8;
    default: return 0;
  }
}

/// Where a number lies in a point.
struct Place {
  std::uint32_t offset = 0;
  std::uint8_t datatype = 0;

  float read(const std::uint8_t * point) const {
    const auto as = [&](auto value) {
      std::memcpy(&value, point + offset, sizeof value);
      return static_cast<float>(value);
    };
    switch (datatype) {
      case PointField::INT8: return as(std::int8_t{});
      case PointField::UINT8: return as(std::uint8_t{});
      case PointField::INT16: return as(std::int16_t{});
      case PointField::UINT16: return as(std::uint16_t{});
      case PointField::INT32: return as(std::int32_t{});
      case PointField::UINT32: return as(std::uint32_t{});
      case PointField::FLOAT64: return as(double{});
      default: return as(float{});
    }
  }
};

std::optional<Place> find(const PointCloud2 & cloud, std::string_view name, std::uint32_t point_step) {
  for (const PointField & field : cloud.fields) {
    const Place place{field.offset, field.datatype};
    const std::uint32_t size = size_of(place.datatype);
    if (std::string_view(field.name) == name && size != 0 && point_step >= size && place.offset <= point_step - size) {
      return place;
    }
  }
  return std::nullopt;
}

template <class T>
void append_value(std::string & bytes, T value) {
  bytes.append(reinterpret_cast<const char *>(&value), sizeof value);
}

}  // namespace

tl::expected<Points, std::string> points_of(const PointCloud2 & cloud, std::uint32_t most) {
  const auto refuse = [](std::string why) { return tl::unexpected<std::string>(std::move(why)); };
  const std::uint32_t point_step = cloud.point_step;
  const std::uint32_t row_step = cloud.row_step;
  const std::uint32_t width = cloud.width;
  const std::uint32_t height = cloud.height;
  const std::uint64_t total = std::uint64_t{width} * height;
  const auto x = find(cloud, "x", point_step);
  const auto y = find(cloud, "y", point_step);
  const auto z = find(cloud, "z", point_step);
  if (!x || !y || !z) {
    return refuse("the point cloud has no fields x, y and z within its points");
  }
  const bool is_sound =
      total == 0 || (std::uint64_t{width} * point_step <= row_step &&
                     std::uint64_t{row_step} * (height - 1) + std::uint64_t{width} * point_step <= cloud.data.size());
  if (!is_sound || total > 0xffffffffU || cloud.is_bigendian) {
    return refuse(fmt::format("a point cloud of {} x {} points does not fit in its {} bytes, or is big-endian", width,
                              height, cloud.data.size()));
  }
  auto colour = find(cloud, "rgb", point_step);
  if (!colour) colour = find(cloud, "rgba", point_step);
  const auto intensity = find(cloud, "intensity", point_step);
  Points points;
  points.total = static_cast<std::uint32_t>(total);
  points.are_coloured = colour && size_of(colour->datatype) == 4;
  const std::uint64_t every = std::max<std::uint64_t>(1, (total + most - 1) / std::max(most, 1U));
  const std::uint8_t * data = cloud.data.data();
  for (std::uint64_t i = 0; i < total; i += every) {
    const std::uint8_t * point = data + i / width * row_step + i % width * point_step;
    const float place[3] = {x->read(point), y->read(point), z->read(point)};
    if (!std::isfinite(place[0]) || !std::isfinite(place[1]) || !std::isfinite(place[2])) {
      continue;
    }
    for (const float each : place) append_value(points.values, each);
    std::uint32_t bits = 0;
    if (points.are_coloured) {
      std::memcpy(&bits, point + colour->offset, sizeof bits);
      append_value(points.values, bits & 0xffffffU);
    } else {
      append_value(points.values, intensity ? intensity->read(point) : place[2]);
    }
    ++points.count;
  }
  return points;
}

Points points_of(const LaserScan & scan, std::uint32_t most) {
  Points points;
  const std::size_t total = scan.ranges.size();
  const float * ranges = scan.ranges.data();
  points.total = static_cast<std::uint32_t>(total);
  const std::size_t every = std::max<std::size_t>(1, (total + most - 1) / std::max(most, 1U));
  for (std::size_t i = 0; i < total; i += every) {
    const float range = ranges[i];
    if (!std::isfinite(range) || range < scan.range_min || range > scan.range_max) {
      continue;
    }
    const float angle = scan.angle_min + static_cast<float>(i) * scan.angle_increment;
    append_value(points.values, range * std::cos(angle));
    append_value(points.values, range * std::sin(angle));
    append_value(points.values, 0.0F);
    append_value(points.values, range);
    ++points.count;
  }
  return points;
}

}  // namespace tandem::view
