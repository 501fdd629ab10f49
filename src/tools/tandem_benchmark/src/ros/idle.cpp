// What waiting costs beside that which is idle: 500 messages a second for one subscription, by a reader that sleeps.
//
//   idle.core.N         a wait-set with N idle subscriptions besides
//   idle.publishers.N   a wait-set with one subscription, and N idle publishers of its topic besides
//   idle.rclcpp.N       an executor with N idle subscriptions and N / 10 timers besides
//
// NAME is the time from publish until the message is there, NAME.cpu the reading thread's processor time for each message.
#include <algorithm>
#include <optional>

#include "common/core_endpoints.hpp"
#include "common/paced.hpp"
#include "common/ros.hpp"
#include "common/suites.hpp"
#include "tandem/measure/processor_time.hpp"
#include "tandem_benchmark/msg/message64b.hpp"

namespace bench {
namespace {

constexpr std::size_t kMessages = 250;
constexpr std::chrono::milliseconds kPeriod{2};

/// What the reading side notes.
class Notes {
 public:
  bool add(const Head & head) {
    if (delays_.empty()) {
      before_ = tandem::measure::thread_time_ns();
    }
    delays_.push_back(delay_of(head));
    return head.last == 0;
  }
  Samples samples(const std::string & name) {
    const double each = static_cast<double>(tandem::measure::thread_time_ns() - before_) /
                        static_cast<double>(std::max<std::size_t>(delays_.size() - 1, 1));
    return {{name, std::move(delays_)}, {name + ".cpu", {each}}};
  }

 private:
  std::vector<double> delays_;
  std::int64_t before_ = 0;  ///< the thread's time, ns
};

class IdleCore : public Contestant {
 public:
  IdleCore(const std::string & name, bool reads, std::size_t subscriptions, std::size_t publishers)
      : name_(name), publishers_(publishers) {
    const std::string topic = "/bench/" + name;
    if (!reads) {
      for (std::size_t i = 0; i <= publishers; ++i) {
        out_.push_back(make_publisher(topic));
      }
      return;
    }
    wait_set_ = value_or_throw(participant().create_wait_set());
    for (std::size_t i = 0; i <= subscriptions; ++i) {
      in_.push_back(make_subscription(i == 0 ? topic : topic + "/idle" + std::to_string(i)));
      wait_set_->attach(*in_.back(), i);
    }
  }

  bool is_connected() const override {
    return out_.empty() ? in_.front()->matched_count() == publishers_ + 1 : out_.front()->matched_count() == 1;
  }

  Samples ping(const Burst &) override {
    Notes notes;
    for (bool more = true; more;) {
      if (!wait_set_->wait(kPatience)) {
        Patience::give_up();
      }
      while (const auto key = wait_set_->next_ready()) {
        if (const auto sample = in_[*key]->take()) {
          more = notes.add(head_of(sample));
        }
      }
    }
    return notes.samples(name_);
  }

  void pong() override {
    publish_paced(kMessages, kPeriod, true, [this](const Head & head) { send(*out_.front(), sizeof head, head); });
  }

 private:
  const std::string name_;
  const std::size_t publishers_;
  std::vector<std::unique_ptr<tandem::Publisher>> out_;
  std::vector<std::unique_ptr<tandem::Subscription>> in_;
  std::unique_ptr<tandem::WaitSet> wait_set_;
};

class IdleRclcpp : public Contestant {
 public:
  using Message = tandem_benchmark::msg::Message64b;

  IdleRclcpp(const std::string & name, bool reads, std::size_t idle) : name_(name) {
    ros();  // rclcpp is to be initialized
    node_ = std::make_shared<rclcpp::Node>("idle" + std::to_string(idle));
    const std::string topic = "/bench/idle_rclcpp_" + std::to_string(idle);
    if (!reads) {
      out_ = node_->create_publisher<Message>(topic, 10);
      return;
    }
    for (std::size_t i = 0; i < idle; ++i) {
      idle_.push_back(node_->create_subscription<Message>(topic + "/idle" + std::to_string(i), 10,
                                                          [](const std::shared_ptr<const Message>) {}));
      if (i % 10 == 0) {
        timers_.push_back(node_->create_wall_timer(std::chrono::hours(1), [] {}));
      }
    }
    in_ = node_->create_subscription<Message>(topic, 10, [this](const std::shared_ptr<const Message> message) {
      more_ = notes_->add({message->sequence, message->last});
    });
    executor_.add_node(node_);
  }

  bool is_connected() const override {
    return in_ != nullptr ? in_->get_publisher_count() == 1 : out_->get_subscription_count() == 1;
  }

  Samples ping(const Burst &) override {
    notes_.emplace();
    for (more_ = true; more_;) {
      executor_.spin_once(kPatience);
    }
    return notes_->samples(name_);
  }

  void pong() override {
    publish_paced(kMessages, kPeriod, true, [this](const Head & head) {
      auto loan = out_->borrow_loaned_message();
      loan.get().sequence = head.sequence;
      loan.get().last = head.last;
      out_->publish(std::move(loan));
    });
  }

 private:
  const std::string name_;
  std::shared_ptr<rclcpp::Node> node_;
  std::shared_ptr<rclcpp::Publisher<Message>> out_;
  std::shared_ptr<rclcpp::Subscription<Message>> in_;
  std::vector<std::shared_ptr<rclcpp::SubscriptionBase>> idle_;
  std::vector<std::shared_ptr<rclcpp::TimerBase>> timers_;
  std::optional<Notes> notes_;
  bool more_ = true;
  rclcpp::executors::SingleThreadedExecutor executor_;
};

std::unique_ptr<Contestant> make(const std::string & name, const Role & role) {
  if (name.rfind("idle.rclcpp.", 0) == 0) {
    return std::make_unique<IdleRclcpp>(name, role.ping, number_after(name, "idle.rclcpp."));
  }
  if (name.rfind("idle.core.", 0) == 0) {
    return std::make_unique<IdleCore>(name, role.ping, number_after(name, "idle.core."), 0);
  }
  return std::make_unique<IdleCore>(name, role.ping, 0, number_after(name, "idle.publishers."));
}

}  // namespace

Suite idle_suite(const Length & length) {
  Suite suite{"idle", 1, make};
  for (const auto & [name, what] :
       {std::pair{"core", "idle subscriptions of a wait-set"}, std::pair{"publishers", "idle publishers of the topic"},
        std::pair{"rclcpp", "idle subscriptions of an executor"}}) {
    const std::string series = std::string("idle.") + name;
    for (const std::string count : {"0", "1000"}) {
      const std::string words = "beside " + count + " " + what;
      suite.add(series + "." + count, length.samples(kMessages), words);
      suite.figures.push_back({series + "." + count + ".cpu", words + ", processor time"});
    }
    const std::string words = std::string("beside 1,000 ") + what + " / none";
    suite.targets.push_back({words, series + ".1000", series + ".0", 1.3});
    suite.targets.push_back({words + ", processor time", series + ".1000.cpu", series + ".0.cpu", 1.3});
  }
  return suite;
}

}  // namespace bench
