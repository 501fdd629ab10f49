// How messages are waited for by default, start after start: a start is a new wait-set on both sides, which knows nothing
// yet of what to expect.
//
//   waking.ping_pong.W         round trips, with W us of work on each side before the answer
//   waking.flow.R              R messages a second, from a publisher that never sleeps
//   waking.100hz.HOW           100 messages a second: processor time of the receiving thread for each; HOW is `default`, or
//                              `sleeping` for TANDEM_SPIN_US=0
//
// One sample of a series is the p50 of one start; SERIES.worst is the slowest start of a burst.
#include <algorithm>
#include <cstdlib>

#include "common/core_endpoints.hpp"
#include "common/paced.hpp"
#include "common/suites.hpp"
#include "tandem/measure/processor_time.hpp"

namespace bench {
namespace {

constexpr std::size_t kMessageSize = 64;
constexpr std::size_t kStarts = 3;  ///< of a burst
constexpr double kAwake = 1500;     ///< ns: a wait that sleeps takes longer
constexpr std::chrono::milliseconds kLongestBusyWait{1};

struct Received {
  explicit Received(tandem::Sample && taken) : sample(std::move(taken)), head(head_of(sample)) {}
  tandem::Sample sample;
  Head head;
};

double p50_of(std::vector<double> values) { return summarise(std::move(values)).p50; }

/// Both sides, and what each start begins with.
class Waking : public Contestant {
 public:
  Waking(const std::string & name, bool ping)
      : name_(name),
        spins_(name.find("sleeping") == std::string::npos),
        publisher_(make_publisher("/bench/" + name + (ping ? "/there" : "/back"))),
        subscription_(make_subscription("/bench/" + name + (ping ? "/back" : "/there"))) {}

  bool is_connected() const override { return publisher_->matched_count() == 1 && subscription_->matched_count() == 1; }

 protected:
  void start() {
    wait_set_.reset();
    const char * before = std::getenv("TANDEM_SPIN_US");
    const std::string kept = before != nullptr ? before : "";
    if (spins_) {
      unsetenv("TANDEM_SPIN_US");
    }
    wait_set_ = value_or_throw(participant().create_wait_set());
    setenv("TANDEM_SPIN_US", kept.c_str(), 1);
    wait_set_->attach(*subscription_);
  }
  void publish(const Head & head) { send(*publisher_, kMessageSize, head); }
  Received receive() {
    for (;;) {
      if (auto sample = subscription_->take()) {
        return Received(std::move(sample));
      }
      if (!wait_set_->wait(kPatience)) {
        Patience::give_up();
      }
    }
  }
  /// `values`: one for each start.
  Samples answer(std::vector<double> values) const {
    const double worst = *std::max_element(values.begin(), values.end());
    return {{name_, std::move(values)}, {name_ + ".worst", {worst}}};
  }
  const std::string & name() const { return name_; }

 private:
  const std::string name_;
  const bool spins_;
  std::unique_ptr<tandem::Publisher> publisher_;
  std::unique_ptr<tandem::Subscription> subscription_;
  std::unique_ptr<tandem::WaitSet> wait_set_;
};

class PingPong : public Waking {
 public:
  PingPong(const std::string & name, bool ping, std::size_t work)
      : Waking(name, ping), work_(std::chrono::microseconds(work)) {}

  Samples ping(const Burst & burst) override {
    std::vector<double> values;
    for (std::size_t i = 0; i < kStarts; ++i) {
      start();
      values.push_back(p50_of(play_ping(
          burst, [this](const Head & head) { send_after_work(head); }, [this] { return receive(); })));
    }
    return answer(std::move(values));
  }

  void pong() override {
    for (std::size_t i = 0; i < kStarts; ++i) {
      start();
      play_pong([this](const Head & head) { send_after_work(head); }, [this] { return receive(); });
    }
  }

 private:
  void send_after_work(const Head & head) {
    const auto end = Clock::now() + work_;
    while (work_.count() != 0 && Clock::now() < end) {
    }
    publish(head);
  }

  const std::chrono::microseconds work_;
};

/// The ping side receives; Head::sequence is when the message was sent.
class Flow : public Waking {
 public:
  Flow(const std::string & name, bool ping, std::size_t rate)
      : Waking(name, ping), period_(std::chrono::nanoseconds(1'000'000'000 / rate)) {}

  Samples ping(const Burst & burst) override {
    std::vector<double> values;
    for (std::size_t i = 0; i < kStarts; ++i) {
      start();
      publish({burst.samples, 0});
      const std::int64_t before = tandem::measure::thread_time_ns();
      std::vector<double> delays;
      for (bool last = false; !last;) {
        const Head head = receive().head;
        delays.push_back(delay_of(head));
        last = head.last != 0;
      }
      const double spent =
          static_cast<double>(tandem::measure::thread_time_ns() - before) / static_cast<double>(delays.size());
      values.push_back(is_slow() ? spent : p50_of(std::move(delays)));
    }
    return answer(std::move(values));
  }

  void pong() override {
    for (std::size_t i = 0; i < kStarts; ++i) {
      start();
      const std::size_t count = receive().head.sequence;
      publish_paced(count, period_, is_slow(), [this](const Head & head) { publish(head); });
    }
  }

 private:
  bool is_slow() const { return period_ > kLongestBusyWait; }

  const Clock::duration period_;
};

std::unique_ptr<Contestant> make(const std::string & name, const Role & role) {
  if (name.rfind("waking.flow.", 0) == 0) {
    return std::make_unique<Flow>(name, role.ping, number_after(name, "waking.flow."));
  }
  if (name.rfind("waking.100hz.", 0) == 0) {
    return std::make_unique<Flow>(name, role.ping, 100);
  }
  return std::make_unique<PingPong>(name, role.ping, number_after(name, "waking.ping_pong."));
}

}  // namespace

Suite waking_suite(const Length & length) {
  Suite suite{"waking", 1, make};
  const auto add = [&](const std::string & series, const std::string & what) {
    suite.add(series, length.samples(3000), "waiting by default: " + what + ", p50 of each start");
    suite.figures.push_back({series + ".worst", "waiting by default: " + what + ", the slowest start"});
  };
  // Messages follow each other so closely that a wait should never sleep.
  for (const auto & [series, what] :
       {std::pair{"waking.ping_pong.0", "round trips"}, std::pair{"waking.flow.20000", "20,000 messages a second"},
        std::pair{"waking.flow.200000", "200,000 messages a second"}}) {
    add(series, what);
    const Figure & worst = suite.figures.back();
    suite.targets.push_back({worst.what, worst.series, "", kAwake});
  }
  add("waking.ping_pong.5", "round trips with 5 us of work");
  suite.add("waking.100hz.default", length.samples(40), "processor time for a message at 100 Hz, by default");
  suite.add("waking.100hz.sleeping", length.samples(40), "processor time for a message at 100 Hz, sleeping");
  suite.targets.push_back(
      {"processor time at 100 Hz, default / sleeping", "waking.100hz.default", "waking.100hz.sleeping", 1.01});
  return suite;
}

}  // namespace bench
