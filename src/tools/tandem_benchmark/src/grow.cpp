// grow: a sequence is made, grows, is filled and published, and the same with a std::vector that is then assigned to the
// message, as where a message's memory is not the transport's. One process; a reader is matched and never asks.
//
//   grow.resize.ours / std      6.2 MB by one resize, each byte written: an image
//   grow.push_back.ours / std   16,000 points one by one: a cloud that is put together
#include <cstring>
#include <sensor_msgs/msg/image.hpp>

#include "contestant.hpp"
#include "ros.hpp"

namespace bench {
namespace {

using sensor_msgs::msg::Image;

constexpr std::size_t kImage = std::size_t{1920} * 1080 * 3;
constexpr std::size_t kPoints = 16'000;

struct Resize {
  template <class Sequence>
  static void run(Sequence & data) {
    data.resize(kImage);
    std::memset(data.data(), 42, data.size());
  }
};

struct PushBack {
  template <class Sequence>
  static void run(Sequence & data) {
    for (std::size_t i = 0; i < kPoints * 16; ++i) {
      data.push_back(static_cast<std::uint8_t>(i));
    }
  }
};

class Grow : public Contestant {
 public:
  Grow()
      : publisher_(ros().node->create_publisher<Image>("/bench/grow", 2)),
        subscription_(ros().node->create_subscription<Image>("/bench/grow", 2, [](Image::ConstSharedPtr) {})) {}

  bool is_connected() const override {
    return publisher_->get_subscription_count() == 1 && subscription_->get_publisher_count() == 1;
  }

  Samples ping(const Burst & burst) override {
    return play_alone(burst, [this](std::size_t, Samples & samples) {
      play<Resize>("grow.resize", samples);
      play<PushBack>("grow.push_back", samples);
    });
  }

 private:
  template <class How>
  void play(const std::string & name, Samples & samples) {
    auto begin = Clock::now();
    auto message = std::make_unique<Image>();
    How::run(message->data);
    publisher_->publish(std::move(message));
    samples[name + ".ours"].push_back(nanoseconds_between(begin, Clock::now()));
    begin = Clock::now();
    {
      std::vector<std::uint8_t> data;
      How::run(data);
      message = std::make_unique<Image>();
      message->data = data;
      publisher_->publish(std::move(message));
    }
    samples[name + ".std"].push_back(nanoseconds_between(begin, Clock::now()));
    begin = Clock::now();
    {
      std::vector<std::uint8_t> data;
      How::run(data);
      asm volatile("" : : "r"(data.data()) : "memory");
    }
    samples[name + ".unpublished"].push_back(nanoseconds_between(begin, Clock::now()));
  }

  std::shared_ptr<rclcpp::Publisher<Image>> publisher_;
  std::shared_ptr<rclcpp::Subscription<Image>> subscription_;
};

}  // namespace

std::unique_ptr<Contestant> make_grow(const std::string &, const Seat &) { return std::make_unique<Grow>(); }

}  // namespace bench
