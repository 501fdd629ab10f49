// Point clouds and scans as a page shows them: at most so many points, four float32 each.
#pragma once

#include <cstdint>
#include <string>

#include <tl/expected.hpp>

#include "sensor_msgs/msg/laser_scan.hpp"
#include "sensor_msgs/msg/point_cloud2.hpp"

namespace tandem::view {

struct Points {
  std::uint32_t count = 0;  ///< that are here
  std::uint32_t total = 0;  ///< that the message has
  bool are_coloured = false;
  std::string
      values;  ///< x, y, z of each as float32, then 0x00RRGGBB as uint32 if coloured, else an intensity as float32
};

/// Every n-th point, so that there are at most `most`; without those that are no numbers.
/// \return an error if there is no x, y or z of a kind that is known, or sizes do not fit together.
tl::expected<Points, std::string> points_of(const sensor_msgs::msg::PointCloud2 & cloud, std::uint32_t most);
Points points_of(const sensor_msgs::msg::LaserScan & scan, std::uint32_t most);

}  // namespace tandem::view
