// A camera driver: one thread captures and publishes images of 1080p and 540p, a timer publishes compressed frames.
//
// Topics: hbmem_img (1080p), hbmem_img_small (540p), hbmem_stream (H.264)
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "hbm_img_msgs/msg/hbm_h26_x_frame.hpp"
#include "hbm_img_msgs/msg/hbm_msg1080_p.hpp"
#include "hbm_img_msgs/msg/hbm_msg540_p.hpp"
#include "rclcpp/rclcpp.hpp"

namespace {

using hbm_img_msgs::msg::HbmH26XFrame;
using hbm_img_msgs::msg::HbmMsg1080P;
using hbm_img_msgs::msg::HbmMsg540P;

/// Texts have a fixed size, so that the message is one piece of memory.
template <class Text>
void set_text(Text & text, const std::string & value) {
  text.fill(0);
  std::copy_n(value.begin(), std::min(value.size(), text.size()), text.begin());
}

class Camera : public rclcpp::Node {
 public:
  Camera() : Node("camera"), frame_(1920 * 1080 * 3 / 2) {
    images_ = create_publisher_hbmem<HbmMsg1080P>("hbmem_img", 5);
    small_images_ = create_publisher_hbmem<HbmMsg540P>("hbmem_img_small", rclcpp::SensorDataQoS());
    stream_ = create_publisher_hbmem<HbmH26XFrame>("hbmem_stream", 10);
    timer_ = create_wall_timer(std::chrono::milliseconds(40), std::bind(&Camera::encode, this));
    RCLCPP_INFO(get_logger(), "lending images on %s and %s, frames on %s", images_->get_topic_name(),
                small_images_->get_topic_name(), stream_->get_topic_name());
    capturing_ = std::thread([this] { capture_loop(); });
  }

  ~Camera() override {
    stop_ = true;
    capturing_.join();
  }

 private:
  void capture_loop() {
    while (!stop_ && rclcpp::ok()) {
      capture();
      std::this_thread::sleep_for(std::chrono::milliseconds(33));
    }
  }

  void capture() {
    std::fill(frame_.begin(), frame_.end(), static_cast<std::uint8_t>(index_));  // as from the sensor
    publish_image(*images_, 1920, 1080);
    publish_image(*small_images_, 960, 540);
    ++index_;
  }

  template <class Publisher>
  void publish_image(Publisher & publisher, std::uint32_t width, std::uint32_t height) {
    auto loaned = publisher.borrow_loaned_message();
    if (!loaned.is_valid()) {
      RCLCPP_WARN(get_logger(), "%s: every message is being read, image %d is left out", publisher.get_topic_name(),
                  index_);
      return;
    }
    auto & message = loaned.get();
    message.index = index_;
    message.time_stamp = now();
    message.width = width;
    message.height = height;
    message.step = width;
    message.data_size = width * height * 3 / 2;
    set_text(message.encoding, "nv12");
    if (message.data_size > message.data.size() || message.data_size > frame_.size()) {
      return;  // the loan is dropped, its memory free again at once
    }
    std::memcpy(message.data.data(), frame_.data(), message.data_size);
    publisher.publish(std::move(loaned));
  }

  void encode() {
    auto loaned = stream_->borrow_loaned_message();
    if (!loaned.is_valid()) return;
    auto & frame = loaned.get();
    frame.index = encoded_++;
    frame.dts = now();
    frame.pts = frame.dts;
    frame.width = 1920;
    frame.height = 1080;
    frame.data_size = 20000 + frame.index % 1000;
    set_text(frame.encoding, "h264");
    std::fill_n(frame.data.begin(), frame.data_size, static_cast<std::uint8_t>(frame.index));
    stream_->publish(std::move(loaned));
  }

  rclcpp::PublisherHbmem<HbmMsg1080P>::SharedPtr images_;
  rclcpp::PublisherHbmem<HbmMsg540P>::SharedPtr small_images_;
  rclcpp::PublisherHbmem<HbmH26XFrame>::SharedPtr stream_;
  rclcpp::TimerBase::SharedPtr timer_;
  std::vector<std::uint8_t> frame_;
  std::int32_t index_ = 0;
  std::uint32_t encoded_ = 0;
  std::atomic<bool> stop_{false};
  std::thread capturing_;
};

}  // namespace

int main(int argc, char * argv[]) {
  rclcpp::init(argc, argv);
  rclcpp::spin(std::make_shared<Camera>());
  rclcpp::shutdown();
  return 0;
}
