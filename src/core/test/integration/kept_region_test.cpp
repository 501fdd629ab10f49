// What a process leaves in its rings, read after its death.
#include "tandem/kept_region.hpp"

#include "inspecting.hpp"
#include "payload.hpp"

namespace tandem::test {
namespace {

class Remains : public Inspection {
 protected:
  /// The region of the process that has died.
  std::unique_ptr<inspection::KeptRegion> await_death() {
    std::unique_ptr<inspection::KeptRegion> dead;
    EXPECT_TRUE(wait_until([&] {
      auto all = keeper_.look();
      EXPECT_LE(all.size(), 1U);
      dead = all.empty() ? nullptr : std::move(all.front());
      return dead != nullptr;
    }));
    return dead;
  }

  inspection::RegionKeeper keeper_{"", 0};
};

TEST_F(Remains, AreTheLastMessages) {
  connect({.depth = 7}, {.depth = 3});
  keeper_.look();
  ASSERT_TRUE(a_.publish("p", 20, 1000));
  a_.child().signal(SIGKILL);
  const auto dead = await_death();
  ASSERT_NE(dead, nullptr);
  EXPECT_FALSE(dead->is_alive());
  EXPECT_TRUE(keeper_.look().empty()) << "told once";
  // Others have removed its names long since.
  EXPECT_TRUE(wait_until([] { return look().regions.size() == 1; }));
  const inspection::Region region = dead->read();
  EXPECT_EQ(region.state, State::kDead);
  EXPECT_EQ(region.pid, a_.child().pid());
  ASSERT_EQ(region.publishers.size(), 1U);
  EXPECT_FALSE(region.publishers[0].closed);
  EXPECT_EQ(region.publishers[0].info.node.name, "talker");
  EXPECT_EQ(region.publishers[0].info.topic, "/topic");
  const auto messages = dead->messages(region.publishers[0]);
  ASSERT_GE(messages.size(), 3U) << "what its readers are owed";
  EXPECT_EQ(messages.back().number, 19U);
  for (std::size_t i = 0; i < messages.size(); ++i) {
    EXPECT_EQ(messages[i].number, 20 - messages.size() + i);
    EXPECT_EQ(messages[i].size, 1000U);
    EXPECT_GT(messages[i].time, 0);
    EXPECT_TRUE(is_whole(messages[i].memory, messages[i].size));
  }
}

TEST_F(Remains, AreNothingOfAProcessThatEndsInGoodOrder) {
  connect();
  keeper_.look();
  ASSERT_TRUE(a_.publish("p", 5, 100));
  EXPECT_EQ(a_.child().finish(), 0);
  const auto dead = await_death();
  ASSERT_NE(dead, nullptr);
  const inspection::Region region = dead->read();
  EXPECT_TRUE(region.nodes.empty());
  EXPECT_TRUE(region.subscriptions.empty());
  for (const inspection::Publisher & publisher : region.publishers) {
    EXPECT_TRUE(publisher.closed);  // its readers had not taken everything
  }
}

TEST(RegionKeeper, IsContentWithNothing) {
  const Folder folder;
  inspection::RegionKeeper keeper(folder.path() + "/none", 3);
  EXPECT_TRUE(keeper.look().empty());
}

}  // namespace
}  // namespace tandem::test
