// fan_out.N: the time in publish() with N subscriptions, spread over a few processes, each polled once a millisecond.
//
// Series: fan_out.N is publish() alone, fan_out.borrow.N is borrow() alone; each includes one reading of the clock.
#include <time.h>

#include <algorithm>

#include "common/core_endpoints.hpp"
#include "common/suites.hpp"

namespace bench {
namespace {

constexpr std::size_t kMessageSize = 64;
constexpr std::size_t kProcesses = 4;
constexpr std::chrono::microseconds kPeriod{20};  ///< of publishing

class FanOut : public Contestant {
 public:
  FanOut(std::size_t readers, const Role & role)
      : readers_(readers), topic_("/bench/fan_out/" + std::to_string(readers)) {
    if (role.ping) {
      publisher_ = make_publisher(topic_);
      return;
    }
    for (std::size_t i = role.index; i < readers; i += kProcesses) {
      subscriptions_.push_back(make_subscription(topic_));
    }
  }

  bool is_connected() const override {
    return (!publisher_ || publisher_->matched_count() == readers_) &&
           std::all_of(subscriptions_.begin(), subscriptions_.end(),
                       [](const auto & subscription) { return subscription->matched_count() == 1; });
  }

  Samples ping(const Burst & burst) override {
    std::vector<double> borrows;
    std::vector<double> publishes;
    const std::size_t total = burst.warm_up + burst.samples;
    const auto limit = Clock::now() + burst.budget;
    for (std::size_t i = 0;; ++i) {
      const auto start = Clock::now();
      auto loan = publisher_->borrow(kMessageSize);
      const auto borrowed = Clock::now();
      if (!loan) {
        throw std::runtime_error(std::string("borrow failed: ") + to_string(loan.error()));
      }
      const bool last = i + 1 >= total || start > limit;
      *static_cast<Head *>(loan->data()) = Head{i, last ? 1U : 0U};
      const auto filled = Clock::now();
      const bool published = publisher_->publish(std::move(*loan)).has_value();
      const auto done = Clock::now();
      if (!published) {
        throw std::runtime_error("publish failed");
      }
      if (i >= burst.warm_up || last) {
        borrows.push_back(nanoseconds_between(start, borrowed));
        publishes.push_back(nanoseconds_between(filled, done));
      }
      if (last) {
        const std::string suffix = std::to_string(readers_);
        return {{"fan_out." + suffix, publishes}, {"fan_out.borrow." + suffix, borrows}};
      }
      while (Clock::now() < start + kPeriod) {
      }
    }
  }

  void pong() override {
    std::vector<tandem::Subscription *> waiting;
    for (const auto & subscription : subscriptions_) {
      waiting.push_back(subscription.get());
    }
    const auto limit = Clock::now() + kPatience;
    while (!waiting.empty()) {
      waiting.erase(std::remove_if(waiting.begin(), waiting.end(), drain), waiting.end());
      const timespec millisecond{0, 1'000'000};
      nanosleep(&millisecond, nullptr);
      if (Clock::now() > limit) {
        Patience::give_up();
      }
    }
  }

 private:
  /// Takes what is there. True when the last message of the burst was among it.
  static bool drain(tandem::Subscription * subscription) {
    bool last = false;
    while (const auto sample = subscription->take()) {
      last = head_of(sample).last != 0;
    }
    return last;
  }

  const std::size_t readers_;
  const std::string topic_;
  std::unique_ptr<tandem::Publisher> publisher_;
  std::vector<std::unique_ptr<tandem::Subscription>> subscriptions_;
};

std::unique_ptr<Contestant> make(const std::string & name, const Role & role) {
  return std::make_unique<FanOut>(number_after(name, "fan_out."), role);
}

}  // namespace

Suite fan_out_suite(const Length & length) {
  const std::vector<std::size_t> counts = {1, 2, 4, 8, 16, 64};
  Suite suite{"fan_out", kProcesses, make};
  for (const std::size_t readers : counts) {
    const std::string number = std::to_string(readers);
    suite.add("fan_out." + number, length.samples(2000), "publish, " + number + " subscriptions");
  }
  for (const std::size_t readers : counts) {
    const std::string number = std::to_string(readers);
    suite.figures.push_back({"fan_out.borrow." + number, "borrow, " + number + " subscriptions"});
  }
  suite.targets = {{"publish, 64 subscriptions / 1", "fan_out.64", "fan_out.1", 1.3}};
  suite.slopes = {{"publish, ns for each further subscription", "fan_out.", counts, 10},
                  {"borrow, ns for each further subscription", "fan_out.borrow.", counts, 0}};
  return suite;
}

}  // namespace bench
