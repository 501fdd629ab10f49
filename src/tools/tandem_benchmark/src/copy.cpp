// copy: publish(const T &) of 4 MiB through rclcpp, which copies once, against one memcpy. One process, whose reader
// takes each message and looks at none.
//
//   copy.publish   the call
//   copy.memcpy    the same message copied to one other buffer again and again, both as warm as their size permits
//   copy.turns     copied to four buffers in turn, as a publisher uses its blocks
//
// Each has its turn of a few calls, of which the first bring its memory into the cache and do not count.
#include <array>
#include <cstring>

#include "contestant.hpp"
#include "ros.hpp"
#include "tandem_benchmark/msg/message4m.hpp"

namespace bench {
namespace {

using Message = tandem_benchmark::msg::Message4m;

class Copy : public Contestant {
 public:
  Copy()
      : publisher_(ros().node->create_publisher<Message>("/bench/copy", 10)),
        subscription_(ros().node->create_subscription<Message>("/bench/copy", 10, [](Message::ConstSharedPtr) {})) {
    for (auto & buffer : buffers_) {
      buffer.resize(sizeof(Message));
    }
  }

  bool is_connected() const override {
    return publisher_->get_subscription_count() == 1 && subscription_->get_publisher_count() == 1;
  }

  Samples ping(const Burst & burst) override {
    return play_alone(burst, [this](std::size_t, Samples & samples) {
      time_calls(samples["copy.publish"], [this](std::size_t) { publisher_->publish(*message_); });
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
    std::memcpy(buffer.data(), message_.get(), sizeof(Message));
    asm volatile("" : : "r"(buffer.data()) : "memory");
  }

  std::shared_ptr<rclcpp::Publisher<Message>> publisher_;
  std::shared_ptr<rclcpp::Subscription<Message>> subscription_;
  const std::unique_ptr<Message> message_ = std::make_unique<Message>();
  std::array<std::vector<std::uint8_t>, 4> buffers_;
};

}  // namespace

std::unique_ptr<Contestant> make_copy(const std::string &, const Seat &) { return std::make_unique<Copy>(); }

}  // namespace bench
