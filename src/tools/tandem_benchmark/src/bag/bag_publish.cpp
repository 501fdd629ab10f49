// bag.publish.N: what a recorder costs a publisher of messages of N bytes that has a subscription in another process.
//
//   bag.publish.N.alone, .recorded           publish() of a loan, without and with a recorder
//   bag.publish.N.alone.cpu, .recorded.cpu   the publishing thread's processor time for each message
//
// Both come one after the other in each burst, in turns which one comes first.
#include "bag/bag.hpp"
#include "bag/bag_link.hpp"
#include "bag/bag_recording.hpp"
#include "common/paced.hpp"
#include "common/ros.hpp"
#include "tandem/measure/processor_time.hpp"
#include "tandem_benchmark/msg/message1k.hpp"
#include "tandem_benchmark/msg/message1m.hpp"
#include "tandem_benchmark/msg/message64b.hpp"

namespace bench {
namespace {

constexpr std::size_t kDepth = 100;
constexpr std::size_t kPhases = 2;

enum Command : std::uint64_t { kRecord, kStop, kEnd };

std::string topic_of(const std::string & name) { return "/bench/bag_publish/b" + name.substr(name.rfind('.') + 1); }

template <class Message>
class Publishing : public Contestant {
 public:
  Publishing(const std::string & name, std::chrono::nanoseconds period)
      : name_(name),
        period_(period),
        link_(name, true),
        publisher_(ros().node->create_publisher<Message>(topic_of(name), kDepth)) {
    expect_mcap();
  }

  bool is_connected() const override { return link_.is_connected() && publisher_->get_subscription_count() == 1; }

  Samples ping(const Burst & burst) override {
    Samples samples;
    recorded_first_ = !recorded_first_;
    for (const bool recorded : {recorded_first_, !recorded_first_}) {
      if (recorded) {
        order(kRecord, 2);
      }
      play(burst, name_ + (recorded ? ".recorded" : ".alone"), samples);
      if (recorded) {
        order(kStop, 1);
      }
    }
    link_.tell({kEnd, 0});
    return samples;
  }

 private:
  /// Of the recorder. \param readers how many there are then.
  void order(Command command, std::size_t readers) {
    link_.tell({command, 0});
    link_.hear();
    BagLink::wait_patiently([&] { return publisher_->get_subscription_count() == readers; });
  }

  void play(const Burst & burst, const std::string & series, Samples & samples) {
    std::vector<double> & calls = samples[series];
    calls.reserve(burst.samples);
    std::size_t sent = 0;
    std::int64_t before = 0;
    publish_paced(burst.warm_up + burst.samples, period_, true, [&](const Head & head) {
      if (sent++ == burst.warm_up) {
        before = tandem::measure::thread_time_ns();
      }
      const double call = publish(head);
      if (sent > burst.warm_up) {
        calls.push_back(call);
      }
    });
    const double spent = static_cast<double>(tandem::measure::thread_time_ns() - before);
    samples[series + ".cpu"] = {spent / static_cast<double>(burst.samples)};
  }

  double publish(const Head & head) {
    auto loan = publisher_->borrow_loaned_message();
    loan.get().sequence = head.sequence;
    loan.get().last = head.last;
    const auto begin = Clock::now();
    publisher_->publish(std::move(loan));
    return nanoseconds_between(begin, Clock::now());
  }

  const std::string name_;
  const std::chrono::nanoseconds period_;
  BagLink link_;
  std::shared_ptr<rclcpp::Publisher<Message>> publisher_;
  bool recorded_first_ = false;
};

template <class Message>
class Subscribing : public Contestant {
 public:
  explicit Subscribing(const std::string & name)
      : subscription_(ros().node->create_subscription<Message>(
            topic_of(name), kDepth,
            [this](const std::shared_ptr<const Message> message) { ended_ += message->last; })) {}

  bool is_connected() const override { return subscription_->get_publisher_count() == 1; }
  Samples ping(const Burst &) override { return {}; }

  void pong() override {
    for (; ended_ < kPhases;) {
      ros().executor->spin_once(kPatience);
    }
    ended_ = 0;
  }

 private:
  std::uint64_t ended_ = 0;
  std::shared_ptr<rclcpp::Subscription<Message>> subscription_;
};

class Recorded : public Contestant {
 public:
  explicit Recorded(const std::string & name) : topic_(topic_of(name)), link_(name, false) {}

  bool is_connected() const override { return link_.is_connected(); }
  Samples ping(const Burst &) override { return {}; }

  void pong() override {
    std::optional<Recording> recording;
    for (Head order; (order = link_.hear()).sequence != kEnd; link_.tell()) {
      if (order.sequence == kRecord) {
        recording.emplace(topic_, "none");
      } else {
        recording.reset();
      }
    }
  }

 private:
  const std::string topic_;
  BagLink link_;
};

template <class Message>
std::unique_ptr<Contestant> make(const std::string & name, const Role & role, std::chrono::nanoseconds period) {
  if (role.ping) {
    return std::make_unique<Publishing<Message>>(name, period);
  }
  if (role.index == kBagHost) {
    return std::make_unique<Recorded>(name);
  }
  return std::make_unique<Subscribing<Message>>(name);
}

}  // namespace

std::unique_ptr<Contestant> make_bag_publish(const std::string & name, const Role & role) {
  using namespace tandem_benchmark::msg;  // NOLINT: of this function
  switch (number_after(name, "bag.publish.")) {
    case sizeof(Message64b): return make<Message64b>(name, role, std::chrono::milliseconds(1));
    case sizeof(Message1k): return make<Message1k>(name, role, std::chrono::milliseconds(1));
    default: return make<Message1m>(name, role, std::chrono::milliseconds(10));
  }
}

}  // namespace bench
