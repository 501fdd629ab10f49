// What tools see of other processes from outside.
#include <signal.h>

#include "inspecting.hpp"

namespace tandem::test {
namespace {

TEST(Inspect, MakesNothingWhereNothingIs) {
  const Folder folder;
  inspection::Options options;
  options.directory = folder.path() + "/none";
  const auto report = inspection::inspect(options);
  EXPECT_FALSE(report.exists);
  EXPECT_EQ(report.objection, "");
  EXPECT_EQ(report.directory, options.directory);
  EXPECT_FALSE(fs::exists(options.directory));
}

TEST(Inspect, SaysWhyADirectoryIsUnsafe) {
  const Folder folder;
  fs::create_directory(folder.path() + "/7");
  chmod(folder.path().c_str(), 0777);
  chmod((folder.path() + "/7").c_str(), 0777);
  const auto report = inspection::inspect();
  EXPECT_NE(report.objection.find("chmod o-w"), std::string::npos) << report.objection;
  ASSERT_EQ(report.domains.size(), 1U);
  EXPECT_NE(report.domains[0].objection.find("chmod o-w"), std::string::npos);
  EXPECT_EQ(report.domains[0].number, 7U);
  EXPECT_TRUE(report.domains[0].is_empty);
}

TEST_F(Inspection, TellsWhoIsThere) {
  connect({.depth = 7}, {.depth = 3});
  const auto domain = look();
  ASSERT_EQ(domain.regions.size(), 2U);
  for (const inspection::Region & region : domain.regions) {
    EXPECT_EQ(region.state, State::kAlive) << region.reason;
    EXPECT_EQ(region.version, inspection::layout_version());
    EXPECT_TRUE(region.same_pid_namespace);
    EXPECT_EQ(region.executable, fs::read_symlink("/proc/self/exe").string());
    EXPECT_GT(region.created, 0);
    EXPECT_GE(region.since_housekeeping, 0);
    EXPECT_GT(region.memory, 0U);
    EXPECT_GE(region.reserved, region.length);
    EXPECT_TRUE(region.damage.empty()) << testing::PrintToString(region.damage);
  }
  EXPECT_TRUE(wait_until([] { return look().regions.at(0).heap_in_use > 0; }));
  const auto connection = first_connection();
  const auto * publisher = domain.publisher(connection.publisher);
  const auto * subscription = domain.subscription(connection.subscription);
  ASSERT_TRUE(publisher != nullptr && subscription != nullptr);
  EXPECT_EQ(publisher->info.topic, "/topic");
  EXPECT_EQ(publisher->info.node.name, "talker");
  EXPECT_EQ(publisher->info.qos.depth, 7U);
  EXPECT_EQ(subscription->info.node.name, "listener");
  EXPECT_EQ(subscription->info.type.name, "test/msg/Words");
  EXPECT_EQ(domain.region(connection.publisher.incarnation)->pid, a_.child().pid());
  EXPECT_EQ(domain.region(connection.subscription.incarnation)->pid, b_.child().pid());
}

TEST_F(Inspection, WritesNothing) {
  connect();
  ASSERT_TRUE(a_.publish("p", 3, 1000));
  stop(a_.child());
  stop(b_.child());
  const std::string before = traces(folder_.path());
  EXPECT_EQ(look().connections.size(), 1U);
  EXPECT_EQ(look(5).regions.size(), 0U);
  EXPECT_EQ(traces(folder_.path()), before);
  a_.child().signal(SIGCONT);
  b_.child().signal(SIGCONT);
}

TEST_F(Inspection, TellsByWhatMeansMessagesPass) {
  connect({}, {.depth = 5, .quota = 2});
  ASSERT_TRUE(a_.publish("p", 3, 1000));
  auto connection = first_connection();
  EXPECT_EQ(connection.means, Means::kZeroCopy) << connection.why;
  EXPECT_EQ(connection.backlog, 3U);
  EXPECT_EQ(first_publisher().published, 3U);
  EXPECT_EQ(first_publisher().mean_size, 1000);
  ASSERT_EQ(b_.keep("s", 2), range(0, 2));
  connection = first_connection();
  EXPECT_EQ(connection.held, 2U);
  EXPECT_EQ(connection.quota, 2U);
  EXPECT_EQ(connection.backlog, 1U);
  ASSERT_EQ(b_.keep("s", 1), Numbers{2});
  connection = first_connection();
  EXPECT_EQ(connection.means, Means::kCopies);
  EXPECT_EQ(connection.copied, 1U);
  EXPECT_NE(connection.why.find("more than its quota of 2"), std::string::npos) << connection.why;
  ASSERT_TRUE(a_.publish("p", 20, 1000));
  ASSERT_FALSE(b_.take("s", 20).empty());
  connection = first_connection();
  EXPECT_EQ(connection.lost, 15U);
  EXPECT_EQ(b_.lost("s"), 15U);
  EXPECT_EQ(connection.backlog, 0U);
}

TEST_F(Inspection, CountsMessagesThatTheirPublisherCopies) {
  connect();
  ASSERT_TRUE(a_.publish("p", 1, 100));
  ASSERT_TRUE(a_.publish("p", 2, 100, Way::kCopy));
  const auto connection = first_connection();
  EXPECT_EQ(connection.means, Means::kCopies);
  EXPECT_NE(connection.why.find("2 of 3 messages"), std::string::npos) << connection.why;
  EXPECT_EQ(first_publisher().copied, 2U);
}

TEST_F(Inspection, CountsWhatFails) {
  connect({.keep_all = true, .block = 1ms, .loans = 1}, {.keep_all = true});
  ASSERT_EQ(a_.borrow("p", 3, 64), 1U);
  EXPECT_EQ(first_publisher().failed_borrows, 1U);
  EXPECT_EQ(a_.failed_borrows("p"), 1U);
  EXPECT_EQ(first_publisher().blocks.loaned, 1U);
  a_.drop_loans();
  EXPECT_TRUE(a_.publish("p", 16001, 64, Way::kCopy).is(PublishError::kTimeout));
  EXPECT_EQ(first_publisher().timeouts, 1U);
  EXPECT_EQ(first_connection().backlog, 16000U);
  EXPECT_TRUE(first_connection().owed);
}

TEST_F(Inspection, ForgottenHistoryIsCounted) {
  ASSERT_TRUE(a_.create_publisher("p", "/topic", {.keep_all = true, .transient = true}));
  ASSERT_TRUE(a_.publish("p", 16010, 8, Way::kCopy));
  EXPECT_EQ(first_publisher().forgotten, a_.forgotten("p"));
  EXPECT_GE(first_publisher().forgotten, 10U);
}

TEST_F(Inspection, TheBlocksAddUp) {
  connect({.depth = 4}, {.depth = 4});
  ASSERT_TRUE(a_.publish("p", 10, 64));
  ASSERT_FALSE(b_.keep("s", 3).empty());
  ASSERT_TRUE(a_.publish("p", 10, 64));
  ASSERT_EQ(a_.borrow("p", 2, 64), 2U);
  EXPECT_TRUE(wait_until([] { return first_publisher().blocks.kept == 3 && first_publisher().blocks.loaned == 2; }));
  const auto blocks = first_publisher().blocks;
  EXPECT_EQ(blocks.used, blocks.free + blocks.loaned + blocks.in_ring + blocks.kept);
  EXPECT_LE(blocks.used, blocks.max);
}

TEST_F(Inspection, TellsWhyNothingPasses) {
  ASSERT_TRUE(a_.create_publisher("p", "/topic", {.best_effort = true}));
  ASSERT_TRUE(b_.create_subscription("s", "/topic"));
  const auto connection = first_connection();
  EXPECT_EQ(connection.means, Means::kMismatch);
  EXPECT_NE(connection.why.find("RELIABILITY"), std::string::npos);
  ASSERT_TRUE(a_.create_publisher("q", "/inner"));
  ASSERT_TRUE(a_.create_subscription("t", "/inner", {.others_only = true}));
  EXPECT_EQ(first_connection().means, Means::kNone);  // in the order of the topics' names
}

TEST_F(Inspection, SeesAnAcknowledgementThatIsMissing) {
  ASSERT_TRUE(a_.create_publisher("p", "/topic"));
  stop(a_.child());
  ASSERT_TRUE(b_.create_subscription("s", "/topic"));
  EXPECT_TRUE(wait_until([] { return first_connection().why.find("not acknowledged") != std::string::npos; }));
  EXPECT_EQ(first_connection().means, Means::kPending);
  a_.child().signal(SIGCONT);
  EXPECT_TRUE(wait_until([] { return first_connection().means == Means::kZeroCopy; }));
}

}  // namespace
}  // namespace tandem::test
