// Idioms of docs/reference/compat.md, by number: sequences of numbers and strings.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <iterator>
#include <limits>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "nav_msgs/msg/occupancy_grid.hpp"
#include "sensor_msgs/msg/camera_info.hpp"
#include "sensor_msgs/msg/compressed_image.hpp"
#include "sensor_msgs/msg/image.hpp"
#include "sensor_msgs/msg/joint_state.hpp"
#include "sensor_msgs/msg/laser_scan.hpp"
#include "sensor_msgs/msg/point_cloud2.hpp"
#include "sensor_msgs/point_cloud2_iterator.hpp"
#include "shape_msgs/msg/solid_primitive.hpp"
#include "std_msgs/msg/float64_multi_array.hpp"
#include "trajectory_msgs/msg/joint_trajectory_point.hpp"

namespace {

using nav_msgs::msg::OccupancyGrid;
using sensor_msgs::msg::Image;
using sensor_msgs::msg::JointState;
using sensor_msgs::msg::LaserScan;
using sensor_msgs::msg::PointCloud2;
using std_msgs::msg::Float64MultiArray;

double first_of(const std::vector<double> & numbers) { return numbers.at(0); }
std::size_t count_of(std::vector<uint8_t> bytes) { return bytes.size(); }

}  // namespace

TEST(Compat46, ResizesAndWritesByPointer) {
  Image msg;
  const std::size_t size = 100;
  const auto fill = [](char * to) { to[99] = 7; };
  msg.data.resize(size);
  fill(reinterpret_cast<char *>(&msg.data[0]));
  EXPECT_EQ(msg.data[99], 7);
}

TEST(Compat47, ResizesWithAValue) {
  const std::size_t SIZE = 10;
  const auto scan = std::make_shared<LaserScan>();
  scan->ranges.resize(SIZE, INFINITY);
  EXPECT_TRUE(std::isinf(scan->ranges.back()));
}

TEST(Compat48, AssignsAPointerRange) {
  Image msg;
  const uint8_t bytes[] = {1, 2, 3};
  const struct {
    const uint8_t * datastart;
    const uint8_t * dataend;
  } frame{bytes, bytes + 3};
  msg.data.assign(frame.datastart, frame.dataend);
  EXPECT_EQ(msg.data, (std::vector<uint8_t>{1, 2, 3}));
}

TEST(Compat49, CopiesMemoryIn) {
  const std::vector<uint8_t> image{1, 2};
  Image msg;
  msg.data.resize(image.size());
  memcpy(reinterpret_cast<char *>(&msg.data[0]), image.data(), image.size());
  EXPECT_EQ(msg.data, image);
}

TEST(Compat50, CopiesMemoryOut) {
  const auto raw_msg = std::make_shared<Image>();
  raw_msg->data = {1, 0, 2, 0};
  const uint16_t * raw_data = reinterpret_cast<const uint16_t *>(&raw_msg->data[0]);
  EXPECT_EQ(raw_data[1], 2);
}

TEST(Compat51, CastsConstAway) {
  Image msg;
  msg.data = {5};
  const Image & source = msg;
  uint8_t * shared = const_cast<uint8_t *>(&source.data[0]);
  EXPECT_EQ(*shared, 5);
}

TEST(Compat52, GivesPointerAndSize) {
  using Pixels = std::pair<const uint8_t *, std::size_t>;
  const auto image = std::make_shared<Image>();
  image->data.resize(9);
  const Pixels pixels(image->data.data(), image->data.size());
  EXPECT_EQ(pixels.second, 9u);
}

TEST(Compat53, TakesTheFrontsAddress) {
  const auto cloud = std::make_shared<PointCloud2>();
  cloud->data = {1, 2, 3};
  const int xoff = 2;
  uint8_t const * point_x = &cloud->data.front() + xoff;
  EXPECT_EQ(*point_x, 3);
}

TEST(Compat54, AssignsAStdVector) {
  trajectory_msgs::msg::JointTrajectoryPoint point;
  const std::vector<double> hold_position{1, 2};
  point.positions = hold_position;
  EXPECT_EQ(point.positions, hold_position);
}

TEST(Compat55, AssignsToAStdVector) {
  struct {
    std::vector<uint8_t> data;
  } pcl_image;
  Image image;
  image.data = {1, 2};
  pcl_image.data = image.data;
  EXPECT_EQ(pcl_image.data, image.data);
}

TEST(Compat56, SwapsWithAStdVector) {
  struct {
    std::vector<uint8_t> data;
  } pcl_image{{1, 2}};
  Image image;
  image.data = {3};
  image.data.swap(pcl_image.data);
  EXPECT_TRUE(image.data.size() == 2 && pcl_image.data.size() == 1);
}

TEST(Compat57, MovesAStdVectorIn) {
  std::vector<uint8_t> buffer{1, 2, 3};
  sensor_msgs::msg::CompressedImage msg;
  msg.data = std::move(buffer);
  EXPECT_EQ(msg.data.size(), 3u);
}

TEST(Compat58, MovesOutToAStdVector) {
  sensor_msgs::msg::CompressedImage msg;
  msg.data = {1, 2, 3};
  std::vector<uint8_t> buffer = std::move(msg.data);
  EXPECT_EQ(buffer.size(), 3u);
}

TEST(Compat59, PassesToAFunction) {
  trajectory_msgs::msg::JointTrajectoryPoint point;
  point.positions = {3.0};
  const double first = first_of(point.positions) + first_of({4.0});
  EXPECT_EQ(first, 7.0);
}

TEST(Compat60, MovesIntoAParameter) {
  Image msg;
  msg.data.resize(4);
  const std::size_t count = count_of(std::move(msg.data));
  EXPECT_EQ(count, 4u);
}

TEST(Compat61, AssignsValues) {
  struct {
    JointState joint_state;
  } state;
  const std::size_t num_joints = 6;
  state.joint_state.name.assign(num_joints, "");
  state.joint_state.position.assign(num_joints, 0);
  EXPECT_TRUE(state.joint_state.name.size() == 6 && state.joint_state.position.size() == 6);
}

TEST(Compat62, AssignsNames) {
  JointState msg;
  const std::vector<std::string> joint_names{"a", "b"};
  msg.name = joint_names;
  EXPECT_EQ(msg.name, joint_names);
}

TEST(Compat63, AssignsAListOfLiterals) {
  JointState msg;
  msg.name = {"single_rrbot_joint1", "single_rrbot_joint2"};
  EXPECT_EQ(msg.name[1], "single_rrbot_joint2");
}

TEST(Compat64, AssignsAListOfStrings) {
  JointState msg;
  const std::string left_wheel = "l";
  const std::string right_wheel = "r";
  msg.name = {left_wheel, right_wheel, "caster"};
  EXPECT_EQ(msg.name.size(), 3u);
}

TEST(Compat65, PushesNames) {
  JointState msg;
  const std::string other = "joint2";
  msg.name.push_back("joint1");
  msg.name.push_back(other);
  msg.position.push_back(0.0);
  EXPECT_EQ(msg.name.back(), "joint2");
}

TEST(Compat66, FindsAName) {
  const auto msg = std::make_shared<JointState>();
  msg->name = {"a", "b"};
  const std::vector<std::string> names{"b"};
  const std::size_t i = 0;
  const auto found = std::find(msg->name.begin(), msg->name.end(), names[i]);
  EXPECT_NE(found, msg->name.end());
}

TEST(Compat67, CountsTheDistance) {
  const auto msg = std::make_shared<JointState>();
  msg->name = {"a", "b"};
  const auto found = std::find(msg->name.begin(), msg->name.end(), "b");
  const auto position = static_cast<size_t>(std::distance(msg->name.begin(), found));
  EXPECT_EQ(position, 1u);
}

TEST(Compat68, CopiesNames) {
  JointState msg;
  msg.name = {"a"};
  std::vector<std::string> names = msg.name;
  EXPECT_EQ(names.at(0), "a");
}

TEST(Compat69, ReadsNamesInALoop) {
  std::string joined;
  JointState msg;
  msg.name = {"a", "b"};
  for (const auto & name : msg.name) {
    joined += name;
  }
  EXPECT_EQ(joined, "ab");
}

TEST(Compat70, WritesInALoop) {
  LaserScan scan;
  scan.ranges = {1, 2};
  for (auto & range : scan.ranges) {
    range *= 2;
  }
  EXPECT_EQ(scan.ranges[1], 4.0f);
}

TEST(Compat71, WritesByIndex) {
  LaserScan scan;
  scan.ranges.resize(3);
  for (size_t i = 0; i < scan.ranges.size(); i++) {
    scan.ranges[i] = static_cast<float>(i);
  }
  EXPECT_EQ(scan.ranges.at(2), 2.0f);
}

TEST(Compat72, FillsBetweenIterators) {
  OccupancyGrid grid;
  grid.data.resize(9);
  std::fill(grid.data.begin(), grid.data.end(), -1);
  EXPECT_EQ(grid.data[8], -1);
}

TEST(Compat73, FindsTheGreatest) {
  LaserScan scan;
  scan.ranges = {1, 3, 2};
  const auto greatest = std::max_element(scan.ranges.begin(), scan.ranges.end());
  EXPECT_EQ(*greatest, 3.0f);
}

TEST(Compat74, Accumulates) {
  LaserScan scan;
  scan.ranges = {1, 3, 2};
  const float sum = std::accumulate(scan.ranges.begin(), scan.ranges.end(), 0.0f);
  EXPECT_EQ(sum, 6.0f);
}

TEST(Compat75, SortsAndKeepsEachOnce) {
  Float64MultiArray msg;
  msg.data = {2, 1, 2};
  auto & v = msg.data;
  std::sort(v.begin(), v.end());
  v.erase(std::unique(v.begin(), v.end()), v.end());
  EXPECT_EQ(msg.data, (std::vector<double>{1, 2}));
}

TEST(Compat76, AppendsByInserter) {
  const std::vector<double> indices{1, 2};
  Float64MultiArray msg;
  msg.data = {0};
  std::copy(indices.begin(), indices.end(), std::back_inserter(msg.data));
  EXPECT_EQ(msg.data.size(), 3u);
}

TEST(Compat77, TransformsIntoStd) {
  std::vector<double> out;
  Float64MultiArray msg;
  msg.data = {1, 2};
  std::transform(msg.data.begin(), msg.data.end(), std::back_inserter(out), [](double x) { return -x; });
  EXPECT_EQ(out[1], -2.0);
}

TEST(Compat78, CopiesARange) {
  const auto scan = std::make_shared<LaserScan>();
  scan->ranges = {1, 2};
  std::vector<double> ranges(scan->ranges.begin(), scan->ranges.end());
  EXPECT_EQ(ranges[1], 2.0);
}

TEST(Compat79, InsertsARange) {
  Image msg;
  msg.data = {1};
  const std::vector<uint8_t> more{2, 3};
  msg.data.insert(msg.data.end(), more.begin(), more.end());
  EXPECT_EQ(msg.data.size(), 3u);
}

TEST(Compat80, CopiesAnArray) {
  sensor_msgs::msg::CameraInfo info;
  const std::array<double, 9> k{1, 2, 3};
  std::copy(k.begin(), k.end(), info.k.begin());
  info.d.assign(k.begin(), k.begin() + 5);
  EXPECT_TRUE(info.k == k && info.d.size() == 5);
}

TEST(Compat81, WrapsAMatrix) {
  sensor_msgs::msg::CameraInfo info;
  info.d = {1, 2, 3, 4, 5};
  void * intrinsics = reinterpret_cast<void *>(info.d.data());
  EXPECT_EQ(static_cast<double *>(intrinsics)[4], 5.0);
}

TEST(Compat82, IteratesPoints) {
  PointCloud2 cloud;
  sensor_msgs::PointCloud2Modifier modifier(cloud);
  modifier.setPointCloud2FieldsByString(1, "xyz");
  modifier.resize(10);
  for (sensor_msgs::PointCloud2Iterator<float> x(cloud, "x"); x != x.end(); ++x) {
    *x = 1.5f;
  }
  EXPECT_EQ(*sensor_msgs::PointCloud2ConstIterator<float>(cloud, "x"), 1.5f);
}

TEST(Compat83, ChoosesBetweenFields) {
  const JointState msg;
  const double effort = msg.effort.empty() ? 0.0 : msg.effort[0];
  EXPECT_EQ(effort, 0.0);
}

TEST(Compat84, ListsABoundedSequence) {
  shape_msgs::msg::SolidPrimitive primitive;
  primitive.dimensions = {0.1, 0.2, 0.3};
  EXPECT_THROW(primitive.dimensions.push_back(0.4), std::length_error);
}

TEST(Compat85, ResizesABoundedSequence) {
  shape_msgs::msg::SolidPrimitive primitive;
  primitive.dimensions.resize(3);
  primitive.dimensions[primitive.BOX_Z] = 0.5;
  EXPECT_EQ(primitive.dimensions[2], 0.5);
}

TEST(Compat125, StepsBackFromATemporaryEnd) {
  sensor_msgs::msg::JointState joints;
  joints.position = {1.0, 2.0};
  const double last = *--joints.position.end();
  EXPECT_EQ(last, 2.0);
}

TEST(Compat129, ChoosesBetweenAFieldAndAVector) {
  sensor_msgs::msg::JointState joints;
  joints.position = {1.0};
  const std::vector<double> hold;
  const auto position = hold.empty() ? joints.position : hold;
  EXPECT_EQ(position, std::vector<double>{1.0});
}

TEST(Compat130, ChoosesBetweenAFieldAndATemporaryVector) {
  trajectory_msgs::msg::JointTrajectoryPoint message;
  const auto & point = message;
  const std::size_t count = 2;
  for (const bool known : {false, true}) {
    const std::vector<double> & velocities = known ? point.velocities : std::vector<double>(count, 0.0);
    EXPECT_EQ(velocities.size(), known ? 0u : count);
  }
}

TEST(Compat86, MapsColumns) {
  Float64MultiArray message;
  message.data.resize(6, 2.5);
  const double * column = message.data.data() + 3;
  EXPECT_EQ(column[2], 2.5);
}
