// The end of the pipeline: looks at images and clouds, and says how old they were when they came.
#include <cstdint>
#include <memory>

#include "copies.hpp"
#include "rclcpp/rclcpp.hpp"
#include "sensor_msgs/msg/camera_info.hpp"
#include "sensor_msgs/msg/image.hpp"
#include "sensor_msgs/msg/point_cloud2.hpp"
#include "sensor_msgs/point_cloud2_iterator.hpp"

namespace {

using sensor_msgs::msg::CameraInfo;
using sensor_msgs::msg::Image;
using sensor_msgs::msg::PointCloud2;

class Viewer : public rclcpp::Node {
 public:
  Viewer() : Node("viewer") {
    images_ = create_subscription<Image>("image_mono", rclcpp::SensorDataQoS(),
                                         [this](const Image & image) { show_image(image); });
    clouds_ = create_subscription<PointCloud2>("points", rclcpp::SensorDataQoS(),
                                               [this](PointCloud2::ConstSharedPtr cloud) { show_cloud(*cloud); });
    infos_ = create_subscription<CameraInfo>("camera_info", 10, [this](const CameraInfo &) { ++info_count_; });
  }

 private:
  double milliseconds_since(const builtin_interfaces::msg::Time & stamp) const {
    return (now() - rclcpp::Time(stamp)).seconds() * 1e3;
  }

  void show_image(const Image & image) {
    if (++image_count_ % 10 != 0) return;
    const std::size_t middle = (image.height / 2) * image.step + image.width / 2;
    RCLCPP_INFO(get_logger(), "%ux%u %s from %s, %.2f ms old, %d in the middle", image.width, image.height,
                image.encoding.c_str(), image.header.frame_id.c_str(), milliseconds_since(image.header.stamp),
                middle < image.data.size() ? image.data[middle] : -1);
    camera_pipeline::print_copies(get_logger(), *images_, "received", image_count_);
    camera_pipeline::print_copies(get_logger(), *infos_, "received", info_count_);
  }

  void show_cloud(const PointCloud2 & cloud) {
    if (++cloud_count_ % 10 != 0) return;
    double sum = 0;
    std::size_t points = 0;
    for (sensor_msgs::PointCloud2ConstIterator<float> z(cloud, "z"); z != z.end(); ++z, ++points) {
      sum += *z;
    }
    RCLCPP_INFO(get_logger(), "%zu points, %.2f ms old, %.2f m away", points, milliseconds_since(cloud.header.stamp),
                points == 0 ? 0 : sum / static_cast<double>(points));
    camera_pipeline::print_copies(get_logger(), *clouds_, "received", cloud_count_);
  }

  rclcpp::Subscription<Image>::SharedPtr images_;
  rclcpp::Subscription<PointCloud2>::SharedPtr clouds_;
  rclcpp::Subscription<CameraInfo>::SharedPtr infos_;
  std::uint64_t image_count_ = 0;
  std::uint64_t cloud_count_ = 0;
  std::uint64_t info_count_ = 0;
};

}  // namespace

int main(int argc, char * argv[]) {
  rclcpp::init(argc, argv);
  rclcpp::spin(std::make_shared<Viewer>());
  rclcpp::shutdown();
  return 0;
}
