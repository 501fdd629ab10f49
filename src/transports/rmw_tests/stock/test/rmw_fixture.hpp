// A context and a node of rmw.h, and what most tests do with them.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "rcutils/strdup.h"
#include "rmw/error_handling.h"
#include "rmw/event.h"
#include "rmw/features.h"
#include "rmw/get_node_info_and_types.h"
#include "rmw/get_service_names_and_types.h"
#include "rmw/get_topic_endpoint_info.h"
#include "rmw/get_topic_names_and_types.h"
#include "rmw/rmw.h"
#include "rmw/validate_full_topic_name.h"

#include "ros_types.hpp"

#define EXPECT_OK(CALL) EXPECT_EQ(CALL, RMW_RET_OK) << last_error()
#define ASSERT_OK(CALL) ASSERT_EQ(CALL, RMW_RET_OK) << last_error()
/// An error of this kind, with a sentence.
#define EXPECT_FAILS(CODE, CALL) \
  EXPECT_EQ(CALL, CODE);         \
  EXPECT_NE(last_error(), "")

/// Clears it.
inline std::string last_error() {
  const std::string text = rmw_error_is_set() ? rmw_get_error_string().str : "";
  rmw_reset_error();
  return text;
}

constexpr std::chrono::seconds kPatience{30};

inline rmw_qos_profile_t profile(std::size_t depth = 10) {
  rmw_qos_profile_t qos{};
  qos.history = RMW_QOS_POLICY_HISTORY_KEEP_LAST;
  qos.depth = depth;
  qos.reliability = RMW_QOS_POLICY_RELIABILITY_RELIABLE;
  qos.durability = RMW_QOS_POLICY_DURABILITY_VOLATILE;
  return qos;
}

class Rmw : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    // A folder of this process's own: nobody else is in its domains.
    static const struct Folder {
      const std::string path = "/dev/shm/rmw_tests." + std::to_string(getpid());
      ~Folder() { std::filesystem::remove_all(path); }
    } folder;
    setenv("TANDEM_SHM_DIR", folder.path.c_str(), 1);
  }

  void SetUp() override {
    options_ = rmw_get_zero_initialized_init_options();
    ASSERT_OK(rmw_init_options_init(&options_, allocator_));
    options_.enclave = rcutils_strdup("/enclave", allocator_);
    options_.domain_id = 7;
    context_ = rmw_get_zero_initialized_context();
    ASSERT_OK(rmw_init(&options_, &context_));
    node_ = rmw_create_node(&context_, "node", "/space");
    ASSERT_NE(node_, nullptr) << last_error();
    wait_set_ = rmw_create_wait_set(&context_, 0);
    ASSERT_NE(wait_set_, nullptr) << last_error();
  }

  void TearDown() override {
    EXPECT_OK(rmw_destroy_wait_set(wait_set_));
    EXPECT_OK(rmw_destroy_node(node_));
    EXPECT_OK(rmw_shutdown(&context_));
    EXPECT_OK(rmw_context_fini(&context_));
    EXPECT_OK(rmw_init_options_fini(&options_));
  }

  template <class T>
  rmw_publisher_t * publisher(const char * topic, const rmw_qos_profile_t & qos = profile()) {
    const rmw_publisher_options_t options{};
    rmw_publisher_t * const made = rmw_create_publisher(node_, type_support<T>(), topic, &qos, &options);
    EXPECT_NE(made, nullptr) << last_error();
    return made;
  }
  template <class T>
  rmw_subscription_t * subscription(const char * topic, const rmw_qos_profile_t & qos = profile()) {
    const rmw_subscription_options_t options{};
    rmw_subscription_t * const made = rmw_create_subscription(node_, type_support<T>(), topic, &qos, &options);
    EXPECT_NE(made, nullptr) << last_error();
    return made;
  }

  bool eventually(const std::function<bool()> & is_so) {
    const auto end = std::chrono::steady_clock::now() + kPatience;
    while (!is_so()) {
      if (std::chrono::steady_clock::now() > end) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return true;
  }
  bool are_matched(const rmw_publisher_t * publisher, const rmw_subscription_t * subscription) {
    return eventually([&] {
      std::size_t subscriptions = 0;
      std::size_t publishers = 0;
      EXPECT_OK(rmw_publisher_count_matched_subscriptions(publisher, &subscriptions));
      EXPECT_OK(rmw_subscription_count_matched_publishers(subscription, &publishers));
      return subscriptions != 0 && publishers != 0;
    });
  }

  /// Waits for one subscription. \return whether it is ready.
  bool wait_for(const rmw_subscription_t * subscription, rmw_time_t timeout = {30, 0}) {
    void * data[] = {subscription->data};
    rmw_subscriptions_t subscriptions{1, data};
    const rmw_ret_t code = rmw_wait(&subscriptions, nullptr, nullptr, nullptr, nullptr, wait_set_, &timeout);
    EXPECT_EQ(code, data[0] != nullptr ? RMW_RET_OK : RMW_RET_TIMEOUT) << last_error();
    return data[0] != nullptr;
  }
  template <class T>
  bool take(const rmw_subscription_t * subscription, T & message) {
    bool taken = false;
    EXPECT_OK(rmw_take(subscription, &message, &taken, nullptr));
    return taken;
  }

  rcutils_allocator_t allocator_ = rcutils_get_default_allocator();
  rmw_init_options_t options_;
  rmw_context_t context_;
  rmw_node_t * node_ = nullptr;
  rmw_wait_set_t * wait_set_ = nullptr;
};
