// bag.pace: a bag of a message each millisecond is played in real time by another process.
//
//   bag.pace          how far each message's publish time lies from the recorded one, both counted from the first message
//   bag.pace.p99      the p99 of a burst
//   bag.pace.floor    the same of a thread that only sleeps until each of these times
//   bag.pace.floor.p99
#include <sys/prctl.h>

#include <cmath>
#include <filesystem>
#include <rclcpp/serialization.hpp>

#include "bag/bag.hpp"
#include "bag/bag_disk.hpp"
#include "bag/bag_recording.hpp"
#include "common/paced.hpp"
#include "common/processors.hpp"
#include "common/ros.hpp"
#include "tandem/bag/player.hpp"
#include "tandem_benchmark/msg/message64b.hpp"

namespace bench {
namespace {

using Message = tandem_benchmark::msg::Message64b;

constexpr std::size_t kMessages = 1000;
constexpr std::chrono::nanoseconds kPeriod = std::chrono::milliseconds(1);
constexpr const char * kTopic = "/bench/bag_pace";

/// \param times in ns, of messages that follow each other by kPeriod.
void add(Samples & samples, const std::string & series, const std::vector<std::int64_t> & times) {
  std::vector<double> errors;
  for (std::size_t i = 1; i < times.size(); ++i) {
    const auto due = times.front() + static_cast<std::int64_t>(i) * kPeriod.count();
    errors.push_back(std::abs(static_cast<double>(times[i] - due)));
  }
  samples[series + ".p99"] = {summarise(errors).p99};
  samples[series] = std::move(errors);
}

class Watching : public Contestant {
 public:
  Watching() {
    expect_mcap();
    prctl(PR_SET_TIMERSLACK, 1);
    const auto receive = [this](const std::shared_ptr<const Message> message, const rclcpp::MessageInfo & info) {
      times_.push_back(info.get_rmw_message_info().source_timestamp);
      is_over_ = message->last != 0;
    };
    subscription_ = ros().node->create_subscription<Message>(kTopic, 2 * kMessages, receive);
  }

  bool is_connected() const override { return subscription_->get_publisher_count() == 1; }

  Samples ping(const Burst &) override {
    times_.clear();
    for (is_over_ = false; !is_over_;) {
      ros().executor->spin_once(kPatience);
    }
    if (times_.size() != kMessages) {
      throw std::runtime_error("of 1000 messages that were played " + std::to_string(times_.size()) + " came");
    }
    Samples samples;
    add(samples, "bag.pace", times_);
    times_.clear();
    publish_paced(kMessages, kPeriod, true,
                  [this](const Head & head) { times_.push_back(static_cast<std::int64_t>(head.sequence)); });
    add(samples, "bag.pace.floor", times_);
    return samples;
  }

 private:
  std::vector<std::int64_t> times_;
  bool is_over_ = false;
  std::shared_ptr<rclcpp::Subscription<Message>> subscription_;
};

class Playing : public Contestant {
 public:
  Playing() {
    ros();
    write_bag();
    unpin();
    tandem::bag::PlayerOptions options;
    options.bag = folder_;
    player_ = std::make_unique<tandem::bag::Player>(options, rclcpp::contexts::get_global_default_context());
  }

  Samples ping(const Burst &) override { return {}; }

  void pong() override {
    player_->play();
    player_->wait(kPatience);
  }

 private:
  void write_bag() const {
    tandem::bag::WriterOptions options;
    options.folder = folder_;
    tandem::bag::Writer writer(options);
    tandem::bag::Topic topic;
    topic.name = kTopic;
    topic.type = "tandem_benchmark/msg/Message64b";
    const std::uint32_t number = writer.add_topic(topic);
    for (std::size_t i = 0; i < kMessages; ++i) {
      Message content;
      content.sequence = i;
      content.last = i + 1 == kMessages ? 1 : 0;
      rclcpp::SerializedMessage bytes;
      rclcpp::Serialization<Message>().serialize_message(&content, &bytes);
      tandem::bag::Message message;
      message.topic = number;
      message.log_time = kPeriod.count() * static_cast<std::int64_t>(i + 1);
      message.publish_time = message.log_time;
      message.data = bytes.get_rcl_serialized_message().buffer;
      message.size = bytes.size();
      writer.write(message);
    }
  }

  const std::string folder_ = disk_folder() + "/played";
  std::unique_ptr<tandem::bag::Player> player_;
};

}  // namespace

std::unique_ptr<Contestant> make_bag_pace(const Role & role) {
  if (role.ping) {
    return std::make_unique<Watching>();
  }
  return std::make_unique<Playing>();
}

}  // namespace bench
