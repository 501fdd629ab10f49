// Who reads which form of ros_discovery_info: nobody is taken for a reader of a form before it is known.
#include <gtest/gtest.h>

#include "tandem/dds/audience.hpp"
#include "tandem/dds/discovery_info.hpp"

namespace tandem::dds {
namespace {

using transport::EndpointKind;
using transport::Gid;

constexpr auto kNever = std::chrono::hours(1);
constexpr const char * kHash = "typehash=RIHS01_91a0593bacdcc50ea9bdcf849a938b128412cc1ea821245c663bcd26f83c295e;";

Gid endpoint(std::uint8_t participant, std::uint8_t entity) {
  Gid gid{};
  gid[0] = participant;
  gid[14] = entity;
  return gid;
}

class AudienceTest : public testing::Test {
 protected:
  void add_reader(std::uint8_t participant, const char * user_data = "") {
    audience_.found(EndpointKind::kSubscription, endpoint(participant, 1), kDiscoveryTopic, user_data);
  }
  void add_writer(std::uint8_t participant) {
    audience_.found(EndpointKind::kPublisher, endpoint(participant, 2), kDiscoveryTopic, "");
  }
  std::optional<GidWidth> form(std::uint8_t participant) const { return audience_.form_of(endpoint(participant, 1)); }

  Audience audience_{[] {}, kNever};
};

TEST_F(AudienceTest, ATypeHashMeansNarrowAtOnce) {
  add_reader(1, kHash);
  EXPECT_EQ(form(1), GidWidth::k16);
}

TEST_F(AudienceTest, AnyEndpointsTypeHashCounts) {
  add_reader(1);
  EXPECT_EQ(form(1), std::nullopt);
  audience_.found(EndpointKind::kPublisher, endpoint(1, 3), "rt/chatter", kHash);
  EXPECT_EQ(form(1), GidWidth::k16);
}

TEST_F(AudienceTest, WithoutAHashItsOwnWordsDecide) {
  for (const auto & [participant, width] : {std::pair{std::uint8_t{1}, GidWidth::k24}, {2, GidWidth::k16}}) {
    add_reader(participant);
    add_writer(participant);
    audience_.found(EndpointKind::kPublisher, endpoint(participant, 3), "rt/chatter", "");
    EXPECT_EQ(form(participant), std::nullopt);
    audience_.heard(endpoint(participant, 2), width);
    EXPECT_EQ(form(participant), width);
  }
}

TEST_F(AudienceTest, WordsMayComeBeforeTheReader) {
  audience_.heard(endpoint(1, 2), GidWidth::k24);
  EXPECT_TRUE(audience_.readers().empty());
  add_reader(1);
  EXPECT_EQ(audience_.readers(), (Audience::Readers{{endpoint(1, 1), GidWidth::k24}}));
}

TEST_F(AudienceTest, WhatIsLearntFirstStays) {
  add_reader(1, kHash);
  audience_.heard(endpoint(1, 2), GidWidth::k24);  // one of ours that was told to speak so
  EXPECT_EQ(form(1), GidWidth::k16);
}

TEST_F(AudienceTest, WhoHasLeftIsForgotten) {
  add_reader(1, kHash);
  add_reader(2, kHash);
  audience_.lost(endpoint(1, 1));
  audience_.lost_participant(endpoint(2, 9));
  audience_.lost_participant(endpoint(3, 9));
  EXPECT_TRUE(audience_.readers().empty());
  EXPECT_EQ(form(2), std::nullopt) << "one that comes back may be another";
}

TEST_F(AudienceTest, DemandIsWhatAllReadersWant) {
  add_reader(1, kHash);
  EXPECT_FALSE(audience_.demand().is_mixed() || audience_.demand().unknown);
  add_reader(2);
  EXPECT_TRUE(audience_.demand().unknown);
  audience_.heard(endpoint(2, 2), GidWidth::k24);
  EXPECT_TRUE(audience_.demand().is_mixed() && !audience_.demand().unknown);
  audience_.lost_participant(endpoint(1, 1));
  EXPECT_TRUE(!audience_.demand().is_mixed() && audience_.demand().wide);
}

TEST_F(AudienceTest, OursAskForNothing) {
  add_reader(1, kDiscoveryUserData);
  EXPECT_EQ(form(1), GidWidth::k16);
  const Demand demand = audience_.demand();
  EXPECT_FALSE(demand.narrow || demand.wide || demand.unknown);
}

/// `changed` is called until what it sees is what is asked for.
class Changes {
 public:
  void look(const Audience & audience) {
    const std::lock_guard lock(mutex_);
    seen_ = audience.readers();
    changed_.notify_all();
  }
  bool wait_for(const Audience::Readers & readers) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(60), [&] { return seen_ == readers; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  Audience::Readers seen_;
};

TEST(Audience, SaysWhatHasChanged) {
  Changes changes;
  Audience audience([&] { changes.look(audience); }, kNever);
  audience.found(EndpointKind::kSubscription, endpoint(1, 1), kDiscoveryTopic, "");
  EXPECT_TRUE(changes.wait_for({{endpoint(1, 1), std::nullopt}}));
  audience.heard(endpoint(1, 2), GidWidth::k24);
  EXPECT_TRUE(changes.wait_for({{endpoint(1, 1), GidWidth::k24}}));
  audience.lost_participant(endpoint(1, 1));
  EXPECT_TRUE(changes.wait_for({}));
}

TEST(Audience, WhoReadsAndNeverSpeaksIsTakenForAnEarlyOne) {
  Changes changes;
  Audience audience([&] { changes.look(audience); }, std::chrono::milliseconds(1));
  audience.found(EndpointKind::kPublisher, endpoint(2, 2), kDiscoveryTopic, "");  // this one will speak
  audience.found(EndpointKind::kSubscription, endpoint(2, 1), kDiscoveryTopic, "");
  audience.found(EndpointKind::kSubscription, endpoint(1, 1), kDiscoveryTopic, "");
  EXPECT_TRUE(changes.wait_for({{endpoint(1, 1), GidWidth::k24}, {endpoint(2, 1), std::nullopt}}));
}

TEST(Audience, EndsWhileItWaits) {
  Audience audience([] {}, kNever);
  audience.found(EndpointKind::kSubscription, endpoint(1, 1), kDiscoveryTopic, "");
  audience.end();
  audience.lost(endpoint(1, 1));
}

}  // namespace
}  // namespace tandem::dds
