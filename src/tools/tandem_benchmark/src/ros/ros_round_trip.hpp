// Round trips through rclcpp between two processes: all but what a message is and when its clock starts.
//
// Each side is a node whose subscription callback publishes, spun by a single-threaded executor that sleeps between
// messages (TANDEM_SPIN_US=0).
#pragma once

#include <algorithm>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include "common/contestant.hpp"
#include "common/ros.hpp"

namespace bench {

/// Both sides of a burst, but for how a message is sent and received.
class SpunRoundTrip : public Contestant {
 public:
  SpunRoundTrip(std::string name, bool ping) : name_(std::move(name)), is_ping_(ping) {}

  Samples ping(const Burst & burst) override {
    burst_ = burst;
    samples_.clear();
    samples_.reserve(burst.samples);
    next_ = 0;
    before_ = Clock::now();
    limit_ = before_ + burst.budget;
    ended_ = {};
    send_next();
    spin_until_end();
    return {{name_, samples_}};
  }

  void pong() override {
    // A burst may have begun before this: the callback of its first message is then still to come.
    ended_ = {};
    spin_until_end();
  }

 protected:
  /// Work before the clock starts.
  virtual void prepare() {}
  virtual void send(const Head & head) = 0;

  bool is_ping() const { return is_ping_; }
  const std::string & name() const { return name_; }
  /// A round trip is from one answer to another, unless send() calls this.
  void start_clock() { before_ = Clock::now(); }

  /// For the side that keeps the time.
  void receive_answer(const Head & head) {
    const auto now = Clock::now();
    if (head.sequence + 1 != next_) {
      ended_.set_exception(std::make_exception_ptr(std::runtime_error("a message was lost")));
      return;
    }
    if (next_ > burst_.warm_up || head.last != 0) {
      samples_.push_back(nanoseconds_between(before_, now) / 2);
    }
    before_ = now;
    if (head.last != 0) {
      ended_.set_value();
    } else {
      send_next();
    }
  }
  /// For the other side, once its answer is sent.
  void note_answered(const Head & head) {
    if (head.last != 0) {
      ended_.set_value();
    } else {
      prepare();
    }
  }

 private:
  void spin_until_end() {
    const auto end = ended_.get_future().share();
    if (ros().executor->spin_until_future_complete(end, kPatience) != rclcpp::FutureReturnCode::SUCCESS) {
      Patience::give_up();
    }
    end.get();
  }

  void send_next() {
    prepare();
    const bool last = next_ + 1 >= burst_.warm_up + burst_.samples || before_ > limit_;
    send({next_++, last ? 1U : 0U});
  }

  const std::string name_;
  const bool is_ping_;
  std::promise<void> ended_;
  Burst burst_;
  std::vector<double> samples_;
  std::uint64_t next_ = 0;
  Clock::time_point before_;
  Clock::time_point limit_;
};

template <class Message>
class RosRoundTrip : public SpunRoundTrip {
 public:
  RosRoundTrip(const std::string & name, bool ping) : SpunRoundTrip(name, ping) {
    std::string topic = "/bench/" + name;
    std::replace(topic.begin(), topic.end(), '.', '_');
    publisher_ = ros().node->create_publisher<Message>(topic + (ping ? "/there" : "/back"), 10);
    subscription_ = ros().node->create_subscription<Message>(
        topic + (ping ? "/back" : "/there"), 10,
        [this](const std::shared_ptr<const Message> message) { receive(head_of(*message)); });
  }

  bool is_connected() const override {
    return publisher_->get_subscription_count() == 1 && subscription_->get_publisher_count() == 1;
  }

 protected:
  virtual Head head_of(const Message & message) const = 0;
  rclcpp::Publisher<Message> & publisher() { return *publisher_; }

 private:
  void receive(const Head & head) {
    if (is_ping()) {
      receive_answer(head);
    } else {
      send(head);
      note_answered(head);
    }
  }

  std::shared_ptr<rclcpp::Publisher<Message>> publisher_;
  std::shared_ptr<rclcpp::Subscription<Message>> subscription_;
};

}  // namespace bench
