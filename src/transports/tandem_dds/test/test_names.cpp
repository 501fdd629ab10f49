#include <gtest/gtest.h>

#include <cstdlib>

#include "tandem/dds/names.hpp"
#include "tandem/security.hpp"

namespace tandem::dds {
namespace {

TEST(Names, TopicsCarryRt) {
  EXPECT_EQ(to_dds_topic("/chatter"), "rt/chatter");
  EXPECT_EQ(to_dds_topic("/a/b_2"), "rt/a/b_2");
  EXPECT_EQ(from_dds_topic("rt/a/b_2"), "/a/b_2");
  EXPECT_EQ(from_dds_topic("rt/fib/_action/feedback"), "/fib/_action/feedback");
}

TEST(Names, ChannelsOfServicesHaveTheirNames) {
  for (const char * channel : {"rq/addRequest", "rr/addReply", "rq/fib/_action/send_goalRequest"}) {
    EXPECT_EQ(to_dds_topic(channel), channel);
    EXPECT_EQ(from_dds_topic(channel), channel);
  }
}

TEST(Names, ForeignTopicsAreNone) {
  for (const char * topic : {"", "rt", "rt/", "rta", "rt/a/", "rt//a", "rt/a b", "rt/a\n", "rt/\xc3\xa4", "a", "/a",
                             "rq/add", "rr/addRequest", "rq/a bRequest", "rq/Request", "rq//Request", "rqRequest",
                             "ros_discovery_info", "DCPSPublication"}) {
    EXPECT_FALSE(from_dds_topic(topic)) << topic;
  }
}

TEST(Names, TypesCarryTheDdsNameSpace) {
  EXPECT_EQ(to_dds_type("std_msgs/msg/String"), "std_msgs::msg::dds_::String_");
  EXPECT_EQ(to_dds_type("std_srvs/srv/SetBool_Request"), "std_srvs::srv::dds_::SetBool_Request_");
  EXPECT_EQ(from_dds_type("std_msgs::msg::dds_::String_"), "std_msgs/msg/String");
  EXPECT_EQ(from_dds_type("std_srvs::srv::dds_::SetBool_Request_"), "std_srvs/srv/SetBool_Request");
}

TEST(Names, ForeignTypesAreNone) {
  for (const char * type : {"", "_", "::dds_::", "::dds_::_", "a::dds_::B_", "a::msg::dds_::B", "a::msg::dds_::_",
                            "a::msg::B_", "a::msg::dds_::dds_::B_", "a b::msg::dds_::C_", "a::b::msg::dds_::C_"}) {
    EXPECT_FALSE(from_dds_type(type)) << type;
  }
}

TEST(UserData, HoldsEnclaveAndTypeHash) {
  EXPECT_EQ(participant_user_data(), "enclave=/;");
  EXPECT_TRUE(is_ros_participant("enclave=/;"));
  EXPECT_TRUE(is_ros_participant("x=1;enclave=/a/b"));
  EXPECT_FALSE(is_ros_participant(""));
  EXPECT_FALSE(is_ros_participant("notenclave=/;enclave"));

  const std::string text = "RIHS01_df" + std::string(60, '0') + "18";
  EXPECT_EQ(endpoint_user_data(text), "typehash=" + text + ";");
  EXPECT_EQ(type_hash_in("typehash=" + text + ";"), text);
  EXPECT_EQ(type_hash_in("clientid=1;typehash=" + text), text);
}

TEST(UserData, NamesTheOrigin) {
  transport::Gid origin{};
  origin[0] = 0x1f;
  origin[15] = 0xe0;
  const std::string text = endpoint_user_data("RIHS01_1", origin);
  EXPECT_EQ(text, "typehash=RIHS01_1;origin=1f" + std::string(28, '0') + "e0;");
  EXPECT_EQ(origin_in(text), origin);
  for (const char * data : {"", "origin=", "origin=1f;", "origin=1F0000000000000000000000000000e0;"}) {
    EXPECT_EQ(origin_in(data), transport::Gid{}) << data;
  }
}

TEST(UserData, NamesTheEnclaveOfTheContext) {
  struct Telling final : transport::Transport {
    const char * name() const override { return "telling"; }
    std::vector<transport::Limit> limits() const override { return {}; }
    std::shared_ptr<transport::Context> create_context(std::uint32_t) override {
      told = participant_user_data();
      return nullptr;
    }
    std::string told;
  };
  Telling telling;
  transport::create_context(telling, 0, "/robot/arm");
  EXPECT_EQ(telling.told, "enclave=/robot/arm;");
}

TEST(UserData, MalformedTypeHashIsNone) {
  const std::string digits(64, 'a');
  for (const std::string & data :
       {std::string(), std::string("typehash="), "typehash=RIHS02_" + digits, "typehash=RIHS01_" + digits + "a",
        "typehash=RIHS01_" + digits.substr(1), "typehash=RIHS01_" + digits.substr(1) + "G", "typehash:RIHS01_" + digits,
        std::string(";;=;=="), std::string(300, ';')}) {
    EXPECT_EQ(type_hash_in(data), "") << data;
  }
}

TEST(GidWidth, FollowsTheDistribution) {
  unsetenv("TANDEM_ROS_DISTRO");
  EXPECT_EQ(chosen_width(), std::nullopt);
  const std::pair<const char *, std::optional<GidWidth>> table[] = {
      {"", std::nullopt},      {"foxy", GidWidth::k24},  {"humble", GidWidth::k24},
      {"iron", GidWidth::k16}, {"jazzy", GidWidth::k16}, {"rolling", GidWidth::k16}};
  for (const auto & [distribution, width] : table) {
    setenv("TANDEM_ROS_DISTRO", distribution, 1);
    EXPECT_EQ(chosen_width(), width) << distribution;
  }
  setenv("TANDEM_ROS_DISTRO", "humbug", 1);
  testing::internal::CaptureStderr();
  EXPECT_EQ(chosen_width(), std::nullopt);
  EXPECT_EQ(chosen_width(), std::nullopt);
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("TANDEM_ROS_DISTRO=humbug"), std::string::npos) << said;
  EXPECT_EQ(said.find("WARN"), said.rfind("WARN")) << "once only: " << said;
  unsetenv("TANDEM_ROS_DISTRO");
}

}  // namespace
}  // namespace tandem::dds
