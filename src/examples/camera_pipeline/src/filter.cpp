// Turns colour images into grey ones. It reads the driver's memory and writes into memory that the viewer will read.
#include <cstdint>
#include <memory>
#include <utility>

#include "copies.hpp"
#include "rclcpp/rclcpp.hpp"
#include "sensor_msgs/image_encodings.hpp"
#include "sensor_msgs/msg/image.hpp"

namespace {

using sensor_msgs::msg::Image;

class Filter : public rclcpp::Node {
 public:
  Filter() : Node("filter") {
    grey_ = create_publisher<Image>("image_mono", rclcpp::SensorDataQoS());
    // A shared pointer to const is the driver's message itself. One to a message that may be changed would be a copy.
    colour_ = create_subscription<Image>("image_raw", rclcpp::SensorDataQoS(),
                                         [this](Image::ConstSharedPtr image) { convert(*image); });
  }

 private:
  void convert(const Image & colour) {
    if (colour.encoding != sensor_msgs::image_encodings::RGB8) {
      RCLCPP_WARN(get_logger(), "an image of encoding '%s' is left out, rgb8 is wanted", colour.encoding.c_str());
      return;
    }
    auto grey = std::make_unique<Image>();
    grey->header = colour.header;  // with the driver's time stamp
    grey->height = colour.height;
    grey->width = colour.width;
    grey->encoding = sensor_msgs::image_encodings::MONO8;
    grey->step = colour.width;
    grey->data.resize(static_cast<std::size_t>(grey->step) * grey->height);
    for (std::uint32_t y = 0; y < colour.height; ++y) {
      const std::uint8_t * from = colour.data.data() + static_cast<std::size_t>(y) * colour.step;
      std::uint8_t * to = grey->data.data() + static_cast<std::size_t>(y) * grey->step;
      for (std::uint32_t x = 0; x < colour.width; ++x, from += 3) {
        to[x] = static_cast<std::uint8_t>((from[0] * 77 + from[1] * 150 + from[2] * 29) / 256);
      }
    }
    grey_->publish(std::move(grey));

    if (++converted_ % 10 == 0) {
      camera_pipeline::print_copies(get_logger(), *colour_, "received", converted_);
      camera_pipeline::print_copies(get_logger(), *grey_, "published", converted_);
    }
  }

  rclcpp::Publisher<Image>::SharedPtr grey_;
  rclcpp::Subscription<Image>::SharedPtr colour_;
  std::uint64_t converted_ = 0;
};

}  // namespace

int main(int argc, char * argv[]) {
  rclcpp::init(argc, argv);
  rclcpp::spin(std::make_shared<Filter>());
  rclcpp::shutdown();
  return 0;
}
