// Reads what `camera` sends, checks it, and makes its subscription of images anew every three seconds.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "hbm_img_msgs/msg/hbm_h26_x_frame.hpp"
#include "hbm_img_msgs/msg/hbm_msg1080_p.hpp"
#include "hbm_img_msgs/msg/hbm_msg540_p.hpp"
#include "rclcpp/rclcpp.hpp"

namespace {

using hbm_img_msgs::msg::HbmH26XFrame;
using hbm_img_msgs::msg::HbmMsg1080P;
using hbm_img_msgs::msg::HbmMsg540P;

template <class Text>
std::string to_string(const Text & text) {
  return std::string(text.begin(), std::find(text.begin(), text.end(), 0));
}

class Reader : public rclcpp::Node {
 public:
  Reader() : Node("reader") {
    small_images_ =
        create_subscription_hbmem<HbmMsg540P>("hbmem_img_small", rclcpp::SensorDataQoS(),
                                              std::bind(&Reader::on_image<HbmMsg540P>, this, std::placeholders::_1));
    stream_ = create_subscription_hbmem<HbmH26XFrame>("hbmem_stream", 10,
                                                      std::bind(&Reader::on_frame, this, std::placeholders::_1));
    subscribe();
    timer_ = create_wall_timer(std::chrono::seconds(3), [this] {
      images_.reset();
      subscribe();
    });
  }

 private:
  void subscribe() {
    images_ = create_subscription_hbmem<HbmMsg1080P>(
        "hbmem_img", 5, std::bind(&Reader::on_image<HbmMsg1080P>, this, std::placeholders::_1));
    RCLCPP_INFO(get_logger(), "subscribed to %s", images_->get_topic_name());
  }

  template <class Message>
  void on_image(const std::shared_ptr<Message> image) {
    const std::uint32_t size = std::min<std::uint32_t>(image->data_size, image->data.size());
    const auto expected = static_cast<std::uint8_t>(image->index);
    const bool whole = size > 0 && image->data[0] == expected && image->data[size / 2] == expected &&
                       image->data[size - 1] == expected;
    report("image", image->index, image->time_stamp, whole,
           to_string(image->encoding) + " " + std::to_string(image->width) + "x" + std::to_string(image->height));
  }

  void on_frame(const HbmH26XFrame::ConstSharedPtr frame) {
    const bool whole = frame->data_size > 0 && frame->data_size <= frame->data.size() &&
                       frame->data[frame->data_size - 1] == static_cast<std::uint8_t>(frame->index);
    report("frame", frame->index, frame->pts, whole, to_string(frame->encoding));
  }

  void report(const char * what, std::int64_t index, const builtin_interfaces::msg::Time & stamp, bool whole,
              const std::string & details) {
    const double age = (now() - rclcpp::Time(stamp)).seconds() * 1e3;
    RCLCPP_INFO(get_logger(), "%s %ld, %s, %.3f ms old%s", what, static_cast<long>(index), details.c_str(), age,
                whole ? "" : ", DAMAGED");
  }

  rclcpp::SubscriptionHbmem<HbmMsg1080P>::SharedPtr images_;
  rclcpp::SubscriptionHbmem<HbmMsg540P>::SharedPtr small_images_;
  rclcpp::SubscriptionHbmem<HbmH26XFrame>::SharedPtr stream_;
  rclcpp::TimerBase::SharedPtr timer_;
};

}  // namespace

int main(int argc, char * argv[]) {
  rclcpp::init(argc, argv);
  rclcpp::spin(std::make_shared<Reader>());
  rclcpp::shutdown();
  return 0;
}
