// callback: what an executor needs for an image of 4 MiB, from taking it to the return of its callback. One process.
//
//   callback.const.none     a ConstSharedPtr that is not looked at
//   callback.const.read     a ConstSharedPtr, all of which is read
//   callback.shared.none, callback.shared.read      the same with a SharedPtr
//   callback.unique.read    the same with a UniquePtr
//   callback.shared.some    a SharedPtr, of which a page in the middle is written
//   callback.shared.all     a SharedPtr, of which all is written
//   callback.copy.some      a ConstSharedPtr that is copied, and a page of the copy written
//   callback.copy.all       the same, and all of the copy written
//
// A sample is the mean of four messages. Eight before them do not count: their pages are mapped, and who rewrites
// all is known by then.
#include <algorithm>
#include <cstring>
#include <memory>
#include <numeric>
#include <sensor_msgs/msg/image.hpp>

#include "common/microbenchmarks.hpp"
#include "common/ros.hpp"
#include "common/suites.hpp"

namespace bench {
namespace {

using sensor_msgs::msg::Image;

constexpr std::size_t kBytes = std::size_t{4} << 20;
constexpr std::size_t kPage = 4096;

void read(const Image & image) {
  benchmark::DoNotOptimize(std::accumulate(image.data.begin(), image.data.end(), std::uint64_t{0}));
}
void write_some(Image & image) { std::memset(image.data.data() + kBytes / 2, 1, kPage); }
void write_all(Image & image) { std::memset(image.data.data(), 1, kBytes); }

/// A publisher and its reader.
class Topic {
 public:
  template <class Callback>
  Topic(const std::string & name, Callback callback)
      : publisher_(ros().node->create_publisher<Image>(name, 10)),
        subscription_(ros().node->create_subscription<Image>(name, 10, callback)) {}
  bool is_connected() const {
    return publisher_->get_subscription_count() == 1 && subscription_->get_publisher_count() == 1;
  }
  void publish() {
    auto image = std::make_unique<Image>();
    image->data.resize(kBytes);
    publisher_->publish(std::move(image));
  }

 private:
  std::shared_ptr<rclcpp::Publisher<Image>> publisher_;
  std::shared_ptr<rclcpp::Subscription<Image>> subscription_;
};

class Callback : public Microbenchmarks {
 public:
  Callback() {
    add_topic("const_none", [](Image::ConstSharedPtr) {});
    add_topic("shared_none", [](Image::SharedPtr) {});
    add_topic("const_read", [](Image::ConstSharedPtr image) { read(*image); });
    add_topic("shared_read", [](Image::SharedPtr image) { read(*image); });
    add_topic("unique_read", [](Image::UniquePtr image) { read(*image); });
    add_topic("shared_some", [](Image::SharedPtr image) { write_some(*image); });
    add_topic("shared_all", [](Image::SharedPtr image) { write_all(*image); });
    add_topic("copy_some", [](Image::ConstSharedPtr image) { write_some(*std::make_shared<Image>(*image)); });
    add_topic("copy_all", [](Image::ConstSharedPtr image) { write_all(*std::make_shared<Image>(*image)); });
  }

  bool is_connected() const override {
    return std::all_of(topics_.begin(), topics_.end(), [](const auto & topic) { return topic->is_connected(); });
  }

 private:
  template <class CallbackT>
  void add_topic(const std::string & name, CallbackT callback) {
    topics_.push_back(std::make_unique<Topic>("/bench/callback/" + name, callback));
    std::string series = "callback." + name;
    std::replace(series.begin(), series.end(), '_', '.');
    add(series, 4, [&topic = *topics_.back()](benchmark::State & state) {
      for (int i = 0; i < 8; ++i) {
        topic.publish();
        ros().executor->spin_some();
      }
      while (state.KeepRunning()) {
        topic.publish();
        time_call(state, [] { ros().executor->spin_some(); });
      }
    });
  }

  std::vector<std::unique_ptr<Topic>> topics_;
};

std::unique_ptr<Contestant> make(const std::string &, const Role &) { return std::make_unique<Callback>(); }

}  // namespace

Suite callback_suite(const Length & length) {
  Suite suite{"callback", 0, make};
  suite.contests = {{"callback", length.repetitions(8)}};
  suite.targets = {
      {"callback, 4 MiB, SharedPtr / ConstSharedPtr, unread", "callback.shared.none", "callback.const.none", 0},
      {"callback, 4 MiB, SharedPtr / ConstSharedPtr", "callback.shared.read", "callback.const.read", 1.05},
      {"callback, 4 MiB, UniquePtr / ConstSharedPtr", "callback.unique.read", "callback.const.read", 1.05},
      {"callback, 4 MiB, one page written / in a copy", "callback.shared.some", "callback.copy.some", 0.5},
      {"callback, 4 MiB, all written / in a copy", "callback.shared.all", "callback.copy.all", 1.1}};
  return suite;
}

}  // namespace bench
