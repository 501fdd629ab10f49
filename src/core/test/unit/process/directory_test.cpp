// What is written into a region's directory, and what is made of rubbish found there.
#include "process/directory.hpp"

#include <gtest/gtest.h>

#include <random>

#include "harness.hpp"
#include "layout/matching.hpp"
#include "tandem/qos_match.hpp"
#include "tandem/status.hpp"

namespace tandem::test {
namespace {

EndpointInfo endpoint() {
  EndpointInfo info;
  info.topic = "/a/b";
  info.type.name = "p/msg/T";
  info.type.hash.fill(0xab);
  info.type.abi = 77;
  info.qos.history = History::kKeepAll;
  info.qos.depth = 12;
  info.qos.reliability = Reliability::kBestEffort;
  info.qos.durability = Durability::kTransientLocal;
  info.qos.deadline = std::chrono::seconds(1);
  info.qos.lifespan = std::chrono::seconds(2);
  info.qos.liveliness = Liveliness::kManualByTopic;
  info.qos.lease = std::chrono::seconds(3);
  info.node = {"/ns", "node"};
  info.origin.fill(0xcd);
  info.user_data = std::string("key\0value", 9);
  return info;
}

TEST(Description, GivesBackWhatWasDescribed) {
  EndpointInfo read;
  ASSERT_TRUE(parse(describe(endpoint()), read));
  EXPECT_EQ(read.topic, "/a/b");
  EXPECT_EQ(read.type, endpoint().type);
  EXPECT_EQ(read.qos.history, History::kKeepAll);
  EXPECT_EQ(read.qos.depth, 12U);
  EXPECT_EQ(read.qos.reliability, Reliability::kBestEffort);
  EXPECT_EQ(read.qos.durability, Durability::kTransientLocal);
  EXPECT_EQ(read.qos.deadline, std::chrono::seconds(1));
  EXPECT_EQ(read.qos.lifespan, std::chrono::seconds(2));
  EXPECT_EQ(read.qos.liveliness, Liveliness::kManualByTopic);
  EXPECT_EQ(read.qos.lease, std::chrono::seconds(3));
  EXPECT_EQ(read.node, endpoint().node);
  EXPECT_EQ(read.origin, endpoint().origin);
  EXPECT_EQ(read.user_data, endpoint().user_data);
  NodeName node;
  ASSERT_TRUE(parse(describe(NodeName{"/x", "y"}), node));
  EXPECT_EQ(node, (NodeName{"/x", "y"}));
}

TEST(Description, IsRefusedWhenItIsCut) {
  const std::string whole = describe(endpoint());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EndpointInfo read;
    EXPECT_FALSE(parse(whole.substr(0, size), read)) << size;
  }
}

TEST(Description, OfRandomBytesIsReadSafely) {
  std::mt19937 random(seed());
  for (int round = 0; round < 5000; ++round) {
    std::string bytes = round % 2 == 0 ? describe(endpoint()) : std::string(random() % 200, '\0');
    const std::size_t changes = round % 2 == 0 ? 3 : bytes.size();
    for (std::size_t i = 0; i < changes && !bytes.empty(); ++i) {
      bytes[random() % bytes.size()] = static_cast<char>(random());
    }
    EndpointInfo read;
    parse(bytes, read);
    NodeName node;
    parse(bytes, node);
  }
}

TEST(Matching, OwesEverythingOnlyToReliableKeepAllOnBothSides) {
  Qos all;
  all.history = History::kKeepAll;
  Qos last;
  Qos careless = all;
  careless.reliability = Reliability::kBestEffort;
  EXPECT_TRUE(owes_everything(all, all));
  EXPECT_FALSE(owes_everything(all, last));
  EXPECT_FALSE(owes_everything(last, all));
  EXPECT_FALSE(owes_everything(all, careless));
  EXPECT_FALSE(owes_everything(careless, careless));
}

TEST(Matching, AcceptsMoreThanIsAsked) {
  EndpointInfo publisher = endpoint();
  EndpointInfo subscription = endpoint();
  publisher.qos.reliability = Reliability::kReliable;
  subscription.qos.durability = Durability::kVolatile;
  EXPECT_EQ(mismatch(publisher, subscription), "");
  EXPECT_NE(mismatch(subscription, publisher), "");
}

TEST(Matching, OffersNoLongerTimesThanAreRequested) {
  using std::chrono::seconds;
  Qos offered;
  Qos requested;
  requested.deadline = seconds(1);
  EXPECT_EQ(misfit(offered, requested), QosPolicy::kDeadline);
  offered.deadline = seconds(2);
  EXPECT_EQ(misfit(offered, requested), QosPolicy::kDeadline);
  EXPECT_NE(describe_misfit(offered, requested).find("DEADLINE"), std::string::npos);
  offered.deadline = seconds(1);
  EXPECT_EQ(misfit(offered, requested), QosPolicy::kNone);
  EXPECT_EQ(describe_misfit(offered, requested), "");
  requested.lease = seconds(1);
  EXPECT_EQ(misfit(offered, requested), QosPolicy::kLiveliness);
  offered.lease = seconds(1);
  requested.liveliness = Liveliness::kManualByTopic;
  EXPECT_EQ(misfit(offered, requested), QosPolicy::kLiveliness);
  offered.liveliness = Liveliness::kManualByTopic;
  requested.lifespan = seconds(1);
  EXPECT_EQ(misfit(offered, requested), QosPolicy::kNone) << "a lifespan is the publisher's alone";
}

TEST(StatusBoard, CountsEachCounterpartOnce) {
  StatusBoard board;
  int calls = 0;
  board.set_listener([&] { ++calls; });
  EXPECT_TRUE(board.set({{1, 1}, {1, 2}}, {{2, 1, QosPolicy::kDeadline}}));
  EXPECT_FALSE(board.set({{1, 1}, {1, 2}}, {{2, 1, QosPolicy::kDeadline}}));
  EXPECT_TRUE(board.set({{1, 2}, {1, 3}}, {{2, 2, QosPolicy::kNone}}));
  EXPECT_EQ(board.status().matched, 2U);
  EXPECT_EQ(board.status().total_matched, 3U);
  EXPECT_EQ(board.status().incompatible_qos, 1U);
  EXPECT_EQ(board.status().last_policy, QosPolicy::kDeadline);
  EXPECT_EQ(board.status().incompatible_type, 1U);
  EXPECT_TRUE(board.set({{1, 3}}, {}));
  EXPECT_EQ(board.status().matched, 1U);
  board.notify();
  board.set_listener(nullptr);
  board.notify();
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace tandem::test
