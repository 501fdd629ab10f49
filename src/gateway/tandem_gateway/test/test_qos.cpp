// What QoS says about time, on the other side: policies are carried, and hold there.
#include <thread>

#include "support.hpp"

namespace tandem::gateway {
namespace {

using namespace std::chrono_literals;
using transport::EndpointKind;
using transport::Liveliness;

Qos with_deadline(std::chrono::nanoseconds deadline) {
  Qos qos = reliable();
  qos.deadline = deadline;
  return qos;
}

Qos with_lease(std::chrono::nanoseconds lease, Liveliness liveliness) {
  Qos qos = reliable();
  qos.lease = lease;
  qos.liveliness = liveliness;
  return qos;
}

/// The QoS of the one publisher of a topic.
Qos shown(Place & place, const std::string & topic) {
  for (const auto & endpoint : place.context->graph().endpoints) {
    if (endpoint.topic == topic && endpoint.kind == EndpointKind::kPublisher) {
      return endpoint.qos;
    }
  }
  ADD_FAILURE() << "no publisher";
  return {};
}

TEST_F(Hosts, DeadlinesAreOfferedAndMissedOnTheOtherHost) {
  const auto pub = host(81).publisher(topic(), with_deadline(200ms));
  const auto sub = host(82).subscription(topic(), with_deadline(300ms));
  const auto hasty = host(82).subscription(topic(), with_deadline(100ms));
  ASSERT_TRUE(joined({pub}, {sub}));
  EXPECT_EQ(shown(host(82), topic()).deadline, 200ms);
  publish(*pub, 1);
  EXPECT_EQ(take(*sub, 1), range(1, 1));
  EXPECT_TRUE(eventually([&] { return sub->status().deadlines_missed > 0; })) << "no other message comes";
  EXPECT_EQ(hasty->publisher_count(), 0U) << "more often than is offered";
  EXPECT_TRUE(eventually([&] { return hasty->status().last_policy == transport::QosPolicy::kDeadline; }));
}

TEST_F(Hosts, WhatIsOlderThanItsLifespanDoesNotCome) {
  Qos qos = transient_local(reliable(10));
  qos.lifespan = 1s;
  const auto pub = host(81).publisher(topic(), qos);
  host(82);
  publish(*pub, 1);
  ASSERT_TRUE(eventually([&] { return host(82).endpoints(topic(), EndpointKind::kPublisher) == 1; }));
  EXPECT_EQ(shown(host(82), topic()).lifespan, 1s);
  std::this_thread::sleep_for(qos.lifespan);
  const auto late = host(82).subscription(topic(), transient_local(reliable(10)));
  ASSERT_TRUE(joined({pub}, {late}));
  publish(*pub, 2);
  EXPECT_EQ(take(*late, 1), range(2, 1));
}

TEST_F(Hosts, LivelinessIsThatOfThePublisher) {
  auto pub = host(81).publisher(topic(), with_lease(400ms, Liveliness::kAutomatic));
  const auto sub = host(82).subscription(topic(), with_lease(500ms, Liveliness::kAutomatic));
  const auto strict = host(82).subscription(topic(), with_lease(500ms, Liveliness::kManualByTopic));
  ASSERT_TRUE(joined({pub}, {sub}));
  EXPECT_EQ(shown(host(82), topic()).lease, 400ms);
  EXPECT_TRUE(eventually([&] { return sub->status().alive == 1; }));
  EXPECT_EQ(strict->publisher_count(), 0U);
  pub.reset();
  EXPECT_TRUE(eventually([&] { return sub->status().alive == 0; }));
}

}  // namespace
}  // namespace tandem::gateway
