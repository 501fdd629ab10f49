// micro: what each call costs the thread that makes it, in one process, without another core's cache misses.
//
// Calls come in batches of eight, so that the clock does not count. Every benchmark makes all calls and times those that it
// is named after.
#include "common/core_endpoints.hpp"
#include "common/microbenchmarks.hpp"
#include "common/suites.hpp"

namespace bench {
namespace {

constexpr std::size_t kBatch = 8;
constexpr std::size_t kMessageSize = 64;

enum class Step { kClock, kBorrow, kPublishAlone, kPublishRead, kTake, kRelease, kTakeNothing };

class Micro : public Microbenchmarks {
 public:
  Micro()
      : alone_(make_publisher("/bench/micro/alone")),
        read_(make_publisher("/bench/micro/read")),
        subscription_(make_subscription("/bench/micro/read")) {
    const std::pair<const char *, Step> steps[] = {{"micro.clock", Step::kClock},
                                                   {"micro.borrow", Step::kBorrow},
                                                   {"micro.publish_alone", Step::kPublishAlone},
                                                   {"micro.publish_read", Step::kPublishRead},
                                                   {"micro.take", Step::kTake},
                                                   {"micro.release", Step::kRelease},
                                                   {"micro.take_nothing", Step::kTakeNothing}};
    for (const auto & [series, step] : steps) {
      add(series, kAsManyAsNeeded, [this, step = step](benchmark::State & state) {
        while (state.KeepRunningBatch(kBatch)) {
          play(state, step);
        }
      });
    }
  }

  bool is_connected() const override { return read_->matched_count() == 1 && subscription_->matched_count() == 1; }

 private:
  static void fill(const tandem::Loan & loan) {
    if (!loan) {
      throw std::runtime_error("borrow failed");
    }
    *static_cast<Head *>(loan.data()) = Head{};
  }

  void play(benchmark::State & state, Step timed) {
    tandem::Loan loans[kBatch];
    tandem::Sample taken[kBatch];
    const auto batch = [&state, timed](Step step, auto call) {
      const auto all = [&call] {
        for (std::size_t i = 0; i < kBatch; ++i) {
          call(i);
        }
      };
      if (step == timed) {
        time_call(state, all);
      } else {
        all();
      }
    };
    const auto borrow = [&loans](tandem::Publisher & publisher) {
      return
          [&loans, &publisher](std::size_t i) { loans[i] = publisher.borrow(kMessageSize).value_or(tandem::Loan()); };
    };
    const auto publish = [&loans](tandem::Publisher & publisher) {
      return [&loans, &publisher](std::size_t i) { (void)publisher.publish(std::move(loans[i])); };
    };
    const auto take = [&](std::size_t i) { taken[i] = subscription_->take(); };
    batch(Step::kClock, [](std::size_t) { (void)Clock::now(); });
    batch(Step::kBorrow, borrow(*alone_));
    for (const auto & loan : loans) {
      fill(loan);
    }
    batch(Step::kPublishAlone, publish(*alone_));
    for (std::size_t i = 0; i < kBatch; ++i) {
      borrow (*read_)(i);
      fill(loans[i]);
    }
    batch(Step::kPublishRead, publish(*read_));
    batch(Step::kTake, take);
    for (const auto & sample : taken) {
      if (!sample) {
        throw std::runtime_error("a message of this process did not arrive");
      }
    }
    batch(Step::kRelease, [&](std::size_t i) { taken[i].release(); });
    batch(Step::kTakeNothing, take);
  }

  std::unique_ptr<tandem::Publisher> alone_;
  std::unique_ptr<tandem::Publisher> read_;
  std::unique_ptr<tandem::Subscription> subscription_;
};

std::unique_ptr<Contestant> make(const std::string &, const Role &) { return std::make_unique<Micro>(); }

}  // namespace

Suite micro_suite(const Length & length) {
  Suite suite{"micro", 0, make};
  suite.contests = {{"micro", length.repetitions(25)}};
  suite.figures = {{"micro.clock", "one process: reading the clock"},
                   {"micro.borrow", "one process: borrow"},
                   {"micro.publish_alone", "one process: publish, no reader"},
                   {"micro.publish_read", "one process: publish, one reader"},
                   {"micro.take", "one process: take"},
                   {"micro.take_nothing", "one process: take, nothing there"},
                   {"micro.release", "one process: release"}};
  return suite;
}

}  // namespace bench
