// Everything that needs no middleware: time, QoS, names, arguments, logging.
#include "support.hpp"

#include <cstdlib>
#include <limits>
#include <sstream>

using namespace std::chrono_literals;
using rclcpp::Duration;
using rclcpp::Time;

namespace {

const Duration kLongest = Duration::from_nanoseconds(std::numeric_limits<std::int64_t>::max());
const Duration kShortest = Duration::from_nanoseconds(std::numeric_limits<std::int64_t>::min());

/// What the error says, which is of this type.
template <class Error, class Function>
std::string thrown(Function && function) {
  try {
    function();
  } catch (const Error & error) {
    return error.what();
  }
  return "nothing was thrown";
}

}  // namespace

TEST(Duration, IsMadeFromEverythingUsual) {
  EXPECT_EQ(Duration(1, 500000000).nanoseconds(), 1500000000);
  EXPECT_EQ(Duration(-1, 500000000).nanoseconds(), -500000000);
  EXPECT_EQ(Duration(2s).nanoseconds(), 2000000000);
  EXPECT_EQ(Duration(rcl_duration_t{4000}).nanoseconds(), 4000);
  EXPECT_EQ(Duration(1ms).nanoseconds(), 1000000);
  EXPECT_EQ(Duration::from_seconds(0.25).nanoseconds(), 250000000);
  EXPECT_DOUBLE_EQ(Duration(1500ms).seconds(), 1.5);
  EXPECT_EQ(Duration(1500ms).to_chrono<std::chrono::milliseconds>(), 1500ms);
  builtin_interfaces::msg::Duration message = Duration(-1500ms);
  EXPECT_EQ(message.sec, -2);
  EXPECT_EQ(message.nanosec, 500000000u);
  EXPECT_EQ(Duration(message), Duration(-1500ms));
  EXPECT_EQ(Duration::from_rmw_time(Duration(1500ms).to_rmw_time()), Duration(1500ms));
  EXPECT_EQ(Duration::from_rmw_time(RMW_DURATION_INFINITE), kLongest);
  EXPECT_EQ(Duration::from_rmw_time({9223372037, 0}), kLongest);
}

TEST(Duration, EndsWhereItsMessageEnds) {
  EXPECT_EQ(Duration::max(), Duration(std::numeric_limits<std::int32_t>::max(), 999999999));
  builtin_interfaces::msg::Duration message = Duration::max();
  EXPECT_EQ(Duration(message), Duration::max());
  message = kLongest;
  EXPECT_EQ(message.sec, std::numeric_limits<std::int32_t>::max());
  EXPECT_EQ(message.nanosec, std::numeric_limits<std::uint32_t>::max());
  message = kShortest;
  EXPECT_EQ(message.sec, std::numeric_limits<std::int32_t>::min());
  EXPECT_EQ(message.nanosec, 0u);
}

TEST(Duration, Calculates) {
  EXPECT_EQ(Duration(1s) + Duration(2s), Duration(3s));
  EXPECT_EQ(Duration(1s) - Duration(2s), Duration(-1s));
  EXPECT_EQ(Duration(1s) * 0.5, Duration(500ms));
  EXPECT_LT(Duration(1s), Duration(2s));
  Duration sum(1s);
  sum += Duration(1s);
  sum *= 2.0;
  EXPECT_EQ(sum, Duration(4s));
  EXPECT_EQ(kLongest * 1.0, kLongest);
  EXPECT_EQ(kShortest * 1.0, kShortest);
  EXPECT_THROW(Duration(1s) * std::numeric_limits<double>::infinity(), std::runtime_error);
  EXPECT_THROW(Duration(-1s).to_rmw_time(), std::runtime_error);
}

TEST(Duration, ThatLeavesItsRangeSaysHow) {
  using Over = std::overflow_error;
  using Under = std::underflow_error;
  const Duration step(1ns);
  EXPECT_EQ(thrown<Over>([&] { (void)(kLongest + step); }), "addition leads to int64_t overflow");
  EXPECT_EQ(thrown<Under>([&] { (void)(kShortest + Duration(-1ns)); }), "addition leads to int64_t underflow");
  EXPECT_EQ(thrown<Over>([&] { (void)(kLongest - Duration(-1ns)); }), "duration subtraction leads to int64_t overflow");
  EXPECT_EQ(thrown<Under>([&] { (void)(kShortest - step); }), "duration subtraction leads to int64_t underflow");
  EXPECT_EQ(thrown<Under>([&] { (void)(Duration(-1ns) - kLongest); }),
            "duration subtraction leads to int64_t underflow");
  EXPECT_EQ(thrown<Over>([&] { (void)(kLongest * 2); }), "duration scaling leads to int64_t overflow");
  EXPECT_EQ(thrown<Under>([&] { (void)(kLongest * -2); }), "duration scaling leads to int64_t underflow");
}

TEST(Time, ConvertsAndCalculates) {
  builtin_interfaces::msg::Time message;
  message.sec = 12;
  message.nanosec = 34;
  const Time time(message);
  EXPECT_EQ(time.get_clock_type(), RCL_ROS_TIME);
  EXPECT_EQ(time.nanoseconds(), 12000000034);
  const builtin_interfaces::msg::Time back = time + Duration(1s);
  EXPECT_EQ(back.sec, 13);
  EXPECT_EQ(back.nanosec, 34u);
  EXPECT_EQ(time - Time(2, 0, RCL_ROS_TIME), Duration(10, 34));
  EXPECT_EQ(Duration(1s) + time, time + Duration(1s));
  EXPECT_GT(time, time - Duration(1ns));
  EXPECT_EQ(Time(builtin_interfaces::msg::Time(message + Duration(1s))).nanoseconds(), 13000000034);
  EXPECT_EQ(Time(builtin_interfaces::msg::Time(message - Duration(2s))).nanoseconds(), 10000000034);
  EXPECT_EQ(Time::max(RCL_ROS_TIME), Time(std::numeric_limits<std::int32_t>::max(), 999999999, RCL_ROS_TIME));
}

TEST(Time, RefusesWhatMakesNoSense) {
  EXPECT_THROW(Time(-1, 0), std::runtime_error);
  EXPECT_THROW((void)(Time(1, 0, RCL_ROS_TIME) < Time(1, 0, RCL_STEADY_TIME)), std::runtime_error);
  EXPECT_THROW((void)(Time(1, 0, RCL_ROS_TIME) - Time(1, 0, RCL_STEADY_TIME)), std::runtime_error);
  const Time last(std::numeric_limits<std::int64_t>::max());
  const Time first(std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(thrown<std::overflow_error>([&] { (void)(last + Duration(1ns)); }), "addition leads to int64_t overflow");
  EXPECT_EQ(thrown<std::overflow_error>([&] { (void)(last - first); }), "time subtraction leads to int64_t overflow");
  EXPECT_EQ(thrown<std::underflow_error>([&] { (void)(first - Duration(1ns)); }),
            "time subtraction leads to int64_t underflow");
  builtin_interfaces::msg::Time message;
  message.sec = -1;
  EXPECT_EQ(thrown<std::runtime_error>([&] { (void)(message + Duration(1s)); }), "message time is negative");
  message.sec = 1;
  EXPECT_EQ(thrown<std::overflow_error>([&] { (void)(message + kLongest); }), "addition leads to int64_t overflow");
}

TEST(Overflow, IsForeseen) {
  constexpr auto kMax = std::numeric_limits<std::int64_t>::max();
  constexpr auto kMin = std::numeric_limits<std::int64_t>::min();
  EXPECT_TRUE(rclcpp::add_will_overflow<std::int64_t>(kMax, 1));
  EXPECT_FALSE(rclcpp::add_will_overflow<std::int64_t>(kMax, 0));
  EXPECT_TRUE(rclcpp::add_will_underflow<std::int64_t>(kMin, -1));
  EXPECT_FALSE(rclcpp::add_will_underflow<std::int64_t>(kMin, 1));
  EXPECT_TRUE(rclcpp::sub_will_overflow<std::int64_t>(kMax, -1));
  EXPECT_FALSE(rclcpp::sub_will_overflow<std::int64_t>(0, -kMax));
  EXPECT_TRUE(rclcpp::sub_will_underflow<std::int64_t>(kMin, 1));
  EXPECT_FALSE(rclcpp::sub_will_underflow<std::int64_t>(0, kMax));
}

TEST(Clock, TellsItsTime) {
  rclcpp::Clock steady(RCL_STEADY_TIME);
  const Time before = steady.now();
  EXPECT_GE(steady.now(), before);
  EXPECT_EQ(before.get_clock_type(), RCL_STEADY_TIME);
  EXPECT_GT(rclcpp::Clock().now().seconds(), 1e9);
  EXPECT_EQ(rclcpp::Clock(RCL_ROS_TIME).now().get_clock_type(), RCL_ROS_TIME);
  EXPECT_THROW(rclcpp::Clock{RCL_CLOCK_UNINITIALIZED}, std::invalid_argument);
}

TEST(Clock, SleepsWithAValidContextOnly) {
  rclcpp::Clock clock;
  EXPECT_THROW(clock.sleep_for(Duration(1ns), nullptr), std::runtime_error);
  EXPECT_THROW(clock.sleep_until(clock.now(), nullptr), std::runtime_error);
  EXPECT_THROW(clock.sleep_for(Duration(1ns)), std::runtime_error);
  rclcpp::init(0, nullptr);
  EXPECT_TRUE(clock.sleep_for(Duration(1ns)));
  rclcpp::shutdown();
}

TEST(Rate, KeepsItsPeriod) {
  rclcpp::init(0, nullptr);  // a sleep after shutdown is over at once
  rclcpp::WallRate rate(1000.0);
  EXPECT_EQ(rate.period(), 1ms);
  EXPECT_TRUE(rate.is_steady());
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < 5; ++i) rate.sleep();
  EXPECT_GE(std::chrono::steady_clock::now() - begin, 4ms);
  EXPECT_EQ(rclcpp::Rate(Duration(10ms)).period(), 10ms);
  EXPECT_THROW(rclcpp::Rate(0.0), std::invalid_argument);
  EXPECT_THROW(rclcpp::Rate(Duration(0s)), std::invalid_argument);
  rclcpp::shutdown();
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
TEST(Rate, OfAnyClockOfTheStandardLibrary) {
  rclcpp::init(0, nullptr);
  rclcpp::GenericRate<std::chrono::steady_clock> rate(1000.0);
  EXPECT_EQ(rate.period(), 1ms);
  EXPECT_EQ(rate.get_type(), RCL_STEADY_TIME);
  EXPECT_EQ(rclcpp::GenericRate<std::chrono::system_clock>(2ms).get_type(), RCL_SYSTEM_TIME);
  std::this_thread::sleep_for(3ms);
  EXPECT_FALSE(rate.sleep());  // its time was over
  rate.sleep();
  rclcpp::shutdown();
}
#pragma GCC diagnostic pop

TEST(QoS, HasThePresetsOfRos) {
  EXPECT_EQ(rclcpp::SensorDataQoS().depth(), 5u);
  EXPECT_EQ(rclcpp::SensorDataQoS().reliability(), rclcpp::ReliabilityPolicy::BestEffort);
  EXPECT_EQ(rclcpp::ParametersQoS().depth(), 1000u);
  EXPECT_EQ(rclcpp::ServicesQoS().depth(), 10u);
  EXPECT_EQ(rclcpp::SystemDefaultsQoS().history(), rclcpp::HistoryPolicy::KeepLast);
  EXPECT_EQ(rclcpp::SystemDefaultsQoS().depth(), 0u);
  EXPECT_EQ(rclcpp::ClockQoS().depth(), 1u);
  EXPECT_EQ(rclcpp::ClockQoS().reliability(), rclcpp::ReliabilityPolicy::BestEffort);
  EXPECT_EQ(rclcpp::RosoutQoS().durability(), rclcpp::DurabilityPolicy::TransientLocal);
  EXPECT_EQ(rclcpp::RosoutQoS().depth(), 1000u);
  EXPECT_EQ(rclcpp::BestAvailableQoS().reliability(), rclcpp::ReliabilityPolicy::BestAvailable);
  EXPECT_EQ(rclcpp::BestAvailableQoS().liveliness(), rclcpp::LivelinessPolicy::BestAvailable);
  EXPECT_EQ(rclcpp::QoS(rclcpp::KeepAll()).history(), rclcpp::HistoryPolicy::KeepAll);
  EXPECT_EQ(rclcpp::QoS(7), rclcpp::QoS(rclcpp::KeepLast(7)));
  const auto qos = rclcpp::QoS(1).keep_last(3).best_effort().transient_local();
  EXPECT_EQ(qos.depth(), 3u);
  EXPECT_EQ(qos.durability(), rclcpp::DurabilityPolicy::TransientLocal);
  EXPECT_NE(qos, rclcpp::QoS(3));
  const auto profile = rmw_qos_profile_sensor_data;
  EXPECT_EQ(rclcpp::QoS(rclcpp::QoSInitialization::from_rmw(profile), profile), rclcpp::SensorDataQoS());
  EXPECT_EQ(rclcpp::QoS(1).deadline(Duration(2s)).deadline(), Duration(2s));
}

TEST(QoS, PoliciesHaveTheNamesOfDds) {
  EXPECT_EQ(rclcpp::qos_policy_name_from_kind(RMW_QOS_POLICY_DURABILITY), "DURABILITY_QOS_POLICY");
  EXPECT_EQ(rclcpp::qos_policy_name_from_kind(RMW_QOS_POLICY_LIFESPAN), "LIFESPAN_QOS_POLICY");
  EXPECT_EQ(rclcpp::qos_policy_name_from_kind(RMW_QOS_POLICY_INVALID), "INVALID_QOS_POLICY");
}

TEST(QoS, OfPublisherAndSubscriptionAreCompared) {
  using rclcpp::QoS;
  using rclcpp::qos_check_compatible;
  using rclcpp::QoSCompatibility;
  const auto result = [](const QoS & publisher, const QoS & subscription) {
    const auto found = qos_check_compatible(publisher, subscription);
    EXPECT_EQ(found.compatibility == QoSCompatibility::Ok, found.reason.empty()) << found.reason;
    return found.compatibility;
  };
  EXPECT_EQ(result(QoS(1), QoS(2).best_effort()), QoSCompatibility::Warning);  // liveliness is the system's
  const QoS qos = QoS(1).liveliness(rclcpp::LivelinessPolicy::Automatic);
  EXPECT_EQ(result(qos, qos), QoSCompatibility::Ok);
  EXPECT_EQ(result(QoS(qos).transient_local(), QoS(qos).best_effort()), QoSCompatibility::Ok);
  EXPECT_EQ(result(QoS(qos).best_effort(), qos), QoSCompatibility::Error);
  EXPECT_EQ(result(qos, QoS(qos).transient_local()), QoSCompatibility::Error);
  EXPECT_EQ(result(qos, QoS(qos).liveliness(rclcpp::LivelinessPolicy::ManualByTopic)), QoSCompatibility::Error);
  EXPECT_EQ(result(qos, QoS(qos).deadline(Duration(1s))), QoSCompatibility::Error);
  EXPECT_EQ(result(QoS(qos).deadline(Duration(1s)), QoS(qos).deadline(Duration(2s))), QoSCompatibility::Ok);
  EXPECT_EQ(result(QoS(qos).deadline(Duration(2s)), QoS(qos).deadline(Duration(1s))), QoSCompatibility::Error);
  EXPECT_EQ(result(QoS(qos).reliability(rclcpp::ReliabilityPolicy::SystemDefault), qos), QoSCompatibility::Warning);
  const QoS best_effort = QoS(qos).best_effort();
  EXPECT_EQ(qos_check_compatible(best_effort, qos).reason,
            "ERROR: reliability of the publisher is best effort, of the subscription reliable;");

  rmw_qos_compatibility_type_t compatibility{};
  char room[8];
  EXPECT_EQ(rmw_qos_profile_check_compatible(best_effort.get_rmw_qos_profile(), qos.get_rmw_qos_profile(),
                                             &compatibility, room, sizeof room),
            RMW_RET_OK);
  EXPECT_EQ(compatibility, RMW_QOS_COMPATIBILITY_ERROR);
  EXPECT_STREQ(room, "ERROR: ");
  EXPECT_EQ(rmw_qos_profile_check_compatible({}, {}, nullptr, nullptr, 0), RMW_RET_INVALID_ARGUMENT);
  EXPECT_EQ(rmw_qos_profile_check_compatible({}, {}, &compatibility, nullptr, 1), RMW_RET_INVALID_ARGUMENT);
}

TEST(Names, AreExpanded) {
  const auto expand = [](const char * name) { return rclcpp::expand_topic_or_service_name(name, "node", "/ns"); };
  EXPECT_EQ(expand("topic"), "/ns/topic");
  EXPECT_EQ(expand("/topic"), "/topic");
  EXPECT_EQ(expand("~"), "/ns/node");
  EXPECT_EQ(expand("~/topic"), "/ns/node/topic");
  EXPECT_EQ(expand("{node}/topic"), "/ns/node/topic");
  EXPECT_EQ(expand("{ns}/topic"), "/ns/topic");
  EXPECT_EQ(rclcpp::expand_topic_or_service_name("a", "node", "/"), "/a");
}

TEST(Names, AreChecked) {
  const auto expand = [](const char * name) { return rclcpp::expand_topic_or_service_name(name, "node", "/ns"); };
  for (const char * bad :
       {"", "a/", "a b", "1a", "a/1b", "a~", "~a", "{node", "node}", "{no de}", "{1}", "{what}", "a//b"}) {
    EXPECT_THROW(expand(bad), rclcpp::exceptions::InvalidTopicNameError) << bad;
  }
  EXPECT_THROW(expand(std::string(300, 'a').c_str()), rclcpp::exceptions::InvalidTopicNameError);
  EXPECT_THROW(rclcpp::expand_topic_or_service_name("a b", "node", "/", true),
               rclcpp::exceptions::InvalidServiceNameError);
  EXPECT_THROW(rclcpp::expand_topic_or_service_name("a", "no-de", "/"), rclcpp::exceptions::InvalidNodeNameError);
  EXPECT_THROW(rclcpp::expand_topic_or_service_name("a", "node", "ns"), rclcpp::exceptions::InvalidNamespaceError);
  try {
    expand("top?ic");
    FAIL();
  } catch (const rclcpp::exceptions::NameValidationError & error) {
    EXPECT_EQ(error.invalid_index, 3u);
    EXPECT_NE(std::string(error.what()).find("'top?ic'\n      ^"), std::string::npos) << error.what();
  }
}

namespace {
std::vector<std::string> without_ros_arguments(std::vector<const char *> arguments) {
  return rclcpp::remove_ros_arguments(static_cast<int>(arguments.size()), arguments.data());
}
}  // namespace

TEST(Arguments, OfRosAreRemoved) {
  const std::vector<std::string> expected{"program", "-a", "--b"};
  EXPECT_EQ(without_ros_arguments({"program", "-a", "--b"}), expected);
  EXPECT_EQ(without_ros_arguments({"program", "-a", "--ros-args", "-r", "x:=y", "--", "--b"}), expected);
  EXPECT_EQ(without_ros_arguments({"program", "--ros-args", "--log-level", "debug", "-p", "a:=1", "--", "-a", "--b",
                                   "--ros-args", "--disable-rosout-logs", "--enclave", "/e"}),
            expected);
}

TEST(Arguments, RemapRulesThatStandByThemselvesAreHeeded) {
  const std::vector<std::string> expected{"program", "-r", ":=x", "a b:=c"};
  std::vector<std::string> left;
  const std::string text = written([&] {
    left = without_ros_arguments({"program", "-r", "from:=to", ":=x", "a b:=c", "__ns:=/robot"});
  });
  EXPECT_EQ(left, expected);
  EXPECT_NE(text.find("'--ros-args --remap from:=to'"), std::string::npos) << text;
  rclcpp::init(0, nullptr);
  const auto options = rclcpp::NodeOptions().arguments({"from:=to", "__node:=renamed"});
  rclcpp::Node node("node", "/ns", options);
  EXPECT_STREQ(node.get_fully_qualified_name(), "/ns/renamed");
  EXPECT_EQ(node.get_node_topics_interface()->resolve_topic_name("from"), "/ns/to");
  rclcpp::shutdown();
}

TEST(Arguments, ThatAreBadAreNamed) {
  using rclcpp::exceptions::RCLInvalidROSArgsError;
  using Bad = std::vector<const char *>;
  for (const Bad & bad : {Bad{"p", "--ros-args", "-r"}, Bad{"p", "--ros-args", "-r", "x"},
                          Bad{"p", "--ros-args", "-r", "x:="}, Bad{"p", "--ros-args", "-r", "a b:=c"},
                          Bad{"p", "--ros-args", "-r", "__node:=a/b"}, Bad{"p", "--ros-args", "-r", "__ns:=b"},
                          Bad{"p", "--ros-args", "--log-level", "loud"}, Bad{"p", "--ros-args", "-p", "x"},
                          Bad{"p", "--ros-args", "--enclave", "robot"}, Bad{"p", "--ros-args", "-e", "/a/../b"}}) {
    EXPECT_THROW(without_ros_arguments(bad), RCLInvalidROSArgsError) << bad.back();
  }
  try {
    without_ros_arguments({"p", "--ros-args", "--frobnicate", "-r", "a:=b", "x"});
    FAIL();
  } catch (const rclcpp::exceptions::UnknownROSArgsError & error) {
    EXPECT_EQ(error.unknown_ros_args, (std::vector<std::string>{"--frobnicate", "x"}));
  }
}

TEST(Domain, MustBeANumber) {
  for (const char * bad : {"x", "-1", "233", "1 ", " 1", "99999999999999999999999"}) {
    setenv("ROS_DOMAIN_ID", bad, 1);
    EXPECT_THROW(rclcpp::InitOptions().get_domain_id(), rclcpp::exceptions::RCLError) << bad;
    EXPECT_THROW(rclcpp::init(0, nullptr), rclcpp::exceptions::RCLError) << bad;
    EXPECT_FALSE(rclcpp::ok());
  }
  setenv("ROS_DOMAIN_ID", "42", 1);
  EXPECT_EQ(rclcpp::InitOptions().get_domain_id(), 42u);
  EXPECT_EQ(rclcpp::InitOptions().set_domain_id(7).get_domain_id(), 7u);
  unsetenv("ROS_DOMAIN_ID");
  EXPECT_EQ(rclcpp::InitOptions().get_domain_id(), 0u);
}

namespace {

int lines(const std::string & text) { return static_cast<int>(std::count(text.begin(), text.end(), '\n')); }

}  // namespace

TEST(Logging, HasTheFormatOfRos) {
  const auto logger = rclcpp::get_logger("a.logger");
  const std::string text = written([&] { RCLCPP_INFO(logger, "number %d of %s", 7, "nine"); });
  EXPECT_TRUE(testing::internal::RE::PartialMatch(
      text, testing::internal::RE("^\\[INFO\\] \\[[0-9]+\\.[0-9]{9}\\] \\[a\\.logger\\]: number 7 of nine\n$")))
      << text;
  EXPECT_NE(written([&] { RCLCPP_WARN_STREAM(logger, "x = " << 1.5); }).find("[WARN]"), std::string::npos);
  EXPECT_NE(
      written([&] { RCLCPP_FATAL(logger, "%s", std::string(5000, 'x').c_str()); }).find(std::string(5000, 'x') + "\n"),
      std::string::npos);
}

TEST(Logging, RefusesWhatIsNoLevel) {
  const auto logger = rclcpp::get_logger("levels");
  for (const int level : {-10, 1, 25, 99999}) {
    EXPECT_THROW(rclcpp::Logger(logger).set_level(static_cast<rclcpp::Logger::Level>(level)),
                 rclcpp::exceptions::RCLInvalidArgument);
  }
}

TEST(Logging, HasAFolderForFiles) {
  unsetenv("ROS_LOG_DIR");
  unsetenv("ROS_HOME");
  setenv("HOME", "/somewhere", 1);
  EXPECT_EQ(rclcpp::get_logging_directory(), "/somewhere/.ros/log");
  setenv("ROS_HOME", "/ros", 1);
  EXPECT_EQ(rclcpp::get_logging_directory(), "/ros/log");
  setenv("ROS_LOG_DIR", "~/logs", 1);
  EXPECT_EQ(rclcpp::get_logging_directory(), "/somewhere/logs");
  unsetenv("HOME");
  EXPECT_THROW(rclcpp::get_logging_directory(), rclcpp::exceptions::RCLError);
  unsetenv("ROS_LOG_DIR");
  unsetenv("ROS_HOME");
}

TEST(Logging, LevelsAreInherited) {
  auto parent = rclcpp::get_logger("family");
  auto child = parent.get_child("child");
  EXPECT_STREQ(child.get_name(), "family.child");
  EXPECT_EQ(child.get_effective_level(), rclcpp::Logger::Level::Info);
  EXPECT_EQ(written([&] { RCLCPP_DEBUG(child, "hidden"); }), "");
  parent.set_level(rclcpp::Logger::Level::Debug);
  EXPECT_EQ(lines(written([&] { RCLCPP_DEBUG(child, "shown"); })), 1);
  child.set_level(rclcpp::Logger::Level::Error);
  EXPECT_EQ(written([&] { RCLCPP_WARN(child, "hidden"); }), "");
  EXPECT_EQ(rclcpp::get_logger("family.child").get_effective_level(), rclcpp::Logger::Level::Error);
}

TEST(Logging, ConditionsHold) {
  const auto logger = rclcpp::get_logger("conditions");
  rclcpp::Clock clock(RCL_STEADY_TIME);
  const auto three_times = [&](auto && statement) {
    return lines(written([&] {
      for (int i = 0; i < 3; ++i) statement(i);
    }));
  };
  EXPECT_EQ(three_times([&](int) { RCLCPP_INFO_ONCE(logger, "once"); }), 1);
  EXPECT_EQ(three_times([&](int i) { RCLCPP_INFO_STREAM_ONCE(logger, i); }), 1);
  EXPECT_EQ(three_times([&](int i) { RCLCPP_ERROR_EXPRESSION(logger, i == 1, "%d", i); }), 1);
  EXPECT_EQ(three_times([&](int) {
              RCLCPP_WARN_FUNCTION(
                  logger, [] { return true; }, "yes");
            }),
            3);
  EXPECT_EQ(three_times([&](int) { RCLCPP_INFO_SKIPFIRST(logger, "later"); }), 2);
  EXPECT_EQ(three_times([&](int) { RCLCPP_INFO_THROTTLE(logger, clock, 600000, "rarely"); }), 1);
  EXPECT_EQ(three_times([&](int) { RCLCPP_INFO_STREAM_THROTTLE(logger, clock, 0, "always"); }), 3);
  EXPECT_EQ(three_times([&](int) { RCLCPP_INFO_SKIPFIRST_THROTTLE(logger, clock, 0, "second"); }), 2);
  EXPECT_EQ(three_times([&](int) { RCLCPP_INFO_SKIPFIRST_THROTTLE(logger, clock, 600000, "late"); }), 0);
}

TEST(Logging, ArgumentsOfHiddenLinesAreNotEvaluated) {
  int evaluated = 0;
  const auto count = [&] { return ++evaluated; };
  const auto logger = rclcpp::get_logger("lazy");
  RCLCPP_DEBUG(logger, "%d", count());
  RCLCPP_DEBUG_STREAM(logger, count());
  EXPECT_EQ(evaluated, 0);
}
