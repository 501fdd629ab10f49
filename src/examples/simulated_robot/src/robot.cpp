// A round robot on two wheels with a laser scanner. It drives where /cmd_vel tells it, in the map that it reads from /map.
//
//   takes   /cmd_vel (geometry_msgs/Twist), /map (nav_msgs/OccupancyGrid, transient local)
//   gives   /odom, /scan, /tf (odom to base_link), /tf_static (map to odom): its odometry has no error
//
// It stops in front of walls, and half a second after the last command.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <string>

#include "geometry_msgs/msg/transform_stamped.hpp"
#include "geometry_msgs/msg/twist.hpp"
#include "nav_msgs/msg/occupancy_grid.hpp"
#include "nav_msgs/msg/odometry.hpp"
#include "rclcpp/rclcpp.hpp"
#include "sensor_msgs/msg/laser_scan.hpp"
#include "tf2_msgs/msg/tf_message.hpp"

namespace {

using geometry_msgs::msg::Quaternion;
using geometry_msgs::msg::TransformStamped;
using geometry_msgs::msg::Twist;
using nav_msgs::msg::OccupancyGrid;
using nav_msgs::msg::Odometry;
using sensor_msgs::msg::LaserScan;
using tf2_msgs::msg::TFMessage;

constexpr std::chrono::milliseconds kPeriod{20};
constexpr int kStepsPerScan = 5;
constexpr double kPatience = 0.5;  // s, without a command
constexpr double kPi = 3.14159265358979323846;
constexpr int kOccupied = 65;  // of 100, as map_server has it
constexpr std::size_t kBeams = 360;
constexpr float kRange = 8.0F;          // m
constexpr double kBeyondBorder = 1e-6;  // m, into the next cell

struct Pose {
  double x = 0;
  double y = 0;
  double yaw = 0;
};

Quaternion quaternion_of(double yaw) {
  Quaternion quaternion;
  quaternion.z = std::sin(yaw / 2);
  quaternion.w = std::cos(yaw / 2);
  return quaternion;
}

/// How far it is from a place to the next border between cells, in cells, for a step of which `along` goes along this axis.
double cells_to_border(double place, double along) {
  if (along == 0) return std::numeric_limits<double>::infinity();
  return ((along > 0 ? std::floor(place) + 1 : std::ceil(place) - 1) - place) / along;
}

TransformStamped transform(const std::string & parent, const std::string & child, const rclcpp::Time & stamp,
                           const Pose & pose) {
  TransformStamped result;
  result.header.stamp = stamp;
  result.header.frame_id = parent;
  result.child_frame_id = child;
  result.transform.translation.x = pose.x;
  result.transform.translation.y = pose.y;
  result.transform.rotation = quaternion_of(pose.yaw);
  return result;
}

class Robot : public rclcpp::Node {
 public:
  Robot() : Node("robot") {
    pose_.x = declare_parameter("x", 0.0);
    pose_.y = declare_parameter("y", 0.0);
    pose_.yaw = declare_parameter("yaw", 0.0);
    radius_ = declare_parameter("radius", 0.2);

    const auto latched = rclcpp::QoS(1).transient_local();
    odometry_ = create_publisher<Odometry>("odom", 10);
    scans_ = create_publisher<LaserScan>("scan", rclcpp::SensorDataQoS());
    transforms_ = create_publisher<TFMessage>("/tf", 100);
    static_transforms_ = create_publisher<TFMessage>("/tf_static", latched);
    maps_ = create_subscription<OccupancyGrid>("map", latched, [this](OccupancyGrid::ConstSharedPtr map) {
      RCLCPP_INFO(get_logger(), "drives in a map of %u x %u cells", map->info.width, map->info.height);
      map_ = map;
    });
    commands_ = create_subscription<Twist>("cmd_vel", 10, [this](const Twist & command) {
      command_ = command;
      commanded_at_ = now();
    });

    TFMessage fixed;
    fixed.transforms.push_back(transform("map", "odom", now(), Pose()));
    static_transforms_->publish(fixed);
    timer_ = create_wall_timer(kPeriod, [this] { step(); });
  }

 private:
  bool is_occupied(double x, double y) const {
    if (!map_) return false;
    const auto & info = map_->info;
    const double column = std::floor((x - info.origin.position.x) / info.resolution);
    const double row = std::floor((y - info.origin.position.y) / info.resolution);
    if (column < 0 || row < 0 || column >= info.width || row >= info.height) return false;
    return map_->data[static_cast<std::size_t>(row) * info.width + static_cast<std::size_t>(column)] >= kOccupied;
  }

  bool hits_wall(const Pose & pose) const {
    for (double angle = 0; angle < 2 * kPi; angle += kPi / 12) {
      if (is_occupied(pose.x + radius_ * std::cos(angle), pose.y + radius_ * std::sin(angle))) return true;
    }
    return false;
  }

  void step() {
    const rclcpp::Time stamp = now();
    if ((stamp - commanded_at_).seconds() > kPatience) command_ = Twist();
    drive(std::chrono::duration<double>(kPeriod).count());
    publish_odometry(stamp);
    if (++steps_ % kStepsPerScan == 0) publish_scan(stamp);
  }

  void drive(double seconds) {
    Pose next = pose_;
    next.yaw = std::remainder(pose_.yaw + command_.angular.z * seconds, 2 * kPi);
    next.x += command_.linear.x * std::cos(next.yaw) * seconds;
    next.y += command_.linear.x * std::sin(next.yaw) * seconds;
    if (hits_wall(next)) {
      RCLCPP_WARN_THROTTLE(get_logger(), *get_clock(), 1000, "stands at a wall at (%.2f, %.2f)", pose_.x, pose_.y);
      command_.linear.x = 0;
      pose_.yaw = next.yaw;
    } else {
      pose_ = next;
    }
  }

  void publish_odometry(const rclcpp::Time & stamp) {
    TFMessage moved;
    moved.transforms.push_back(transform("odom", "base_link", stamp, pose_));
    transforms_->publish(moved);

    Odometry odometry;
    odometry.header = moved.transforms[0].header;
    odometry.child_frame_id = "base_link";
    odometry.pose.pose.position.x = pose_.x;
    odometry.pose.pose.position.y = pose_.y;
    odometry.pose.pose.orientation = quaternion_of(pose_.yaw);
    odometry.twist.twist = command_;
    odometry_->publish(odometry);
  }

  /// Infinite: no wall within the scanner's range.
  float distance_to_wall(double angle) const {
    if (!map_) return std::numeric_limits<float>::infinity();
    const auto & info = map_->info;
    const double along_x = std::cos(angle);
    const double along_y = std::sin(angle);
    for (double distance = 0; distance < kRange;) {
      const double x = pose_.x + distance * along_x;
      const double y = pose_.y + distance * along_y;
      if (is_occupied(x, y)) return static_cast<float>(distance);
      const double cells = std::min(cells_to_border((x - info.origin.position.x) / info.resolution, along_x),
                                    cells_to_border((y - info.origin.position.y) / info.resolution, along_y));
      distance += cells * info.resolution + kBeyondBorder;
    }
    return std::numeric_limits<float>::infinity();
  }

  void publish_scan(const rclcpp::Time & stamp) {
    auto scan = std::make_unique<LaserScan>();
    scan->header.stamp = stamp;
    scan->header.frame_id = "base_link";
    scan->angle_min = static_cast<float>(-kPi);
    scan->angle_increment = static_cast<float>(2 * kPi / kBeams);
    scan->angle_max = scan->angle_min + static_cast<float>(kBeams - 1) * scan->angle_increment;
    scan->range_max = kRange;
    scan->ranges.resize(kBeams);
    for (std::size_t i = 0; i < kBeams; ++i) {
      scan->ranges[i] = distance_to_wall(pose_.yaw + scan->angle_min + static_cast<double>(i) * scan->angle_increment);
    }
    scans_->publish(std::move(scan));
  }

  Pose pose_;
  double radius_;  // m
  Twist command_;
  rclcpp::Time commanded_at_{0, 0, RCL_ROS_TIME};
  OccupancyGrid::ConstSharedPtr map_;
  int steps_ = 0;
  rclcpp::Publisher<Odometry>::SharedPtr odometry_;
  rclcpp::Publisher<LaserScan>::SharedPtr scans_;
  rclcpp::Publisher<TFMessage>::SharedPtr transforms_;
  rclcpp::Publisher<TFMessage>::SharedPtr static_transforms_;
  rclcpp::Subscription<OccupancyGrid>::SharedPtr maps_;
  rclcpp::Subscription<Twist>::SharedPtr commands_;
  rclcpp::TimerBase::SharedPtr timer_;
};

}  // namespace

int main(int argc, char * argv[]) {
  rclcpp::init(argc, argv);
  rclcpp::spin(std::make_shared<Robot>());
  rclcpp::shutdown();
  return 0;
}
