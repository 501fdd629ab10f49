// What the tests look at: a node with images, points, numbers, a parameter and a service; or one that listens; or many topics.
//
//   robot publish | listen | many N
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "rclcpp/rclcpp.hpp"
#include "sensor_msgs/msg/image.hpp"
#include "sensor_msgs/msg/imu.hpp"
#include "sensor_msgs/msg/laser_scan.hpp"
#include "sensor_msgs/msg/point_cloud2.hpp"
#include "std_msgs/msg/string.hpp"
#include "std_srvs/srv/set_bool.hpp"

namespace {

using namespace std::chrono_literals;
using sensor_msgs::msg::Image;
using sensor_msgs::msg::Imu;
using sensor_msgs::msg::LaserScan;
using sensor_msgs::msg::PointCloud2;
using sensor_msgs::msg::PointField;
using std_msgs::msg::String;
using std_srvs::srv::SetBool;

/// Sky, a floor of tiles that comes nearer, and a ball; 1280 x 720 pixels.
void draw_scene(std::uint8_t * pixel, unsigned tick) {
  const double ball_x = 640 + 300 * std::sin(tick * 0.1);
  for (unsigned y = 0; y < 720; ++y) {
    const double depth = y > 300 ? 6000.0 / (y - 290) : 0;
    for (unsigned x = 0; x < 1280; ++x, pixel += 3) {
      const double away = std::hypot(x - ball_x, y - 430.0) / 90;
      int colour[3] = {static_cast<int>(95 + y / 4), static_cast<int>(140 + y / 5), 225};
      if (away < 1) {
        const double shade = std::sqrt(1 - away * away) * 200 + 40;
        colour[0] = static_cast<int>(shade);
        colour[1] = static_cast<int>(shade * 0.45);
        colour[2] = static_cast<int>(shade * 0.15);
      } else if (depth > 0) {
        const auto column = static_cast<int>(std::floor((x - 640.0) * depth / 9000));
        const auto row = static_cast<int>(std::floor(depth / 12 + tick * 0.1));
        const int light = ((column + row) & 1) != 0 ? 150 : 95;
        colour[0] = colour[1] = light + static_cast<int>(y / 12);
        colour[2] = light + 10;
      }
      for (int i = 0; i < 3; ++i) {
        pixel[i] = static_cast<std::uint8_t>(colour[i]);
      }
    }
  }
}

class Robot : public rclcpp::Node {
 public:
  Robot() : Node("robot") {
    declare_parameter("speed", 1.5);
    declare_parameter("name", "robot one");
    declare_parameter("gears", 4);
    declare_parameter("limits", std::vector<double>{0.5, 2.0});
    map_->publish(text("a map of the house"));
    fast_ = create_wall_timer(20ms, [this] { publish_imu(); });
    slow_ = create_wall_timer(100ms, [this] {
      publish_image();
      publish_cloud();
      publish_scan();
      chatter_->publish(text("hello " + std::to_string(tick_++)));
    });
  }

 private:
  static String text(const std::string & words) {
    String message;
    message.data = words;
    return message;
  }

  void publish_imu() {
    Imu message;
    message.header.stamp = now();
    message.header.frame_id = "imu";
    angle_ += 0.05;
    message.angular_velocity.z = std::sin(angle_);
    message.linear_acceleration.x = std::cos(2 * angle_);
    imu_->publish(message);
  }

  void publish_image() {
    auto message = std::make_unique<Image>();
    message->header.stamp = now();
    message->width = 1280;
    message->height = 720;
    message->encoding = "rgb8";
    message->step = 1280 * 3;
    message->data.resize(std::size_t{1280} * 720 * 3);
    draw_scene(message->data.data(), tick_);
    image_->publish(std::move(message));
  }

  void publish_cloud() {
    auto message = std::make_unique<PointCloud2>();
    message->header.stamp = now();
    message->width = 50000;
    message->height = 1;
    message->point_step = 16;
    message->row_step = message->point_step * message->width;
    const char * names[] = {"x", "y", "z", "intensity"};
    for (std::uint32_t i = 0; i < 4; ++i) {
      PointField field;
      field.name = names[i];
      field.offset = 4 * i;
      field.datatype = PointField::FLOAT32;
      field.count = 1;
      message->fields.push_back(field);
    }
    message->data.resize(message->row_step);
    for (unsigned i = 0; i < message->width; ++i) {
      const float around = 6.2832F * static_cast<float>(i % 500) / 500;
      const float along = 6.2832F * static_cast<float>(i) / 50000;
      const float ring = 3 + std::cos(around + 0.05F * static_cast<float>(tick_));
      const float values[4] = {ring * std::cos(along), ring * std::sin(along), std::sin(around), std::sin(3 * along)};
      std::memcpy(message->data.data() + std::size_t{16} * i, values, sizeof values);
    }
    cloud_->publish(std::move(message));
  }

  void publish_scan() {
    LaserScan message;
    message.header.stamp = now();
    message.angle_min = -3.1415F;
    message.angle_max = 3.1415F;
    message.angle_increment = 6.283F / 720;
    message.range_max = 30;
    for (int i = 0; i < 720; ++i) {
      message.ranges.push_back(4 + std::sin(static_cast<float>(i) / 30));
    }
    scan_->publish(message);
  }

  unsigned tick_ = 0;
  double angle_ = 0;
  rclcpp::Publisher<Image>::SharedPtr image_ = create_publisher<Image>("/camera/image", 4);
  rclcpp::Publisher<PointCloud2>::SharedPtr cloud_ = create_publisher<PointCloud2>("/lidar/points", 4);
  rclcpp::Publisher<LaserScan>::SharedPtr scan_ = create_publisher<LaserScan>("/lidar/scan", 4);
  rclcpp::Publisher<Imu>::SharedPtr imu_ = create_publisher<Imu>("/imu", 10);
  rclcpp::Publisher<String>::SharedPtr chatter_ = create_publisher<String>("/chatter", 10);
  rclcpp::Publisher<String>::SharedPtr map_ = create_publisher<String>("/map_name", rclcpp::QoS(1).transient_local());
  rclcpp::Service<SetBool>::SharedPtr service_ = create_service<SetBool>(
      "/lights", [](const SetBool::Request::SharedPtr request, SetBool::Response::SharedPtr response) {
        response->success = true;
        response->message = request->data ? "on" : "off";
      });
  rclcpp::TimerBase::SharedPtr fast_;
  rclcpp::TimerBase::SharedPtr slow_;
};

class Listener : public rclcpp::Node {
 public:
  Listener() : Node("listener") {
    said_ = create_subscription<String>("/said", 10, [this](const String & message) { heard_->publish(message); });
  }

 private:
  rclcpp::Publisher<String>::SharedPtr heard_ = create_publisher<String>("/heard", 10);
  rclcpp::Subscription<String>::SharedPtr said_;
  rclcpp::Subscription<Image>::SharedPtr image_ =
      create_subscription<Image>("/camera/image", 4, [](const Image::ConstSharedPtr &) {});
  rclcpp::Subscription<PointCloud2>::SharedPtr cloud_ =
      create_subscription<PointCloud2>("/lidar/points", 4, [](const PointCloud2::ConstSharedPtr &) {});
  rclcpp::Subscription<Imu>::SharedPtr imu_ = create_subscription<Imu>("/imu", 10, [](const Imu::ConstSharedPtr &) {});
};

}  // namespace

int main(int argc, char ** argv) {
  rclcpp::init(argc, argv);
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "publish") {
    rclcpp::spin(std::make_shared<Robot>());
  } else if (what == "listen") {
    rclcpp::spin(std::make_shared<Listener>());
  } else if (what == "many" && argc > 2) {
    const auto node = std::make_shared<rclcpp::Node>("many");
    std::vector<rclcpp::Publisher<String>::SharedPtr> publishers;
    for (int i = 0; i < std::atoi(argv[2]); ++i) {
      publishers.push_back(node->create_publisher<String>("/many/topic_" + std::to_string(i), 1));
    }
    rclcpp::spin(node);
  } else {
    return 2;
  }
  rclcpp::shutdown();
  return 0;
}
