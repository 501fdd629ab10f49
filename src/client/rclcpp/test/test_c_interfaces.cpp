// What programs call of rcl, rmw and rcutils.
#include "support.hpp"

#include "rcl/arguments.h"
#include "rcl/rcl.h"
#include "rcutils/logging_macros.h"
#include "rmw/allocators.h"
#include "rmw/qos_string_conversions.h"
#include "rmw/rmw.h"
#include "rmw/time.h"

TEST(Rcutils, LevelsAreThoseOfRclcpp) {
  const auto logger = rclcpp::get_logger("rcutils_levels");
  EXPECT_EQ(rcutils_logging_set_logger_level(logger.get_name(), RCUTILS_LOG_SEVERITY_DEBUG), RCUTILS_RET_OK);
  EXPECT_EQ(logger.get_effective_level(), rclcpp::Logger::Level::Debug);
  EXPECT_EQ(rcutils_logging_get_logger_level("rcutils_levels"), RCUTILS_LOG_SEVERITY_DEBUG);
  EXPECT_EQ(rcutils_logging_get_logger_level("rcutils_levels.child"), RCUTILS_LOG_SEVERITY_UNSET);
  EXPECT_EQ(rcutils_logging_get_logger_effective_level("rcutils_levels.child"), RCUTILS_LOG_SEVERITY_DEBUG);
  EXPECT_TRUE(rcutils_logging_logger_is_enabled_for("rcutils_levels.child", RCUTILS_LOG_SEVERITY_DEBUG));
  EXPECT_EQ(rcutils_logging_get_default_logger_level(), RCUTILS_LOG_SEVERITY_INFO);
  EXPECT_EQ(rcutils_logging_set_logger_level("rcutils_levels", 7), RCUTILS_RET_INVALID_ARGUMENT);
  EXPECT_EQ(rcutils_logging_set_logger_level(nullptr, RCUTILS_LOG_SEVERITY_DEBUG), RCUTILS_RET_INVALID_ARGUMENT);
}

TEST(Rcutils, LinesAreThoseOfRclcpp) {
  const std::string text = written([] { RCUTILS_LOG_WARN_NAMED("rcutils_lines", "number %d", 7); });
  EXPECT_NE(text.find("[WARN]"), std::string::npos) << text;
  EXPECT_NE(text.find("[rcutils_lines]: number 7\n"), std::string::npos) << text;
  EXPECT_EQ(written([] { RCUTILS_LOG_DEBUG_NAMED("rcutils_lines", "hidden"); }), "");
  EXPECT_NE(written([] { RCUTILS_LOG_ERROR("%s", std::string(3000, 'x').c_str()); }).find(std::string(3000, 'x')),
            std::string::npos);
}

TEST(Rcutils, HandlersTakeThePlaceOfTheConsole) {
  static std::vector<std::string> lines;
  const rcutils_logging_output_handler_t console = rcutils_logging_get_output_handler();
  rcutils_logging_set_output_handler([](const rcutils_log_location_t * location, int severity, const char * name,
                                        rcutils_time_point_value_t timestamp, const char * format, va_list * args) {
    char text[100];
    std::vsnprintf(text, sizeof text, format, *args);
    EXPECT_STREQ(location->function_name, "operator()");
    EXPECT_GT(timestamp, RCUTILS_S_TO_NS(1000000000));
    lines.push_back(std::to_string(severity) + " " + name + " " + text);
  });
  EXPECT_EQ(written([] {
              RCLCPP_INFO(rclcpp::get_logger("handled"), "one %d", 1);
              RCUTILS_LOG_WARN_NAMED("handled", "two");
              RCLCPP_DEBUG(rclcpp::get_logger("handled"), "hidden");
            }),
            "");
  EXPECT_EQ(lines, (std::vector<std::string>{"20 handled one 1", "30 handled two"}));
  // A handler may pass lines on to the one before it.
  static const auto before = console;
  rcutils_logging_set_output_handler([](auto * location, int severity, const char * name, auto timestamp,
                                        const char * format,
                                        va_list * args) { before(location, severity, name, timestamp, format, args); });
  EXPECT_NE(written([] { RCLCPP_INFO(rclcpp::get_logger("handled"), "three"); }).find("[handled]: three\n"),
            std::string::npos);
  rcutils_logging_set_output_handler(console);
  EXPECT_EQ(rcutils_logging_get_output_handler(), console);
  EXPECT_NE(written([] { RCLCPP_INFO(rclcpp::get_logger("handled"), "four"); }).find("[handled]: four\n"),
            std::string::npos);
}

TEST(Rcl, HasErrorsAndAllocators) {
  EXPECT_FALSE(rcl_error_is_set());
  RCL_SET_ERROR_MSG("what went wrong");
  EXPECT_TRUE(rmw_error_is_set());
  EXPECT_NE(std::string(rcl_get_error_string().str).find("what went wrong"), std::string::npos);
  rcl_reset_error();
  EXPECT_FALSE(rcutils_error_is_set());
  rcl_allocator_t allocator = rcl_get_default_allocator();
  void * memory = allocator.allocate(8, allocator.state);
  EXPECT_NE(memory, nullptr);
  allocator.deallocate(memory, allocator.state);
  rcl_time_jump_t jump{};
  jump.clock_change = RCL_ROS_TIME_ACTIVATED;
  jump.delta.nanoseconds = RCL_S_TO_NS(1);
  EXPECT_EQ(jump.delta.nanoseconds, 1000000000);
  EXPECT_EQ(RCL_RET_INVALID_ROS_ARGS, 1003);
}

TEST(Rcl, ErrorsBecomeExceptions) {
  using namespace rclcpp::exceptions;  // NOLINT: what is tested
  EXPECT_THROW(throw_from_rcl_error(RCL_RET_OK), std::invalid_argument);
  EXPECT_THROW(throw_from_rcl_error(RCL_RET_ERROR), RCLError) << "of none that was set, too";
  RCL_SET_ERROR_MSG("on purpose");
  try {
    throw_from_rcl_error(RCL_RET_ERROR, "failed");
  } catch (const RCLError & error) {
    EXPECT_EQ(std::string(error.what()).find("failed: on purpose"), 0u) << error.what();
    EXPECT_EQ(error.message, "on purpose");
    EXPECT_EQ(error.ret, RCL_RET_ERROR);
    EXPECT_GT(error.line, 0u);
  }
  EXPECT_FALSE(rcl_error_is_set());
  RCL_SET_ERROR_MSG("kept");
  EXPECT_EQ(std::string(RCLError(RCL_RET_ERROR, rcl_get_error_state(), "prefix ").what()).find("prefix kept"), 0u);
  EXPECT_THROW(throw_from_rcl_error(RCL_RET_BAD_ALLOC, "", nullptr, nullptr), RCLBadAlloc);
  EXPECT_THROW(throw_from_rcl_error(RCL_RET_INVALID_ROS_ARGS, "", nullptr, nullptr), RCLInvalidROSArgsError);
  EXPECT_THROW(std::rethrow_exception(from_rcl_error(RCL_RET_INVALID_ARGUMENT)), RCLInvalidArgument);
}

TEST(Rmw, HasTextsOfPolicies) {
  EXPECT_STREQ(rmw_qos_reliability_policy_to_str(RMW_QOS_POLICY_RELIABILITY_BEST_EFFORT), "best_effort");
  EXPECT_STREQ(rmw_qos_policy_kind_to_str(RMW_QOS_POLICY_DEADLINE), "deadline");
  EXPECT_EQ(rmw_qos_history_policy_to_str(RMW_QOS_POLICY_HISTORY_UNKNOWN), nullptr);
  EXPECT_EQ(rmw_qos_durability_policy_from_str("transient_local"), RMW_QOS_POLICY_DURABILITY_TRANSIENT_LOCAL);
  EXPECT_EQ(rmw_qos_liveliness_policy_from_str("manual_by_topic"), RMW_QOS_POLICY_LIVELINESS_MANUAL_BY_TOPIC);
  EXPECT_EQ(rmw_qos_history_policy_from_str("some"), RMW_QOS_POLICY_HISTORY_UNKNOWN);
  EXPECT_EQ(rmw_qos_history_policy_from_str(nullptr), RMW_QOS_POLICY_HISTORY_UNKNOWN);
  EXPECT_EQ(rmw_qos_policy_kind_from_str("some"), RMW_QOS_POLICY_INVALID);
}

TEST(Rmw, MessageInfosBeginAsZeroes) {
  const rmw_message_info_t info = rmw_get_zero_initialized_message_info();
  EXPECT_EQ(info.source_timestamp, 0);
  EXPECT_EQ(info.received_timestamp, 0);
  EXPECT_EQ(info.publisher_gid.implementation_identifier, nullptr);
  EXPECT_FALSE(info.from_intra_process);
}

TEST(Rmw, CalculatesWithTimes) {
  EXPECT_TRUE(rmw_time_equal({1, 0}, {0, 1000000000}));
  EXPECT_EQ(rmw_time_total_nsec({UINT64_MAX, 0}), INT64_MAX);
  EXPECT_EQ(rmw_time_from_nsec(1500000000).nsec, 500000000u);
  EXPECT_TRUE(rmw_time_equal(rmw_time_from_nsec(-1), RMW_DURATION_INFINITE));
  EXPECT_EQ(rmw_time_normalize({1, 2000000000}).sec, 3u);
  void * memory = rmw_allocate(8);
  EXPECT_NE(memory, nullptr);
  rmw_free(memory);
}

class RclArguments : public test::Rclcpp {};

TEST_F(RclArguments, FlagsAreThoseThatNodesRead) {
  const auto node = std::make_shared<rclcpp::Node>(
      "flags",
      rclcpp::NodeOptions().arguments({RCL_ROS_ARGS_FLAG, RCL_REMAP_FLAG, "__ns:=/long", RCL_PARAM_FLAG, "long:=1",
                                       RCL_SHORT_PARAM_FLAG, "short:=2", RCL_SHORT_REMAP_FLAG, "a:=b"}));
  EXPECT_STREQ(node->get_namespace(), "/long");
  EXPECT_EQ(node->declare_parameter("long", 0), 1);
  EXPECT_EQ(node->declare_parameter("short", 0), 2);
}
