// Idioms of docs/reference/compat.md, by number: what came with C++20; not compiled as C++17.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <ranges>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sensor_msgs/msg/image.hpp"
#include "sensor_msgs/msg/joint_state.hpp"
#include "sensor_msgs/msg/laser_scan.hpp"

namespace {

using sensor_msgs::msg::Image;
using sensor_msgs::msg::JointState;
using sensor_msgs::msg::LaserScan;

std::size_t size_of(std::span<const std::uint8_t> bytes) { return bytes.size(); }

}  // namespace

TEST(Compat116, GivesASpan) {
  Image msg;
  msg.data.resize(7);
  const std::size_t size = size_of(msg.data);
  EXPECT_EQ(size, 7u);
}

TEST(Compat117, WritesThroughASpan) {
  Image msg;
  msg.data.resize(4);
  std::span row = std::span(msg.data).subspan(2, 2);
  row[1] = 9;
  EXPECT_EQ(msg.data[3], 9);
}

TEST(Compat118, SortsARange) {
  LaserScan scan;
  scan.ranges = {3, 1, 2};
  std::ranges::sort(scan.ranges);
  EXPECT_EQ(scan.ranges, (std::vector<float>{1, 2, 3}));
}

TEST(Compat119, FiltersAView) {
  LaserScan scan;
  scan.ranges = {3, 1, 2};
  auto near = std::views::filter(scan.ranges, [](float range) { return range < 2.5f; });
  EXPECT_EQ(std::ranges::distance(near), 2);
}

TEST(Compat120, FindsInARange) {
  JointState joints;
  joints.name = {"wrist", "elbow"};
  const auto found = std::ranges::find(joints.name, "elbow");
  EXPECT_EQ(found - joints.name.begin(), 1);
}

TEST(Compat121, LooksAtThePrefix) {
  Image msg;
  msg.header.frame_id = "/map";
  const bool absolute = msg.header.frame_id.starts_with("/");
  EXPECT_TRUE(absolute);
}
