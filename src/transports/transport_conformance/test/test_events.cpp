// Deadline, lifespan, liveliness, and what the status of an endpoint tells.
#include <atomic>
#include <thread>

#include "conformance.hpp"
#include "peer.hpp"

namespace conformance {
namespace {

using namespace std::chrono_literals;
using transport::Liveliness;
using transport::QosPolicy;
using transport::Status;

class Events : public Conformance {
 protected:
  static Qos with_deadline(std::chrono::nanoseconds deadline) {
    Qos qos = keep_last(10);
    qos.deadline = deadline;
    return qos;
  }
  static Qos with_lease(Liveliness liveliness, std::chrono::nanoseconds lease) {
    Qos qos = keep_last(10);
    qos.liveliness = liveliness;
    qos.lease = lease;
    return qos;
  }
};

TEST_F(Events, DeadlinesAreNoticedAtBothEndsFromTheFirstMessageOn) {
  NEEDS(Feature::kDeadline);
  const auto pub = publisher(topic(), with_deadline(50ms));
  const auto sub = subscription(topic(), with_deadline(60ms));
  ASSERT_TRUE(matched(*pub, *sub));
  EXPECT_EQ(pub->status().deadlines_missed, 0u);
  EXPECT_EQ(sub->status().deadlines_missed, 0u);
  ASSERT_EQ(publish(*pub, 1), PublishResult::kOk);
  EXPECT_EQ(take_values(*sub, 1), range(1, 1));
  EXPECT_NE(sub->status().due, Status().due);
  EXPECT_TRUE(eventually([&] { return pub->status().deadlines_missed >= 2 && sub->status().deadlines_missed >= 2; }));
}

TEST_F(Events, WithoutADeadlineNothingIsDue) {
  const auto pub = publisher(topic(), keep_last(10));
  const auto sub = subscription(topic(), keep_last(10));
  ASSERT_TRUE(matched(*pub, *sub));
  ASSERT_EQ(publish(*pub, 1), PublishResult::kOk);
  EXPECT_EQ(take_values(*sub, 1), range(1, 1));
  EXPECT_EQ(pub->status().due, Status().due);
  EXPECT_EQ(sub->status().due, Status().due);
}

TEST_F(Events, OfferedTimesMustNotBeLongerThanRequested) {
  NEEDS(Feature::kDeadline);
  NEEDS(Feature::kQosMatching);
  NEEDS(Feature::kEvents);
  struct Pair {
    Qos offered, requested;
    QosPolicy misfit;
  };
  const auto automatic = [](auto lease) { return with_lease(Liveliness::kAutomatic, lease); };
  std::vector<Pair> pairs = {
      {with_deadline(1s), with_deadline(2s), QosPolicy::kNone},
      {with_deadline(2s), with_deadline(2s), QosPolicy::kNone},
      {with_deadline(2s), keep_last(1), QosPolicy::kNone},
      {with_deadline(2s), with_deadline(1s), QosPolicy::kDeadline},
      {keep_last(1), with_deadline(1s), QosPolicy::kDeadline},
      {automatic(1s), automatic(2s), QosPolicy::kNone},
      {automatic(2s), automatic(1s), QosPolicy::kLiveliness},
      {best_effort(keep_last(1)), keep_last(1), QosPolicy::kReliability},
  };
  if (has(Feature::kLiveliness)) {
    const Qos manual = with_lease(Liveliness::kManualByTopic, 10s);
    pairs.push_back({manual, automatic(10s), QosPolicy::kNone});
    pairs.push_back({automatic(10s), manual, QosPolicy::kLiveliness});
  }
  if (has(Feature::kTransientLocal)) {
    pairs.push_back({keep_last(1), transient_local(keep_last(1)), QosPolicy::kDurability});
  }
  const CapturedStderr said;
  int number = 0;
  for (const Pair & pair : pairs) {
    const std::string name = topic(std::to_string(number++));
    const auto pub = publisher(name, pair.offered);
    const auto sub = subscription(name, pair.requested);
    if (pair.misfit == QosPolicy::kNone) {
      EXPECT_TRUE(matched(*pub, *sub)) << name;
      EXPECT_EQ(pub->status().incompatible_qos + sub->status().incompatible_qos, 0u);
      continue;
    }
    EXPECT_TRUE(eventually([&] { return pub->status().incompatible_qos == 1 && sub->status().incompatible_qos == 1; }))
        << name;
    EXPECT_EQ(pub->status().last_policy, pair.misfit) << name;
    EXPECT_EQ(sub->status().last_policy, pair.misfit) << name;
    EXPECT_EQ(pub->subscription_count(), 0u);
    EXPECT_EQ(sub->publisher_count(), 0u);
  }
}

TEST_F(Events, GraphTellsTheTimes) {
  NEEDS(Feature::kDeadline);
  NEEDS(Feature::kGraph);
  Qos qos = with_deadline(5s);
  qos.lifespan = 6s;
  qos.lease = 7s;
  const auto other = new_context();
  const auto pub = other->create_publisher(type_of<Small>(), options_of(topic(), qos));
  Qos told;
  EXPECT_TRUE(eventually([&] {
    for (const auto & endpoint : context_->graph().endpoints) {
      if (endpoint.topic == topic()) {
        told = endpoint.qos;
        return true;
      }
    }
    return false;
  }));
  EXPECT_EQ(told.deadline, 5s);
  EXPECT_EQ(told.lifespan, 6s);
  EXPECT_EQ(told.lease, 7s);
  EXPECT_EQ(told.liveliness, Liveliness::kAutomatic);
}

TEST_F(Events, LateJoinersGetNothingBeyondItsLifespan) {
  NEEDS(Feature::kLifespan);
  NEEDS(Feature::kTransientLocal);
  Qos brief = transient_local(keep_last(10));
  brief.lifespan = 5ms;
  const auto pub = publisher(topic(), brief);
  for (std::uint64_t value = 0; value < 5; ++value) {
    ASSERT_EQ(publish(*pub, value), PublishResult::kOk);
  }
  std::this_thread::sleep_for(50ms);  // longer than they live
  const auto sub = subscription(topic(), transient_local(keep_last(10)));
  ASSERT_TRUE(matched(*pub, *sub));
  const auto lasting = publisher(topic(), transient_local(keep_last(10)));
  ASSERT_EQ(publish(*lasting, 100), PublishResult::kOk);
  EXPECT_EQ(take_until(*sub, 100), range(100, 100));
  EXPECT_EQ(sub->lost(), 0u);
}

TEST_F(Events, MessagesThatWaitBeyondTheirLifespanAreNotTaken) {
  NEEDS(Feature::kLifespan);
  Qos brief = keep_last(10);
  brief.lifespan = 20ms;
  const auto sub = subscription(topic(), keep_last(10));
  const auto pub = publisher(topic(), brief);
  const auto lasting = publisher(topic(), keep_last(10));
  EXPECT_TRUE(eventually([&] { return sub->publisher_count() == 2 && pub->subscription_count() == 1; }));
  for (std::uint64_t value = 0; value < 5; ++value) {
    ASSERT_EQ(publish(*pub, value), PublishResult::kOk);
  }
  EXPECT_TRUE(pub->wait_for_all_acked(patience));
  std::this_thread::sleep_for(100ms);  // longer than they live
  ASSERT_EQ(publish(*lasting, 100), PublishResult::kOk);
  EXPECT_EQ(take_until(*sub, 100), range(100, 100));
  EXPECT_EQ(sub->lost(), 0u);
}

TEST_F(Events, MatchesAreToldToWhoListens) {
  NEEDS(Feature::kEvents);
  const auto pub = publisher(topic(), keep_last(1));
  std::atomic<int> calls{0};
  pub->set_status_listener([&] { ++calls; });
  auto sub = subscription(topic(), keep_last(1));
  EXPECT_TRUE(eventually([&] { return calls != 0 && pub->status().matched == 1 && sub->status().matched == 1; }));
  EXPECT_EQ(pub->status().total_matched, 1u);
  EXPECT_TRUE(eventually([&] { return sub->status().alive == 1; }));
  const int before = calls;
  sub.reset();
  EXPECT_TRUE(eventually([&] { return calls != before && pub->status().matched == 0; }));
  EXPECT_EQ(pub->status().total_matched, 1u);
  pub->set_status_listener(nullptr);
}

TEST_F(Events, IncompatibleTypesAreTold) {
  NEEDS(Feature::kTypeEvents);
  const CapturedStderr said;
  const auto pub = context_->create_publisher(small_with_other_hash(), options_of(topic(), keep_last(1)));
  const auto sub = subscription(topic(), keep_last(1));
  EXPECT_TRUE(eventually([&] { return pub->status().incompatible_type == 1 && sub->status().incompatible_type == 1; }));
  EXPECT_EQ(sub->status().incompatible_qos, 0u);
}

/// A publisher and a subscription with manual liveliness, and what they do with a lease that is over.
class ManualLiveliness : public Events {
 protected:
  void SetUp() override {
    NEEDS(Feature::kLiveliness);
    const Qos qos = with_lease(Liveliness::kManualByTopic, 200ms);
    pub_ = other_->create_publisher(type_of<Small>(), options_of(topic(), qos));
    sub_ = subscription(topic(), qos);
    ASSERT_TRUE(matched(*pub_, *sub_));
    lives_again([this] { pub_->assert_liveliness(); });
    const auto lost = pub_->status().liveliness_lost;
    EXPECT_TRUE(eventually([&] { return pub_->status().liveliness_lost > lost && sub_->status().not_alive == 1; }));
    EXPECT_EQ(sub_->status().alive, 0u);
  }
  void lives_again(const std::function<void()> & sign) {
    EXPECT_TRUE(eventually([&] {
      sign();
      return sub_->status().alive == 1;
    }));
    EXPECT_EQ(sub_->status().not_alive, 0u);
  }

  const std::shared_ptr<Context> other_ = new_context();
  std::shared_ptr<Publisher> pub_;
  std::shared_ptr<Subscription> sub_;
};

TEST_F(ManualLiveliness, IsRegainedByAMessage) {
  lives_again([this] { publish(*pub_, 1); });
}

TEST_F(ManualLiveliness, IsRegainedByAnAssertionAndLostAgain) {
  lives_again([this] { pub_->assert_liveliness(); });
  EXPECT_TRUE(eventually([&] { return sub_->status().not_alive == 1; }));
  lives_again([this] { pub_->assert_liveliness(); });
  ASSERT_EQ(publish(*pub_, 7), PublishResult::kOk);
  EXPECT_EQ(take_values(*sub_, 1), range(7, 7));  // assertions have brought none
  EXPECT_EQ(sub_->lost(), 0u);
}

TEST_F(ManualLiveliness, OfOneThatHasClosedIsOfNoInterest) {
  pub_.reset();
  EXPECT_TRUE(eventually([&] { return sub_->status().not_alive == 0; }));
  EXPECT_EQ(sub_->status().alive, 0u);
}

TEST_F(Events, PublisherThatClosesIsNotCountedAsNotAlive) {
  NEEDS(Feature::kEvents);
  const auto sub = subscription(topic(), with_lease(Liveliness::kAutomatic, 10s));
  auto pub = publisher(topic(), with_lease(Liveliness::kAutomatic, 10s));
  EXPECT_TRUE(eventually([&] { return sub->status().alive == 1; }));
  pub.reset();
  EXPECT_TRUE(eventually([&] { return sub->status().alive == 0; }));
  EXPECT_EQ(sub->status().not_alive, 0u);
}

TEST_F(Events, KilledPublisherIsNotAliveAnyMore) {
  NEEDS(Feature::kEvents);
  const auto sub = subscription(topic(), keep_last(10));
  Peer peer({"flood", "small", topic()});
  EXPECT_TRUE(eventually([&] {
    while (sub->take()) {
    }
    return sub->status().alive == 1;
  }));
  peer.kill();
  EXPECT_TRUE(eventually([&] {
    while (sub->take()) {
    }
    return sub->status().alive == 0 && sub->status().matched == 0;
  }));
  EXPECT_EQ(sub->status().not_alive, 0u);  // it had no lease
}

/// After its lease, until it is forgotten.
TEST_F(Events, KilledPublisherWithALeaseIsNotAliveForAWhile) {
  NEEDS(Feature::kLiveliness);
  const auto automatic = subscription(topic("automatic"), with_lease(Liveliness::kAutomatic, kPeerLease));
  const auto manual = subscription(topic("manual"), with_lease(Liveliness::kManualByTopic, kPeerLease));
  Peer live({"live", topic("automatic")});
  Peer asserting({"assert", topic("manual")});
  const auto both = [&](std::uint64_t alive, std::uint64_t not_alive) {
    const Status a = automatic->status();
    const Status m = manual->status();
    return a.alive == alive && m.alive == alive && a.not_alive == not_alive && m.not_alive == not_alive;
  };
  EXPECT_TRUE(eventually([&] { return both(1, 0); }));
  std::this_thread::sleep_for(2 * kPeerLease);
  // They keep it; one that got no processor for that long has it back with its next sign.
  EXPECT_TRUE(eventually([&] { return both(1, 0); }));
  live.kill();
  asserting.kill();
  EXPECT_TRUE(eventually([&] { return both(0, 1); }));
  EXPECT_TRUE(eventually([&] { return both(0, 0); }));
}

}  // namespace
}  // namespace conformance
