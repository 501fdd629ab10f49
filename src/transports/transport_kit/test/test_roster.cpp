// Participants that find each other, leave, and are killed.
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <thread>

#include "support.hpp"
#include "tandem/kit/roster.hpp"

namespace tandem::transport {
namespace {

constexpr const char * kName = "rmw_test_cpp";
constexpr std::uint32_t kDomain = 41;

class RosterTest : public testing::Test {
 protected:
  std::size_t files() const {
    const std::filesystem::directory_iterator all(home_ / (std::string(kName) + "-" + std::to_string(kDomain)));
    return static_cast<std::size_t>(std::distance(begin(all), end(all)));
  }

  const SharedMemoryFolder folder_;
  const std::filesystem::path & home_ = folder_.path;
};

RosterEntry entry(Roster & roster, EndpointKind kind, const std::string & topic = "/a") {
  RosterEntry result;
  result.endpoint.kind = kind;
  result.endpoint.topic = topic;
  result.endpoint.type_name = "test/msg/Small";
  result.endpoint.type_hash = "RIHS01_00";
  result.endpoint.abi = 17;
  result.endpoint.node = {"/", ""};
  result.endpoint.gid = roster.new_gid();
  result.address = "ipc://somewhere";
  return result;
}

TEST_F(RosterTest, TwoMeetAndPart) {
  std::atomic<int> changes{0};
  Roster one(kName, kDomain, [&] { ++changes; });
  const RosterEntry publisher = entry(one, EndpointKind::kPublisher);
  one.add(publisher);
  {
    Roster two(kName, kDomain, nullptr);
    two.add(NodeName{"/space", "listener"});
    RosterEntry subscription = entry(two, EndpointKind::kSubscription);
    subscription.endpoint.qos.depth = 3;
    two.add(subscription);
    ASSERT_EQ(two.matches(subscription).size(), 1u) << "what was there before is known at once";
    EXPECT_EQ(two.matches(subscription)[0].endpoint.gid, publisher.endpoint.gid);
    ASSERT_TRUE(eventually([&] { return one.matches(publisher).size() == 1; }));
    const RosterEntry seen = one.matches(publisher)[0];
    EXPECT_EQ(seen.endpoint.gid, subscription.endpoint.gid);
    EXPECT_EQ(seen.endpoint.qos.depth, 3u);
    EXPECT_EQ(seen.address, "ipc://somewhere");
    EXPECT_TRUE(eventually([&] { return one.graph().nodes.size() == 1; }));
    EXPECT_TRUE(eventually([&] { return changes >= 1; }));  // told behind it
    two.remove(NodeName{"/space", "listener"});
    EXPECT_TRUE(eventually([&] { return one.graph().nodes.empty(); }));
    two.remove(subscription.endpoint.gid);
    EXPECT_TRUE(eventually([&] { return one.matches(publisher).empty(); }));
    two.add(subscription);
    EXPECT_TRUE(eventually([&] { return one.matches(publisher).size() == 1; }));
  }
  EXPECT_TRUE(eventually([&] { return one.matches(publisher).empty(); }));
  EXPECT_EQ(files(), 2u);
}

TEST_F(RosterTest, OwnEndpointsMatchUnlessTheyIgnoreEachOther) {
  Roster roster(kName, kDomain, nullptr);
  const RosterEntry publisher = entry(roster, EndpointKind::kPublisher);
  RosterEntry deaf = entry(roster, EndpointKind::kSubscription);
  deaf.ignore_local = true;
  const RosterEntry hearing = entry(roster, EndpointKind::kSubscription);
  const RosterEntry elsewhere = entry(roster, EndpointKind::kSubscription, "/b");
  for (const RosterEntry & one : {publisher, deaf, hearing, elsewhere}) {
    roster.add(one);
  }
  ASSERT_EQ(roster.matches(publisher).size(), 1u);
  EXPECT_EQ(roster.matches(publisher)[0].endpoint.gid, hearing.endpoint.gid);
  EXPECT_TRUE(roster.matches(deaf).empty());
  EXPECT_TRUE(same_participant(publisher.endpoint.gid, deaf.endpoint.gid));
  Roster other(kName, kDomain, nullptr);
  EXPECT_FALSE(same_participant(publisher.endpoint.gid, other.new_gid()));
  EXPECT_EQ(other.graph().endpoints.size(), 4u);
}

TEST_F(RosterTest, WarnsOnceOfAPairThatDoesNotMatch) {
  Roster roster(kName, kDomain, nullptr);
  const RosterEntry publisher = entry(roster, EndpointKind::kPublisher);
  RosterEntry subscription = entry(roster, EndpointKind::kSubscription);
  subscription.endpoint.type_name = "test/msg/Tiny";
  roster.add(subscription);
  testing::internal::CaptureStderr();
  EXPECT_TRUE(roster.matches(publisher).empty());
  EXPECT_TRUE(roster.matches(publisher).empty());
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("[WARN] [rmw_test_cpp]: topic '/a': no match: "), std::string::npos) << said;
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1);
}

TEST_F(RosterTest, TheKilledAreRemovedWithAllTheirFiles) {
  Roster roster(kName, kDomain, nullptr);
  const RosterEntry publisher = entry(roster, EndpointKind::kPublisher);
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    Roster other(kName, kDomain, nullptr);
    other.add(entry(other, EndpointKind::kSubscription));
    fclose(fopen(other.path_of(other.id() + ".socket").c_str(), "w"));
    [[maybe_unused]] const ssize_t told = write(ready[1], "!", 1);
    for (;;) {
      pause();
    }
  }
  char byte = 0;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  EXPECT_TRUE(eventually([&] { return roster.matches(publisher).size() == 1; }));
  EXPECT_EQ(files(), 5u);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_TRUE(eventually([&] { return roster.matches(publisher).empty() && files() == 2; }));
  close(ready[0]);
  close(ready[1]);
}

TEST_F(RosterTest, AChildOfForkNeitherTouchesNorKeepsItsParentAlive) {
  Roster roster(kName, kDomain, nullptr);
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t parent = fork();
  if (parent == 0) {  // has a participant, forks and is killed; its child lives on
    auto mortal = std::make_unique<Roster>(kName, kDomain, nullptr);
    mortal->add(entry(*mortal, EndpointKind::kPublisher));
    if (fork() == 0) {
      EXPECT_TRUE(mortal->graph().endpoints.empty());
      mortal.reset();
      const pid_t me = getpid();
      [[maybe_unused]] const ssize_t told = write(ready[1], &me, sizeof me);
      sleep(100);
      _exit(0);
    }
    for (;;) {
      pause();
    }
  }
  pid_t grandchild = 0;
  ASSERT_EQ(read(ready[0], &grandchild, sizeof grandchild), static_cast<ssize_t>(sizeof grandchild));
  EXPECT_TRUE(eventually([&] { return roster.graph().endpoints.size() == 1; }));
  EXPECT_EQ(files(), 4u);
  kill(parent, SIGKILL);
  waitpid(parent, nullptr, 0);
  EXPECT_TRUE(eventually([&] { return roster.graph().endpoints.empty() && files() == 2; }));
  kill(grandchild, SIGKILL);
  close(ready[0]);
  close(ready[1]);
}

TEST_F(RosterTest, NonsenseInTheFolderIsIgnored) {
  const auto folder = home_ / (std::string(kName) + "-" + std::to_string(kDomain));
  Roster roster(kName, kDomain, nullptr);
  Roster noisy(kName, kDomain, nullptr);
  for (const std::string & name : {std::string("x"), noisy.id() + ".new"}) {
    FILE * file = fopen((folder / name).c_str(), "w");
    fputs("end\tpub\tzz\t\nnode\nend\n\n\t\t\tnode\t/\tfine\nnode\t/\tfine\n", file);
    fclose(file);
  }
  std::filesystem::rename(folder / (noisy.id() + ".new"), folder / (noisy.id() + ".txt"));
  EXPECT_TRUE(eventually([&] { return roster.graph().nodes.size() == 1; }));
  EXPECT_TRUE(roster.graph().endpoints.empty());
}

TEST_F(RosterTest, ItsOwnerMayEndInTheCallback) {
  struct Owner {
    std::unique_ptr<Roster> roster;
  };
  auto owner = std::make_shared<Owner>();
  std::atomic<bool> ended{false};
  std::shared_ptr<Owner> last = owner;
  owner->roster = std::make_unique<Roster>(kName, kDomain, [&ended, &last] {
    last.reset();
    ended = true;
  });
  owner.reset();
  Roster other(kName, kDomain, nullptr);
  other.add(NodeName{"/", "n"});
  EXPECT_TRUE(eventually([&] { return ended.load(); }));
}

TEST_F(RosterTest, ErrorsSayWhatToDo) {
  setenv("TANDEM_SHM_DIR", "/nowhere/at/all", 1);
  try {
    Roster roster(kName, kDomain, nullptr);
    ADD_FAILURE();
  } catch (const Error & error) {
    EXPECT_NE(std::string(error.what()).find("TANDEM_SHM_DIR"), std::string::npos) << error.what();
  }
}

/// What others may put into the folder.
TEST_F(RosterTest, OddFilesHoldNobodyUp) {
  Roster first(kName, kDomain, nullptr);
  const auto folder = home_ / (std::string(kName) + "-" + std::to_string(kDomain));
  const std::string fifo = "00112233445566778899aabb";
  ASSERT_EQ(mkfifo((folder / (fifo + ".lock")).c_str(), 0600), 0);
  const std::string folders = "ffffffffffffffffffffffff";
  ASSERT_TRUE(std::filesystem::create_directory(folder / (folders + ".lock")));
  Roster second(kName, kDomain, nullptr);
  const RosterEntry sub = entry(second, EndpointKind::kSubscription);
  second.add(sub);
  EXPECT_TRUE(eventually([&] { return first.matches(entry(first, EndpointKind::kPublisher)).size() == 1; }));
}

}  // namespace
}  // namespace tandem::transport
