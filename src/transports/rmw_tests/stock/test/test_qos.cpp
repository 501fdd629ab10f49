// Quality of service that is "best available", and which fit.
#include "rmw_fixture.hpp"

namespace {

using std_msgs::msg::UInt64;
using std_srvs::srv::SetBool;

rmw_qos_profile_t best_available() {
  rmw_qos_profile_t qos = profile();
  qos.reliability = RMW_QOS_POLICY_RELIABILITY_BEST_AVAILABLE;
  qos.durability = RMW_QOS_POLICY_DURABILITY_BEST_AVAILABLE;
  qos.liveliness = RMW_QOS_POLICY_LIVELINESS_BEST_AVAILABLE;
  qos.deadline = RMW_QOS_DEADLINE_BEST_AVAILABLE;
  qos.liveliness_lease_duration = RMW_QOS_LIVELINESS_LEASE_DURATION_BEST_AVAILABLE;
  return qos;
}

rmw_qos_profile_t best_effort() {
  rmw_qos_profile_t qos = profile();
  qos.reliability = RMW_QOS_POLICY_RELIABILITY_BEST_EFFORT;
  qos.liveliness = RMW_QOS_POLICY_LIVELINESS_AUTOMATIC;
  return qos;
}

class Qos : public Rmw {
 protected:
  rmw_qos_compatibility_type_t fit(const rmw_qos_profile_t & offered, const rmw_qos_profile_t & requested) {
    rmw_qos_compatibility_type_t compatibility = RMW_QOS_COMPATIBILITY_ERROR;
    EXPECT_OK(rmw_qos_profile_check_compatible(offered, requested, &compatibility, nullptr, 0));
    return compatibility;
  }
};

TEST_F(Qos, SubscriptionsAskForWhatAllPublishersOffer) {
  auto * const out = publisher<UInt64>("/best", best_effort());
  auto * const in = subscription<UInt64>("/best", best_available());
  ASSERT_TRUE(are_matched(out, in));
  rmw_qos_profile_t actual;
  EXPECT_OK(rmw_subscription_get_actual_qos(in, &actual));
  EXPECT_EQ(actual.reliability, RMW_QOS_POLICY_RELIABILITY_BEST_EFFORT);
  EXPECT_EQ(actual.durability, RMW_QOS_POLICY_DURABILITY_VOLATILE);
  EXPECT_OK(rmw_destroy_publisher(node_, out));
  EXPECT_OK(rmw_destroy_subscription(node_, in));
}

TEST_F(Qos, PublishersOfferTheMost) {
  rmw_qos_profile_t hasty = profile();
  hasty.deadline = {3, 0};
  auto * const in = subscription<UInt64>("/best", hasty);
  auto * const out = publisher<UInt64>("/best", best_available());
  ASSERT_TRUE(are_matched(out, in));
  rmw_qos_profile_t actual;
  EXPECT_OK(rmw_publisher_get_actual_qos(out, &actual));
  EXPECT_EQ(actual.reliability, RMW_QOS_POLICY_RELIABILITY_RELIABLE);
  EXPECT_EQ(actual.durability, RMW_QOS_POLICY_DURABILITY_TRANSIENT_LOCAL);
  EXPECT_EQ(actual.deadline.sec, 3u);
  EXPECT_OK(rmw_destroy_publisher(node_, out));
  EXPECT_OK(rmw_destroy_subscription(node_, in));
}

TEST_F(Qos, BestAvailableFitsWhateverTheOtherEndHas) {
  rmw_qos_profile_t strict = profile();
  strict.durability = RMW_QOS_POLICY_DURABILITY_TRANSIENT_LOCAL;
  strict.liveliness = RMW_QOS_POLICY_LIVELINESS_MANUAL_BY_TOPIC;
  strict.deadline = {1, 0};
  strict.liveliness_lease_duration = {1, 0};
  EXPECT_EQ(fit(best_effort(), best_available()), RMW_QOS_COMPATIBILITY_OK);
  EXPECT_EQ(fit(strict, best_available()), RMW_QOS_COMPATIBILITY_OK);
  EXPECT_EQ(fit(best_available(), strict), RMW_QOS_COMPATIBILITY_OK);
  EXPECT_EQ(fit(best_available(), best_available()), RMW_QOS_COMPATIBILITY_OK);
  EXPECT_EQ(fit(best_effort(), strict), RMW_QOS_COMPATIBILITY_ERROR);
}

TEST_F(Qos, ServicesWithTheBestAvailableMeetClientsOfEveryKind) {
  const rmw_qos_profile_t best = best_available();
  const rmw_qos_profile_t usual = profile();
  const auto * const type = rosidl_typesupport_introspection_cpp::get_service_type_support_handle<SetBool>();
  auto * const service = rmw_create_service(node_, type, "/best", &best);
  ASSERT_NE(service, nullptr) << last_error();
  for (const rmw_qos_profile_t * const qos : {&best, &usual}) {
    auto * const client = rmw_create_client(node_, type, "/best", qos);
    ASSERT_NE(client, nullptr) << last_error();
    EXPECT_TRUE(eventually([&] {
      bool is_there = false;
      EXPECT_OK(rmw_service_server_is_available(node_, client, &is_there));
      return is_there;
    }));
    EXPECT_OK(rmw_destroy_client(node_, client));
  }
  EXPECT_OK(rmw_destroy_service(node_, service));
}

}  // namespace
