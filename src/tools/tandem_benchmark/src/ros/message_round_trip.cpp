// messages.HOW.WHAT: round trips of large standard messages through rclcpp, against a 64-byte message of the same path.
//
//   HOW   unique: publish(std::unique_ptr)      loan: borrow_loaned_message()
//   WHAT  image (1920 x 1080 rgb8, 6.2 MB), cloud (a million points of 16 bytes), 64 (nothing else)
//         image_64, cloud_64: 64 bytes, with as much memory written before each as for an image, a cloud
//
// One way is: publish, wake the executor of the other side, check the message, enter its callback. Making the message,
// which writes all of it, comes before: that is the application's time. Each side makes its next one when it has sent
// the last, and the ping side then waits until the other side sleeps. So caches are cold and processors sleep deep, which
// costs a message of 64 bytes as much: hence those with the same work before.
#include <algorithm>
#include <array>
#include <optional>
#include <sensor_msgs/msg/image.hpp>
#include <sensor_msgs/msg/point_cloud2.hpp>
#include <thread>

#include "common/suites.hpp"
#include "ros/ros_round_trip.hpp"
#include "tandem_benchmark/msg/message64b.hpp"

namespace bench {
namespace {

using Small = tandem_benchmark::msg::Message64b;
using sensor_msgs::msg::Image;
using sensor_msgs::msg::PointCloud2;

constexpr std::size_t kImageSize = std::size_t{1920} * 1080 * 3;
constexpr std::size_t kCloudSize = 16'000'000;

void fill(Small & message) { message = Small(); }

/// As much writing as a large message needs, to as many buffers in turn as a publisher has blocks.
class Work {
 public:
  explicit Work(std::size_t size) {
    for (auto & buffer : buffers_) {
      buffer.resize(size);
    }
  }
  void operator()() {
    auto & buffer = buffers_[++turn_ % buffers_.size()];
    std::fill(buffer.begin(), buffer.end(), std::uint8_t{0});
    asm volatile("" : : "r"(buffer.data()) : "memory");
  }

 private:
  std::array<std::vector<std::uint8_t>, 4> buffers_;
  std::size_t turn_ = 0;
};

void fill(Image & message) {
  message.header.frame_id = "camera_optical_frame";
  message.height = 1080;
  message.width = 1920;
  message.encoding = "rgb8";
  message.step = message.width * 3;
  message.data.resize(message.height * message.step);
}

void fill(PointCloud2 & message) {
  message.header.frame_id = "lidar";
  message.height = 1;
  message.width = 1'000'000;
  message.fields.resize(4);
  const char * const names[] = {"x", "y", "z", "intensity"};
  for (std::uint32_t i = 0; i < 4; ++i) {
    message.fields[i].name = names[i];
    message.fields[i].offset = 4 * i;
    message.fields[i].datatype = sensor_msgs::msg::PointField::FLOAT32;
    message.fields[i].count = 1;
  }
  message.point_step = 16;
  message.row_step = message.point_step * message.width;
  message.data.resize(message.row_step);
}

// The number of a message is in a field that it has.
void set_head(Small & message, const Head & head) {
  message.sequence = head.sequence;
  message.last = head.last;
}
Head read_head(const Small & message) { return {message.sequence, message.last}; }
template <class Message>
void set_head(Message & message, const Head & head) {
  message.header.stamp.sec = static_cast<std::int32_t>(head.sequence);
  message.header.stamp.nanosec = static_cast<std::uint32_t>(head.last);
}
template <class Message>
Head read_head(const Message & message) {
  return {static_cast<std::uint64_t>(message.header.stamp.sec), message.header.stamp.nanosec};
}

template <class Message>
struct Unique {
  using Ready = std::unique_ptr<Message>;
  static Ready make(rclcpp::Publisher<Message> &) { return std::make_unique<Message>(); }
  static Message & get(Ready & ready) { return *ready; }
};

template <class Message>
struct Loaned {
  using Ready = rclcpp::LoanedMessage<Message>;
  static Ready make(rclcpp::Publisher<Message> & publisher) { return publisher.borrow_loaned_message(); }
  static Message & get(Ready & ready) { return ready.get(); }
};

template <class Message, template <class> class How>
class MessageRoundTrip : public RosRoundTrip<Message> {
 public:
  MessageRoundTrip(const std::string & name, bool ping, std::size_t work = 0)
      : RosRoundTrip<Message>(name, ping), work_(work) {}

 private:
  Head head_of(const Message & message) const override { return read_head(message); }

  void prepare() override {
    const auto begin = Clock::now();
    make();
    if (this->is_ping()) {
      std::this_thread::sleep_for(Clock::now() - begin + std::chrono::microseconds(300));
    }
  }

  void make() {
    work_();
    ready_.emplace(How<Message>::make(this->publisher()));
    fill(How<Message>::get(*ready_));
  }

  void send(const Head & head) override {
    if (!ready_) {
      make();
    }
    set_head(How<Message>::get(*ready_), head);
    this->start_clock();
    this->publisher().publish(std::move(*ready_));
    ready_.reset();
  }

  Work work_;
  std::optional<typename How<Message>::Ready> ready_;
};

template <template <class> class How>
std::unique_ptr<Contestant> make_how(const std::string & name, const std::string & what, bool ping) {
  if (what == "64") {
    return std::make_unique<MessageRoundTrip<Small, How>>(name, ping);
  }
  if (what == "image_64" || what == "cloud_64") {
    return std::make_unique<MessageRoundTrip<Small, How>>(name, ping, what == "image_64" ? kImageSize : kCloudSize);
  }
  if (what == "image") {
    return std::make_unique<MessageRoundTrip<Image, How>>(name, ping);
  }
  return std::make_unique<MessageRoundTrip<PointCloud2, How>>(name, ping);
}

std::unique_ptr<Contestant> make(const std::string & name, const Role & role) {
  const std::string what = name.substr(name.rfind('.') + 1);
  return name.find(".unique.") != std::string::npos ? make_how<Unique>(name, what, role.ping)
                                                    : make_how<Loaned>(name, what, role.ping);
}

}  // namespace

Suite messages_suite(const Length & length) {
  Suite suite{"messages", 1, make};
  for (const auto & [way, how] : {std::pair{"unique", "unique_ptr"}, std::pair{"loan", "loan"}}) {
    const std::string prefix = std::string("messages.") + way + ".";
    const std::string words = std::string("rclcpp, ") + how + ", ";
    suite.add(prefix + "64", length.samples(20), words + "64 B");
    for (const auto & [name, what, size] :
         {std::tuple{"image", "Image 6.2 MB", "6.2 MB"}, std::tuple{"cloud", "PointCloud2 16 MB", "16 MB"}}) {
      const std::string series = prefix + name;
      suite.add(series, length.samples(20), words + what);
      suite.add(series + "_64", length.samples(20), words + "64 B after writing " + size);
      suite.targets.push_back({words + what + " / 64 B", series, series + "_64", 1.2});
    }
  }
  return suite;
}

}  // namespace bench
