// Stands for a camera with depth: publishes a colour image, a point cloud and a camera_info, ten times a second.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <utility>

#include "copies.hpp"
#include "rclcpp/rclcpp.hpp"
#include "sensor_msgs/image_encodings.hpp"
#include "sensor_msgs/msg/camera_info.hpp"
#include "sensor_msgs/msg/image.hpp"
#include "sensor_msgs/msg/point_cloud2.hpp"
#include "sensor_msgs/point_cloud2_iterator.hpp"

namespace {

using sensor_msgs::msg::CameraInfo;
using sensor_msgs::msg::Image;
using sensor_msgs::msg::PointCloud2;

constexpr std::uint32_t kWidth = 1920;
constexpr std::uint32_t kHeight = 1080;
constexpr std::size_t kPoints = 320 * 240;

class Driver : public rclcpp::Node {
 public:
  Driver() : Node("driver") {
    images_ = create_publisher<Image>("image_raw", rclcpp::SensorDataQoS());
    clouds_ = create_publisher<PointCloud2>("points", rclcpp::SensorDataQoS());
    infos_ = create_publisher<CameraInfo>("camera_info", 10);
    info_.header.frame_id = "camera";
    info_.width = kWidth;
    info_.height = kHeight;
    info_.distortion_model = "plumb_bob";
    info_.d = {0.0, 0.0, 0.0, 0.0, 0.0};
    timer_ = create_wall_timer(std::chrono::milliseconds(100), [this] { capture(); });
  }

 private:
  void capture() {
    // Messages are made in shared memory. Handing over a unique_ptr hands over the memory: no byte is copied.
    images_->publish(make_image());
    clouds_->publish(make_cloud());
    // By reference a message is copied, once, since it stays ours.
    info_.header.stamp = now();
    infos_->publish(info_);

    if (++captured_ % 10 == 0) {
      camera_pipeline::print_copies(get_logger(), *images_, "published", captured_);
      camera_pipeline::print_copies(get_logger(), *clouds_, "published", captured_);
      camera_pipeline::print_copies(get_logger(), *infos_, "published", captured_);
    }
  }

  /// A grey ramp from left to right that moves.
  std::unique_ptr<Image> make_image() const {
    auto image = std::make_unique<Image>();
    image->header.frame_id = "camera";
    image->height = kHeight;
    image->width = kWidth;
    image->encoding = sensor_msgs::image_encodings::RGB8;
    image->step = kWidth * 3;
    image->data.resize(static_cast<std::size_t>(image->step) * image->height);
    for (std::uint32_t x = 0; x < kWidth; ++x) {
      std::fill_n(image->data.begin() + 3 * x, 3, static_cast<std::uint8_t>((x + captured_ * 8) / 8));
    }
    for (std::uint32_t y = 1; y < kHeight; ++y) {
      std::copy_n(image->data.begin(), image->step, image->data.begin() + y * image->step);
    }
    image->header.stamp = now();
    return image;
  }

  /// A flat wall, two metres away.
  std::unique_ptr<PointCloud2> make_cloud() const {
    auto cloud = std::make_unique<PointCloud2>();
    cloud->header.frame_id = "camera";
    sensor_msgs::PointCloud2Modifier modifier(*cloud);
    modifier.setPointCloud2FieldsByString(1, "xyz");
    modifier.resize(kPoints);
    sensor_msgs::PointCloud2Iterator<float> xyz(*cloud, "x");
    for (std::size_t i = 0; i < kPoints; ++i, ++xyz) {
      xyz[0] = static_cast<float>(i % 320) / 160.0F - 1.0F;
      xyz[1] = static_cast<float>(i / 320) / 120.0F - 1.0F;
      xyz[2] = 2.0F;
    }
    cloud->is_dense = true;
    cloud->header.stamp = now();
    return cloud;
  }

  rclcpp::Publisher<Image>::SharedPtr images_;
  rclcpp::Publisher<PointCloud2>::SharedPtr clouds_;
  rclcpp::Publisher<CameraInfo>::SharedPtr infos_;
  rclcpp::TimerBase::SharedPtr timer_;
  CameraInfo info_;
  std::uint64_t captured_ = 0;
};

}  // namespace

int main(int argc, char * argv[]) {
  rclcpp::init(argc, argv);
  rclcpp::spin(std::make_shared<Driver>());
  rclcpp::shutdown();
  return 0;
}
