// copy: publish(const T &) of 4 MiB through rclcpp, which copies once, against one memcpy. One process, whose reader
// takes each message and looks at none.
//
//   copy.publish   the call, with a message of fixed size
//   copy.image     the call, with an image whose pixels are a sequence
//   copy.memcpy    the same bytes copied to one other buffer again and again, both as warm as their size permits
//   copy.turns     copied to four buffers in turn, as a publisher uses its blocks
//
// Each has its turn of a few calls, of which the first bring its memory into the cache and do not count.
#include <array>
#include <cstring>
#include <sensor_msgs/msg/image.hpp>

#include "contestant.hpp"
#include "ros.hpp"
#include "tandem_benchmark/msg/message4m.hpp"

namespace bench {
namespace {

using Message = tandem_benchmark::msg::Message4m;

using sensor_msgs::msg::Image;

template <class T>
struct Topic {
  explicit Topic(const std::string & name)
      : publisher(ros().node->create_publisher<T>(name, 10)),
        subscription(ros().node->create_subscription<T>(name, 10, [](typename T::ConstSharedPtr) {})) {}
  bool is_connected() const {
    return publisher->get_subscription_count() == 1 && subscription->get_publisher_count() == 1;
  }
  void publish() { publisher->publish(*message); }

  const std::unique_ptr<T> message = std::make_unique<T>();
  std::shared_ptr<rclcpp::Publisher<T>> publisher;
  std::shared_ptr<rclcpp::Subscription<T>> subscription;
};

class Copy : public Contestant {
 public:
  Copy() {
    images_.message->data.resize(sizeof(Message));
    for (auto & buffer : buffers_) {
      buffer.resize(sizeof(Message));
    }
  }

  bool is_connected() const override { return messages_.is_connected() && images_.is_connected(); }

  Samples ping(const Burst & burst) override {
    return play_alone(burst, [this](std::size_t, Samples & samples) {
      time_calls(samples["copy.publish"], [this](std::size_t) { messages_.publish(); });
      time_calls(samples["copy.image"], [this](std::size_t) { images_.publish(); });
      time_calls(samples["copy.memcpy"], [this](std::size_t) { copy_to(buffers_[0]); });
      time_calls(samples["copy.turns"], [this](std::size_t i) { copy_to(buffers_[i % buffers_.size()]); });
    });
  }

 private:
  template <class Call>
  void time_calls(std::vector<double> & samples, Call call) {
    constexpr std::size_t kUncounted = 4;
    constexpr std::size_t kCalls = 8;
    for (std::size_t i = 0; i < kCalls; ++i) {
      const auto begin = Clock::now();
      call(i);
      const auto end = Clock::now();
      if (i >= kUncounted) {
        samples.push_back(nanoseconds_between(begin, end));
      }
      ros().executor->spin_some();
    }
  }

  void copy_to(std::vector<std::uint8_t> & buffer) {
    std::memcpy(buffer.data(), messages_.message.get(), sizeof(Message));
    asm volatile("" : : "r"(buffer.data()) : "memory");
  }

  Topic<Message> messages_{"/bench/copy/message"};
  Topic<Image> images_{"/bench/copy/image"};
  std::array<std::vector<std::uint8_t>, 4> buffers_;
};

}  // namespace

std::unique_ptr<Contestant> make_copy(const std::string &, const Seat &) { return std::make_unique<Copy>(); }

}  // namespace bench
