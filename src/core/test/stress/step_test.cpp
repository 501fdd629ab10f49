// Publish and take, each stopped between two of its instructions while the other goes on. Random pairs of places; a round
// ends with all messages checked, those taken too early, too late or twice, and those that changed while they were held.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <iostream>
#include <random>

#include "harness.hpp"
#include "layout/layout.hpp"
#include "options.hpp"
#include "payload.hpp"
#include "reading.hpp"
#include "roles.hpp"
#include "stepper.hpp"

namespace tandem::test {
namespace {

constexpr std::uint64_t kRoundsOfAPair = 20;

/// A publisher and a subscription of this process whose calls are interleaved.
class Steps {
 public:
  Steps(const EndpointOptions & options, std::size_t size, unsigned seed)
      : out_(std::move(*participant_->create_publisher(publisher_options("topic", options)))),
        in_(std::move(*participant_->create_subscription(subscription_options("topic", options)))),
        random_(seed),
        size_(size) {
    wait_until([&] { return out_->matched_count() == 1 && in_->matched_count() == 1; });
  }

  /// One stops at a random instruction of its own, the other runs from there to a random one of its.
  void round() {
    static const std::array<int, 8> befores{0, 1, 2, 3, 254, 254, 255, 256};
    const int before = befores[random_() % befores.size()];
    spare_blocks(random_() % 3 == 0 ? 8 : 0);
    publish(static_cast<int>(random_() % 4) + (random_() % 4 == 0 ? 256 : 0));
    Part publishing{[this, before] { publish(before); }, [this] { publish(1); }, random_() % 700};
    Part taking{[] {}, [this] { take(); }, random_() % 300};
    if (random_() % 2 == 0) {
      interleave(taking, publishing);
    } else {
      interleave(publishing, taking);
    }
    check();
    publish(24);  // more than there are blocks in turn: whoever wrote one that is held, now it shows
    check();
    kept_.erase(kept_.begin(), kept_.begin() + static_cast<long>(random_() % (kept_.size() + 1)));
    if (random_() % 4 == 0) {
      kept_.clear();
      for (std::uint64_t before_take = taken_ - 1; before_take != taken_; kept_.clear()) {
        before_take = taken_;
        take();
      }
    }
  }

  std::uint64_t faults() const { return faults_; }
  std::uint64_t taken() const { return taken_; }

 private:
  struct Kept {
    Sample sample;
    std::uint64_t counter;
  };

  void publish(int count) {
    for (; count > 0; --count) {
      auto loan = out_->borrow(size_);
      if (!loan) {
        ++faults_;
        return;
      }
      fill(loan->data(), size_, 7, sent_);
      const auto number = out_->publish(std::move(*loan));
      faults_ += number && *number == sent_ ? 0 : 1;
      ++sent_;
    }
  }

  void take() {
    kept_.reserve(64);
    if (Sample sample = in_->take()) {
      const std::uint64_t counter = counter_of(sample.data(), size_);
      const bool is_right = counter == sample.sequence() && (taken_ == 0 || counter > last_);
      faults_ += is_right && is_whole(sample.data(), size_) ? 0 : 1;
      last_ = counter;
      ++taken_;
      kept_.push_back({std::move(sample), counter});
    }
  }

  void check() {
    for (const Kept & kept : kept_) {
      const bool same = counter_of(kept.sample.data(), size_) == kept.counter;
      faults_ += same && is_whole(kept.sample.data(), size_) ? 0 : 1;
    }
  }

  /// So many blocks lie ready, so that so many messages are published without a look at what is gone.
  void spare_blocks(std::size_t count) {
    std::vector<Loan> loans;
    for (std::size_t i = 0; i < count; ++i) {
      if (auto loan = out_->borrow(size_)) {
        loans.push_back(std::move(*loan));
      }
    }
  }

  Result<Participant, JoinError> participant_ = Participant::join(0);
  std::unique_ptr<Publisher> out_;
  std::unique_ptr<Subscription> in_;
  std::minstd_rand random_;
  const std::size_t size_;
  std::vector<Kept> kept_;
  std::uint64_t sent_ = 0;
  std::uint64_t taken_ = 0;
  std::uint64_t last_ = 0;
  std::uint64_t faults_ = 0;
};

}  // namespace

int step_rounds(const std::vector<std::string> & arguments) {
  const std::uint64_t rounds = std::stoull(arguments[1]);
  const bool until_fault = arguments.size() > 3;
  const auto first_seed = static_cast<unsigned>(std::stoul(arguments[2]));
  std::uint64_t round = 0;
  std::uint64_t faults = 0;
  std::uint64_t taken = 0;
  EndpointOptions options = options_of(arguments[0]);
  options.quota = 16;
  Watchdog watchdog("steps", [&] { return std::to_string(taken) + " taken"; });
  while (round < rounds && !(until_fault && faults != 0)) {
    // A new publisher each time: an old one has blocks to spare, so none is used again at once.
    // By turns messages that are held and messages that are copied from their slot.
    Steps steps(options, round / kRoundsOfAPair % 2 == 0 ? 64 : kInSlot, first_seed + static_cast<unsigned>(round));
    const std::uint64_t end = std::min(rounds, round + kRoundsOfAPair);
    for (; round < end && !(until_fault && steps.faults() != 0); ++round) {
      steps.round();
      watchdog.beat();
    }
    faults += steps.faults();
    taken += steps.taken();
  }
  std::cout << faults << " faults, " << round << " rounds, " << taken << " taken" << std::endl;
  return faults == 0 ? 0 : 1;
}

namespace {

class Interleaved : public testing::TestWithParam<const char *> {};

INSTANTIATE_TEST_SUITE_P(, Interleaved, testing::Values("1", "3", "255", "keep_all"), [](const auto & info) {
  const std::string depth = info.param;
  return depth == "keep_all" ? depth : "depth_" + depth;
});

TEST_P(Interleaved, PublishAndTakeMeetAnywhere) {
  if (!can_step()) {
    GTEST_SKIP() << "sanitizers and the emulator cannot be run one instruction at a time";
  }
  const Folder folder;
  const std::uint64_t rounds = static_cast<std::uint64_t>(100 * scale());
  EXPECT_EQ(step_rounds({GetParam(), std::to_string(rounds), std::to_string(seed())}), 0);
}

}  // namespace
}  // namespace tandem::test
