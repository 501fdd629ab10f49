// micro: what each call costs the thread that makes it, in one process, without another core's cache misses.
//
// Calls come in batches of eight; a sample is a batch's time divided by eight, so that the clock does not count.
#include "core_endpoints.hpp"

namespace bench {
namespace {

constexpr std::size_t kBatch = 8;
constexpr std::size_t kMessageSize = 64;

class Micro : public Contestant {
 public:
  Micro()
      : alone_(make_publisher("/bench/micro/alone")),
        read_(make_publisher("/bench/micro/read")),
        subscription_(make_subscription("/bench/micro/read")) {}

  bool is_connected() const override { return read_->matched_count() == 1 && subscription_->matched_count() == 1; }

  Samples ping(const Burst & burst) override {
    return play_alone(burst, [this](std::size_t, Samples & samples) { play(samples); });
  }

 private:
  template <class Call>
  static void time_batch(std::vector<double> & samples, Call call) {
    const auto begin = Clock::now();
    for (std::size_t i = 0; i < kBatch; ++i) {
      call(i);
    }
    samples.push_back(nanoseconds_between(begin, Clock::now()) / kBatch);
  }

  static void fill(const tandem::Loan & loan) {
    if (!loan) {
      throw std::runtime_error("borrow failed");
    }
    *static_cast<Head *>(loan.data()) = Head{};
  }

  void play(Samples & samples) {
    tandem::Loan loans[kBatch];
    tandem::Sample taken[kBatch];
    const auto borrow = [&loans](tandem::Publisher & publisher) {
      return
          [&loans, &publisher](std::size_t i) { loans[i] = publisher.borrow(kMessageSize).value_or(tandem::Loan()); };
    };
    const auto publish = [&loans](tandem::Publisher & publisher) {
      return [&loans, &publisher](std::size_t i) { (void)publisher.publish(std::move(loans[i])); };
    };
    const auto take = [&](std::size_t i) { taken[i] = subscription_->take(); };
    time_batch(samples["micro.clock"], [](std::size_t) { (void)Clock::now(); });
    time_batch(samples["micro.borrow"], borrow(*alone_));
    for (const auto & loan : loans) {
      fill(loan);
    }
    time_batch(samples["micro.publish_alone"], publish(*alone_));
    for (std::size_t i = 0; i < kBatch; ++i) {
      borrow (*read_)(i);
      fill(loans[i]);
    }
    time_batch(samples["micro.publish_read"], publish(*read_));
    time_batch(samples["micro.take"], take);
    for (const auto & sample : taken) {
      if (!sample) {
        throw std::runtime_error("a message of this process did not arrive");
      }
    }
    time_batch(samples["micro.release"], [&](std::size_t i) { taken[i].release(); });
    time_batch(samples["micro.take_nothing"], take);
  }

  std::unique_ptr<tandem::Publisher> alone_;
  std::unique_ptr<tandem::Publisher> read_;
  std::unique_ptr<tandem::Subscription> subscription_;
};

}  // namespace

std::unique_ptr<Contestant> make_micro(const std::string &, const Seat &) { return std::make_unique<Micro>(); }

}  // namespace bench
