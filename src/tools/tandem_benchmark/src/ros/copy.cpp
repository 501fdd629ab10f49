// copy: publish(const T &) of 4 MiB through rclcpp, which copies once, against one memcpy. One process, whose reader
// takes each message and looks at none.
//
//   copy.publish   the call, with a message of fixed size
//   copy.image     the call, with an image whose pixels are a sequence
//   copy.memcpy    the same bytes copied to one other buffer again and again, both as warm as their size permits
//   copy.turns     copied to four buffers in turn, as a publisher uses its blocks
//
// A sample is the mean of four calls. Four before them bring their memory into the cache and do not count.
#include <array>
#include <cstring>
#include <sensor_msgs/msg/image.hpp>

#include "common/microbenchmarks.hpp"
#include "common/ros.hpp"
#include "common/suites.hpp"
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

class Copy : public Microbenchmarks {
 public:
  Copy() {
    images_.message->data.resize(sizeof(Message));
    for (auto & buffer : buffers_) {
      buffer.resize(sizeof(Message));
    }
    add_calls("copy.publish", [this](std::size_t) { messages_.publish(); });
    add_calls("copy.image", [this](std::size_t) { images_.publish(); });
    add_calls("copy.memcpy", [this](std::size_t) { copy_to(buffers_[0]); });
    add_calls("copy.turns", [this](std::size_t i) { copy_to(buffers_[i % buffers_.size()]); });
  }

  bool is_connected() const override { return messages_.is_connected() && images_.is_connected(); }

 private:
  template <class Call>
  void add_calls(const std::string & series, Call call) {
    add(series, 4, [call](benchmark::State & state) {
      std::size_t i = 0;
      for (; i < 4; ++i) {
        call(i);
        ros().executor->spin_some();
      }
      for (; state.KeepRunning(); ++i) {
        time_call(state, [&call, i] { call(i); });
        ros().executor->spin_some();
      }
    });
  }

  void copy_to(std::vector<std::uint8_t> & buffer) {
    std::memcpy(buffer.data(), messages_.message.get(), sizeof(Message));
    benchmark::DoNotOptimize(buffer.data());
  }

  Topic<Message> messages_{"/bench/copy/message"};
  Topic<Image> images_{"/bench/copy/image"};
  std::array<std::vector<std::uint8_t>, 4> buffers_;
};

std::unique_ptr<Contestant> make(const std::string &, const Role &) { return std::make_unique<Copy>(); }

}  // namespace

Suite copy_suite(const Length & length) {
  Suite suite{"copy", 0, make};
  suite.contests = {{"copy", length.repetitions(8)}};
  suite.figures = {{"copy.publish", "publish(const T &), 4 MiB"},
                   {"copy.image", "publish(const Image &), 4 MiB"},
                   {"copy.memcpy", "memcpy of 4 MiB, the same two buffers"},
                   {"copy.turns", "memcpy of 4 MiB to four buffers in turn"}};
  suite.targets = {{"publish(const T &), 4 MiB / memcpy", "copy.publish", "copy.memcpy", 1.1},
                   {"publish(const Image &), 4 MiB / memcpy", "copy.image", "copy.memcpy", 1.1},
                   {"publish(const T &), 4 MiB / memcpy to buffers in turn", "copy.publish", "copy.turns", 0}};
  return suite;
}

}  // namespace bench
