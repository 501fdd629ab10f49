// Publishers and subscriptions of rmw.h.
#include <numeric>

#include <atomic>

#include "rmw_fixture.hpp"

namespace {

using interface_tests::msg::Primitives;
using sensor_msgs::msg::Image;
using std_msgs::msg::String;
using std_msgs::msg::UInt64;

class Topics : public Rmw {};

TEST_F(Topics, MessagesOfFixedSizeArrive) {
  auto * const out = publisher<UInt64>("/numbers");
  auto * const in = subscription<UInt64>("/numbers");
  ASSERT_TRUE(are_matched(out, in));
  UInt64 message;
  EXPECT_FALSE(take(in, message));
  EXPECT_FALSE(wait_for(in, {0, 1'000'000}));
  message.data = 42;
  EXPECT_OK(rmw_publish(out, &message, nullptr));
  ASSERT_TRUE(wait_for(in));
  UInt64 taken;
  bool is_taken = false;
  rmw_message_info_t info = rmw_get_zero_initialized_message_info();
  EXPECT_OK(rmw_take_with_info(in, &taken, &is_taken, &info, nullptr));
  EXPECT_TRUE(is_taken);
  EXPECT_EQ(taken.data, 42u);
  EXPECT_GT(info.source_timestamp, 0);
  rmw_gid_t gid;
  EXPECT_OK(rmw_get_gid_for_publisher(out, &gid));
  bool is_same = false;
  EXPECT_OK(rmw_compare_gids_equal(&gid, &info.publisher_gid, &is_same));
  EXPECT_TRUE(is_same);
  EXPECT_OK(rmw_destroy_publisher(node_, out));
  EXPECT_OK(rmw_destroy_subscription(node_, in));
}

TEST_F(Topics, MessagesWithStringsAndSequencesArrive) {
  auto * const out = publisher<Image>("/images");
  auto * const in = subscription<Image>("/images");
  ASSERT_TRUE(are_matched(out, in));
  Image taken;
  for (std::size_t size : {100'000, 0, 7}) {
    Image image;
    image.header.frame_id = "camera " + std::to_string(size);
    image.encoding = "mono8";
    image.data.resize(size);
    std::iota(image.data.begin(), image.data.end(), std::uint8_t{1});
    EXPECT_OK(rmw_publish(out, &image, nullptr));
    ASSERT_TRUE(wait_for(in));
    ASSERT_TRUE(take(in, taken));
    EXPECT_EQ(taken, image);
  }
  EXPECT_OK(rmw_destroy_publisher(node_, out));
  EXPECT_OK(rmw_destroy_subscription(node_, in));
}

TEST_F(Topics, LoansAreWhatTheSubscriptionTakes) {
  auto * const out = publisher<Primitives>("/loans");
  auto * const in = subscription<Primitives>("/loans");
  ASSERT_TRUE(are_matched(out, in));
  EXPECT_TRUE(out->can_loan_messages && in->can_loan_messages);
  void * lent = nullptr;
  ASSERT_OK(rmw_borrow_loaned_message(out, type_support<Primitives>(), &lent));
  static_cast<Primitives *>(lent)->int32_value = 7;
  EXPECT_OK(rmw_publish_loaned_message(out, lent, nullptr));
  EXPECT_FAILS(RMW_RET_INVALID_ARGUMENT, rmw_publish_loaned_message(out, lent, nullptr));
  ASSERT_TRUE(wait_for(in));
  void * taken = nullptr;
  bool is_taken = false;
  ASSERT_OK(rmw_take_loaned_message(in, &taken, &is_taken, nullptr));
  ASSERT_TRUE(is_taken);
  EXPECT_EQ(static_cast<const Primitives *>(taken)->int32_value, 7);
  EXPECT_OK(rmw_return_loaned_message_from_subscription(in, taken));
  EXPECT_FAILS(RMW_RET_ERROR, rmw_return_loaned_message_from_subscription(in, taken));
  lent = nullptr;
  ASSERT_OK(rmw_borrow_loaned_message(out, type_support<Primitives>(), &lent));
  EXPECT_OK(rmw_return_loaned_message_from_publisher(out, lent));
  EXPECT_FAILS(RMW_RET_INVALID_ARGUMENT, rmw_return_loaned_message_from_publisher(out, lent));
  EXPECT_OK(rmw_destroy_publisher(node_, out));
  EXPECT_OK(rmw_destroy_subscription(node_, in));
}

TEST_F(Topics, TypesWithStringsAreNotLent) {
  auto * const out = publisher<String>("/strings");
  EXPECT_FALSE(out->can_loan_messages);
  void * lent = nullptr;
  EXPECT_FAILS(RMW_RET_UNSUPPORTED, rmw_borrow_loaned_message(out, type_support<String>(), &lent));
  EXPECT_OK(rmw_destroy_publisher(node_, out));
}

TEST_F(Topics, SerializedMessagesGoBothWays) {
  auto * const out = publisher<String>("/strings");
  auto * const in = subscription<String>("/strings");
  ASSERT_TRUE(are_matched(out, in));
  String message;
  message.data = "hello";
  rmw_serialized_message_t bytes = rmw_get_zero_initialized_serialized_message();
  ASSERT_EQ(rmw_serialized_message_init(&bytes, 0, &allocator_), RMW_RET_OK);
  ASSERT_OK(rmw_serialize(&message, type_support<String>(), &bytes));
  EXPECT_EQ(bytes.buffer_length, 4u + 4 + 6);
  EXPECT_OK(rmw_publish_serialized_message(out, &bytes, nullptr));
  ASSERT_TRUE(wait_for(in));
  rmw_serialized_message_t taken = rmw_get_zero_initialized_serialized_message();
  ASSERT_EQ(rmw_serialized_message_init(&taken, 0, &allocator_), RMW_RET_OK);
  bool is_taken = false;
  ASSERT_OK(rmw_take_serialized_message(in, &taken, &is_taken, nullptr));
  ASSERT_TRUE(is_taken);
  String back;
  ASSERT_OK(rmw_deserialize(&taken, type_support<String>(), &back));
  EXPECT_EQ(back, message);
  taken.buffer_length = 6;  // cut short
  EXPECT_FAILS(RMW_RET_ERROR, rmw_deserialize(&taken, type_support<String>(), &back));
  EXPECT_FAILS(RMW_RET_ERROR, rmw_publish_serialized_message(out, &taken, nullptr));
  EXPECT_EQ(rmw_serialized_message_fini(&bytes), RMW_RET_OK);
  EXPECT_EQ(rmw_serialized_message_fini(&taken), RMW_RET_OK);
  EXPECT_OK(rmw_destroy_publisher(node_, out));
  EXPECT_OK(rmw_destroy_subscription(node_, in));
}

TEST_F(Topics, FiltersLetThroughWhatTheyMatch) {
  auto * const out = publisher<UInt64>("/filtered");
  auto * const in = subscription<UInt64>("/filtered");
  ASSERT_TRUE(are_matched(out, in));
  const char * parameters[] = {"2"};
  rmw_subscription_content_filter_options_t options{};
  ASSERT_OK(rmw_subscription_content_filter_options_init("data > %0", 1, parameters, &allocator_, &options));
  ASSERT_OK(rmw_subscription_set_content_filter(in, &options));
  EXPECT_TRUE(in->is_cft_enabled);
  UInt64 message;
  EXPECT_OK(rmw_publish(out, &message, nullptr));
  EXPECT_FALSE(wait_for(in, {0, 50'000'000}));  // nobody is woken for what is not wanted
  for (message.data = 0; message.data < 5; ++message.data) EXPECT_OK(rmw_publish(out, &message, nullptr));
  EXPECT_TRUE(wait_for(in));
  std::vector<std::uint64_t> taken;
  while (take(in, message)) taken.push_back(message.data);
  EXPECT_EQ(taken, (std::vector<std::uint64_t>{3, 4}));
  rmw_subscription_content_filter_options_t told{};
  ASSERT_OK(rmw_subscription_get_content_filter(in, &allocator_, &told));
  EXPECT_STREQ(told.filter_expression, "data > %0");
  EXPECT_STREQ(told.expression_parameters.data[0], "2");
  EXPECT_OK(rmw_subscription_content_filter_options_fini(&told, &allocator_));
  EXPECT_OK(rmw_subscription_content_filter_options_fini(&options, &allocator_));

  ASSERT_OK(rmw_subscription_content_filter_options_init("colour = 3", 0, nullptr, &allocator_, &options));
  EXPECT_FAILS(RMW_RET_ERROR, rmw_subscription_set_content_filter(in, &options));
  EXPECT_OK(rmw_subscription_content_filter_options_fini(&options, &allocator_));
  EXPECT_OK(rmw_destroy_publisher(node_, out));
  EXPECT_OK(rmw_destroy_subscription(node_, in));
}

TEST_F(Topics, LateSubscriptionsGetTheHistoryThatTheyAskFor) {
  rmw_qos_profile_t kept = profile(2);
  kept.durability = RMW_QOS_POLICY_DURABILITY_TRANSIENT_LOCAL;
  auto * const out = publisher<UInt64>("/kept", kept);
  UInt64 message;
  for (message.data = 0; message.data < 5; ++message.data) EXPECT_OK(rmw_publish(out, &message, nullptr));
  auto * const in = subscription<UInt64>("/kept", kept);
  std::vector<std::uint64_t> taken;
  EXPECT_TRUE(eventually([&] {
    while (take(in, message)) taken.push_back(message.data);
    return taken.size() == 2;
  }));
  EXPECT_EQ(taken, (std::vector<std::uint64_t>{3, 4}));
  rmw_qos_profile_t actual;
  EXPECT_OK(rmw_subscription_get_actual_qos(in, &actual));
  EXPECT_EQ(actual.durability, RMW_QOS_POLICY_DURABILITY_TRANSIENT_LOCAL);
  EXPECT_EQ(actual.depth, 2u);
  EXPECT_OK(rmw_destroy_publisher(node_, out));
  EXPECT_OK(rmw_destroy_subscription(node_, in));
}

TEST_F(Topics, CallbacksAreToldOfMessagesBeforeAndAfter) {
  auto * const out = publisher<UInt64>("/called");
  auto * const in = subscription<UInt64>("/called");
  ASSERT_TRUE(are_matched(out, in));
  UInt64 message;
  EXPECT_OK(rmw_publish(out, &message, nullptr));
  std::atomic<std::size_t> told{0};
  const auto count = [](const void * data, std::size_t number) {
    *static_cast<std::atomic<std::size_t> *>(const_cast<void *>(data)) += number;
  };
  EXPECT_OK(rmw_subscription_set_on_new_message_callback(in, count, &told));
  EXPECT_TRUE(eventually([&] { return told == 1; }));
  for (message.data = 1; message.data < 4; ++message.data) EXPECT_OK(rmw_publish(out, &message, nullptr));
  EXPECT_TRUE(eventually([&] { return told == 4; }));
  for (std::uint64_t i = 0; i < 4; ++i) {
    ASSERT_TRUE(take(in, message));
    EXPECT_EQ(message.data, i);
  }
  EXPECT_OK(rmw_subscription_set_on_new_message_callback(in, nullptr, nullptr));
  EXPECT_OK(rmw_publish(out, &message, nullptr));
  EXPECT_TRUE(wait_for(in));
  EXPECT_EQ(told, 4u);
  EXPECT_OK(rmw_destroy_publisher(node_, out));
  EXPECT_OK(rmw_destroy_subscription(node_, in));
}

TEST_F(Topics, EventsTellOfQosThatDoesNotFit) {
  rmw_qos_profile_t best_effort = profile();
  best_effort.reliability = RMW_QOS_POLICY_RELIABILITY_BEST_EFFORT;
  auto * const out = publisher<UInt64>("/unfit", best_effort);
  auto * const in = subscription<UInt64>("/unfit");
  rmw_event_t event = rmw_get_zero_initialized_event();
  event.implementation_identifier = nullptr;
  ASSERT_OK(rmw_subscription_event_init(&event, in, RMW_EVENT_REQUESTED_QOS_INCOMPATIBLE));
  void * events[] = {&event};
  rmw_events_t waited{1, events};
  const rmw_time_t timeout{30, 0};
  ASSERT_OK(rmw_wait(nullptr, nullptr, nullptr, nullptr, &waited, wait_set_, &timeout));
  ASSERT_NE(events[0], nullptr);
  rmw_qos_incompatible_event_status_t status{};
  bool is_taken = false;
  ASSERT_OK(rmw_take_event(&event, &status, &is_taken));
  EXPECT_TRUE(is_taken);
  EXPECT_EQ(status.total_count, 1);
  EXPECT_EQ(status.total_count_change, 1);
  EXPECT_EQ(status.last_policy_kind, RMW_QOS_POLICY_RELIABILITY);
  rmw_event_t other = rmw_get_zero_initialized_event();
  EXPECT_FAILS(RMW_RET_UNSUPPORTED, rmw_subscription_event_init(&other, in, RMW_EVENT_LIVELINESS_LOST));
  EXPECT_OK(rmw_destroy_publisher(node_, out));
  EXPECT_OK(rmw_destroy_subscription(node_, in));
}

TEST_F(Topics, DeadlinesAreMissedByBothEnds) {
  rmw_qos_profile_t hasty = profile();
  hasty.deadline = {0, 20'000'000};
  auto * const out = publisher<UInt64>("/hasty", hasty);
  auto * const in = subscription<UInt64>("/hasty", hasty);
  ASSERT_TRUE(are_matched(out, in));
  rmw_event_t offered = rmw_get_zero_initialized_event();
  rmw_event_t requested = rmw_get_zero_initialized_event();
  ASSERT_OK(rmw_publisher_event_init(&offered, out, RMW_EVENT_OFFERED_DEADLINE_MISSED));
  ASSERT_OK(rmw_subscription_event_init(&requested, in, RMW_EVENT_REQUESTED_DEADLINE_MISSED));
  const UInt64 message;
  EXPECT_OK(rmw_publish(out, &message, nullptr));  // nobody takes it
  for (rmw_event_t * const event : {&offered, &requested}) {
    void * events[] = {event};
    rmw_events_t waited{1, events};
    const rmw_time_t timeout{30, 0};
    ASSERT_OK(rmw_wait(nullptr, nullptr, nullptr, nullptr, &waited, wait_set_, &timeout));
    rmw_requested_deadline_missed_status_t status{};
    bool is_taken = false;
    ASSERT_OK(rmw_take_event(event, &status, &is_taken));
    EXPECT_GT(status.total_count, 0);
    EXPECT_EQ(status.total_count_change, status.total_count);
  }
  // Callbacks are told of time, too.
  std::atomic<std::size_t> told{0};
  const auto count = [](const void * data, std::size_t number) {
    *static_cast<std::atomic<std::size_t> *>(const_cast<void *>(data)) += number;
  };
  EXPECT_OK(rmw_event_set_callback(&requested, count, &told));
  const std::size_t before = told;
  EXPECT_TRUE(eventually([&] { return told > before + 1; }));
  EXPECT_OK(rmw_event_set_callback(&requested, nullptr, nullptr));
  EXPECT_OK(rmw_destroy_publisher(node_, out));
  EXPECT_OK(rmw_destroy_subscription(node_, in));
}

TEST_F(Topics, TimesThatNanosecondsCannotCountAreWithoutEnd) {
  rmw_qos_profile_t qos = profile();
  qos.deadline = {1, UINT64_MAX};
  auto * const out = publisher<UInt64>("/endless", qos);
  auto * const in = subscription<UInt64>("/endless");
  rmw_qos_profile_t actual;
  EXPECT_OK(rmw_publisher_get_actual_qos(out, &actual));
  constexpr rmw_time_t kInfinite = RMW_DURATION_INFINITE;
  EXPECT_EQ(actual.deadline.sec, kInfinite.sec);
  EXPECT_EQ(actual.deadline.nsec, kInfinite.nsec);
  ASSERT_TRUE(are_matched(out, in));
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    const UInt64 message;
    EXPECT_OK(rmw_publish(out, &message, nullptr));
  });
  EXPECT_TRUE(wait_for(in, {1, UINT64_MAX}));
  other.join();
  EXPECT_OK(rmw_destroy_publisher(node_, out));
  EXPECT_OK(rmw_destroy_subscription(node_, in));
}

TEST_F(Topics, WrongArgumentsAreRefusedWithASentence) {
  const rmw_qos_profile_t qos = profile();
  const rmw_publisher_options_t options{};
  const auto * const type = type_support<UInt64>();
  EXPECT_EQ(rmw_create_publisher(nullptr, type, "/a", &qos, &options), nullptr);
  EXPECT_NE(last_error(), "");
  EXPECT_EQ(rmw_create_publisher(node_, nullptr, "/a", &qos, &options), nullptr);
  EXPECT_NE(last_error(), "");
  for (const char * const name : {"", "a", "/a b", "/a//b", "/1"}) {
    EXPECT_EQ(rmw_create_publisher(node_, type, name, &qos, &options), nullptr) << name;
    EXPECT_NE(last_error(), "");
  }
  rmw_qos_profile_t unknown = qos;
  unknown.reliability = RMW_QOS_POLICY_RELIABILITY_UNKNOWN;
  EXPECT_EQ(rmw_create_publisher(node_, type, "/a", &unknown, &options), nullptr);
  EXPECT_NE(last_error(), "");

  auto * const out = publisher<UInt64>("/a");
  const char * const identifier = out->implementation_identifier;
  out->implementation_identifier = "other";
  UInt64 message;
  EXPECT_FAILS(RMW_RET_INCORRECT_RMW_IMPLEMENTATION, rmw_publish(out, &message, nullptr));
  out->implementation_identifier = identifier;
  EXPECT_FAILS(RMW_RET_INVALID_ARGUMENT, rmw_publish(out, nullptr, nullptr));
  EXPECT_OK(rmw_destroy_publisher(node_, out));
}

}  // namespace
