// What is written into a region's directory, and what is made of rubbish found there.
#include "directory.hpp"

#include <gtest/gtest.h>

#include <random>

#include "harness.hpp"
#include "matching.hpp"

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
  info.node = {"/ns", "node"};
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
  EXPECT_EQ(read.node, endpoint().node);
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

}  // namespace
}  // namespace tandem::test
