// Idioms of docs/reference/compat.md, by number: sequences of messages, and messages as values.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "diagnostic_msgs/msg/diagnostic_array.hpp"
#include "geometry_msgs/msg/polygon.hpp"
#include "geometry_msgs/msg/pose_array.hpp"
#include "geometry_msgs/msg/transform_stamped.hpp"
#include "nav_msgs/msg/path.hpp"
#include "sensor_msgs/msg/image.hpp"
#include "sensor_msgs/msg/multi_echo_laser_scan.hpp"
#include "sensor_msgs/msg/point_cloud2.hpp"
#include "std_msgs/msg/float64_multi_array.hpp"
#include "trajectory_msgs/msg/joint_trajectory.hpp"
#include "visualization_msgs/msg/marker_array.hpp"

namespace {

using diagnostic_msgs::msg::DiagnosticArray;
using diagnostic_msgs::msg::DiagnosticStatus;
using diagnostic_msgs::msg::KeyValue;
using geometry_msgs::msg::PoseStamped;
using nav_msgs::msg::Path;
using sensor_msgs::msg::PointCloud2;
using trajectory_msgs::msg::JointTrajectory;
using trajectory_msgs::msg::JointTrajectoryPoint;
using visualization_msgs::msg::Marker;
using visualization_msgs::msg::MarkerArray;

Path path_of(std::size_t poses) {
  Path path;
  for (std::size_t i = 0; i < poses; ++i) {
    path.poses.emplace_back().pose.position.x = static_cast<double>(i);
  }
  return path;
}
double length_of(const std::vector<PoseStamped> & poses) { return static_cast<double>(poses.size()); }

}  // namespace

TEST(Compat87, PushesMessages) {
  KeyValue ds;
  DiagnosticStatus status;
  const std::string key = "k";
  const std::string value = "v";
  ds.key = key;
  ds.value = value;
  status.values.push_back(ds);
  EXPECT_EQ(status.values.at(0).value, "v");
}

TEST(Compat88, AppendsAPath) {
  Path output = path_of(2);
  const Path input = path_of(3);
  output.poses.insert(output.poses.end(), input.poses.begin(), input.poses.end());
  EXPECT_EQ(output.poses.size(), 5u);
}

TEST(Compat89, ComparesHeaders) {
  Path path;
  path.header.frame_id = "map";
  const bool set = path.header != std_msgs::msg::Header();
  EXPECT_TRUE(set);
}

TEST(Compat90, ComparesPoses) {
  const Path old_path = path_of(2);
  const Path new_path = path_of(2);
  const bool changed = old_path.poses.back().pose != new_path.poses.back().pose;
  EXPECT_FALSE(changed);
}

TEST(Compat91, KeepsAnIterator) {
  Path path = path_of(2);
  nav_msgs::msg::Path::_poses_type::iterator begin = path.poses.begin();
  EXPECT_EQ(begin + 2, path.poses.end());
}

TEST(Compat122, NamesTheIteratorOfAStdVector) {
  Path path = path_of(3);
  std::vector<PoseStamped>::iterator closest = path.poses.begin();
  ++closest;
  path.poses.erase(path.poses.begin(), closest);
  EXPECT_EQ(path.poses.size(), 2u);
}

TEST(Compat123, NamesTheReverseIteratorOfAStdVector) {
  Path path = path_of(3);
  std::vector<PoseStamped>::reverse_iterator last = path.poses.rbegin();
  EXPECT_EQ(last->pose.position.x, 2.0);
}

TEST(Compat124, WalksByTheIteratorOfAStdVector) {
  PointCloud2 cloud;
  cloud.fields.resize(2);
  cloud.fields[0].name = "x";
  cloud.fields[1].name = "y";
  using sensor_msgs::msg::PointField;
  const auto & fields = cloud.fields;
  std::string names;
  for (std::vector<PointField>::const_iterator it = fields.begin(); it != fields.end(); it++) {
    names += it->name;
  }
  EXPECT_EQ(names, "xy");
}

TEST(Compat131, FindsFunctionsByTheirArgument) {
  const Path path = path_of(3);
  const auto is_far = [](const PoseStamped & pose) { return pose.pose.position.x > 1.5; };
  const auto far = find_if(begin(path.poses), end(path.poses), is_far);
  EXPECT_EQ(far - path.poses.begin(), 2);
}

TEST(Compat92, ReversesIterators) {
  Path path = path_of(4);
  const auto at = path.poses.begin() + 2;
  const auto is_first = [](const PoseStamped & p) { return p.pose.position.x == 0.0; };
  const auto back = std::find_if(std::reverse_iterator(at + 1), path.poses.rend(), is_first);
  EXPECT_EQ(back + 1, path.poses.rend());
}

TEST(Compat93, FindsTheClosest) {
  const Path path = path_of(4);
  const auto nearer = [](const PoseStamped & a, const PoseStamped & b) {
    return a.pose.position.x > b.pose.position.x;
  };
  const auto closest = std::min_element(path.poses.begin(), path.poses.end(), nearer);
  EXPECT_EQ(closest->pose.position.x, 3.0);
}

TEST(Compat94, ErasesTheFront) {
  Path path = path_of(3);
  path.poses.erase(path.poses.begin(), path.poses.begin() + 2);
  EXPECT_EQ(path.poses.front().pose.position.x, 2.0);
}

TEST(Compat95, RemovesByPredicate) {
  Path path = path_of(4);
  auto & poses = path.poses;
  const auto is_near = [](const PoseStamped & p) { return p.pose.position.x < 2; };
  poses.erase(std::remove_if(poses.begin(), poses.end(), is_near), poses.end());
  EXPECT_EQ(poses.size(), 2u);
}

TEST(Compat96, CopiesTheLast) {
  const Path input = path_of(3);
  geometry_msgs::msg::PoseStamped final_pose = input.poses.back();
  EXPECT_EQ(final_pose.pose.position.x, 2.0);
}

TEST(Compat97, PassesPoses) {
  const Path path = path_of(3);
  const double length = length_of(path.poses);
  EXPECT_EQ(length, 3.0);
}

TEST(Compat98, AssignsStdMessages) {
  Path output;
  const Path path = path_of(5);
  output.poses = std::vector<PoseStamped>(path.poses.begin() + 1, path.poses.end());
  EXPECT_EQ(output.poses.size(), 4u);
}

TEST(Compat99, CopiesToStdMessages) {
  const Path path = path_of(3);
  std::vector<PoseStamped> poses = path.poses;
  EXPECT_EQ(poses.at(2), path.poses[2]);
}

TEST(Compat100, WritesMessagesInALoop) {
  const auto trajectory = std::make_shared<JointTrajectory>();
  trajectory->points.resize(2);
  for (auto & point : trajectory->points) {
    point.positions.push_back(1.0);
  }
  EXPECT_EQ(trajectory->points[1].positions[0], 1.0);
}

TEST(Compat101, InsertsPointsAtBothEnds) {
  const auto trajectory = std::make_shared<JointTrajectory>();
  trajectory->points.resize(1);
  const std::vector<JointTrajectoryPoint> prefix(2);
  trajectory->points.insert(trajectory->points.begin(), prefix.begin(), prefix.end());
  EXPECT_EQ(trajectory->points.size(), 3u);
}

TEST(Compat102, ChecksNestedSequences) {
  JointTrajectory trajectory;
  trajectory.points.resize(1);
  trajectory.joint_names = {"j"};
  const bool omitted = trajectory.points.back().positions.empty() && trajectory.joint_names.at(0) == "j";
  EXPECT_TRUE(omitted);
}

TEST(Compat103, FindsAField) {
  PointCloud2 cloud;
  cloud.fields.resize(2);
  cloud.fields[1].name = "y";
  const std::string field_name = "y";
  const std::size_t d = 1;
  int index = -1;
  if (cloud.fields[d].name == field_name) {
    index = static_cast<int>(d);
  }
  EXPECT_EQ(index, 1);
}

TEST(Compat104, ReservesFields) {
  PointCloud2 cloud;
  cloud.fields.clear();
  cloud.fields.reserve(6);
  EXPECT_GE(cloud.fields.capacity(), 6u);
}

TEST(Compat105, CopiesFields) {
  PointCloud2 cloud;
  cloud.fields.resize(1);
  cloud.fields[0].name = "x";
  std::vector<sensor_msgs::msg::PointField> fields;
  fields.push_back(cloud.fields[0]);
  EXPECT_EQ(fields[0].name, "x");
}

TEST(Compat106, PushesNestedSequences) {
  sensor_msgs::msg::LaserEcho echo;
  sensor_msgs::msg::MultiEchoLaserScan msg;
  echo.echoes.push_back(1.0f);
  msg.ranges.push_back(echo);
  EXPECT_EQ(msg.ranges[0].echoes[0], 1.0f);
}

TEST(Compat107, ClearsAndPushesPoints) {
  geometry_msgs::msg::Polygon polygon;
  polygon.points.resize(3);
  geometry_msgs::msg::Point32 point;
  point.x = 2.0f;
  polygon.points.clear();
  polygon.points.push_back(point);
  EXPECT_EQ(polygon.points.at(0).x, 2.0f);
}

TEST(Compat108, ListsMessages) {
  geometry_msgs::msg::Polygon polygon;
  geometry_msgs::msg::Point32 a;
  geometry_msgs::msg::Point32 b;
  b.x = 1.0f;
  polygon.points = {a, b, a};
  EXPECT_EQ(polygon.points[1].x, 1.0f);
}

TEST(Compat109, EmplacesMarkers) {
  MarkerArray array;
  Marker marker;
  marker.ns = "a";
  array.markers.emplace_back(std::move(marker));
  auto & last = array.markers.emplace_back();
  last.id = 3;
  EXPECT_TRUE(array.markers[0].ns == "a" && array.markers[1].id == 3);
}

TEST(Compat110, AddsPointsToAMarker) {
  Marker marker;
  geometry_msgs::msg::Point point;
  point.x = 1;
  marker.points.push_back(point);
  marker.colors.resize(marker.points.size());
  EXPECT_EQ(marker.points[0].x, 1.0);
}

TEST(Compat111, KeepsMessagesInAMap) {
  std::map<std::string, DiagnosticStatus> by_name;
  DiagnosticStatus status;
  status.name = "motor";
  status.values.resize(1);
  by_name[status.name] = status;
  EXPECT_EQ(by_name.at("motor"), status);
}

TEST(Compat112, PushesStatus) {
  std::vector<DiagnosticStatus> status_vec(2);
  DiagnosticArray msg;
  std::vector<DiagnosticStatus>::iterator iter = status_vec.begin();
  msg.status.push_back(*iter);
  EXPECT_EQ(msg.status.size(), 1u);
}

TEST(Compat113, AssignsThroughAPointer) {
  const auto out = std::make_shared<Path>();
  const auto in = std::make_shared<const Path>(path_of(1));
  out->header = in->header;
  EXPECT_EQ(out->header, in->header);
}

TEST(Compat114, CopiesThenChanges) {
  const auto msg = std::make_shared<sensor_msgs::msg::Image>();
  msg->data.resize(4);
  sensor_msgs::msg::Image copy = *msg;
  copy.data[0] = 1;
  EXPECT_EQ(msg->data[0], 0);
}

TEST(Compat115, DescribesDimensions) {
  std_msgs::msg::Float64MultiArray msg;
  msg.layout.dim.push_back(std_msgs::msg::MultiArrayDimension());
  msg.layout.dim[0].label = "rows";
  EXPECT_EQ(msg.layout.dim.front().label, "rows");
}
