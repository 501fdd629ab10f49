// Who is matched with whom: what the matcher makes of what is known of a topic.
#include "layout/matcher.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <list>
#include <random>
#include <string>
#include <vector>

#include "harness.hpp"

namespace tandem::test {
namespace {

constexpr std::uint64_t kSelf = 100;
constexpr std::uint64_t kOther = 200;

using NewLanes = std::vector<MatchPlan::NewLane>;
using EndedLanes = std::vector<MatchPlan::EndedLane>;
using Readers = std::vector<MatchPlan::Reader>;

/// A snapshot put together by hand.
class MatcherTest : public testing::Test {
 protected:
  MatcherTest() {
    topic_.self = kSelf;
    topic_.processes.reserve(10);
    for (const std::uint64_t incarnation : {kSelf, kOther}) {
      topic_.processes.push_back({});
      topic_.processes.back().incarnation = incarnation;
    }
  }

  TopicSnapshot::Process & other() { return topic_.processes[1]; }
  const EndpointInfo * info(std::uint64_t incarnation, std::uint64_t number, Qos qos = {}) {
    EndpointInfo & info = infos_.emplace_back();
    info.id = {incarnation, number};
    info.topic = "topic";
    info.type.name = "type";
    info.qos = qos;
    return &info;
  }
  /// Own endpoints are in our own directory too.
  TopicSnapshot::Subscription & own_subscription(std::uint64_t number, Qos qos = {}) {
    topic_.processes[0].subscriptions.push_back(info(kSelf, number, qos));
    topic_.subscriptions.push_back({topic_.processes[0].subscriptions.back(), false, {}});
    return topic_.subscriptions.back();
  }
  TopicSnapshot::Publisher & own_publisher(std::uint64_t number, Qos qos = {}) {
    topic_.processes[0].publishers.push_back({info(kSelf, number, qos), false});
    topic_.publishers.push_back({topic_.processes[0].publishers.back().info, false, {}});
    return topic_.publishers.back();
  }
  /// A subscription of the other process with its lane to the own publisher.
  void offer(std::uint64_t subscription, std::uint64_t lane, std::uint64_t publisher, Qos qos = {}) {
    other().subscriptions.push_back(info(kOther, subscription, qos));
    other().lanes.push_back({lane, subscription, publisher});
  }
  MatchPlan plan() const { return match(topic_); }

  TopicSnapshot topic_;
  std::list<EndpointInfo> infos_;
};

Qos best_effort() {
  Qos qos;
  qos.reliability = Reliability::kBestEffort;
  return qos;
}

TEST_F(MatcherTest, HasNothingToDoWhereNothingIs) {
  EXPECT_TRUE(plan().is_idle());
  EXPECT_FALSE(plan().is_waiting);
  EXPECT_TRUE(is_settled(topic_));
}

// ---- the subscription's side ---------------------------------------------------------------------------------------

TEST_F(MatcherTest, MakesALaneToEachPublisher) {
  own_subscription(1);
  other().publishers = {{info(kOther, 5), false}, {info(kOther, 6), false}};
  EXPECT_EQ(plan().lanes_to_make, (NewLanes{{1, {kOther, 5}}, {1, {kOther, 6}}}));
}

TEST_F(MatcherTest, MakesNoSecondLane) {
  own_subscription(1).lanes = {{9, {kOther, 5}, true, false}};
  other().publishers = {{info(kOther, 5), false}};
  EXPECT_TRUE(plan().is_idle());
  EXPECT_FALSE(plan().is_waiting);
}

TEST_F(MatcherTest, MakesOneLaneToAPublisherThatIsListedTwice) {
  own_subscription(1);
  other().publishers = {{info(kOther, 5), false}, {info(kOther, 5), false}};
  EXPECT_EQ(plan().lanes_to_make.size(), 1U);
}

TEST_F(MatcherTest, MakesNoLaneToTheClosedAndTheDead) {
  own_subscription(1);
  other().publishers = {{info(kOther, 5), true}};
  EXPECT_TRUE(plan().is_idle());
  other().publishers = {{info(kOther, 5), false}};
  other().dead = true;
  EXPECT_TRUE(plan().is_idle());
}

TEST_F(MatcherTest, MatchesWithinAProcessUnlessThatIsIgnored) {
  own_subscription(1);
  own_publisher(2);
  EXPECT_EQ(plan().lanes_to_make, (NewLanes{{1, {kSelf, 2}}}));
  topic_.subscriptions[0].ignores_own_process = true;
  EXPECT_TRUE(plan().is_idle());
  EXPECT_TRUE(is_settled(topic_)) << "nothing is due";
}

TEST_F(MatcherTest, WaitsForTheAcknowledgement) {
  own_subscription(1).lanes = {{9, {kOther, 5}, false, false}};
  other().publishers = {{info(kOther, 5), false}};
  EXPECT_TRUE(plan().is_idle());
  EXPECT_TRUE(plan().is_waiting);
  EXPECT_FALSE(is_settled(topic_));
  topic_.subscriptions[0].lanes[0].acknowledged = true;
  EXPECT_FALSE(plan().is_waiting);
  EXPECT_TRUE(is_settled(topic_));
}

TEST_F(MatcherTest, EndsLanesOfPublishersThatAreGoneOnceTheyAreRead) {
  own_subscription(1).lanes = {{9, {kOther, 5}, true, false}};
  const EndedLanes ended{{1, 9, false}};
  EXPECT_EQ(plan().lanes_to_end, ended) << "not listed any more";
  EXPECT_TRUE(plan().is_waiting);
  other().publishers = {{info(kOther, 5), true}};
  EXPECT_EQ(plan().lanes_to_end, ended) << "closed";
  other().publishers[0].closed = false;
  EXPECT_TRUE(plan().lanes_to_end.empty());
  other().dead = true;
  EXPECT_EQ(plan().lanes_to_end, ended) << "dead";
}

TEST_F(MatcherTest, EndsALaneOfAPublisherThatIsNotBelievedAtOnce) {
  own_subscription(1).lanes = {{9, {kOther, 5}, true, true}};
  other().publishers = {{info(kOther, 5), false}};
  EXPECT_EQ(plan().lanes_to_end, (EndedLanes{{1, 9, true}}));
  EXPECT_TRUE(plan().lanes_to_make.empty());
}

TEST_F(MatcherTest, SaysWhatDoesNotMatchOnEitherSide) {
  own_subscription(1);
  other().publishers = {{info(kOther, 5, best_effort()), false}};
  ASSERT_EQ(plan().mismatches.size(), 1U);
  EXPECT_TRUE(plan().is_idle());
  EXPECT_EQ(plan().mismatches[0].other, kOther);
  EXPECT_TRUE(plan().mismatches[0].other_publishes);
  EXPECT_NE(plan().mismatches[0].reason.find("RELIABILITY"), std::string::npos);
  topic_.subscriptions.clear();
  topic_.processes[0] = {};
  own_publisher(2, best_effort());
  other().publishers.clear();
  offer(7, 8, 2);
  ASSERT_EQ(plan().mismatches.size(), 1U);
  EXPECT_FALSE(plan().mismatches[0].other_publishes);
  EXPECT_TRUE(plan().is_idle()) << "no lane of it is acknowledged";
  EXPECT_TRUE(is_settled(topic_));
}

// ---- the publisher's side ------------------------------------------------------------------------------------------

TEST_F(MatcherTest, AcknowledgesLanesThatAreNew) {
  own_publisher(2);
  offer(7, 8, 2);
  EXPECT_FALSE(is_settled(topic_));
  EXPECT_EQ(plan().lanes_to_acknowledge, (Readers{{2, kOther, 8}}));
  topic_.publishers[0].readers = {{kOther, 8, 7, false}};
  EXPECT_TRUE(plan().is_idle());
  EXPECT_FALSE(plan().is_waiting);
  EXPECT_TRUE(is_settled(topic_));
}

TEST_F(MatcherTest, AcknowledgesALaneThatIsListedTwiceOnce) {
  own_publisher(2);
  offer(7, 8, 2);
  other().lanes.push_back(other().lanes[0]);
  EXPECT_EQ(plan().lanes_to_acknowledge.size(), 1U);
}

TEST_F(MatcherTest, AcknowledgesNoLaneWithoutItsSubscription) {
  own_publisher(2);
  offer(7, 8, 2);
  other().lanes[0].subscription = 70;
  EXPECT_TRUE(plan().is_idle());
}

TEST_F(MatcherTest, TellsLanesOfTheSameNumberApartByTheirProcess) {
  own_publisher(2).readers = {{kOther, 8, 7, false}};
  offer(7, 8, 2);
  topic_.processes.push_back(other());
  topic_.processes[2].incarnation = 300;
  EXPECT_EQ(plan().lanes_to_acknowledge, (Readers{{2, 300, 8}}));
}

TEST_F(MatcherTest, AcknowledgesNothingForTheDeadAndForClosedPublishers) {
  own_publisher(2);
  offer(7, 8, 2);
  other().dead = true;
  EXPECT_TRUE(plan().is_idle());
  other().dead = false;
  topic_.publishers[0].closed = true;
  EXPECT_TRUE(plan().is_idle());
  EXPECT_TRUE(plan().is_waiting) << "until nobody reads it";
}

TEST_F(MatcherTest, RemovesReadersWhoseLaneIsGoneOrThatHaveFinished) {
  own_publisher(2).readers = {{kOther, 8, 7, false}};
  EXPECT_EQ(plan().readers_to_remove, (Readers{{2, kOther, 8}})) << "its process is gone";
  offer(7, 8, 2);
  EXPECT_TRUE(plan().is_idle());
  topic_.publishers[0].readers[0].finished = true;
  EXPECT_EQ(plan().readers_to_remove, (Readers{{2, kOther, 8}}));
  EXPECT_TRUE(plan().lanes_to_acknowledge.empty()) << "not anew";
}

TEST_F(MatcherTest, KeepsAReaderThatOnlyHoldsMessages) {
  own_publisher(2).readers = {{kOther, 8, 7, false}};
  offer(7, 8, 2);
  other().subscriptions.clear();
  EXPECT_TRUE(plan().is_idle());
}

// ---- both sides at once --------------------------------------------------------------------------------------------

/// Processes that do what their plans say, seeing each other's directories as they are at that moment.
class World {
 public:
  explicit World(unsigned seed) : random_(seed) {
    for (std::uint64_t process = 1; process <= 4; ++process) {
      processes_.push_back({process, {}, {}});
    }
  }

  void change() {
    auto & process = processes_[random_() % processes_.size()];
    auto & endpoints = random_() % 2 == 0 ? process.publishers : process.subscriptions;
    if (random_() % 3 != 0 || endpoints.empty()) {
      Endpoint & endpoint = endpoints.emplace_back();
      endpoint.info.id = {process.incarnation, ++number_};
      endpoint.info.qos.reliability = random_() % 3 != 0 ? Reliability::kReliable : Reliability::kBestEffort;
    } else {
      endpoints.erase(std::next(endpoints.begin(), random_() % endpoints.size()));
    }
  }
  /// One process does what is to be done. True if there was anything.
  bool act(std::size_t index) {
    Process & process = processes_[index];
    const MatchPlan plan = match(snapshot(process));
    for (const auto & lane : plan.lanes_to_make) {
      find(process.subscriptions, lane.subscription)->lanes.push_back({++number_, lane.publisher, false, false});
    }
    for (const auto & ended : plan.lanes_to_end) {
      std::erase_if(find(process.subscriptions, ended.subscription)->lanes,
                    [&](const auto & lane) { return lane.number == ended.lane; });
    }
    for (const auto & lane : plan.lanes_to_acknowledge) {
      find(process.publishers, lane.publisher)->readers.push_back({lane.incarnation, lane.lane, 0, false});
      take_up(lane);
    }
    for (const auto & reader : plan.readers_to_remove) {
      std::erase_if(find(process.publishers, reader.publisher)->readers, [&](const auto & each) {
        return each.incarnation == reader.incarnation && each.lane == reader.lane;
      });
    }
    return !plan.is_idle();
  }
  void act_until_idle() {
    bool done = true;
    for (int round = 0; done; ++round) {
      ASSERT_LT(round, 20);
      done = false;
      for (std::size_t i = 0; i < processes_.size(); ++i) {
        done |= act(i);
      }
    }
  }
  void act_at_random() { act(random_() % processes_.size()); }

  /// Each pair that fits has one lane and one acknowledgement, no other has any.
  void check() {
    for (Process & from : processes_) {
      for (Endpoint & publisher : from.publishers) {
        std::size_t due = 0;
        for (Process & to : processes_) {
          for (Endpoint & subscription : to.subscriptions) {
            const bool fits = publisher.info.qos.reliability >= subscription.info.qos.reliability;
            const auto leads_here = [&](const auto & lane) { return lane.publisher == publisher.info.id; };
            const auto & lanes = subscription.lanes;
            EXPECT_EQ(std::count_if(lanes.begin(), lanes.end(), leads_here), fits ? 1 : 0);
            EXPECT_TRUE(std::all_of(lanes.begin(), lanes.end(), [](const auto & lane) { return lane.acknowledged; }));
            due += fits ? 1 : 0;
          }
        }
        EXPECT_EQ(publisher.readers.size(), due);
      }
    }
  }

 private:
  struct Endpoint {
    EndpointInfo info;
    std::vector<TopicSnapshot::Lane> lanes;
    std::vector<TopicSnapshot::Reader> readers;
  };
  struct Process {
    std::uint64_t incarnation;
    std::list<Endpoint> publishers;
    std::list<Endpoint> subscriptions;
  };
  static Endpoint * find(std::list<Endpoint> & endpoints, std::uint64_t number) {
    return &*std::find_if(endpoints.begin(), endpoints.end(),
                          [&](const Endpoint & each) { return each.info.id.number == number; });
  }
  TopicSnapshot snapshot(const Process & own) const {
    TopicSnapshot topic;
    topic.self = own.incarnation;
    for (const Endpoint & each : own.subscriptions) {
      topic.subscriptions.push_back({&each.info, false, each.lanes});
    }
    for (const Endpoint & each : own.publishers) {
      topic.publishers.push_back({&each.info, false, each.readers});
    }
    for (const Process & process : processes_) {
      auto & seen = topic.processes.emplace_back();
      seen.incarnation = process.incarnation;
      for (const Endpoint & each : process.publishers) {
        seen.publishers.push_back({&each.info, false});
      }
      for (const Endpoint & each : process.subscriptions) {
        seen.subscriptions.push_back(&each.info);
        for (const auto & lane : each.lanes) {
          if (lane.publisher.incarnation == own.incarnation) {
            seen.lanes.push_back({lane.number, each.info.id.number, lane.publisher.number});
          }
        }
      }
    }
    return topic;
  }
  void take_up(const MatchPlan::Reader & reader) {
    for (Endpoint & each : processes_[reader.incarnation - 1].subscriptions) {
      for (auto & lane : each.lanes) {
        lane.acknowledged |= lane.number == reader.lane;
      }
    }
  }

  std::mt19937 random_;
  std::vector<Process> processes_;
  std::uint64_t number_ = 0;
};

TEST(Matcher, ConnectsAllThatFitsWhateverTheOrder) {
  const unsigned first = seed();
  for (unsigned i = 0; i < 200; ++i) {
    World world(first + i);
    for (int step = 0; step < 60; ++step) {
      world.change();
      world.act_at_random();
    }
    world.act_until_idle();
    world.check();
    ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << first + i;
  }
}

}  // namespace
}  // namespace tandem::test
