// grow: a sequence is made, grows, is filled and published, and the same with a std::vector that is then assigned to the
// message, as where a message's memory is not the transport's. One process; a reader is matched and never asks.
//
//   grow.resize.ours / std      6.2 MB by one resize, each byte written: an image
//   grow.push_back.ours / std   16,000 points one by one: a cloud that is put together
#include <cstring>
#include <sensor_msgs/msg/image.hpp>

#include "common/microbenchmarks.hpp"
#include "common/ros.hpp"
#include "common/suites.hpp"

namespace bench {
namespace {

using sensor_msgs::msg::Image;

constexpr std::size_t kImage = std::size_t{1920} * 1080 * 3;
constexpr std::size_t kPoints = 16'000;

// Neither is inlined: what the compiler knows of the sequence must not depend on whose it is.
struct Resize {
  template <class Sequence>
  [[gnu::noinline]] static void run(Sequence & data) {
    data.resize(kImage);
    std::memset(data.data(), 42, data.size());
  }
};

struct PushBack {
  template <class Sequence>
  [[gnu::noinline]] static void run(Sequence & data) {
    for (std::size_t i = 0; i < kPoints * 16; ++i) {
      data.push_back(static_cast<std::uint8_t>(i));
    }
  }
};

class Grow : public Microbenchmarks {
 public:
  Grow()
      : publisher_(ros().node->create_publisher<Image>("/bench/grow", 2)),
        subscription_(ros().node->create_subscription<Image>("/bench/grow", 2, [](Image::ConstSharedPtr) {})) {
    add_all<Resize>("grow.resize");
    add_all<PushBack>("grow.push_back");
  }

  bool is_connected() const override {
    return publisher_->get_subscription_count() == 1 && subscription_->get_publisher_count() == 1;
  }

 private:
  enum class Way { kOurs, kStd, kUnpublished };

  template <class How>
  void add_all(const std::string & series) {
    const std::pair<const char *, Way> ways[] = {
        {".ours", Way::kOurs}, {".std", Way::kStd}, {".unpublished", Way::kUnpublished}};
    for (const auto & [name, way] : ways) {
      add(series + name, 1, [this, way = way](benchmark::State & state) {
        while (state.KeepRunning()) {
          play<How>(state, way);
        }
      });
    }
  }

  /// All ways one after the other, since each leaves memory that the next one finds; one of them is timed.
  template <class How>
  void play(benchmark::State & state, Way timed) {
    const auto go = [&state, timed](Way way, auto call) {
      if (way == timed) {
        time_call(state, call);
      } else {
        call();
      }
    };
    go(Way::kOurs, [this] {
      auto message = std::make_unique<Image>();
      How::run(message->data);
      publisher_->publish(std::move(message));
    });
    go(Way::kStd, [this] {
      std::vector<std::uint8_t> data;
      How::run(data);
      auto message = std::make_unique<Image>();
      message->data = data;
      publisher_->publish(std::move(message));
    });
    go(Way::kUnpublished, [] {
      std::vector<std::uint8_t> data;
      How::run(data);
      benchmark::DoNotOptimize(data.data());
      benchmark::ClobberMemory();
    });
  }

  std::shared_ptr<rclcpp::Publisher<Image>> publisher_;
  std::shared_ptr<rclcpp::Subscription<Image>> subscription_;
};

std::unique_ptr<Contestant> make(const std::string &, const Role &) { return std::make_unique<Grow>(); }

}  // namespace

Suite grow_suite(const Length & length) {
  Suite suite{"grow", 0, make};
  suite.contests = {{"grow", length.repetitions(20)}};
  suite.figures = {{"grow.resize.ours", "image: make, resize, fill, publish"},
                   {"grow.resize.std", "the same with a std::vector, assigned to the message"},
                   {"grow.resize.unpublished", "std::vector: make, resize, fill, free"},
                   {"grow.push_back.ours", "16,000 points: make, push_back, publish"},
                   {"grow.push_back.std", "the same with a std::vector, assigned to the message"},
                   {"grow.push_back.unpublished", "std::vector: make, push_back, free"}};
  for (const std::string way : {"resize", "push_back"}) {
    const std::string series = "grow." + way + ".";
    suite.targets.push_back({way + ", fill, publish / with a std::vector", series + "ours", series + "std", 1.0});
    suite.targets.push_back(
        {way + ", fill, publish / std::vector, unpublished", series + "ours", series + "unpublished", 0});
  }
  return suite;
}

}  // namespace bench
