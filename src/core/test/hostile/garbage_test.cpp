// A neighbour that writes garbage into its own region all the time: an honest pair beside it loses nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <random>
#include <thread>

#include "forged_region.hpp"
#include "payload.hpp"
#include "roles.hpp"
#include "station.hpp"

namespace tandem::test {
namespace {

constexpr std::uint64_t kIncarnation = 0x51;

/// This process, another honest one, and the neighbour. All messages between the honest ones arrive, in order.
class HonestPair : public testing::Test {
 protected:
  HonestPair() : other_(Place::kElsewhere), participant_(*Participant::join(0)) {
    out_ = std::move(*participant_.create_publisher(publisher_options("topic", {.depth = 100})));
    in_ = std::move(*participant_.create_subscription(subscription_options("topic", {.depth = 100})));
    EXPECT_TRUE(other_.join(0));
    EXPECT_TRUE(other_.create_publisher("p", "topic", {.depth = 100}));
    EXPECT_TRUE(other_.create_subscription("s", "topic", {.depth = 100}));
    EXPECT_TRUE(wait_until([&] { return out_->matched_count() == 2 && in_->matched_count() == 2; }));
    EXPECT_TRUE(other_.until_matched("p", 2) && other_.until_matched("s", 2));
  }

  void exchange() {
    char message[64];
    fill(message, sizeof message, out_->info().id.number, sent_);
    ASSERT_EQ(out_->publish_copy(message, sizeof message), sent_);
    ++sent_;
    ASSERT_TRUE(other_.publish("p", 1, 64));
    ASSERT_TRUE(other_.await("s", 2));
    ASSERT_TRUE(wait_until([&] {
      take();
      return next_.size() >= 2 && std::all_of(next_.begin(), next_.end(), [&](auto & n) { return n.second == sent_; });
    }));
  }

  void take() {
    while (const Sample sample = in_->take()) {
      if (sample.publisher().incarnation == kIncarnation) {
        static_cast<void>(is_whole(sample.data(), sample.size()));  // whatever it is, it can be read
        return;
      }
      ASSERT_TRUE(sample.size() != 64 || is_whole(sample.data(), sample.size()));
      ASSERT_EQ(sample.sequence(), next_[sample.publisher().incarnation]++);
    }
  }

  Folder folder_;
  LogCapture log_;
  Station other_;
  Participant participant_;
  std::unique_ptr<Publisher> out_;
  std::unique_ptr<Subscription> in_;
  std::uint64_t sent_ = 0;
  std::map<std::uint64_t, std::uint64_t> next_;  ///< of each honest process
};

class Garbage : public HonestPair, public testing::WithParamInterface<const char *> {};

INSTANTIATE_TEST_SUITE_P(, Garbage,
                         testing::Values("header", "directory", "texts", "record", "slots", "acks", "lane", "all"),
                         [](const auto & info) { return std::string(info.param); });

TEST_P(Garbage, InANeighboursRegionHarmsNobody) {
  const EndpointId id = out_->info().id;
  Child neighbour("scribbler",
                  {GetParam(), std::to_string(id.incarnation), std::to_string(id.number), std::to_string(seed())});
  const std::string path = neighbour.read_line();
  ASSERT_TRUE(wait_until([&] { return out_->matched_count() == 3 && !lanes_to(kIncarnation).empty(); }));
  neighbour.tell(std::to_string(lanes_to(kIncarnation).front()));
  ASSERT_EQ(neighbour.read_line(), "scribbling");
  const int rounds = std::max(20, static_cast<int>(500 * scale()));
  for (int i = 0; i < rounds && !HasFatalFailure(); ++i) {
    exchange();
  }
  Station newcomer(Place::kElsewhere);
  ASSERT_TRUE(newcomer.join(0));
  ASSERT_TRUE(newcomer.create_subscription("s", "topic"));
  ASSERT_TRUE(wait_until([&] { return newcomer.matched("s") >= 2; }));
  EXPECT_LE(log_.count({path}), 1) << testing::PrintToString(log_.lines());
  neighbour.kill();
  EXPECT_TRUE(wait_until([&] { return folder_.files(0, "0000000000000051.region").empty(); }));
  exchange();
}

TEST_F(HonestPair, IsNotStarvedByAReaderThatHoldsEverything) {
  ForgedRegion forged({kIncarnation, 0, "topic", out_->info().id, 2048, {}});
  ASSERT_TRUE(wait_until([&] { return out_->matched_count() == 3; }));
  forged.hold(~std::uint64_t{0});
  for (int i = 0; i < 5000; ++i) {
    ASSERT_TRUE(out_->publish_copy("message", 8)) << i;
    take();
  }
  EXPECT_TRUE(wait_until([&] { return out_->matched_count() == 2; }));
  EXPECT_TRUE(wait_until([&] { return log_.count({forged.path(), "granted"}) == 1; }));
}

TEST_F(HonestPair, SpeaksOfAChangingNeighbourALimitedNumberOfTimes) {
  ForgedRegion forged({kIncarnation, 0, "topic", out_->info().id, 2048, {}});
  ASSERT_TRUE(wait_until([&] { return out_->matched_count() == 3; }));
  for (std::uint64_t i = 0; i < 1000; ++i) {
    forged.poke(forged.entry(1).description + 9 + 4, i, 8);  // the name of its type
    forged.entry(1).number = 1000 + i;
    forged.entry(1).version += 2;
    ++forged.header().directory_version;
    participant_.graph();
  }
  EXPECT_TRUE(wait_until([&] { return log_.count({"does not match ours", "No more is said"}) == 1; }));
  EXPECT_LE(log_.lines().size(), 101U);
  exchange();
}

}  // namespace

// ---- the neighbour -------------------------------------------------------------------------------------------------

namespace {

struct Part {
  std::uint64_t begin;
  std::uint64_t end;
};

Part part_of(const std::string & name, ForgedRegion & forged) {
  const auto offset = [&](const void * place) {
    return static_cast<std::uint64_t>(static_cast<const std::byte *>(place) -
                                      reinterpret_cast<const std::byte *>(&forged.header()));
  };
  if (name == "header") {
    return {0, sizeof(RegionHeader)};
  }
  if (name == "directory") {
    return {kDirectoryOffset, kDirectoryOffset + 8 * sizeof(DirectoryEntry)};
  }
  if (name == "texts") {
    return {forged.entry(0).description, forged.size()};
  }
  if (name == "record") {
    return {offset(&forged.publisher()), offset(&forged.slot(0))};
  }
  if (name == "slots") {
    return {offset(&forged.slot(0)), offset(&forged.ack(0))};
  }
  if (name == "acks") {
    return {offset(&forged.ack(0)), forged.message_offset(0)};
  }
  if (name == "lane") {
    return {offset(&forged.lane()), offset(&forged.lane()) + 512};
  }
  return {0, forged.size()};
}

}  // namespace

int scribbler(const std::vector<std::string> & arguments) {
  ForgedRegion forged({kIncarnation, 0, "topic", {std::stoull(arguments[1]), std::stoull(arguments[2])}, 2048, {}});
  std::cout << forged.path() << std::endl;
  std::string line;
  std::getline(std::cin, line);
  forged.acknowledge(std::stoull(arguments[1]), std::stoull(line));
  const Part part = part_of(arguments[0], forged);
  std::mt19937_64 random(std::stoull(arguments[3]));
  const auto scribble = [&](std::uint64_t n) {
    if (n % 64 == 0) {
      forged.publish(n / 64);  // so that there is something to take
    }
    if (random() % 4 == 0) {
      const auto & field = forged.fields()[random() % forged.fields().size()];
      if (field.offset >= part.begin && field.offset < part.end) {
        forged.poke(field.offset, random() % 2 == 0 ? random() : random() % 300, field.size);
      }
    } else {
      forged.poke(part.begin + random() % (part.end - part.begin), random(), 1U << random() % 4);
    }
  };
  scribble(0);
  std::cout << "scribbling" << std::endl;
  for (std::uint64_t n = 1;; ++n) {
    scribble(n);
    if (n % 1000 == 0) {
      std::this_thread::sleep_for(std::chrono::microseconds(100));  // the others want to run as well
    }
  }
}

}  // namespace tandem::test
